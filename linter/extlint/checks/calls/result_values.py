"""Replaces results of the API in arguments by what is known of them; finds fields that none asks for.

Without their names in the third argument of `addListener`, requests have no such fields in Chromium 156 and
Firefox 153 (`extlint_judge unrequested-details`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from extlint.analysis.facts.script_facts import CallSite, FieldRead
from extlint.analysis.facts.values import (
    UNKNOWN,
    ApiResult,
    ArrayValue,
    Delivery,
    Field,
    FunctionValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Union,
    Value,
    options_of,
    union_of,
)
from extlint.analysis.values.api_results import is_promise
from extlint.checks.api.enum_constants import with_constant_values
from extlint.checks.calls.types import (
    ITEM,
    LENGTH,
    PossibleType,
    is_described,
    is_open,
    possible_types,
)
from extlint.checks.reachability.closed_world import has_all_loaded_files
from extlint.checks.reachability.possible_loads import may_run
from extlint.extension import Extension, Script
from extlint.project.contexts.words import words_of
from extlint.queries.query import query
from extlint.schema.types import (
    ArrayType,
    BooleanType,
    FunctionType,
    NullType,
    NumberType,
    ObjectType,
    StringType,
    Type,
)
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

_KINDS: tuple[tuple[type[Type], Kind], ...] = (
    (StringType, Kind.STRING),
    (NumberType, Kind.NUMBER),
    (BooleanType, Kind.BOOLEAN),
    (ArrayType, Kind.ARRAY),
    (ObjectType, Kind.OBJECT),
    (FunctionType, Kind.FUNCTION),
)


def with_result_kinds(extension: Extension, value: Value, *, has_parts: bool = False) -> Value:
    """Returns a value with the results of the API in it replaced by values of their kinds.

    With `has_parts`, arrays have an item, and objects have the fields that the schemas list.
    """
    inner = partial(with_result_kinds, extension, has_parts=has_parts)
    match value:
        case ApiResult():
            return _of_kind(extension, value, has_parts=has_parts)
        case ArrayValue(items=items):
            return replace(value, items=tuple(map(inner, items)))
        case Union(options=options):
            return union_of(map(inner, options), value.span)
        case ObjectValue(fields=fields):
            return replace(
                value,
                fields={name: replace(each, value=inner(each.value)) for name, each in fields.items()},
            )
    return value


def _of_kind(extension: Extension, result: ApiResult, *, has_parts: bool) -> Value:
    if is_promise(result):
        return result
    found = _of_types(possible_types(extension, result), result.span)
    if found is None:
        return result
    if has_parts:
        found = union_of((_with_parts(extension, result, each) for each in options_of(found)), result.span)
    if result.steps and not _always_exists(extension, result):
        found = union_of((found, Literal(Kind.UNDEFINED, None, result.span)), result.span)
    return found


def _of_types(possible: Sequence[PossibleType], span: ByteSpan | None) -> Value | None:
    """Returns a value of the kinds of some types, or None if a kind is unknown."""
    types = [each.type for each in possible]
    kinds = [next((kind for of, kind in _KINDS if isinstance(each, of)), None) for each in types]
    values: list[Value] = [Typed(kind, span) for kind in kinds if kind is not None]
    values += [Literal(Kind.NULL, None, span) for each in types if isinstance(each, NullType)]
    return union_of(values, span) if types and len(values) == len(types) else None


def _with_parts(extension: Extension, result: ApiResult, value: Value) -> Value:
    """Returns an array or object of a result with the kinds of its parts.

    An empty array is not meant where its items are refused.
    """
    if not isinstance(value, Typed) or value.kind not in (Kind.ARRAY, Kind.OBJECT):
        return value
    owners = [
        each.type
        for each in possible_types(extension, result)
        if isinstance(each.type, ArrayType if value.kind is Kind.ARRAY else ObjectType)
    ]
    if len(owners) != 1:
        return value
    (owner,) = owners

    def part(step: str) -> Value:
        types = possible_types(extension, replace(result, steps=(*result.steps, step)))
        return _of_types(types, result.span) or UNKNOWN

    if isinstance(owner, ArrayType):
        return ArrayValue((part(ITEM),), True, result.span)
    if not isinstance(owner, ObjectType) or not is_described(owner) or is_open(owner):
        return value
    fields = {name: Field(part(name), maybe_absent=each.optional) for name, each in owner.properties.items()}
    return ObjectValue(fields, False, result.span)


def _always_exists(extension: Extension, result: ApiResult) -> bool:
    """Whether every object of the types that a part of a result belongs to has this part.

    Code that passes on an item assumes that there is an item.
    """
    *steps, last = result.steps
    if steps and not _always_exists(extension, replace(result, steps=tuple(steps))):
        return False
    if last == ITEM:
        return True
    owners = possible_types(extension, replace(result, steps=tuple(steps)))
    return all(
        last == LENGTH
        if isinstance(each.type, ArrayType | StringType)
        else isinstance(each.type, ObjectType)
        and last in each.type.properties
        and not each.type.properties[last].optional
        for each in owners
    )


_NAME = rb"(?:e|ex|exception|\w*[eE]rr(?:or)?)"
_ERROR = (
    rb"new\s+(?:(?:Aggregate|Eval|Range|Reference|Syntax|Type|URI)?Error|DOMException)\b|"
    + _NAME
    + rb"\s*[;)}\n]"
)
_OTHER = (
    lazy(rb"\bthrow\s+(?!" + _ERROR + rb")"),
    lazy(rb"(?<!,)(?<!,\s)\breject\b(?!\s*\(\s*(?:" + _ERROR + rb"))"),
    lazy(rb"\b" + _NAME + rb"\s*(?:\.\s*\w+|\[[^\]\n]*\])\s*=(?!=)"),
    lazy(rb"\b(?:ajax|axios|jQuery|superagent)\b|\bObject\s*\.\s*assign\s*\(\s*new\b"),
    lazy(rb"\bprototype\s*(?:\.\s*|[,[]\s*[\"'`])toJSON\b"),
)
"""Code that throws, or rejects a promise with, anything but an error, or that adds fields to errors.

