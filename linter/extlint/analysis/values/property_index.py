"""Finds the names of properties and their occurrences, whatever object they belong to, on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Generic, TypeVar

from extlint.analysis.facts.values import UNKNOWN, Value
from extlint.analysis.scope.reaching_definitions import may_keep_old_value
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AssignmentPattern,
    AugmentedAssignment,
    FieldDefinition,
    ForInStatement,
    MemberExpression,
    Pair,
    PairPattern,
    SubscriptExpression,
    UnaryExpression,
    UpdateExpression,
)
from extlint.analysis.syntax.prefilter import may_be_key, may_define_property, may_write_member
from extlint.analysis.values.constants import unescape
from extlint.analysis.values.evaluator import Evaluator, View
from extlint.analysis.values.memo import once_per_script
from extlint.text.positions import encode_name

PLAIN_KEYS = frozenset(
    {
        "private_property_identifier",
        "property_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
    }
)
"""The types of nodes that are themselves a name."""


def key_of(evaluator: Evaluator, node: Node) -> str | None:
    """Returns the name of a member expression, pattern part or literal property, or None if unknown."""
    key = _key(node)
    if key is None:
        return None
    if key.type in PLAIN_KEYS:
        return unescape(evaluator.tree.source(key))
    if key.type == "computed_property_name":
        inner = key.first()
        return None if inner is None else evaluator.text(inner)
    return evaluator.text(key)


def _key(node: Node) -> Node | None:
    match node:
        case MemberExpression():
            return node.property
        case SubscriptExpression():
            return node.index
        case Pair() | PairPattern():
            return node.key
        case FieldDefinition():
            return node.name
        case AssignmentPattern(type="object_assignment_pattern"):
            return node.left
    return node if node.type.startswith("shorthand_property_identifier") else node.field("name")


T = TypeVar("T")


class LazyList(Generic[T]):
    """The items of an iterator, each taken on demand.

    `begin` creates the iterator, and creates it again after it has raised an exception.
    """

    def __init__(self, begin: Callable[[], Iterator[T]]) -> None:
        self._begin = begin
        self._source: Iterator[T] | None = None
        self._items: list[T] = []

    def __iter__(self) -> Iterator[T]:
        at = 0
        while at < len(self._items) or self._take_next():
            yield self._items[at]
            at += 1

    def _take_next(self) -> bool:
        """Takes one more item from the iterator, and returns whether it had one."""
        try:
            if self._source is None:
                self._source = islice(self._begin(), len(self._items), None)
            for each in self._source:
                self._items.append(each)
                return True
        except BaseException:
            self._source = None
            raise
        return False


MAX_PLACES = 50_000
"""The most occurrences of one property name that are examined; a name with more is unknown."""

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
    """Returns the leaves where a word is a property's name, or only the first if there are too many."""
    leaves = _leaves(evaluator, name)
    evaluator.tree.spend(1)
    return iter(leaves)


@once_per_script
def _leaves(evaluator: Evaluator, name: str) -> LazyList[Node]:
    return LazyList(lambda: _search_leaves(evaluator, name))


def _search_leaves(evaluator: Evaluator, name: str) -> Iterator[Node]:
    for at in islice(evaluator.names.words.occurrences(name), MAX_PLACES):
        yield from _leaf_at(evaluator, at)


def _leaf_at(evaluator: Evaluator, at: int) -> Iterator[Node]:
    leaf = evaluator.tree.leaf_at(at)
    if leaf.start == at and leaf.type in _KEYS:
        yield leaf


@once_per_script
def is_too_common(evaluator: Evaluator, name: str) -> bool:
    """Whether a name occurs too often for all its uses to be examined."""
    if _is_index(name) and evaluator.tree.text.count(encode_name(name)) <= MAX_PLACES:
        return False
    return sum(1 for _ in islice(evaluator.names.words.occurrences(name), MAX_PLACES + 1)) > MAX_PLACES


def members_named(evaluator: Evaluator, name: str) -> Iterator[AccessExpression]:
    """Yields the member expressions, dotted or in brackets, with this name."""
    for leaf in property_leaves(evaluator, name):
        place = _member_named_by(leaf)
        if place is not None:
            yield place


def _member_named_by(leaf: Node) -> AccessExpression | None:
    place = leaf.parent
    if place is not None and place.type == "string":
        place = place.parent
    return place if isinstance(place, AccessExpression) else None


