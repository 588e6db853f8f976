"""The folder `_locales`: its files, their messages, and the references to messages."""
