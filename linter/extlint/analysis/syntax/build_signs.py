"""Signs of build tools in the text of a script: generated code, and blocks directed by comments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from extlint.text.patterns import cache_last_text, lazy
from extlint.text.positions import ByteSpan

if TYPE_CHECKING:
    from extlint.analysis.syntax.tree import SyntaxTree

_BUNDLER_MARKS = (
    *(b"__webpack_require__", b"__commonJS", b"__esModule", b"webpackChunk", b"parcelRequire"),
    *(b"node_modules/", b"sourceMappingURL", b"@license", b"/*!"),
    *(b"vite:preloadError", b"getDefaultExportFromCjs"),
)
_WORDS = lazy(
    rb"(?:typeof (?<!\wtypeof )(?:exports|define)|__toESM(?<!\w__toESM))\b",
    needs=(b"typeof exports", b"typeof define", b"__toESM"),
)
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


_DIRECTIVE = lazy(rb"/[/*]{1,2}\s*[@#!]\s*(if(?:n?def)?|end\s?if)\b", re.IGNORECASE, needs=(b"//", b"/*"))


def build_blocks(tree: SyntaxTree) -> list[ByteSpan]:
    """Returns the outermost conditional parts, in source order. A part without an end does not count."""
    directives = _directives(tree.text)
    if not any(_is_end(each) for each in directives):
        return []
    tree.spend_search(len(tree.text))
    found: list[ByteSpan] = []
    opened: list[int] = []
    for directive in directives:
        if tree.leaf_at(directive.start()).type != "comment":
            continue
        if not _is_end(directive):
            opened.append(directive.end())
        elif opened:
            start = opened.pop()
            if not opened:
                found.append((start, directive.start()))
    return found


@cache_last_text
def _directives(text: bytes) -> list[re.Match[bytes]]:
    return list(_DIRECTIVE.finditer(text))


def _is_end(directive: re.Match[bytes]) -> bool:
    return directive[1][:1] in (b"e", b"E")


def may_depend_on_build(text: bytes) -> bool:
    """Whether a script may have constants that say if a build is for users."""
    return any(each in text for each in (b"import.meta.env", b"import.meta.hot", b"__DEV__", b"NODE_ENV"))
