"""What a value tells as a condition: one of another script, which brings what it tells along."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from extlint.script.facts.values import (
    ApiResult,
    ConditionFacts,
    Fact,
    FunctionValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Union,
    Unknown,
    Value,
    options_of,
)
from extlint.script.values.constants import truth

NOTHING_TOLD = ConditionFacts()

MANIFEST = ("runtime", "getManifest")
"""The function that gives the manifest, at once and not as a promise."""

ARGUMENT = "\0"
"""What a name begins with that stands for an argument of a call; its position follows."""

_MAX_STEPS = 4
_MAX_DEPTH = 4


def of_manifest(value: Value) -> tuple[str, ...] | None:
    """The keys that lead from the manifest to a value; None if it is no part of that."""
    if isinstance(value, ApiResult) and value.path == MANIFEST and len(value.steps) <= _MAX_STEPS:
        return value.steps
    return None


def told_by(value: Value) -> ConditionFacts:
    """What a value tells as a condition, whichever of its options it is."""
    told = [(each, _told_by_option(each)) for each in options_of(value)]
    if all(each is NOTHING_TOLD for _, each in told):
        return NOTHING_TOLD

    def common(facts: Callable[[ConditionFacts], frozenset[Fact]], outcome: bool) -> frozenset[Fact]:
        found = [facts(each) for option, each in told if truth(option) is not (not outcome)]
        return frozenset.intersection(*found) if found else frozenset()

    return ConditionFacts(
        common(lambda each: each.if_true, True),
        common(lambda each: each.if_false, False),
        common(lambda each: each.missing_if_true, True),
        common(lambda each: each.missing_if_false, False),
        frozenset().union(*(each.about for _, each in told)),
    )


def _told_by_option(value: Value) -> ConditionFacts:
    match value:
        case Unknown(told=ConditionFacts() as told) | Typed(told=ConditionFacts() as told):
            return told
    return NOTHING_TOLD


def tells(value: Value, depth: int = 0) -> bool:
    """Whether a value, or something in it, tells something as a condition."""
    if depth > _MAX_DEPTH:
        return False
    for option in options_of(value):
        match option:
            case Unknown(told=told) | Typed(told=told) if told is not None:
                return True
            case FunctionValue(told=told, gives=gives, fields=fields):
                parts = [each.value for each in fields.values()]
                parts += [] if gives is None else [gives]
                if told is not None or any(tells(each, depth + 1) for each in parts):
                    return True
            case ObjectValue(fields=fields):
                if any(tells(each.value, depth + 1) for each in fields.values()):
                    return True
    return False


def telling(value: Value | None, told: ConditionFacts) -> Value | None:
    """A value that tells something as a condition; None if it is nothing and tells nothing."""
    if told == NOTHING_TOLD:
        return value
    match value:
        case None:
            return Unknown(told=told)
        case Unknown() | Typed():
            return replace(value, told=told)
        case Union(options=options) if all(map(_is_boolean, options)):
            return Typed(Kind.BOOLEAN, told=told)
    return value


def _is_boolean(value: Value) -> bool:
    return isinstance(value, Literal | Typed) and value.kind is Kind.BOOLEAN


def with_arguments(told: ConditionFacts, arguments: Sequence[str | None]) -> ConditionFacts:
    """What a call tells whose arguments are these texts, None for those that are not known."""

    def facts(given: Iterable[Fact]) -> frozenset[Fact]:
        return frozenset(each for fact in given if (each := _with_arguments(fact, arguments)) is not None)

    return ConditionFacts(
        facts(told.if_true),
        facts(told.if_false),
        facts(told.missing_if_true),
        facts(told.missing_if_false),
        told.about,
    )


def _with_arguments(fact: Fact, arguments: Sequence[str | None]) -> Fact | None:
    names: list[str] = []
    for each in fact:
        if each.startswith(ARGUMENT):
            at = int(each[len(ARGUMENT) :])
            text = arguments[at] if at < len(arguments) else None
            if text is None:
                return None
            names.append(text)
        else:
            names.append(each)
    return tuple(names)
