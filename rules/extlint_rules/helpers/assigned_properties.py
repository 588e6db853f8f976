"""Whether some script of a package assigns to a property of a name, of whatever object."""

from __future__ import annotations

import re

from extlint.extension import Extension, once_per_extension
from extlint.text.positions import encoded

_ASSIGNMENT = r"\s*(?:(?:[-+*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)?=(?![=>])|\+\+|--)"
_COPYING_CALL = (
    r"\b(?:assign|assignIn|defaults|defineProperty|defineProperties|extend|merge)\s*\([^;]{0,400}?"
)


def is_property_assigned(extension: Extension, name: str) -> bool:
    """Whether some script assigns to a property of this name, or passes it to a copying function.

    The object may get there in ways that no analysis follows.
    """
    known = _answers(extension)
    if name not in known:
        word = re.escape(name)
        named = rf"(?:\.\s*#?{word}|\[\s*[\"'`]{word}[\"'`]\s*\])"
        changed = rf"(?:\+\+|--)[\w$.]*\.{word}(?![\w$])"
        copied = rf"{_COPYING_CALL}(?<![\w$]){word}(?![\w$])"
        pattern = re.compile(encoded(f"{named}{_ASSIGNMENT}|{changed}|{copied}"))
        texts = {script.path: script.index.text for script in extension.scripts}.values()
        known[name] = any(encoded(name) in text and pattern.search(text) for text in texts)
    return known[name]


@once_per_extension
def _answers(_extension: Extension) -> dict[str, bool]:
    """The answers so far, by name."""
    return {}
