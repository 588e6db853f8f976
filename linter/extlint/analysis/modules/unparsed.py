"""Finds facts of scripts in which nothing has to be followed: their loads are read without parsing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from extlint.analysis.bundles.chunks import may_export
from extlint.analysis.facts.imports import Demand, ImportResolver
from extlint.analysis.facts.script_facts import ScriptFacts
from extlint.analysis.syntax.source import MAX_SCRIPT_BYTES
from extlint.package.suffixes import TYPED, WITH_MARKUP, has_suffix
from extlint.text.patterns import lazy

_CODE = lazy(rb"\w+(?:\.\w+\.\w+\s*\(|\s*(?:\?\?|\|\|))")
_LITERAL = lazy(rb"[\"'`]|//|\*")
_FROM = lazy(rb"from(?<![\w$.]from)\s*(?:\"([^\"\\\r\n]+)\"|'([^'\\\r\n]+)')", needs=(b"from",))
_BEFORE_EXPRESSION = b"!&(,:;=>?[{|}"
_MAX_LINE_BYTES = 400


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
    from extlint.analysis.syntax.lexer import code_of, is_balanced

    own = _own_names(text, places) if places else {}
    code = code_of(text, [at for at in places if not text.startswith((*own,), at)])
    if code is None or not is_balanced(code) or any(_begins_string(code, at) for at in places):
        return None
    if own and not _are_own(code, own, places):
        return None
    from extlint.analysis.modules.literal_loads import literal_loads

    loads = literal_loads(text, code, may_have_types=has_suffix(path, TYPED))
    if loads is None or any(imported(load.name, of_api=True) for load in loads):
        return None
    known = Demand.OF_API if may_export(text) else Demand.ALL
    return ScriptFacts(loads=loads, known_exports=known)


def _own_names(text: bytes, places: Sequence[int]) -> Mapping[bytes, int]:
    from extlint.analysis.syntax.shadowed_roots import root_declarations

    return root_declarations(text, places)


def _are_own(code: bytes, declared: Mapping[bytes, int], places: Sequence[int]) -> bool:
    from extlint.analysis.syntax.shadowed_roots import is_always_shadowed

    return all(is_always_shadowed(code, at, name, places) for name, at in declared.items())


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
    from extlint.analysis.syntax.lexer import IN_STRING

    return code[at : at + 1] == IN_STRING and code[at - 1 : at] != IN_STRING
