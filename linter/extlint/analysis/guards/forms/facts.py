"""The facts that conditions imply, the query for them, and the guards that rules see of them.

A fact is a tuple of names. `("management", "getSelf")` is a member of the API, which exists or is missing,
and `(API_ROOT, "chrome")` is a root. A fact that begins with the empty name is about something else:

| fact | meaning |
|---|---|
| `CONDITIONAL` | there is a condition around the place |
| `OPEN_TEST` | a condition may test anything, as far as is known |
| `BROWSER_TESTED` | a condition tests which browser it runs in |
| `VERSION_TESTED` | the name of a condition refers to the manifest version |
| `OUTSIDE_WEB` | the address is not that of a web page |
| `UNREACHABLE` | a condition never has the required outcome, or the block is left before |
| `UNKNOWN` | it takes too much work to find out what a condition tests |
| `("", CONSTANT, name)` | a condition depends on a global that a build replaces with a value |
| `("", GRANTED, name)` | the browser reported a permission as granted |
| `("", MANIFEST, operator, value, *keys)` | see `extlint.analysis.guards.forms.manifest` |
| `("", USER_AGENT, quantifier, letters, *texts)` | see `extlint.analysis.guards.forms.user_agent` |
| `("", ADDRESS, quantifier, part, *patterns)` | see `extlint.analysis.guards.forms.own_address` |
| `("", OWN_TEST, name, *member)` | a member of the own class or object tests for a member of the API |
| `("", EITHER, *members)` | one of these members of the API exists, each a dotted path |
| `("", EQUAL, "12", text)` | the variable declared there equals a text; see `guards.equalities` |
| `("", "12")`, `("", ".name")` | the variable declared there, or a property by its name, holds something |
| `("", "12", "()")`, `("", ".name", "('a')")` | the same of the result of a function, with its arguments |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.facts.other_scripts import GLOBAL_OBJECT
from extlint.analysis.facts.script_facts import API_ROOT, HAS_ANY, NO_GUARDS, ApiPath, Guards
from extlint.analysis.facts.values import Literal, Value
from extlint.analysis.syntax.node import Node
from extlint.analysis.values.constants import truth
from extlint.analysis.values.evaluator import Evaluator

Facts: TypeAlias = frozenset[ApiPath]

NOTHING_IMPLIED: Facts = frozenset()

CONDITIONAL = ("", "condition")
OPEN_TEST = ("", "open")
BROWSER_TESTED = ("", "browser")
VERSION_TESTED = ("", "version")
OUTSIDE_WEB = ("", "outside web")
UNREACHABLE = ("", "unreachable")
UNKNOWN = ("", "unknown")
ADDRESS = "address"
CONSTANT = "constant"
EITHER = "either"
EQUAL = "equal"
GRANTED = "granted"
MANIFEST = "manifest"
OWN_TEST = "own test"
USER_AGENT = "user agent"

_PORTABLE = frozenset({ADDRESS, EITHER, GRANTED, MANIFEST, USER_AGENT})
_WITH_ALTERNATIVES = frozenset({ADDRESS, USER_AGENT})
_MAX_ALTERNATIVES = 8

UNKNOWN_TEST = Guards(frozenset({BROWSER_TESTED, CONDITIONAL, OPEN_TEST, UNKNOWN}))
"""The guards behind a test that takes too much work to analyze."""


def is_script_independent(fact: ApiPath) -> bool:
    """Whether a fact means the same in every script, as it is not about the variables of one."""
    return fact[0] != "" or fact[1] in _PORTABLE


def is_manifest_fact(fact: ApiPath) -> bool:
    """Whether a fact is about the manifest."""
    return fact[:2] == ("", MANIFEST)


def in_either_case(first: Facts, second: Facts, present: bool) -> Facts:
    """Returns the facts with alternatives that hold if one of two conditions holds.

    They are about an address or a user agent and, if `present`, about the members that exist.
    """
    found: set[ApiPath] = set()
    for one in first:
        for other in second:
            texts = {*one[4:], *other[4:]}
            has_alternatives = one[0] == "" and one[1] in _WITH_ALTERNATIVES and one[2] == HAS_ANY
            if has_alternatives and one[:4] == other[:4] and len(texts) <= _MAX_ALTERNATIVES:
                found.add((*one[:4], *sorted(texts)))
    others = [*_alternatives(second)] if present else []
    for names in _alternatives(first) if others else ():
        for more in others:
            if names.isdisjoint(more) and len(names | more) <= _MAX_ALTERNATIVES:
                found.add(("", EITHER, *sorted(names | more)))
    return frozenset(found)


def _alternatives(facts: Facts) -> Iterator[frozenset[str]]:
    """Yields sets of members. In each, one exists or more. A member implies the objects around it."""
    members = [each for each in members_in(facts) if each[0] not in (API_ROOT, GLOBAL_OBJECT)]
    for path in members:
        if not any(path == each[: len(path)] != each for each in members):
            yield frozenset({".".join(path)})
    for fact in facts:
        if fact[:2] == ("", EITHER):
            yield frozenset(fact[2:])


def has_contradiction(facts: Facts) -> bool:
    """Whether a variable would have to equal two texts at once."""
    known = [each[2] for each in facts if each[:2] == ("", EQUAL)]
    return len(known) > len({*known})


def without_equalities(facts: Facts) -> Facts:
    """Returns the facts without those about variables, which mean nothing if a function is called again."""
    return frozenset(each for each in facts if each[:2] != ("", EQUAL))


def reached(guards: Iterable[Guards]) -> list[Guards]:
    """Returns the guards of several places, without those of places that are never reached."""
    found = [*guards]
    for fact in (UNREACHABLE, UNKNOWN):
        found = [each for each in found if fact not in each.tested] or found
    return found


def common_guards(guards: Sequence[Guards]) -> Guards:
    """Returns the facts that hold at each of several places."""
    if not guards:
        return NO_GUARDS
    return Guards(
        frozenset.intersection(*(each.tested for each in guards)),
        missing=frozenset.intersection(*(each.missing for each in guards)),
    )


@lru_cache(maxsize=256)
def public_guards(guards: Guards) -> Guards:
    """Returns the guards as rules see them: a field for each kind of fact, without those about variables."""
    if not any(each[0] == "" for each in (*guards.tested, *guards.missing)):
        return guards
    other_facts = [each for each in guards.tested if each[0] == ""]
    return Guards(
        members_in(guards.tested),
        guards.failure,
        members_in(guards.missing),
        BROWSER_TESTED in other_facts,
        CONDITIONAL in other_facts,
        frozenset(each[2] for each in other_facts if each[1] == CONSTANT),
        frozenset(each[2:] for each in other_facts if each[1] == MANIFEST),
        frozenset(each[2] for each in other_facts if each[1] == GRANTED),
        UNREACHABLE in other_facts,
        frozenset(each[2:] for each in other_facts if each[1] == USER_AGENT),
        guards.runs_in,
        UNKNOWN in other_facts,
        OPEN_TEST in other_facts,
        OUTSIDE_WEB in other_facts,
        frozenset(each[2:] for each in other_facts if each[1] == OWN_TEST),
        frozenset(each[2:] for each in other_facts if each[1] == ADDRESS),
        frozenset(each[2:] for each in other_facts if each[1] == EITHER),
    )


def members_in(facts: Facts) -> Facts:
    """Returns the facts that are members of the API."""
    return frozenset(each for each in facts if each[0] != "")


GuardsAt: TypeAlias = Callable[[Node], Guards]
"""A function that returns the guards of a place."""


class ConditionQuery(Struct, frozen=True):
    """A query of a condition: the facts that hold if it has the outcome `outcome`.

    `present` requests the facts that hold and the members that exist, and its negation the members that are
    missing; `if_requested` respects this. `arguments` are the texts that a call passes to the function that
    contains the condition, by the names of its parameters. `read` reads any condition; see `implied`.
    With `compared`, the outcome is whether the value equals this text or number, not whether it is truthy.
    """

    evaluator: Evaluator
    guards_at: GuardsAt
    read: Callable[[ConditionQuery, Node], Facts]
    outcome: bool
    present: bool
    arguments: Mapping[str, str] = {}
    depth: int = 0
    compared: Literal | None = None

    def implied(self, condition: Node, outcome: bool) -> Facts:
        """Returns the implications of a nested condition."""
        return self.read(replace(self, outcome=outcome, depth=self.depth + 1, compared=None), condition)

    def implied_by_value(self, value: Node) -> Facts:
        """Returns the implications of an expression that has the same value."""
        return self.read(replace(self, depth=self.depth + 1), value)

    def implied_by_comparison(self, subject: Node, literal: Literal, equal: bool) -> Facts:
        """Returns the implications of an expression that equals a text or number, or differs from it."""
        return self.read(replace(self, outcome=equal, depth=self.depth + 1, compared=literal), subject)

    def outcome_of(self, item: Node) -> bool | None:
        """Returns the outcome of a condition that is this expression, or None if unknown."""
        if self.compared is None:
            from extlint.analysis.values.condition_values import truth_of

            return truth_of(self.evaluator, item)
        return self.outcome_for(self.evaluator.value(item))

    def outcome_for(self, value: Value) -> bool | None:
        """Returns the outcome of a condition with this value, or None if unknown."""
        if self.compared is None:
            return truth(value)
        same = self.compared.kind, self.compared.value
        return (value.kind, value.value) == same if isinstance(value, Literal) else None

    def if_requested(self, members: Facts, *, present: bool) -> Facts:
        """Returns members that the outcome proves to be present, or missing, if those are requested."""
        return members if present is self.present else NOTHING_IMPLIED

    def text(self, item: Node) -> str | None:
        """Returns the text that an expression evaluates to, possibly by an argument of the call.

        Returns None if unknown.
        """
        if item.type == "identifier" and self.arguments:
            name = self.evaluator.tree.source(item)
            if name in self.arguments:
                return self.arguments[name]
        return self.evaluator.text(item)
