"""Finds where a script reads a member of an object that another script shares with it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.call_graph.definitions import exported_as
from extlint.analysis.call_graph.entry_points import ExternalName, NameKind
from extlint.analysis.call_graph.object_owners import Reach
from extlint.analysis.call_graph.object_reads import reads_of_shared_member
from extlint.analysis.call_graph.object_visibility import Reads
from extlint.analysis.call_graph.shared_members import SharedMember, reads_of_global
from extlint.analysis.modules.foreign_uses import IsTargetModule, imports_of
from extlint.analysis.syntax.node import Node
from extlint.analysis.values.evaluator import Evaluator

_EVALUATED_MODULE = b"sourceURL=webpack"
"""A mark in modules that a development build of webpack passes to `eval`."""


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
    if member.name.kind is NameKind.MODULE:
        calls = bundle_of(evaluator).requires_of(member.name.text)
        if calls == [] and _EVALUATED_MODULE not in evaluator.tree.text:
            return Reads((), Reach.SCRIPT)
        return None if calls is None else reads_of_shared_member(evaluator, calls, member.path)
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
