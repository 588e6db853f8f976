"""Which texts of scripts were made by a tool of code that others wrote, as the texts themselves tell."""

from __future__ import annotations

from extlint.text.patterns import lazy

_OF_BUNDLERS = (
    *(b"__webpack_require__", b"__commonJS", b"__esModule", b"webpackChunk", b"parcelRequire"),
    *(b"node_modules/", b"sourceMappingURL", b"@license", b"/*!"),
    *(b"vite:preloadError", b"getDefaultExportFromCjs"),
)
_WORDS = lazy(rb"(?:typeof (?<!\wtypeof )(?:exports|define)|__toESM(?<!\w__toESM))\b")
"""What decides how a module is loaded, and esbuild's helper."""

_MAX_LINE_BYTES = 300
"""The average length of the lines of a script from which on it counts as minified."""

_PIECE_BYTES = 64 * 1024
"""Bytes whose lines are counted at once."""


def seems_generated(text: bytes) -> bool:
    """Whether a text is minified, or has what bundlers, compilers and libraries add."""
    return _is_minified(text) or any(each in text for each in _OF_BUNDLERS) or _WORDS.search(text) is not None


def _is_minified(text: bytes) -> bool:
    """Whether the lines of a text are long; of most others a part has enough lines for all of it."""
    lines = 1
    for start in range(0, len(text), _PIECE_BYTES):
        if len(text) <= _MAX_LINE_BYTES * lines:
            return False
        lines += text.count(b"\n", start, start + _PIECE_BYTES)
    return len(text) > _MAX_LINE_BYTES * lines
