"""The values of conditions, also those that other scripts assigned to globals, and what they imply."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from extlint.analysis.facts.other_scripts import GlobalQuery
from extlint.analysis.facts.values import (
    UNKNOWN,
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
from extlint.analysis.scope.model import Binding
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression
from extlint.analysis.syntax.prefilter import GLOBAL_OBJECTS, ROOTS
from extlint.analysis.syntax.shapes import assigned_parts
from extlint.analysis.values.api_results import MANIFEST
from extlint.analysis.values.constants import truth
from extlint.analysis.values.evaluator import GLOBAL, Evaluator
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.property_index import key_of
from extlint.analysis.values.recorded import dependencies

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


_UNFORGEABLE = frozenset({"document", "location"})
"""Properties of a page's global object that no script can replace (`LegacyUnforgeable` in its interface)."""

MAX_TESTED_GLOBALS = 100
"""The most globals of one script whose implications are looked up in other scripts."""


def condition_value(evaluator: Evaluator, expression: Node) -> Value:
    """Returns the value of an expression that is tested, or called by a test."""
    value = evaluator.partial(expression)
    is_open = isinstance(value, Unknown) and value.implications is None
    return _shared_value(evaluator, expression) if is_open else value


def truth_of(evaluator: Evaluator, expression: Node) -> bool | None:
    """Whether an expression is truthy in a condition, or None if unknown.

    A template with literal text is truthy, whatever is inserted.
    """
    if expression.type == "template_string" and any(
        each.type == "string_fragment" for each in expression.named()
    ):
        return True
    return truth(evaluator.value(expression))


def _shared_value(evaluator: Evaluator, expression: Node) -> Value:
    if expression.type == "identifier":
        name = evaluator.tree.source(expression)
        binding = evaluator.names.resolve(name, expression)
        if binding is None:
            return _value_in_other_scripts(evaluator, name)
        assigned = _only_assigned(binding)
        return UNKNOWN if assigned is None else _value_of_assigned(evaluator, assigned)
    if not isinstance(expression, AccessExpression):
        return UNKNOWN
    key = key_of(evaluator, expression)
    if key is None:
        return UNKNOWN
    if evaluator.partial(expression.object) == GLOBAL:
        return _value_in_other_scripts(evaluator, key)
    owner = _shared_value(evaluator, expression.object)
    return UNKNOWN if isinstance(owner, Unknown) else evaluator.possible.member(owner, key, expression)


def _only_assigned(binding: Binding) -> Node | None:
    """Returns the only expression that is assigned to a variable, or None."""
    write = binding.writes[0] if len(binding.writes) == 1 else None
    parts = None if write is None or write.source is None else assigned_parts(write.source)
    return None if write is None or parts is None or not parts[0].same(write.item) else parts[1]


@once_per_script(meanwhile=UNKNOWN)
def _value_of_assigned(evaluator: Evaluator, assigned: Node) -> Value:
    return condition_value(evaluator, assigned)


def _value_in_other_scripts(evaluator: Evaluator, name: str) -> Value:
    if name in GLOBAL_OBJECTS or name in ROOTS or name in _UNFORGEABLE:
        return UNKNOWN
    tested = dependencies(evaluator).tested_globals
    if name not in tested:
        if len(tested) >= MAX_TESTED_GLOBALS:
            return evaluator.shared.conditions.get(name, UNKNOWN)
        tested.add(name)
    return _implied_in_other_scripts(evaluator, name)


@once_per_script
def _implied_in_other_scripts(evaluator: Evaluator, name: str) -> Value:
    known = evaluator.shared.conditions.get(name)
    if known is not None:
        return known
    return next(iter(evaluator.imported(GlobalQuery.IMPLIED.about(name)).values()), UNKNOWN)
