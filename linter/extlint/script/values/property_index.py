"""Places where a property is named, whatever object it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from extlint.script.facts.values import UNKNOWN, Value
from extlint.script.scope.reaching_definitions import keeps_old_value
from extlint.script.scope.word_index import WORD, word_ends
from extlint.script.syntax.node import MEMBERS, Node
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.lazy_list import LazyList
from extlint.script.values.memo import once_per_script
from extlint.script.values.property_names import key_of

MAX_PLACES = 2_000
"""Occurrences of one property name that are looked at; of one that has more nothing is told."""

_KEYS = frozenset(
    {
        "private_property_identifier",
        "property_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
        "string_fragment",
    }
)


def property_leaves(evaluator: Evaluator, name: str) -> Iterator[Node]:
    """The leaves where a word stands as the name of a property, the first ones if there are too many."""
    leaves = _leaves(evaluator, name)
    evaluator.tree.spend(1)
    return iter(leaves)


@once_per_script
def _leaves(evaluator: Evaluator, name: str) -> LazyList[Node]:
    return LazyList(_search_leaves(evaluator, name))


def _search_leaves(evaluator: Evaluator, name: str) -> Iterator[Node]:
    for at in islice(_places(evaluator, name), MAX_PLACES):
        leaf = evaluator.tree.leaf_at(at)
        if leaf.start == at and leaf.type in _KEYS:
            yield leaf


def _places(evaluator: Evaluator, name: str) -> Iterator[int]:
    """The byte offsets where a word stands."""
    text = evaluator.tree.text
    evaluator.tree.spend_search(len(text))
    return (at for at in word_ends(text, name.encode(), 0, len(text)) if not at or text[at - 1] not in WORD)


@once_per_script
def is_too_common(evaluator: Evaluator, name: str) -> bool:
    """Whether a word stands in so many places that not all that is done by it is known."""
    return sum(1 for _ in islice(_places(evaluator, name), MAX_PLACES + 1)) > MAX_PLACES


def members_by(evaluator: Evaluator, name: str) -> Iterator[Node]:
    """The member expressions, dotted or in brackets, in which a word stands."""
    for leaf in property_leaves(evaluator, name):
        place = leaf.parent
        if place is not None and place.type == "string":
            place = place.parent
        if place is not None and place.type in MEMBERS:
            yield place


def patterns_by(evaluator: Evaluator, name: str) -> Iterator[Node]:
    """The parts of object patterns in which a word stands as the key."""
    for leaf in property_leaves(evaluator, name):
        part = leaf.parent
        if leaf.type == "shorthand_property_identifier_pattern":
            yield leaf if part is None or part.type != "object_assignment_pattern" else part
        elif part is not None and part.type == "pair_pattern" and leaf.is_field("key"):
            yield part


@once_per_script
def property_writes(evaluator: Evaluator, name: str) -> list[Node]:
    """The member expressions of the script that write a property, whatever object it belongs to."""
    return [
        place
        for place in members_by(evaluator, name)
        if key_of(evaluator, place) == name and (assignment_to(place) is not None or is_changed(place))
    ]


def assignment_to(place: Node) -> Node | None:
    """The assignment whose whole left side is this expression, or None."""
    up = place.parent
    if up is None or up.type not in {"assignment_expression", "augmented_assignment_expression"}:
        return None
    return up if place.is_field("left") else None


def written_value(evaluator: Evaluator, place: Node) -> Value | None:
    """The value that is assigned to a member expression, or None where it is only read."""
    assignment = assignment_to(place)
    if assignment is None:
        return UNKNOWN if is_changed(place) else None
    right = assignment.field("right")
    keeps = assignment.type == "assignment_expression" or keeps_old_value(assignment)
    return evaluator.partial(right) if keeps and right is not None else UNKNOWN


def is_changed(place: Node) -> bool:
    """Whether an expression is written in another way than by an assignment of its own."""
    up = place.parent
    if up is None:
        return False
    match up.type:
        case "update_expression" | "array_pattern" | "rest_pattern":
            return True
        case "unary_expression":
            return up.has("delete")
        case "pair_pattern":
            return place.is_field("value")
        case "assignment_pattern" | "object_assignment_pattern" | "for_in_statement":
            return place.is_field("left")
    return False
