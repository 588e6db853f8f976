"""The folder `_locales`: its files, their messages, and the places that name messages."""
