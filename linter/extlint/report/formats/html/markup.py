"""Creates HTML from text. Markup in a text from a package is escaped."""

from __future__ import annotations

from html import escape

from extlint.report.visible import visible
from extlint.text.patterns import lazy

_CODE = lazy(r"`([^`]+)`")

_NO_CHARACTERS = str.maketrans({"\ufffe": "\ufffd", "\uffff": "\ufffd"})


def text(value: str) -> str:
    """Escapes a text for one line, or for the value of an attribute."""
    return escape(visible(value).translate(_NO_CHARACTERS))


def message(value: str) -> str:
    """Renders a message, in which text in backticks becomes code."""
    return str(_CODE.sub(r"<code>\1</code>", text(value)))


def element(name: str, content: str, **attributes: str) -> str:
    """Returns an element.

    Its content is HTML, its attributes are text. A `_` at the end of their names is removed.
    """
    written = "".join(f' {key.rstrip("_")}="{text(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{content}</{name}>"
