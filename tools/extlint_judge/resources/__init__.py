"""The files of an extension that the web pages of its content scripts may load."""
