"""Finds argument properties and values, and promises of calls, that a browser supports since a version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from extlint.analysis.facts.script_facts import CHAINED_USES, CallSite, FieldRead
from extlint.analysis.facts.values import ArrayValue, Delivery, FunctionValue, Literal, ObjectValue, Value
from extlint.checks.api.enum_constants import with_constant_values
from extlint.checks.api.schema_path import event_of_listener, function_at
from extlint.checks.calls.types import matching_environment
from extlint.extension import Extension, Script
from extlint.schema.engine import Engine
from extlint.schema.matching.environment import Environment
from extlint.schema.targets import Version, support_of, version_of
from extlint.schema.types import ArrayType, ObjectType, Parameter, RefType, Type
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan
from extlint.text.wording import quoted

_ROOT = "chrome"
_WITH_PROMISES = 3
"""The manifest version in which the functions of `chrome` return promises."""

_PATTERN_END = lazy(rb"[^;{}()]*\}\s*=\s*await\s*")


class NewerPart(Struct, frozen=True):
    """A part of a call that is newer than its function: its description, and the version that added it.

    `span` is its location; None for the call as a whole.
    """

    description: str
    span: ByteSpan | None
    added: Version


class _Part(Struct, frozen=True):
    """A value with its type, and the paths by which the version facts may name it."""

    value: Value
    kind: Type
    paths: tuple[str, ...]


def newer_parts(extension: Extension, script: Script, call: CallSite, oldest: Version) -> Iterator[NewerPart]:
    """Yields the parts of a call that were added after a version of the browser."""
    yield from _newer_arguments(extension, call, oldest)
    added = _newer_promise(extension, script, call, oldest)
    if added is not None:
        yield NewerPart(f"the promise of {quoted('.'.join(call.path))}", None, added)


def _newer_arguments(extension: Extension, call: CallSite, oldest: Version) -> Iterator[NewerPart]:
    """Yields the properties and values in the arguments of a call that were added after a version.

    The arguments after the listener of an event may be newer, too: no version ignores surplus arguments.
    """
    function, event = function_at(extension, call.path), event_of_listener(extension, call.path)
    if function is not None and not function.ambiguous:
        parameters, arguments, api = function.parameters, call.arguments, ".".join(call.path)
    elif event is not None:
        parameters, arguments, api = event.extra, call.arguments[1:], ".".join(call.path[:-1])
    else:
        return
    if call.open or len(arguments) > len(parameters):
        return
    env = matching_environment(extension)
    waiting: list[_Part] = []
    for parameter, argument in _matched_arguments(parameters, arguments, env):
        own = f"{api}.{parameter.name}"
        added = None if event is None else _version_added(extension, (own,), oldest)
        if added is None:
            value = with_constant_values(extension, argument)
            waiting.append(_Part(value, parameter.type, (own, api)))
        elif argument.span is not None:
            yield NewerPart(f"{quoted(parameter.name)} in {quoted(api)}", argument.span, added)
    while waiting:
        part = waiting.pop(0)
        match part.value, env.resolve(part.kind):
            case ObjectValue(fields=fields), ObjectType(properties=listed):
                for name, field in fields.items():
                    if name not in listed or field.maybe_absent or field.key is None:
                        continue
                    paths = tuple(f"{path}.{name}" for path in (*part.paths, *_type_path(part.kind)))
                    added = _version_added(extension, paths, oldest)
                    if added is not None:
                        yield NewerPart(f"{quoted(name)} in {quoted(api)}", field.key, added)
                    else:
                        waiting.append(_Part(field.value, listed[name].type, paths))
            case ArrayValue(items=items), ArrayType(items=kind):
                waiting += [_Part(each, kind, part.paths) for each in items]
            case Literal(value=str() as text, span=(start, end)), _:
                paths = tuple(f"{path}.{text}" for path in (*part.paths, *_type_path(part.kind)))
                added = _version_added(extension, paths, oldest)
                if added is not None:
                    yield NewerPart(f"{quoted(text)} in {quoted(api)}", (start, end), added)


def _newer_promise(extension: Extension, script: Script, call: CallSite, oldest: Version) -> Version | None:
    """Returns the version since which a Chrome function returns promises, if a call uses one earlier."""
    function = function_at(extension, call.path)
    if (
        function is None
        or extension.schemas.engine is not Engine.CHROMIUM
        or extension.manifest_version != _WITH_PROMISES
        or call.root != _ROOT
    ):
        return None
    added = version_of(function.promise_since)
    if added is None or added <= oldest:
        return None
    return added if call.promise_use in CHAINED_USES or _is_awaited(script, call) else None


def _is_awaited(script: Script, call: CallSite) -> bool:
    """Whether the script reads from the resolved value of a call's promise, before the next such call."""
    calls = [each for each in script.facts.calls if each.path == call.path and _without_callback(each)]
    if call not in calls:
        return False
    start = call.span[0]
    end = min((each.span[0] for each in calls if each.span[0] > start), default=None)
    return any(
        each.of.path == call.path
        and each.of.delivery is Delivery.PROMISE
        and (end is None or each.span[0] < end)
        and (each.span[0] > start or _is_pattern_before(script, each, call))
        for each in script.facts.field_reads
    )


def _is_pattern_before(script: Script, read: FieldRead, call: CallSite) -> bool:
    """Whether a read is in a pattern that the result of a call is assigned to: `const { a } = await f()`."""
    between = script.index.text[read.span[1] + script.base : call.span[0] + script.base]
    return _PATTERN_END.fullmatch(between) is not None


def _without_callback(call: CallSite) -> bool:
    return not call.open and not any(isinstance(each, FunctionValue) for each in call.arguments)


def _matched_arguments(
    parameters: Sequence[Parameter], arguments: Sequence[Value], env: Environment
) -> Iterator[tuple[Parameter, Value]]:
    """Yields the objects and arrays among the arguments, each with the next parameter of such a type."""
    left = [*parameters]
    for each in arguments:
        expected_type = {ObjectValue: ObjectType, ArrayValue: ArrayType}.get(type(each))
        while expected_type is not None and left:
            parameter = left.pop(0)
            if isinstance(env.resolve(parameter.type), expected_type):
                yield parameter, each
                break


def _type_path(kind: Type) -> tuple[str, ...]:
    return (f"{kind.namespace}.{kind.name}",) if isinstance(kind, RefType) else ()


def _version_added(extension: Extension, paths: Sequence[str], oldest: Version) -> Version | None:
    """Returns the oldest version known to have added one of these paths, or None if it is old enough."""
    browser, version = extension.target.name, extension.manifest_version
    known = [found for each in paths if (found := support_of(each, browser, version)) is not None]
    versions = [each.added for each in known if each.added is not None]
    return min(versions) if versions and min(versions) > oldest else None
