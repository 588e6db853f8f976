"""Whether a package gives objects a property of some name, wherever it does so."""

from __future__ import annotations

import re

from extlint.extension import Extension, once_per_extension

_WRITING = r"\s*(?:(?:[-+*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)?=(?![=>])|\+\+|--)"
_GIVING = r"\b(?:assign|assignIn|defaults|defineProperty|defineProperties|extend|merge)\s*\([^;]{0,400}?"


def is_assigned(extension: Extension, name: str) -> bool:
    """Whether some script writes to a property of that name, or hands it to what copies properties.

    An object may come to that place in ways that are not followed.
    """
    known = _answers(extension)
    if name not in known:
        word = re.escape(name)
        named = rf"(?:\.\s*#?{word}|\[\s*[\"'`]{word}[\"'`]\s*\])"
        pattern = re.compile(
            rf"{named}{_WRITING}|(?:\+\+|--)[\w$.]*\.{word}(?![\w$])|{_GIVING}(?<![\w$]){word}(?![\w$])".encode()
        )
        texts = {script.path: script.index.text for script in extension.scripts}.values()
        known[name] = any(name.encode() in text and pattern.search(text) for text in texts)
    return known[name]


@once_per_extension
def _answers(_extension: Extension) -> dict[str, bool]:
    """The names that somebody has asked about."""
    return {}
