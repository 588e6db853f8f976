"""The names of files, messages and rulesets in scripts."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from extlint.analysis.facts.script_facts import GET_MESSAGE, ApiPath, CallSite, LoadKind
from extlint.analysis.modules.loads import loads_of
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import NewExpression
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.analysis.values.evaluator import Evaluator
from extlint.project.contexts.called_files import files_injected_by, files_named_in_call
from extlint.services.editor.documents.calls import Argument, call_at, string_at
from extlint.services.editor.documents.element_addresses import ElementAddress, element_address
from extlint.text.positions import ByteSpan

RULESET_FUNCTIONS = frozenset(
    ("declarativeNetRequest", name)
    for name in ("getDisabledRuleIds", "updateEnabledRulesets", "updateStaticRules")
)
"""The functions whose arguments contain ids of rulesets."""

_RULESET_KEYS = frozenset({"disableRulesetIds", "enableRulesetIds", "rulesetId"})
_MODULES = frozenset({LoadKind.IMPORT, LoadKind.DYNAMIC_IMPORT, LoadKind.REQUIRE})


class ScriptName(Struct, frozen=True):
    """A name in a string of a script: its text, and the byte range of the string without quotes.

    `function` is the function of the API that is called with it, or empty, and `key` the property around it.
    `is_module` is true for the name of an imported module, and `is_relative` for one that is relative to the
    module with the string: `new URL(name, import.meta.url)`. `address` is the attribute that the name is
    assigned to, and the name is then relative to the page.
    """

    name: str
    span: ByteSpan
    function: ApiPath = ()
    key: str | None = None
    is_module: bool = False
    is_relative: bool = False
    address: ElementAddress | None = None


def name_at(evaluator: Evaluator, at: int) -> ScriptName | None:
    """Returns the name of a file, message or ruleset in the string around an offset, or None."""
    string = string_at(evaluator.tree, at)
    if string is None:
        return None
    span = string.start + 1, max(string.end - 1, string.start + 1)
    argument = call_at(evaluator, string)
    if argument is not None:
        name = _name_in_call(evaluator, argument, string)
        return None if name is None else ScriptName(name, span, argument.path, argument.key)
    for load in loads_of(evaluator.tree, evaluator, _around(string)):
        if load.span == string.span:
            return ScriptName(
                load.name,
                span,
                is_module=load.kind in _MODULES,
                is_relative=_is_relative(evaluator.tree, string),
            )
    address = element_address(evaluator, string)
    return None if address is None else ScriptName(_text(evaluator.tree, string), span, address=address)


def _text(tree: SyntaxTree, string: Node) -> str:
    return tree.text[string.start + 1 : string.end - 1].decode("utf-8", "replace")


def _is_relative(tree: SyntaxTree, string: Node) -> bool:
    listed = string.parent
    created = None if listed is None else listed.parent
    return isinstance(created, NewExpression) and tree.source(created.callee) == "URL"


def _around(string: Node) -> ByteSpan:
    """Returns the byte range of the statement, or of the call, that may load what a string names."""
    up = string.parent
    while up is not None and up.type in ("arguments", "binary_expression", "import_require_clause"):
        up = up.parent
    if up is not None and up.type == "new_expression" and up.parent is not None:
        outer = up.parent.parent if up.parent.type == "arguments" else None
        up = outer or up
    return (string.start, string.end) if up is None or up.parent is None else (up.start, up.end)


def _name_in_call(evaluator: Evaluator, argument: Argument, string: Node) -> str | None:
    text = _text(evaluator.tree, string)
    if argument.path == GET_MESSAGE:
        return text if argument.index == 0 else None
    if argument.path in RULESET_FUNCTIONS:
        return text if argument.key in _RULESET_KEYS else None
    files = _files_in(argument.call)
    return next((each for each, span in files if span == string.span), None)


def _files_in(call: CallSite) -> Iterable[tuple[str, ByteSpan]]:
    yield from ((each.name, each.span) for each in files_named_in_call(call))
    yield from ((each.name, each.span) for each in files_injected_by((call,)))
