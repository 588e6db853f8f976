"""Finds where the members of an object are read, if the object does not escape.

    const lib = { list() { … }, version: 1 };
    document.title = lib.version;

If all places that name the object only access named members, no other member is ever read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from msgspec.structs import replace

from extlint.analysis.call_graph.class_family import family_of, names_of_subclasses
from extlint.analysis.call_graph.entry_points import CALLED, INSTANTIATED
from extlint.analysis.call_graph.holders import Holder
from extlint.analysis.call_graph.instantiations import is_only_inspected
from extlint.analysis.call_graph.object_flow import IMPLICITLY_READ, ObjectFlow
from extlint.analysis.call_graph.object_owners import Reach
from extlint.analysis.call_graph.object_visibility import Reads, Uses
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import CallExpression, Class, NewExpression
from extlint.analysis.syntax.shapes import call_of, outermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import once_per_script

MAX_DEPTH = 4
"""The maximum depth of objects that hold one another to follow."""


def reads_of_member(
    evaluator: Evaluator, owner: Node, name: str, within: Reach, depth: int = 0
) -> Reads | None:
    """Returns where a member of an object, or of the instances of a class, is read.

    If unknown code may read it, or the object is visible further than `within`, returns None. `depth` is the
    number of objects held by this one that are already being followed.
    """
    is_followed = depth <= MAX_DEPTH and name not in IMPLICITLY_READ
    is_hidden = (
        is_followed
        and isinstance(owner, Class)
        and name in _subclass_members(evaluator, owner, within, depth)
    )
    hidden = name if is_hidden else None
    known = _uses_of(evaluator, owner, within, depth, hidden) if is_followed else None
    return None if known is None else known.of(name)


@once_per_script
def _subclass_members(evaluator: Evaluator, owner: Class, within: Reach, depth: int) -> frozenset[str | None]:
    """Returns the names of the members that subclasses of a class define themselves."""

    def reads_of(holder: Holder) -> Sequence[Node] | None:
        found = _reads_of_holder(evaluator, within, depth, holder)
        return None if found is None else found.places

    family = family_of(evaluator, owner, None, reads_of)
    return frozenset() if family is None else names_of_subclasses(evaluator, family)


@once_per_script
def _uses_of(evaluator: Evaluator, owner: Node, within: Reach, depth: int, hidden: str | None) -> Uses | None:
    reads_of = partial(_reads_of_holder, evaluator, within, depth)
    return ObjectFlow(evaluator, within, reads_of, owner, hidden).uses()


def _reads_of_holder(evaluator: Evaluator, within: Reach, depth: int, holder: Holder) -> Reads | None:
    """Returns the reads of a member that holds an object."""
    return reads_of_member(evaluator, holder.owner, holder.name, within, depth + 1)


def reads_of_shared_member(evaluator: Evaluator, places: Iterable[Node], path: Sequence[str]) -> Reads | None:
    """Returns where a member of an object of another script is read, given the places that name the object.

    Returns None if unknown code may read it.
    """
    found = Reads([*places], Reach.SCRIPT)
    for name in path:
        part = _part_of(evaluator, found.places, name)
        if part is None:
            return None
        found = replace(part, shared=part.shared | {each.member(name) for each in found.shared})
    return found


def _part_of(evaluator: Evaluator, places: Sequence[Node], name: str) -> Reads | None:
    """Returns the reads of one element of a path, given those of the object; or None if unknown."""
    if name not in {CALLED, INSTANTIATED}:
        reads_of = partial(_reads_of_holder, evaluator, Reach.NAMED, 0)
        uses = ObjectFlow(evaluator, Reach.NAMED, reads_of).uses_from(places)
        return None if uses is None else uses.of(name)
    found = [outermost(each).parent if name == INSTANTIATED else call_of(each) for each in places]
    calls = [
        each for each in found if isinstance(each, NewExpression if name == INSTANTIATED else CallExpression)
    ]
    others = [each for each, call in zip(places, found, strict=True) if call not in calls]
    is_known = not others or (
        name == INSTANTIATED and all(is_only_inspected(evaluator, each) for each in others)
    )
    return Reads(calls, Reach.SCRIPT) if is_known else None
