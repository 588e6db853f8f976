"""The names of messages in manifests and style sheets: `__MSG_name__`, which browsers replace."""

from __future__ import annotations

import re
from collections.abc import Iterator

from extlint.text.patterns import lazy

_REFERENCE = lazy(r"__MSG_([A-Za-z0-9_@]+?)__", needs=("__MSG_",))
_ALMOST = lazy(r"_{1,3}msg_([\w@.-]+?)_{0,3}", re.IGNORECASE)


def references(text: str) -> Iterator[re.Match[str]]:
    """The places where browsers put a message into a text; the first group is the message's name.

    A name ends at the first `__`: none can have two underscores inside.
    """
    if "__MSG_" in text:
        yield from _REFERENCE.finditer(text)


def name_meant(text: str) -> str | None:
    """The name in a text that looks like `__MSG_name__`, but in which browsers replace nothing."""
    if _REFERENCE.search(text) is not None:
        return None
    found = _ALMOST.fullmatch(text)
    return None if found is None else found[1]
