"""Generates calls from the facts, both valid and invalid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from extlint.analysis.facts.values import ArrayValue, Field, Kind, Literal, ObjectValue, Value
from extlint.checks.api.schema_path import find_schema_path
from extlint.schema.engine import Engine
from extlint.schema.matching.call import LISTENER, CallProblem, judge_listener_call
from extlint.schema.matching.environment import Environment
from extlint.schema.matching.message_passing import REORDERED_FUNCTIONS, judge_function_call
from extlint.schema.model import Event, Function, SchemaSet
from extlint.schema.types import ArrayType, ChoicesType, ObjectType, Parameter, RefType, Type
from extlint_judge.members.compare_members import known_paths
from extlint_judge.members.samples import FUNCTION, SAMPLES, find_value, source_of

ADD_LISTENER = "addListener"

MARK = "extlintJudge"
"""An unknown property. A call with it is rejected even if everything else in it is valid."""

UNKNOWN_TEXT = {MARK: Field(SAMPLES["a string"])}

NOT_CALLED = frozenset(
    {"management.uninstall", "management.uninstallSelf", "runtime.reload", "runtime.restart"}
    | {"runtime.restartAfterDelay", "developerPrivate.reload"}
)
"""Calls that would end the extension that makes them."""


class Call(Struct, frozen=True):
    """One call of a function, or of an event's `addListener`, in a manifest version.

    `what` describes its peculiarity. `marked` is true if an argument has the property `MARK`.
    """

    api: str
    version: int
    arguments: tuple[Value, ...]
    what: str
    marked: bool = False

    @property
    def source(self) -> str:
        """The source code of the call."""
        return f"{self.api}({', '.join(map(source_of, self.arguments))})"


def calls(schemas: SchemaSet, refused_only: bool) -> Iterator[Call]:
    """Yields calls of everything that the facts know, in Manifest V3 if it exists there, else in V2.

    With `refused_only` they are only calls that the facts reject before they have any effect.
    These include calls with the mark, which is only required where calls would do something.
    """
    for path in sorted(set(known_paths(schemas))):
        api = ".".join(path)
        version, member = _member(schemas, path)
        if member is None or api in NOT_CALLED:
            continue
        env = Environment(schemas, schemas.engine or Engine.GECKO, version)
        if isinstance(member, Event):
            api, parameters = f"{api}.{ADD_LISTENER}", (LISTENER, *member.extra)
        elif member.ambiguous and (refused_only is False or api not in REORDERED_FUNCTIONS):
            continue
        else:
            parameters = member.parameters
        for call in _calls_of(api, parameters, env):
            is_included = call.marked or problems(call, schemas) if refused_only else not call.marked
            if is_included:
                yield call


def problems(call: Call, schemas: SchemaSet) -> tuple[CallProblem, ...]:
    """Returns extlint's problems with a call, apart from the mark."""
    path = tuple(call.api.split("."))
    found = find_schema_path(schemas, path, call.version)
    env = Environment(schemas, schemas.engine or Engine.GECKO, call.version)
    if found is None:
        return ()
    call_problems: Sequence[CallProblem] = ()
    if isinstance(found.member, Function):
        call_problems = judge_function_call(call.api, call.api, found.member, call.arguments, False, env)
    elif isinstance(found.member, Event):
        call_problems = judge_listener_call(call.api, found.member, ADD_LISTENER, call.arguments, False, env)
    return tuple(each for each in call_problems if not call.marked or MARK not in each.message)


def _member(schemas: SchemaSet, path: tuple[str, ...]) -> tuple[int, Function | Event | None]:
    for version in (3, 2):
        found = find_schema_path(schemas, path, version)
        if found is None or found.rest or not isinstance(found.member, Function | Event):
            continue
        if all(version in each.availability.versions for each in found.elements):
            return version, None if found.member.availability.unsupported else found.member
    return 2, None


def _calls_of(api: str, parameters: tuple[Parameter, ...], env: Environment) -> Iterator[Call]:
    found = [find_value(each.type, env) for each in parameters]
    if any(each is None for each in found):
        return
    full = tuple(each for each in found if each is not None)
    version = env.manifest_version
    least = tuple(each for each, parameter in zip(full, parameters, strict=True) if not parameter.optional)
    yield Call(api, version, full, "every argument")
    if least != full:
        yield Call(api, version, least, "the required arguments")
    yield Call(api, version, (*full, Literal(Kind.NUMBER, 1.0)), "one argument too many")
    if least:
        yield Call(api, version, (), "no argument")
    for at, parameter in enumerate(parameters):
        for name, value in SAMPLES.items():
            yield Call(api, version, _replace_at(full, at, value), f"{parameter.name}: {name}")
        for value, what, marked in _objects(parameter.type, full[at], env):
            yield Call(api, version, _replace_at(full, at, value), f"{parameter.name}{what}", marked)
        for value, what in _nested_unknown_properties(parameter.type, env, parameter.name, ()):
            yield Call(api, version, _replace_at(full, at, value), what)


def _replace_at(arguments: tuple[Value, ...], at: int, value: Value) -> tuple[Value, ...]:
    return (*arguments[:at], value, *arguments[at + 1 :])


def _nested_unknown_properties(
    kind: Type, env: Environment, path: str, around: tuple[Type, ...]
) -> Iterator[tuple[Value, str]]:
    """Yields values that are valid except for an unknown property, in each object nested in a type.

    The property is a string: Chromium's event filters drop functions before they are checked.
    """
    target = env.resolve(kind) if isinstance(kind, RefType) else kind
    if target is None or target in around:
        return
    around = (*around, target)
    match target:
        case ChoicesType(choices):
            for number, choice in enumerate(choices, 1):
                yield from _nested_unknown_properties(choice.type, env, f"{path} ({number})", around)
        case ArrayType(items):
            for value, where in _nested_unknown_properties(items, env, f"{path}[]", around):
                yield ArrayValue((value,)), where
        case ObjectType():
            right = find_value(target, env)
            if not isinstance(right, ObjectValue):
                return
            if len(around) > 1:
                yield ObjectValue({**right.fields, **UNKNOWN_TEXT}), f"{path} with an unknown property"
            for name, declared in target.properties.items():
                for value, where in _nested_unknown_properties(declared.type, env, f"{path}.{name}", around):
                    yield ObjectValue({**right.fields, name: Field(value)}), where


def _objects(kind: Type, right: Value, env: Environment) -> Iterator[tuple[Value, str, bool]]:
    target = env.resolve(kind) if isinstance(kind, RefType) else kind
    if not isinstance(target, ObjectType) or not isinstance(right, ObjectValue):
        return
    takes_mark = target.additional is None and not target.ignore_additional
    marks = {MARK: Field(FUNCTION)} if takes_mark else {}
    if takes_mark:
        yield ObjectValue({**right.fields, **marks}), " with an unknown property", False
    for name, declared in target.properties.items():
        other_fields = {key: each for key, each in right.fields.items() if key != name}
        if name in right.fields:
            yield ObjectValue(other_fields), f" without {name}", False
        own = find_value(declared.type, env)
        values = SAMPLES if own is None else {"what fits": own, **SAMPLES}
        for what, value in values.items():
            fields = {**other_fields, name: Field(value)}
            yield ObjectValue(fields), f".{name}: {what}", False
            if takes_mark:
                yield ObjectValue({**fields, **marks}), f".{name}: {what}, and an unknown property", True
