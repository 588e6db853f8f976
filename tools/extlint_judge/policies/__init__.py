"""The code that the content security policy of an extension's pages lets run."""
