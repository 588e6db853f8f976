"""HTML from text: whatever a package has put into a text, it stays text."""

from __future__ import annotations

from html import escape

from extlint.reporter.visible import visible
from extlint.text.patterns import lazy

_CODE = lazy(r"`([^`]+)`")

_NO_CHARACTERS = str.maketrans({"\ufffe": "\ufffd", "\uffff": "\ufffd"})


def text(value: str) -> str:
    """A text on one line, also as the value of an attribute."""
    return escape(visible(value).translate(_NO_CHARACTERS))


def message(value: str) -> str:
    """A message; what is in backticks becomes code."""
    return str(_CODE.sub(r"<code>\1</code>", text(value)))


def element(name: str, content: str, **attributes: str) -> str:
    """An element. Its content is HTML, its attributes are text, without a `_` at the end of their names."""
    written = "".join(f' {key.rstrip("_")}="{text(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{content}</{name}>"
