"""The abstract values: the known properties of a JavaScript value without running the program.

A value is as precise as the source allows and never more: an expression that is not understood is `UNKNOWN`,
and a condition results in a `Union`. `span` is the byte range of the source text that contains the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from extlint.text.positions import ByteSpan

OBJECT_MEMBERS = frozenset(
    """
    __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ constructor hasOwnProperty
    isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf
    """.split()
)
"""The members that every object has from `Object.prototype`."""

EVENT_METHODS = frozenset({"addListener", "removeListener", "hasListener"})
"""The methods of every event of the API, which take a listener."""


class Kind(Enum):
    """The kinds of JavaScript values that argument matching distinguishes."""

    __hash__ = object.__hash__  # each kind is a singleton; an enum hashes its name each time

    STRING = "string"
    NUMBER = "number"
    BOOLEAN = "boolean"
    BIGINT = "bigint"
    SYMBOL = "symbol"
    NULL = "null"
    UNDEFINED = "undefined"
    ARRAY = "array"
    FUNCTION = "function"
    OBJECT = "object"


Fact: TypeAlias = tuple[str, ...]
"""A fact that holds. The path of an API member means that it exists; other facts begin with an empty name."""


class Implications(Struct, frozen=True):
    """The implications of a condition, in a form that means the same in every script.

    `if_true` and `if_false` are the members that exist, `missing_if_true` and `missing_if_false` those that
    do not; `environment` are the other facts that it depends on, whatever its outcome. A name in a path that
    begins with a NUL character, before the index of a parameter, stands for the argument of a call.
    """

    if_true: frozenset[Fact] = frozenset()
    if_false: frozenset[Fact] = frozenset()
    missing_if_true: frozenset[Fact] = frozenset()
    missing_if_false: frozenset[Fact] = frozenset()
    environment: frozenset[Fact] = frozenset()


class Unknown(Struct, frozen=True):
    """A value about which nothing is known. `implications` are its implications as a condition."""

    span: ByteSpan | None = None
    implications: Implications | None = None


class Literal(Struct, frozen=True):
    """One exact primitive value.

    `value` is a `str` (lone surrogates are kept), a `float` for every number (NaN and infinities
    too), an `int` for a bigint, a `bool`, or None for null and undefined; `kind` distinguishes these.
    """

    kind: Kind
    value: str | float | int | bool | None = None
    span: ByteSpan | None = None


class Typed(Struct, frozen=True):
    """A value of a known kind whose content is unknown (`"a" + x` is some string).

    `implications` are its implications as a condition. A string certainly begins with `prefix`.
    """

    kind: Kind
    span: ByteSpan | None = None
    implications: Implications | None = None
    prefix: str = ""


class Field(Struct, frozen=True):
    """A property of an object: its value, the position of its key, and whether it may be absent."""

    value: Value
    key: ByteSpan | None = None
    maybe_absent: bool = False


class ObjectValue(Struct, frozen=True):
    """A plain object whose properties are known; `open` means that it may have others."""

    fields: Mapping[str, Field] = field(default_factory=dict)
    open: bool = False
    span: ByteSpan | None = None


class ArrayValue(Struct, frozen=True):
    """An array with these items; `open` means that others may follow."""

    items: tuple[Value, ...] = ()
    open: bool = False
    span: ByteSpan | None = None


class FunctionValue(Struct, frozen=True):
    """A function or class. `parameters` are the byte ranges of its parameters, in order.

    If they are unknown, or callers other than the API may pass all of them, `parameters` equals None.
    Optional ones at the end (a default, TypeScript's `?`) are left out, and so is a rest parameter;
    `has_rest` is then true. `uses_arguments` is true if the body may read `arguments`. `read` are the byte
    ranges of the parameters that the body certainly reads as they were passed; it is computed on demand.

    For a function of another script, `result` is the value of a call (for a class, of `new`), or None if
    unknown, and `fields` are its own known properties.
    """

    parameters: tuple[ByteSpan, ...] | None = None
    has_rest: bool = False
    uses_arguments: bool = False
    is_class: bool = False
    span: ByteSpan | None = None
    result: Value | None = None
    fields: Mapping[str, Field] = field(default_factory=dict)
    read: frozenset[ByteSpan] = frozenset()
    implications: Implications | None = None


class InstanceValue(Struct, frozen=True):
    """An object created by a known constructor (`RegExp`, `Promise`, `Proxy`, a class of the program).

    `builtin` is true if the constructor is the global of that name. For a class of the program it is false,
    and `definition` is the byte range of the class. `fulfillment` is the fulfillment value of a promise, or
    None if unknown.
    """

    class_name: str
    builtin: bool = True
    span: ByteSpan | None = None
    definition: ByteSpan | None = None
    fulfillment: Value | None = None


class Api(Struct, frozen=True):
    """The extension API itself: a root (`path` is empty), a namespace, a function or an event.

    `root` is the global through which it was reached, `browser` or `chrome`. `bound` are the first
    arguments of a function that was created with `bind`. `has_stand_in` is true if the program chooses
    between it and something else, and uses either in the same way: `inPage ? proxy : browser`.
    """

    path: tuple[str, ...] = ()
    root: str = "browser"
    span: ByteSpan | None = None
    bound: tuple[Value, ...] = ()
    has_stand_in: bool = False


class Delivery(Enum):
    """The ways in which a script receives a value of the API."""

    RETURN = "return"
    """The return value of a call: a promise, for most functions."""

    PROMISE = "promise"
    """The fulfillment value of that promise."""

    CALLBACK = "callback"
    """An argument of a callback."""

    LISTENER = "listener"
    """An argument of an event's listener."""

    MEMBER = "member"
    """The member itself, which the script does not call."""


class ApiResult(Struct, frozen=True):
    """A value that the API returns or passes, or a part of one.

    `path` is the function or event, `delivery` how the script receives the value, `index` the index of the
    argument of a callback or listener. `steps` lead from there to the part: names of fields, and `[]` for an
    item of an array. `call` is the call in the same script that gets stored data or the address of a file, or
    None for other functions and if there may be several.
    """

    path: tuple[str, ...]
    delivery: Delivery
    index: int = 0
    steps: tuple[str, ...] = ()
    root: str = "browser"
    span: ByteSpan | None = None
    call: ByteSpan | None = None


class Union(Struct, frozen=True):
    """One of several values, depending on an unknown condition."""

    options: tuple[Value, ...]
    span: ByteSpan | None = None


Value: TypeAlias = (
    Unknown
    | Literal
    | Typed
    | ObjectValue
    | ArrayValue
    | FunctionValue
    | InstanceValue
    | Api
    | ApiResult
    | Union
)

_OfRoot: TypeAlias = Api | ApiResult

MAX_OPTIONS = 40
"""The maximum number of options of one value; a value with more is unknown."""

UNKNOWN = Unknown()
NOTHING = Union(())
"""No value at all, such as the contribution of a variable to its own value (`x` in `x = x || y`)."""


MAX_PREFIX = 100
"""The most characters that are known of the beginning of a string."""


def text_with(prefix: str, span: ByteSpan | None) -> Typed:
    """Returns some string that begins with a prefix."""
    return Typed(Kind.STRING, span, prefix=prefix[:MAX_PREFIX])


def options_of(value: Value) -> tuple[Value, ...]:
    """Returns the possible values: a union's (which never contains another union), or the value itself."""
    return value.options if isinstance(value, Union) else (value,)


def union_of(values: Iterable[Value], span: ByteSpan | None = None) -> Value:
    """Returns one value that may be any of these; nested unions are flattened and duplicates dropped.

    The same member of the API reached through different roots is one option, with the root `browser`, and so
    are the results of different calls, without a call.
    Returns `NOTHING` without any value, and `UNKNOWN` if there are too many, or unknown ones with different
    implications.
    """
    options: dict[object, Value] = {}
    for value in values:
        for option in options_of(value):
            first = options.setdefault(_identity(option), option)
            if isinstance(option, Unknown) and isinstance(first, Unknown):
                options[Unknown] = first if first.implications == option.implications else UNKNOWN
            elif isinstance(first, _OfRoot) and isinstance(option, _OfRoot) and option.root != first.root:
                options[_identity(option)] = first = replace(first, root="browser")
            if isinstance(first, ApiResult) and isinstance(option, ApiResult) and option.call != first.call:
                options[_identity(option)] = replace(first, call=None)
        if len(options) > MAX_OPTIONS:
            return UNKNOWN
    found = tuple(options.values())
    return found[0] if len(found) == 1 else Union(found, span)


def _identity(option: Value) -> object:
    """Returns the key by which options of a union are deduplicated.

    Values with parts are compared by identity, since their parts may be large and shared.
    """
    identify = _IDENTITIES.get(type(option))
    return option if identify is None else identify(option)


_IDENTITIES: Mapping[type[Value], Callable[[Any], object]] = {
    Api: lambda each: (Api, each.path, len(each.bound), each.has_stand_in),
    ApiResult: lambda each: (ApiResult, each.path, each.delivery, each.index, each.steps),
    ArrayValue: id,
    FunctionValue: lambda each: id(each) if each.span is None else (FunctionValue, each.span),
    InstanceValue: lambda each: each if each.fulfillment is None else id(each),
    ObjectValue: id,
    Unknown: lambda _: Unknown,
}


def leads_to_api(value: Value) -> bool:
    """Whether a value is a member of the API, contains one, or returns one."""
    match value:
        case Api() | ApiResult():
            return True
        case Union(options=options):
            return any(map(leads_to_api, options))
        case ObjectValue(fields=fields):
            return any(leads_to_api(each.value) for each in fields.values())
        case FunctionValue(result=given, fields=fields):
            return (given is not None and leads_to_api(given)) or any(
                leads_to_api(each.value) for each in fields.values()
            )
        case InstanceValue(fulfillment=fulfillment):
            return fulfillment is not None and leads_to_api(fulfillment)
    return False


def holds_result(value: Value) -> bool:
    """Whether a value may be a result of the API, or an object or array that has one."""
    match value:
        case ApiResult():
            return True
        case Union(options=parts) | ArrayValue(items=parts):
            return any(map(holds_result, parts))
        case ObjectValue(fields=fields):
            return any(holds_result(each.value) for each in fields.values())
    return False


def is_nullish(value: Value) -> bool:
    """Whether a value is null or undefined."""
    return isinstance(value, Literal) and value.kind in {Kind.NULL, Kind.UNDEFINED}


def is_undefined(value: Value) -> bool:
    """Whether a value is undefined."""
    return isinstance(value, Literal) and value.kind is Kind.UNDEFINED


def is_function(value: Value) -> bool:
    """Whether a value certainly is a function."""
    return isinstance(value, FunctionValue) or (isinstance(value, Typed) and value.kind is Kind.FUNCTION)


def is_empty_object(value: Value) -> bool:
    """Whether a value is an object without properties."""
    return isinstance(value, ObjectValue) and not value.fields and not value.open


def is_copied(value: Value) -> bool:
    """Whether nothing is known that copies lose: a value has no functions, symbols or instances."""
    match value:
        case Literal(kind=kind) | Typed(kind=kind):
            return kind not in (Kind.FUNCTION, Kind.SYMBOL)
        case Union(options=parts) | ArrayValue(items=parts):
            return all(map(is_copied, parts))
        case ObjectValue(fields=fields):
            return all(is_copied(each.value) for each in fields.values())
    return not isinstance(value, FunctionValue | InstanceValue)


def with_span(value: Value, span: ByteSpan) -> Value:
    """Returns the same value with another span; its parts keep theirs."""
    if isinstance(value, Union):
        return Union(tuple(with_span(option, span) for option in value.options), span)
    return replace(value, span=span)


def with_use_span(value: Value, span: ByteSpan) -> Value:
    """Returns a value with the span of the place where it is used as a part of another one.

    Only primitive values and values from other scripts get this span.
    """
    if isinstance(value, Union) and value.options:
        return Union(value.options, span)
    if value.span == span:
        return value
    own = isinstance(value, Literal | Typed) or (value.span is None and not isinstance(value, Unknown))
    return replace(value, span=span) if own else value
