"""The permissions of an extension, their uses, and the prompts that browsers show for them."""