A promise rejects with what `reject` gets, which may also be passed on: `image.onerror = reject`.
"""


def throws_only_errors(extension: Extension, script: Script) -> bool:
    """Whether all code is there, and only errors are thrown by scripts that may run where a script does."""
    return has_all_loaded_files(extension) and not any(
        _throws_others(extension, each.path)
        for each in extension.scripts
        if may_run(extension, each) and _may_share_context(script, each)
    )


def _may_share_context(one: Script, other: Script) -> bool:
    kinds = {each.kind for each in one.contexts}
    return not other.contexts or any(each.kind in kinds for each in other.contexts)


@query(is_kept=True)
def _throws_others(extension: Extension, path: str) -> bool:
    words = words_of(extension)
    text = words.without_comments(path) if path in words.texts else b""
    return any(each.search(text) for each in _OTHER)


FIELDS: Mapping[str, str] = {
    "onBeforeRequest": "requestBody",
    "onBeforeSendHeaders": "requestHeaders",
    "onSendHeaders": "requestHeaders",
    "onHeadersReceived": "responseHeaders",
    "onAuthRequired": "responseHeaders",
    "onBeforeRedirect": "responseHeaders",
    "onResponseStarted": "responseHeaders",
    "onCompleted": "responseHeaders",
}
"""The field of each event that is there only if a listener asks for it, by its own name."""


def reads_of_unrequested_details(extension: Extension, script: Script) -> Iterator[FieldRead]:
    """Yields the reads in a script of such fields, if no listener that may run there asks for them."""
    reads = [each for each in script.facts.field_reads if each.of.path[:1] == ("webRequest",)]
    for read in reads:
        others = [each for each in reads if each.span == read.span]
        if all(_is_unrequested(extension, script, each) for each in others):
            yield read


def _is_unrequested(extension: Extension, script: Script, read: FieldRead) -> bool:
    event = read.of.path[1:]
    is_details = read.of.delivery is Delivery.LISTENER and read.of.index == 0 and not read.of.steps
    if not is_details or len(event) != 1 or read.name != FIELDS.get(event[0]):
        return False
    adding = calls_adding_listeners(script, read.of, read.span)
    return bool(adding) and all(is_certainly_without(extension, each, read.name) for each in adding)


def calls_adding_listeners(script: Script, of: ApiResult, place: ByteSpan) -> Sequence[CallSite]:
    """Returns the calls that add a listener of an event around a place, or all of them in a script."""
    adding = [call for call in script.facts.calls if call.path == (*of.path, "addListener")]
    return [call for call in adding if _adds_listener_around(call, place)] or adding


def _adds_listener_around(call: CallSite, place: ByteSpan) -> bool:
    """Whether a call adds a listener that is written in it, and whose code contains a place."""
    return bool(call.arguments) and any(
        isinstance(each, FunctionValue)
        and each.span is not None
        and each.span[0] <= place[0]
        and place[1] <= each.span[1]
        for each in options_of(call.arguments[0])
    )


def is_certainly_without(extension: Extension, call: CallSite, option: str) -> bool:
    """Whether the options of a listener are all known, and one is not among them."""
    if len(call.arguments) < 3:
        return not call.open
    options = with_constant_values(extension, call.arguments[2])
    return (
        isinstance(options, ArrayValue)
        and not options.open
        and all(isinstance(each, Literal) and each.value != option for each in options.items)
    )
