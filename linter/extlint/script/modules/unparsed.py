"""The facts of scripts in which nothing has to be followed: what they load is read without parsing them."""

from __future__ import annotations

from collections.abc import Sequence

from extlint.bundles.chunks import may_export
from extlint.package.suffixes import WITH_MARKUP, has_suffix
from extlint.script.facts.imports import Demand, ImportResolver
from extlint.script.facts.script_facts import ScriptFacts
from extlint.script.syntax.source import MAX_SCRIPT_BYTES
from extlint.text.patterns import lazy

_CODE = lazy(rb"\w+(?:\.\w+\.\w+\s*\(|\s*(?:\?\?|\|\|))")
_LITERAL = lazy(rb"[\"'`]|//|\*")
_BEFORE_EXPRESSION = b"!&(,:;=>?[{|}"
_MAX_LINE_BYTES = 400


def facts_without_parsing(
    text: bytes, path: str, places: Sequence[int], imported: ImportResolver
) -> ScriptFacts | None:
    """The facts of a script whose code does not name the API; None if that is not certain.

    `places` are the byte offsets where it may. The script is certain to have no syntax error that would be
    reported: one with brackets that do not match is parsed.
    """
    if len(text) > MAX_SCRIPT_BYTES or has_suffix(path, WITH_MARKUP):
        return None
    if any(_reads_like_code(text, at) for at in places):
        return None
    from extlint.script.syntax.lexer import code_of, is_balanced

    code = code_of(text, places)
    if code is None or not is_balanced(code) or any(_begins_string(code, at) for at in places):
        return None
    from extlint.script.modules.literal_loads import literal_loads

    loads = literal_loads(text, code)
    if loads is None or any(imported(load.name, of_api=True) for load in loads):
        return None
    known = Demand.OF_API if may_export(text) else Demand.ALL
    return ScriptFacts(loads=loads, known_exports=known)


def _reads_like_code(text: bytes, at: int) -> bool:
    """Whether a call of the API or a choice of its root (`browser ?? chrome`) seems to stand here.

    Nothing before it begins a string or comment. So the script has to be parsed in all likelihood, and is,
    even if a comment of many lines is around.
    """
    if _CODE.match(text, at) is None:
        return False
    earliest = max(0, at - _MAX_LINE_BYTES)
    line = text.rfind(b"\n", earliest, at) + 1
    if line or not earliest:
        return _LITERAL.search(text, line, at) is None
    return text[at - 1] in _BEFORE_EXPRESSION


def _begins_string(code: bytes, at: int) -> bool:
    """Whether the text of a string begins here, which may be the name of a member."""
    from extlint.script.syntax.lexer import IN_STRING

    return code[at : at + 1] == IN_STRING and code[at - 1 : at] != IN_STRING
