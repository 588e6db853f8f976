"""Names that may be used outside of the blocks that declare them, found in the words of a script.

Only braces separate the blocks, without a syntax tree. Most names are declared around each use, so that no
exact search has to look at them.
"""

from __future__ import annotations

from collections.abc import Set

from msgspec import Struct

from extlint.text.patterns import lazy

_TOKEN = lazy(
    rb"((?:[,(=:\[?]|(?<![\w$.])(?:const|export|import|let|return|var))\s*+\{\s*+)|(\{)|(\})"
    rb"|(?:((?<![\w$.])(?:import\s*+\*\s*+as|as|class|const|function|import|let|using|var)[\s*]++)"
    rb"|(?<![\w$.])(?:for|if|switch|while|with)\s*+\(\s*+(?!(?:const|let|using|var)\s)"
    rb"|((?:[,(\[]|\.\.\.)\s*+(?!(?:class|const|function|let|using|var)\s))|(?<![\w$.#@\x80-\xff\x01\x02]))"
    rb"([A-Za-z_$][\w$]*+)(?![\x80-\xff])(?(4)|(?!\{|\s*+:|\([^()]*+\)\s*+\{))(?:(?=([.\[(]))|(\s*+=>\s*+))?"
)
"""A brace of an object or a pattern, other braces, or a name, after what may declare it or before `=>`."""

_OBJECT, _OPEN, _CLOSE, _KEYWORD, _IN_LIST, _NAME, _READ, _ARROW = range(1, 9)

_REST = lazy(rb"[^(){;]{0,300}?(?:\)\s*+(?:=>\s*+)?(\{)|\)\s*+=>|[}\]]\s*+(?:=(?![=>])|(?:from|in|of)\b))")
"""The rest of a list of parameters, or of a pattern, and the brace of the body."""

_MEMBER_NAME = lazy(rb"(?<=[^.]\.)[\w$]++")
"""The name of a member, which no search has to look at. With blanks, these are half of most scripts."""


class ScriptNames(Struct, frozen=True):
    """Names that a script may use without a declaration around them, and those that its top may declare."""

    unbound: frozenset[bytes]
    top: frozenset[bytes]


def script_names(code: bytes, known: Set[bytes]) -> ScriptNames:
    """Returns the names in a script that are not `known`.

    The `code` has neither comments nor the contents of strings.
    """
    code = _MEMBER_NAME.sub(b"", b" ".join(code.split()))
    outer = [-1]
    block, around = 0, [0]
    uses: dict[bytes, set[int]] = {}
    declared: set[tuple[bytes, int]] = set()
    parameters: list[bytes] = []
    first = -1
    for found in _TOKEN.finditer(code):
        name = found[_NAME]
        if name is not None:
            if name in known:
                continue
            before = b"{" if found.start() == first else found[_IN_LIST]
            is_listed = before is not None and found[_READ] is None
            rest = _REST.match(code, found.end()) if is_listed else None
            is_body = found[_ARROW] is not None and code[found.end() : found.end() + 1] == b"{"
            if is_body or (rest is not None and rest[1] is not None):
                parameters.append(name)
            elif (
                rest is not None
                or found[_KEYWORD] is not None
                or found[_ARROW] is not None
                or (is_listed and before is not None and before[:1] in (b",", b"."))
            ):
                declared.add((name, block))
            else:
                uses.setdefault(name, set()).add(block)
        elif found[_OPEN] is not None:
            outer.append(block)
            block = len(outer) - 1
            around.append(block)
            declared.update((each, block) for each in parameters)
            parameters.clear()
        elif found[_OBJECT] is not None:
            around.append(block)
            first = found.end()
        elif len(around) > 1:
            around.pop()
            block = around[-1]
    unbound = (
        name
        for name, blocks in uses.items()
        if any(_is_unbound(name, each, outer, declared) for each in blocks)
    )
    return ScriptNames(frozenset(unbound), frozenset(name for name, block in declared if not block))


def _is_unbound(name: bytes, block: int, outer: list[int], declared: Set[tuple[bytes, int]]) -> bool:
    while block >= 0:
        if (name, block) in declared:
            return False
        block = outer[block]
    return True
