"""Finds facts of scripts in which nothing has to be followed: their loads are read without parsing.

Libraries that detect the browser declare variables that shadow the API's root names:
`var chrome = /Chrome/.test(navigator.userAgent)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from extlint.analysis.bundles.chunks import may_export
from extlint.analysis.facts.other_scripts import Demand, ImportResolver
from extlint.analysis.facts.script_facts import ScriptFacts
from extlint.analysis.syntax.lexer import IN_STRING, code_of, is_balanced
from extlint.analysis.syntax.source import MAX_SCRIPT_BYTES
from extlint.package.suffixes import TYPED, WITH_MARKUP, has_suffix
from extlint.text.patterns import lazy

_CODE = lazy(rb"\w+(?:\.\w+\.\w+\s*\(|\s*(?:\?\?|\|\|))")
_LITERAL = lazy(rb"[\"'`]|//|\*")
_FROM = lazy(rb"from(?<![\w$.]from)\s*(?:\"([^\"\\\r\n]+)\"|'([^'\\\r\n]+)')", needs=(b"from",))
_BEFORE_EXPRESSION = b"!&(,:;=>?[{|}"
_MAX_LINE_BYTES = 400
_DECLARING = lazy(rb"(?<![\w$.])(?:(var)|let|const)\s+\Z")
_ROOT_NAME = lazy(rb"(?:browser|chrome)(?=\s*=(?![=>]))")
_FUNCTION = lazy(rb"(?:function\s*[\w$]*\s*\([^()]*\)|=>)\s*\Z")
_BRACE = lazy(rb"[{}]")
_NEIGHBORHOOD_BYTES = 64

MAX_BRACES_BEFORE = 100
"""The most braces between a declaration and the start of its block; beyond these, the search for the
block stops.
"""


def facts_without_parsing(
    text: bytes, path: str, places: Sequence[int], imported: ImportResolver
) -> ScriptFacts | None:
    """Returns the facts of a script whose code does not name the API, or None if that is not certain.

    `places` are the byte offsets where it may. The script certainly has no syntax error that would be
    reported: a script with unbalanced brackets is parsed.
    """
    if len(text) > MAX_SCRIPT_BYTES or has_suffix(path, WITH_MARKUP):
        return None
    if any(_reads_like_code(text, at) for at in places) or _imports_api(text, imported):
        return None

    own = root_declarations(text, places) if places else {}
    code = code_of(text, [at for at in places if not text.startswith((*own,), at)])
    if code is None or not is_balanced(code) or any(_begins_string(code, at) for at in places):
        return None
    if own and not all(is_always_shadowed(code, at, name, places) for name, at in own.items()):
        return None
    from extlint.analysis.modules.literal_loads import literal_loads

    loads = literal_loads(text, code, may_have_types=has_suffix(path, TYPED))
    if loads is None or any(imported(load.name, of_api=True) for load in loads):
        return None
    known = Demand.OF_API if may_export(text) else Demand.ALL
    return ScriptFacts(loads=loads, known_exports=known)


def _imports_api(text: bytes, imported: ImportResolver) -> bool:
    """Whether a script seems to name a module that provides the API, so that it has to be parsed."""
    names = {
        (found[1] or found[2]).decode("utf-8", "replace"): None
        for found in _FROM.finditer(text)
        if _is_outside_literal(text, found.start())
    }
    return any(imported(name, of_api=True) for name in names)


def _reads_like_code(text: bytes, at: int) -> bool:
    """Whether a call of the API or a choice of its root (`browser ?? chrome`) seems to be at an offset.

    Nothing before it in its line begins a string or comment. So the script most likely has to be parsed, and
    is, even if a comment of many lines contains the offset.
    """
    return _CODE.match(text, at) is not None and _is_outside_literal(text, at)


def _is_outside_literal(text: bytes, at: int) -> bool:
    """Whether nothing before an offset in its line begins a string or comment."""
    earliest = max(0, at - _MAX_LINE_BYTES)
    line = text.rfind(b"\n", earliest, at) + 1
    if line or not earliest:
        return _LITERAL.search(text, line, at) is None
    return text[at - 1] in _BEFORE_EXPRESSION


def _begins_string(code: bytes, at: int) -> bool:
    """Whether the text of a string, which may be the name of a member, begins at an offset."""
    return code[at : at + 1] == IN_STRING and code[at - 1 : at] != IN_STRING


def root_declarations(text: bytes, places: Sequence[int]) -> Mapping[bytes, int]:
    """Returns offsets where root names seem to be declared, each in its own declaration with a value."""
    found: dict[bytes, int] = {}
    for at in places:
        name = _ROOT_NAME.match(text, at)
        if name is not None and _DECLARING.search(text, max(0, at - _NEIGHBORHOOD_BYTES), at) is not None:
            found.setdefault(name[0], at)
    return found


def is_always_shadowed(code: bytes, declared: int, name: bytes, places: Sequence[int]) -> bool:
    """Whether a name declared in a block refers to that variable at all of these positions in code.

    In code, strings and comments are blank; see `lexer`.
    """
    block = _block_of(code, declared)
    if block is None or code[declared : declared + len(name)] != name:
        return False
    return all(
        block[0] < at < block[1] and _is_variable(code, at, at + len(name))
        for at in places
        if code[at : at + len(name)] == name
    )


def _block_of(code: bytes, declared: int) -> tuple[int, int] | None:
    """Returns the braces around a variable.

    Returns None if it may be top-level, and so a property of the global object.
    """
    at, depth = declared, 0
    for _ in range(MAX_BRACES_BEFORE):
        at = max(code.rfind(b"{", 0, at), code.rfind(b"}", 0, at))
        if at < 0:
            return None
        depth += 1 if code[at : at + 1] == b"}" else -1
        if depth < 0:
            break
    else:
        return None
    before = max(0, declared - _NEIGHBORHOOD_BYTES)
    declaring = _DECLARING.search(code, before, declared)
    is_of_block = declaring is not None and declaring[1] is None
    if not is_of_block and _FUNCTION.search(code, max(0, at - _NEIGHBORHOOD_BYTES), at) is None:
        return None
    depth = 0
    for brace in _BRACE.finditer(code, at):
        depth += 1 if brace[0] == b"{" else -1
        if depth == 0:
            return at, brace.start()
    return None


def _is_variable(code: bytes, start: int, end: int) -> bool:
    """Whether a name is neither a property nor part of a pattern that destructures an object."""
    before = code[max(0, start - _NEIGHBORHOOD_BYTES) : start].rstrip()[-1:]
    after = code[end : end + _NEIGHBORHOOD_BYTES].lstrip()[:1]
    return before != b"." and after != b":" and not (before in (b"{", b",") and after in (b"}", b","))
