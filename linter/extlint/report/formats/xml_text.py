"""Text in XML 1.0. Characters that are invalid in XML are escaped or replaced."""

from __future__ import annotations

from extlint.report.visible import visible

HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n'

_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\ufffe": "\ufffd", "\uffff": "\ufffd"}
)


def attribute(text: str) -> str:
    """Returns a text as the value of an attribute, without its quotes."""
    return visible(text).translate(_ESCAPES)


def attributes(**values: object) -> str:
    """Returns attributes of these names, with a space before each."""
    return "".join(f' {name}="{attribute(str(value))}"' for name, value in values.items())