def patterns_named(evaluator: Evaluator, name: str) -> Iterator[Node]:
    """Yields the parts of object patterns with this key."""
    for leaf in property_leaves(evaluator, name):
        part = leaf.parent
        if leaf.type == "shorthand_property_identifier_pattern":
            yield part if isinstance(part, AssignmentPattern) else leaf
        elif isinstance(part, PairPattern) and leaf.is_field("key"):
            yield part


@once_per_script
def property_writes(evaluator: Evaluator, name: str) -> list[AccessExpression]:
    """Returns the member expressions of the script that write a property, whatever object it belongs to."""
    return list(each_property_write(evaluator, name))


@once_per_script
def each_property_write(evaluator: Evaluator, name: str) -> LazyList[AccessExpression]:
    """Returns the same lazily, for callers that may not use all of them."""
    return LazyList(lambda: _search_writes(evaluator, name))


def _search_writes(evaluator: Evaluator, name: str) -> Iterator[AccessExpression]:
    for leaf in _plausible_leaves(may_write_member, evaluator, name, _member_offsets(evaluator, name)):
        place = _member_named_by(leaf)
        if (
            place is not None
            and key_of(evaluator, place) == name
            and (assignment_to(place) is not None or is_changed(place))
        ):
            yield place


def _member_offsets(evaluator: Evaluator, name: str) -> Iterable[int]:
    """Returns the offsets of a word that may be the name of a member."""
    if _is_index(name) and not is_too_common(evaluator, name):
        return evaluator.names.words.quoted_occurrences(name)
    return islice(evaluator.names.words.occurrences(name), MAX_PLACES)


def _is_index(name: str) -> bool:
    """Whether a name begins with a digit, so that it names a property only in a string."""
    return name[:1].isdigit()


def is_written(evaluator: Evaluator, name: str) -> bool:
    """Whether the script writes a property, whatever object it belongs to."""
    return next(iter(each_property_write(evaluator, name)), None) is not None


def defining_leaves(evaluator: Evaluator, name: str, limit: int) -> Iterator[Node]:
    """Yields the leaves where a property of that name may be assigned, among the first `limit` candidates."""
    text, length = evaluator.tree.text, len(encode_name(name))
    for at in evaluator.names.words.occurrences(name):
        is_defined = may_define_property(text, at, at + length)
        if is_defined:
            yield from _leaf_at(evaluator, at)
        limit -= is_defined or text[at - 1 : at] == b"." or may_be_key(text, at, at + length)
        if limit <= 0:
            return


def key_leaves(evaluator: Evaluator, name: str) -> Iterator[Node]:
    """Yields the leaves where a property's name is a key of an object, or an entire string."""
    offsets = islice(evaluator.names.words.occurrences(name), MAX_PLACES)
    return _plausible_leaves(may_be_key, evaluator, name, offsets)


def _plausible_leaves(
    may_be: Callable[[bytes, int, int], bool], evaluator: Evaluator, name: str, offsets: Iterable[int]
) -> Iterator[Node]:
    """Yields the leaves of a property's name at offsets that the surrounding text does not rule out."""
    text, length = evaluator.tree.text, len(encode_name(name))
    for at in offsets:
        if may_be(text, at, at + length):
            yield from _leaf_at(evaluator, at)


def assignment_to(place: Node) -> AssignmentExpression | AugmentedAssignment | None:
    """Returns the assignment whose entire left side is this expression, or None."""
    up = place.parent
    if not isinstance(up, AssignmentExpression | AugmentedAssignment) or not place.is_field("left"):
        return None
    return up


def written_value(view: View, place: Node) -> Value | None:
    """Returns the value that is assigned to a member expression, or None if it is only read."""
    assignment = assignment_to(place)
    if assignment is None:
        return UNKNOWN if is_changed(place) else None
    has_assigned_value = isinstance(assignment, AssignmentExpression) or may_keep_old_value(assignment)
    return view.partial(assignment.right) if has_assigned_value else UNKNOWN


def is_changed(place: Node) -> bool:
    """Whether an expression is written other than by an assignment (`delete`, `++`, a pattern, a loop)."""
    up = place.parent
    if up is None:
        return False
    match up:
        case UpdateExpression():
            return True
        case UnaryExpression():
            return up.operator == "delete"
        case PairPattern():
            return place.is_field("value")
        case AssignmentPattern() | ForInStatement():
            return place.is_field("left")
    return up.type in {"array_pattern", "rest_pattern"}
