"""Replaces the constants of the API's enumerations in scripts by their values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from extlint.analysis.facts.script_facts import ApiPath
from extlint.analysis.facts.values import Api, ArrayValue, Kind, Literal, ObjectValue, Union, Value
from extlint.checks.api.schema_path import enum_constants_of, find_schema_path, schema_path_of
from extlint.extension import Extension
from extlint.queries.query import query
from extlint.schema.matching.call import CallProblem
from extlint.schema.targets import BROWSERS, browser_name, schema_set
from extlint.text.nearest import suggest_name
from extlint.text.positions import ByteSpan
from extlint.text.wording import after_semicolon, available_names, name_suggestion, quoted


def with_constant_values(extension: Extension, value: Value) -> Value:
    """Returns a value with each constant of an enumeration replaced by its value, at the same position."""
    match value:
        case Api(path=path, span=span):
            known = _constant(extension, path)
            return value if known is None else replace(known, span=span)
        case ArrayValue(items=items):
            found = _all_with_constants(extension, items)
            return value if found is items else replace(value, items=found)
        case Union(options=options):
            found = _all_with_constants(extension, options)
            return value if found is options else replace(value, options=found)
        case ObjectValue(fields=fields):
            values = [each.value for each in fields.values()]
            found = _all_with_constants(extension, values)
            if found is values:
                return value
            pairs = zip(fields.items(), found, strict=True)
            return replace(value, fields={name: replace(each, value=now) for (name, each), now in pairs})
    return value


def with_constant_help(
    extension: Extension, problems: Iterable[CallProblem], arguments: Iterable[Value]
) -> Iterator[CallProblem]:
    """Yields the problems of arguments, with help if a value is a constant that only another browser has."""
    constants = dict(undefined_constants(extension, arguments))
    for each in problems:
        path = None if each.span is None else constants.get(each.span)
        yield each if path is None else replace(each, help=_constant_help(extension, path))


def _constant_help(extension: Extension, path: ApiPath) -> str:
    found = schema_path_of(extension, path)
    member = None if found is None else found.member
    names = enum_constants_of(extension.schemas, member, extension.manifest_version)
    what = f"{quoted('.'.join(path))} is not available in {browser_name(extension.target.name)}"
    own = f"{quoted('.'.join(path[:-1]))} has"
    return what + after_semicolon(
        name_suggestion(suggest_name(path[-1], names)) or available_names(list(names), own)
    )


def undefined_constants(extension: Extension, values: Iterable[Value]) -> Iterator[tuple[ByteSpan, ApiPath]]:
    """Yields the constants in values that only other browsers have, each with its position."""
    waiting = [*values]
    while waiting:
        match waiting.pop():
            case Api(path=path, span=(start, end)):
                known = _constant(extension, path)
                if known is not None and known.kind is Kind.UNDEFINED:
                    yield (start, end), path
            case ArrayValue(items=parts) | Union(options=parts):
                waiting += parts
            case ObjectValue(fields=fields):
                waiting += [each.value for each in fields.values()]


def _all_with_constants(extension: Extension, values: Sequence[Value]) -> Sequence[Value]:
    """Returns the values with constants replaced, or the same sequence without any."""
    found = tuple(with_constant_values(extension, each) for each in values)
    return values if all(now is each for now, each in zip(found, values, strict=True)) else found


@query
def _constant(extension: Extension, path: ApiPath) -> Literal | None:
    """Returns the value of a constant: undefined if only other browsers have it, None for anything else."""
    schemas = extension.schemas
    found = schema_path_of(extension, path)
    if found is None or len(found.rest) != 1:
        return None
    listed = enum_constants_of(schemas, found.member, extension.manifest_version)
    if found.rest[0] in listed:
        return Literal(Kind.STRING, listed[found.rest[0]])
    is_absent = (
        bool(listed) and not schemas.is_specification and is_constant_in_another_browser(extension, path)
    )
    return Literal(Kind.UNDEFINED) if is_absent else None


def is_constant_in_another_browser(extension: Extension, path: ApiPath) -> bool:
    """Whether some browser has a constant at a path. In others it is undefined, which is often accepted."""
    version = extension.manifest_version
    browsers = (schema_set(target, extension.schemas.user_schemas) for target in BROWSERS)
    found = ((schemas, find_schema_path(schemas, path, version)) for schemas in browsers)
    return any(
        each is not None
        and each.rest == path[-1:]
        and each.rest[0] in enum_constants_of(schemas, each.member, version)
        for schemas, each in found
    )
