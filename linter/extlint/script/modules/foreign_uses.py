"""Finds where a script uses a name that another script defines."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from extlint.script.call_graph.definitions import DEFAULT
from extlint.script.call_graph.entry_points import EntryPoints, ExternalName, NameKind
from extlint.script.call_graph.property_uses import is_unrelated_use, uses_of_part, uses_of_property
from extlint.script.call_graph.variable_uses import uses_of_variable
from extlint.script.modules.specifiers import exports_by_own_name, imports_by_name
from extlint.script.scope.model import Identifier, Role
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import (
    PairPattern,
    Parameter,
    VariableDeclarator,
)
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.promise_values import sources_of_parameter
from extlint.script.values.property_index import members_named, patterns_named

IsTargetModule = Callable[[str], bool]
"""A test of whether a module's name in an import refers to the other script."""

_LOADING = ("import(", "require(")


def foreign_uses(evaluator: Evaluator, name: ExternalName, is_target: IsTargetModule) -> EntryPoints | None:
    """Returns a script's uses of another script's name, and the names by which it re-exports it.

    Returns None unless all of them are known.
    """
    match name.kind:
        case NameKind.PROPERTY:
            found = uses_of_property(evaluator, name.text)
            if found is None:
                return None
            return EntryPoints(
                tuple(each for each in found if not is_unrelated_use(evaluator, each, None, None))
            )
        case NameKind.GLOBAL:
            return EntryPoints(()) if evaluator.tree.is_module else _uses_of_global(evaluator, name.text)
    return _uses_of_export(evaluator, name, is_target)


def _uses_of_global(evaluator: Evaluator, name: str) -> EntryPoints:
    found = evaluator.names.free_uses(name)
    return EntryPoints(tuple(each.item for each in found if each.role is Role.REFERENCE))


def _uses_of_export(evaluator: Evaluator, name: ExternalName, is_target: IsTargetModule) -> EntryPoints:
    uses: list[Node] = []
    names: list[ExternalName] = []
    for local in importing_variables(evaluator, name.text, is_target):
        binding = evaluator.names.variable(local)
        found = None if binding is None else uses_of_variable(evaluator, binding)
        if found is not None:
            uses += found.uses
            names += found.names
    names += re_export_names(evaluator, name.text, is_target)
    if name.text != DEFAULT:
        uses += namespace_reads(evaluator, name.text)
    return EntryPoints(tuple(uses), tuple(each for each in dict.fromkeys(names) if each != name))


def importing_variables(evaluator: Evaluator, name: str, is_target: IsTargetModule) -> Iterator[Node]:
    """Yields the variables that import statements bind to the export of a name."""
    for each in imports_by_name(evaluator).get(name, ()):
        if name != DEFAULT or is_target(each.module):
            yield each.variable


def re_export_names(evaluator: Evaluator, name: str, is_target: IsTargetModule) -> Iterator[ExternalName]:
    """Yields the other names in `export {name as other} from`."""
    for each in exports_by_own_name(evaluator).get(name, ()):
        if each.module is not None and (name != DEFAULT or is_target(each.module)):
            yield ExternalName(evaluator.tree.source(each.alias), NameKind.EXPORT)


def namespace_reads(evaluator: Evaluator, name: str) -> Iterator[Node]:
    """Yields the reads of a name of a module object (`module.name`, `const {name} = require(…)`)."""
    for each in members_named(evaluator, name):
        if _is_module(evaluator, each.object):
            yield each
    for part in patterns_named(evaluator, name):
        taker = next((up for up in part.ancestors() if up.type != "object_pattern"), None)
        value = taker.value if isinstance(taker, VariableDeclarator | Parameter | PairPattern) else None
        if value is not None and _is_module(evaluator, value):
            yield from uses_of_part(evaluator, part)


def _is_module(evaluator: Evaluator, expression: Node) -> bool:
    """Whether an expression seems to be a module: something imported, or `require(…)`."""
    if expression.type == "identifier":
        binding = evaluator.names.variable(expression)
        if binding is None:
            return False
        return any(_is_module_declared(evaluator, each) for each in binding.declarations)
    return _mentions_load(evaluator, expression)


def _is_module_declared(evaluator: Evaluator, declared: Identifier) -> bool:
    if declared.kind == "import" or declared.source is None:
        return declared.kind == "import"
    if declared.kind == "parameter":
        sources = sources_of_parameter(evaluator, declared.source) or ()
        return any(_mentions_load(evaluator, each) for each in sources)
    value = declared.source.value if isinstance(declared.source, VariableDeclarator) else None
    return value is not None and _mentions_load(evaluator, value)


def _mentions_load(evaluator: Evaluator, expression: Node) -> bool:
    return any(each in evaluator.tree.source(expression)[:200] for each in _LOADING)
