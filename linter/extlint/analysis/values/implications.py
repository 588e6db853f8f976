"""The implications of values as conditions; values from other scripts contain theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from extlint.analysis.facts.values import (
    ApiResult,
    Fact,
    FunctionValue,
    Implications,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Union,
    Unknown,
    Value,
    options_of,
)
from extlint.analysis.values.api_results import MANIFEST
from extlint.analysis.values.constants import truth

NO_IMPLICATIONS = Implications()

ARGUMENT = "\0"
"""The prefix of a name that represents an argument of a call; the argument's index follows."""

_MAX_STEPS = 4
_MAX_DEPTH = 4


def manifest_path_of(value: Value) -> tuple[str, ...] | None:
    """Returns the keys that lead from the manifest to a value, or None if it is not part of the manifest."""
    if isinstance(value, ApiResult) and value.path == MANIFEST and len(value.steps) <= _MAX_STEPS:
        return value.steps
    return None


def implications_of(value: Value) -> Implications:
    """Returns the implications of a value as a condition that hold for each of its options."""
    implications = [(each, _implications_of_option(each)) for each in options_of(value)]
    if all(each is NO_IMPLICATIONS for _, each in implications):
        return NO_IMPLICATIONS

    def common(facts: Callable[[Implications], frozenset[Fact]], outcome: bool) -> frozenset[Fact]:
        found = [facts(each) for option, each in implications if truth(option) is not (not outcome)]
        return frozenset.intersection(*found) if found else frozenset()

    return Implications(
        common(lambda each: each.if_true, True),
        common(lambda each: each.if_false, False),
        common(lambda each: each.missing_if_true, True),
        common(lambda each: each.missing_if_false, False),
        frozenset().union(*(each.environment for _, each in implications)),
    )


def _implications_of_option(value: Value) -> Implications:
    match value:
        case Unknown(implications=Implications() as found) | Typed(implications=Implications() as found):
            return found
    return NO_IMPLICATIONS


def has_implications(value: Value, depth: int = 0) -> bool:
    """Whether a value, or a part of it, has implications as a condition."""
    if depth > _MAX_DEPTH:
        return False
    for option in options_of(value):
        match option:
            case Unknown(implications=found) | Typed(implications=found) if found is not None:
                return True
            case FunctionValue(implications=implications, result=result, fields=fields):
                parts = [each.value for each in fields.values()]
                parts += [] if result is None else [result]
                if implications is not None or any(has_implications(each, depth + 1) for each in parts):
                    return True
            case ObjectValue(fields=fields):
                if any(has_implications(each.value, depth + 1) for each in fields.values()):
                    return True
    return False


def with_implications(value: Value | None, implications: Implications) -> Value | None:
    """Returns the value with these implications, or None if there is neither a value nor implications."""
    if implications == NO_IMPLICATIONS:
        return value
    match value:
        case None:
            return Unknown(implications=implications)
        case Unknown() | Typed():
            return replace(value, implications=implications)
        case Union(options=options) if all(map(_is_boolean, options)):
            return Typed(Kind.BOOLEAN, implications=implications)
    return value


def _is_boolean(value: Value) -> bool:
    return isinstance(value, Literal | Typed) and value.kind is Kind.BOOLEAN


def with_argument_names(implications: Implications, arguments: Sequence[str | None]) -> Implications:
    """Returns the implications of a call with these arguments; None represents an unknown argument."""

    def facts(original_facts: Iterable[Fact]) -> frozenset[Fact]:
        return frozenset(
            each for fact in original_facts if (each := _with_names(fact, arguments)) is not None
        )

    return Implications(
        facts(implications.if_true),
        facts(implications.if_false),
        facts(implications.missing_if_true),
        facts(implications.missing_if_false),
        implications.environment,
    )


def path_in_text(text: str) -> tuple[str, ...] | None:
    """Returns the names in a text like `tabs.query`, or None if one of them is empty."""
    names = tuple(text.split("."))
    return names if all(names) else None


def _with_names(fact: Fact, arguments: Sequence[str | None]) -> Fact | None:
    names: list[str] = []
    for each in fact:
        if each.startswith(ARGUMENT):
            at = int(each[len(ARGUMENT) :])
            text = arguments[at] if at < len(arguments) else None
            path = None if text is None else path_in_text(text)
            if path is None:
                return None
            names += path
        else:
            names.append(each)
    return tuple(names)
