"""Detects generated scripts, such as bundled, compiled or minified code, from their text."""

from __future__ import annotations

from extlint.text.patterns import lazy

_BUNDLER_MARKS = (
    *(b"__webpack_require__", b"__commonJS", b"__esModule", b"webpackChunk", b"parcelRequire"),
    *(b"node_modules/", b"sourceMappingURL", b"@license", b"/*!"),
    *(b"vite:preloadError", b"getDefaultExportFromCjs"),
)
_WORDS = lazy(rb"(?:typeof (?<!\wtypeof )(?:exports|define)|__toESM(?<!\w__toESM))\b")
"""Tests that decide how a module is loaded, and esbuild's helper."""

_MAX_LINE_BYTES = 300
"""The average line length from which a script counts as minified."""

_PIECE_BYTES = 64 * 1024
"""The bytes in which lines are counted at a time."""


def seems_generated(text: bytes) -> bool:
    """Whether a text is minified, or contains marks of bundlers, compilers or libraries."""
    return (
        is_minified(text) or any(each in text for each in _BUNDLER_MARKS) or _WORDS.search(text) is not None
    )


def is_minified(text: bytes) -> bool:
    """Whether the lines of a text are long on average.

    Usually its first part already has enough lines to rule this out.
    """
    lines = 1
    for start in range(0, len(text), _PIECE_BYTES):
        if len(text) <= _MAX_LINE_BYTES * lines:
            return False
        lines += text.count(b"\n", start, start + _PIECE_BYTES)
    return len(text) > _MAX_LINE_BYTES * lines
