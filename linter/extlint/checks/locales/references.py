"""The names of messages in manifests and style sheets: `__MSG_name__`, which browsers replace."""

from __future__ import annotations

import re
from collections.abc import Iterator

from extlint.text.patterns import lazy

_REFERENCE = lazy(r"__MSG_([A-Za-z0-9_@]+?)__", needs=("__MSG_",))
_ALMOST = lazy(r"_{1,3}msg_([\w@.-]+?)_{0,3}", re.IGNORECASE)


def references(text: str) -> Iterator[re.Match[str]]:
    """Yields the references that browsers replace in a text; the first group is the message's name.

    A name ends at the first `__`, because names cannot contain two consecutive underscores.
    """
    if "__MSG_" in text:
        yield from _REFERENCE.finditer(text)


def broken_reference(text: str) -> str | None:
    """Returns the name in a text that resembles `__MSG_name__`, but is not replaced, or None."""
    if _REFERENCE.search(text) is not None:
        return None
    found = _ALMOST.fullmatch(text)
    return None if found is None else found[1]
