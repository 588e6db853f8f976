"""Finds where a script uses a name that another script defines, or reads a member of its object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.call_graph.definitions import DEFAULT, exported_as
from extlint.analysis.call_graph.delegation import reads_of_shared_member
from extlint.analysis.call_graph.entry_points import (
    EntryPoints,
    ExternalName,
    NameKind,
    SharedMember,
    free_reads,
    is_unrelated_use,
    reads_of_global,
    uses_of_part,
    uses_of_property,
)
from extlint.analysis.call_graph.holders import Reads
from extlint.analysis.call_graph.variable_uses import uses_of_variable
from extlint.analysis.modules.module_names import exports_by_own_name, imports_by_name
from extlint.analysis.scope.model import Binding, Identifier
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import PairPattern, Parameter, VariableDeclarator
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.promise_values import sources_of_parameter
from extlint.analysis.values.property_index import members_named, patterns_named

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
            return EntryPoints(() if evaluator.tree.is_module else tuple(free_reads(evaluator, name.text)))
    return _uses_of_export(evaluator, name, is_target)


def _uses_of_export(evaluator: Evaluator, name: ExternalName, is_target: IsTargetModule) -> EntryPoints:
    imported = imports_of(evaluator, name.text, is_target)
    uses: list[Node] = []
    names: list[ExternalName] = []
    for binding in imported.variables:
        found = uses_of_variable(evaluator, binding)
        if found is not None:
            uses += found.uses
            names += found.names
    names += imported.re_exports
    if name.text != DEFAULT:
        uses += imported.namespace_reads
    return EntryPoints(tuple(uses), tuple(each for each in dict.fromkeys(names) if each != name))


class Imports(Struct, frozen=True):
    """The names by which a script uses an export of another one.

    These are variables that import statements bind, the reads of module objects (`module.name`), and the
    other names in `export {name as other} from`.
    """

    variables: Sequence[Binding]
    namespace_reads: Iterable[Node]
    re_exports: Sequence[ExternalName]


def imports_of(evaluator: Evaluator, name: str, is_target: IsTargetModule) -> Imports:
    """Returns the names by which a script uses an export. The module only matters for default exports."""

    def is_meant(module: str) -> bool:
        return name != DEFAULT or is_target(module)

    imported = (each.variable for each in imports_by_name(evaluator).get(name, ()) if is_meant(each.module))
    bindings = (evaluator.names.variable(each) for each in imported)
    exported = exports_by_own_name(evaluator).get(name, ())
    aliases = (each.alias for each in exported if each.module is not None and is_meant(each.module))
    return Imports(
        [each for each in bindings if each is not None],
        _namespace_reads(evaluator, name),
        [ExternalName(evaluator.tree.source(each), NameKind.EXPORT) for each in aliases],
    )


def _namespace_reads(evaluator: Evaluator, name: str) -> Iterator[Node]:
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


def foreign_reads(
    evaluator: Evaluator,
    member: SharedMember,
    is_target: IsTargetModule,
    is_in_realm: Callable[[Node], bool],
) -> Reads | None:
    """Returns a script's reads of a member of another script's object, or None if not all are known.

    `is_in_realm` is whether code at a place may have the other script's global object. `shared` are other
    names by which further scripts may read the member.
    """
    if member.name.kind is NameKind.GLOBAL:
        named = filter(is_in_realm, reads_of_global(evaluator, member.name.text))
        return reads_of_shared_member(evaluator, named, member.path)
    if member.name.kind is not NameKind.EXPORT:
        return None
    imported = imports_of(evaluator, member.name.text, is_target)
    places, names = [*imported.namespace_reads], [*imported.re_exports]
    for binding in imported.variables:
        for use in binding.uses:
            exported = exported_as(evaluator, use.item)
            if exported is None:
                places.append(use.item)
            else:
                names.append(ExternalName(exported, NameKind.EXPORT))
    found = reads_of_shared_member(evaluator, places, member.path)
    if found is None:
        return None
    more = frozenset(SharedMember(each, member.path) for each in names if each != member.name)
    return replace(found, shared=found.shared | more)
