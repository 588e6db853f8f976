"""What an extension asks of its user: the permissions, what each is for, and what a browser says of them."""
