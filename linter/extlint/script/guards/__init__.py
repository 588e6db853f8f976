"""What was tested before a place is reached."""
