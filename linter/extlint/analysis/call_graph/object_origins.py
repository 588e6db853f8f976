"""Finds the places that create an object, or that first name it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.call_graph.class_family import ReadsOf, family_of
from extlint.analysis.call_graph.definitions import exported_as
from extlint.analysis.call_graph.entry_points import ExternalName, NameKind
from extlint.analysis.call_graph.object_owners import Reach, class_variable, places_of, static_this
from extlint.analysis.call_graph.object_visibility import Visibility
from extlint.analysis.call_graph.shared_members import INSTANTIATED, SharedMember
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import Class, Function
from extlint.analysis.values.evaluator import Evaluator


class Origins(Struct, frozen=True):
    """The first places of an object, and the owners of its members: for a class, its family."""

    places: Sequence[Node]
    owners: Sequence[Node]


def origins_of(
    evaluator: Evaluator, owner: Node, visibility: Visibility, hidden: str | None, reads_of: ReadsOf
) -> Origins | None:
    """Returns the origins of an object, or of all instances of a class, or None if they are unknown.

    Also records how far it is visible. `hidden` is a member that subclasses of the class may override.
    """
    if isinstance(owner, Class):
        return _of_instances(evaluator, owner, visibility, hidden, reads_of)
    if owner.type == "class_body":
        return _of_class(evaluator, owner, visibility)
    if isinstance(owner, Function) and not _allows_module(evaluator, owner, visibility):
        return None
    places = places_of(evaluator, owner)
    return None if places is None else Origins([*places], [owner])


def _of_instances(
    evaluator: Evaluator, owner: Class, visibility: Visibility, hidden: str | None, reads_of: ReadsOf
) -> Origins | None:
    family = family_of(evaluator, owner, hidden, reads_of)
    if family is None:
        return None
    for each in family.classes:
        binding = class_variable(evaluator, each)
        if binding is None or not visibility.allows_variable(binding, INSTANTIATED):
            return None
    return Origins(family.places, family.all)


def _allows_module(evaluator: Evaluator, function: Function, visibility: Visibility) -> bool:
    """Records how far the exports of a module are visible, and returns whether that is allowed."""
    names = bundle_of(evaluator).shared_names(function)
    if names is None:
        return visibility.allows(Reach.MODULE)
    return all(visibility.allows_name(SharedMember(ExternalName(each, NameKind.MODULE))) for each in names)


def _of_class(evaluator: Evaluator, body: Node, visibility: Visibility) -> Origins | None:
    """Returns the origins of a class itself: the uses of its variable, and `this` in its static members."""
    owner = body.parent
    binding = class_variable(evaluator, owner) if isinstance(owner, Class) else None
    if (
        not isinstance(owner, Class)
        or binding is None
        or owner.has_token("decorator")
        or not visibility.allows_variable(binding)
    ):
        return None
    uses = (each.item for each in binding.uses)
    named = (each for each in uses if exported_as(evaluator, each) is None)
    return Origins([*named, *static_this(evaluator, owner)], [body])
