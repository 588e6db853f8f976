"""Finds code that a build includes or omits as directed by comments: `// #if FIREFOX` … `// #endif`."""

from __future__ import annotations

import re

from extlint.analysis.syntax.tree import SyntaxTree
from extlint.text.last_text import cache_last_text
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

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
