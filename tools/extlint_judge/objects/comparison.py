"""Compares the objects that a browser returned and passed with the facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct, field

from extlint_facts.results import ITEM, ResultTypes, TypeNode, is_described
from extlint_judge.differences import Comparison, Difference
from extlint_judge.objects.observations import Observations, Steps

KINDS: Mapping[str, frozenset[str]] = {
    "array": frozenset({"array"}),
    "binary": frozenset({"instance"}),
    "boolean": frozenset({"boolean"}),
    "function": frozenset({"function"}),
    "integer": frozenset({"integer"}),
    "null": frozenset(),
    "number": frozenset({"integer", "number"}),
    "object": frozenset({"object", "instance"}),
    "string": frozenset({"string"}),
}
"""The kinds of values that each type has."""

NOTHING = frozenset({"null", "undefined"})
"""The kinds of values that are allowed everywhere."""

ABSENT = "absent"

WORD = "="
"""The prefix of a string that is a single word."""


class Tree(Struct):
    """The kinds of values observed at a position, the words, and the observations after each step."""

    kinds: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    inner: dict[str, Tree] = field(default_factory=dict)


class ObjectComparison(Struct):
    """The results of a comparison: `seen` are the addresses of the observed object types.

    `fields` are those that are missing in the facts, by the addresses of the types, in the form of the
    dialect.
    """

    comparison: Comparison
    seen: set[str] = field(default_factory=set)
    fields: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)


def compare(observed: Observations, namespaces: ResultTypes) -> ObjectComparison:
    """Compares each field of each object, and the number of passed values, unless the facts leave it open."""
    result = ObjectComparison(Comparison(0, []))
    for passed in observed.seen:
        number = namespaces.value_count(passed.path, passed.given)
        if number is not None and passed.most > number and passed.given in ("listener", "callback"):
            result.comparison.different.append(
                Difference(passed.path, passed.given, f"{passed.most} values", f"{number} values")
            )
        for index, listed in enumerate(passed.places):
            places = namespaces.values_at(passed.path, passed.given, index)
            if places and listed:
                _compare_tree(_tree(listed), places, f"{passed.path}, {passed.given}", namespaces, result)
    return result


def _tree(listed: Iterable[tuple[Steps, list[str]]]) -> Tree:
    root = Tree()
    for steps, kinds in listed:
        at = root
        for step in steps:
            at = at.inner.setdefault(step, Tree())
        at.kinds.update(each for each in kinds if not each.startswith(WORD))
        at.words.update(each.removeprefix(WORD) for each in kinds if each.startswith(WORD))
    return root


def _compare_tree(
    tree: Tree, places: list[TypeNode], where: str, namespaces: ResultTypes, result: ObjectComparison
) -> None:
    types = namespaces.resolve(places)
    allowed = [KINDS.get(each.node.get("type", "object")) for each in types]
    if not types or None in allowed:
        return
    wrong = tree.kinds - NOTHING - frozenset().union(*(kinds for kinds in allowed if kinds is not None))
    if wrong:
        facts = " or ".join(sorted({each.node["type"] for each in types}))
        result.comparison.different.append(Difference(places[0].at, where, " or ".join(sorted(wrong)), facts))
    enums = [each.node["enum"] for each in types if "enum" in each.node]
    if enums and all("enum" in each.node for each in types if each.node.get("type") == "string"):
        result.comparison.number += len(tree.words)
        for word in sorted(tree.words.difference(*map(enum_values, enums))):
            result.comparison.different.append(Difference(places[0].at, where, f'"{word}"', "no such value"))
    described = [each for each in types if is_described(each.node)]
    is_open = any(each.node.get("type") == "object" and each not in described for each in types)
    if "object" in tree.kinds and described and not is_open:
        best = max(described, key=lambda each: len(each.node["properties"].keys() & tree.inner.keys()))
        result.seen.add(best.at)
        for name in tree.inner.keys() - {ITEM}:
            result.comparison.number += 1
            if not any(name in each.node["properties"] for each in described):
                kinds = " or ".join(sorted(tree.inner[name].kinds))
                result.comparison.different.append(Difference(f"{best.at}.{name}", where, kinds, ABSENT))
                result.fields.setdefault(best.at, {})[name] = {**node_of(tree.inner[name]), "optional": True}
    for name, inner in sorted(tree.inner.items()):
        if behind := namespaces.step_into(name, types):
            _compare_tree(inner, behind, where, namespaces, result)


def enum_values(listed: Iterable[str | dict[str, Any]]) -> list[str]:
    """Returns the strings of an enumeration, where each value may be an object with a name."""
    return [each if isinstance(each, str) else each["name"] for each in listed]


def node_of(tree: Tree) -> dict[str, Any]:
    """Returns the type of the observed values. Objects may have more fields than were observed."""
    kinds = tree.kinds - NOTHING
    if kinds == {"array"}:
        return {"type": "array", "items": node_of(tree.inner.get(ITEM, Tree()))}
    if kinds == {"object"}:
        return {"type": "object", "additionalProperties": {"type": "any"}}
    if kinds and kinds <= {"integer", "number"}:
        return {"type": "number"}
    if len(kinds) == 1 and kinds <= {"boolean", "string"}:
        return {"type": kinds.pop()}
    return {"type": "any"}
