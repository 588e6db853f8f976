"""Parts of a script that a build keeps or leaves out, as comments say: `// #if FIREFOX` … `// #endif`."""

from __future__ import annotations

import re

from extlint.script.syntax.tree import SyntaxTree
from extlint.text.last_text import once_for_last_text
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

_END = lazy(rb"end(?<!\wend)\s?if\b", needs=(b"end",))
_DIRECTIVE = lazy(rb"/[/*]{1,2}\s*[@#!]\s*(if(?:n?def)?|end\s?if)\b", re.IGNORECASE)


def build_blocks(tree: SyntaxTree) -> list[ByteSpan]:
    """The outermost such parts, in source order. A part without an end does not count."""
    if not _may_have_blocks(tree.text):
        return []
    tree.spend_search(len(tree.text))
    found: list[ByteSpan] = []
    opened: list[int] = []
    for directive in _DIRECTIVE.finditer(tree.text):
        if tree.leaf_at(directive.start()).type != "comment":
            continue
        if directive[1].lower().startswith(b"if"):
            opened.append(directive.end())
        elif opened:
            start = opened.pop()
            if not opened:
                found.append((start, directive.start()))
    return found


@once_for_last_text
def _may_have_blocks(text: bytes) -> bool:
    return _END.search(text.lower()) is not None
