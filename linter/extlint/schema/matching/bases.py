"""Base types: the coarse kinds of values, and the properties that objects have by their constructor.

They are those of Firefox's schema code: JavaScript's `typeof`, with `null`, `array` and `integer`
as separate types. `binary` (an ArrayBuffer or a view of one) is added for Chromium. A partly known
value has a set of them.
"""

from __future__ import annotations

from typing import Literal as Choice
from typing import TypeAlias

from extlint.analysis.facts.values import (
    Api,
    ApiResult,
    ArrayValue,
    FunctionValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Union,
    Unknown,
    Value,
)
from extlint.schema.matching.environment import Environment
from extlint.schema.types import (
    AnyType,
    ArrayType,
    BinaryType,
    BooleanType,
    ChoicesType,
    FunctionType,
    NullType,
    NumberType,
    ObjectType,
    RefType,
    StringType,
    Type,
)

PROXY = "Proxy"

ERRORS = frozenset(
    {
        "AggregateError",
        "Error",
        "EvalError",
        "RangeError",
        "ReferenceError",
        "SyntaxError",
        "TypeError",
        "URIError",
    }
)

TYPED_ARRAYS = frozenset(
    {
        "BigInt64Array",
        "BigUint64Array",
        "Float32Array",
        "Float64Array",
        "Int16Array",
        "Int32Array",
        "Int8Array",
        "Uint16Array",
        "Uint32Array",
        "Uint8Array",
        "Uint8ClampedArray",
    }
)

BINARY = TYPED_ARRAYS | {"ArrayBuffer", "DataView"}

WITHOUT_KEYS = (
    ERRORS
    | {"ArrayBuffer", "DataView", "Boolean", "Date", "Map", "Number", "Promise", "RegExp", "Set"}
    | {"WeakMap", "WeakRef", "WeakSet"}
    | {"AbortController", "Blob", "File", "FormData", "Headers", "Request", "Response", "URL"}
    | {"Element", "URLSearchParams"}
)
"""Classes whose objects have no own enumerable properties after their creation."""

KNOWN_CLASSES = WITHOUT_KEYS | TYPED_ARRAYS | {"NodeList", "String"}
"""Classes whose objects are neither plain objects, arrays nor functions."""


def bases_of(instance: InstanceValue) -> frozenset[str]:
    """Returns the possible base types of an object of this class; never that of a primitive."""
    name = instance.class_name if instance.builtin else ""
    if name == "Array":
        return frozenset({"array"})
    if name == "Function":
        return frozenset({"function"})
    if name == PROXY:
        return frozenset({"object", "array", "function"})
    if name in BINARY:
        return frozenset({"binary"})
    if name in KNOWN_CLASSES:
        return frozenset({"object"})
    return frozenset({"object", "array", "function", "binary"})


def is_known_class(instance: InstanceValue) -> bool:
    """Whether the class is certainly not that of plain objects."""
    return instance.builtin and instance.class_name in KNOWN_CLASSES


def is_proxy(instance: InstanceValue) -> bool:
    """Whether an object is a Proxy, whatever its target."""
    return instance.builtin and instance.class_name == PROXY


def has_no_own_keys(instance: InstanceValue) -> bool:
    """Whether an object has no own enumerable properties."""
    return instance.builtin and instance.class_name in WITHOUT_KEYS


def is_instance(instance: InstanceValue, class_name: str, *, inherited: bool) -> bool | None:
    """Whether an object is an instance of a class, by name, or None if unknown.

    With `inherited` the class may be any on the prototype chain (Chromium); without, it must be
    the object's own (Firefox).
    """
    if not instance.builtin or instance.class_name == PROXY:
        return None
    own = instance.class_name
    if own == class_name:
        return True
    if own not in KNOWN_CLASSES:
        return None
    if class_name == "Object":
        return inherited
    if own in ERRORS and class_name in ERRORS:
        return None
    if own == "Element" and class_name.endswith("Element"):
        return None  # it stands for elements of any class
    if own in TYPED_ARRAYS and class_name == "TypedArray":
        return None
    if own == "File" and class_name == "Blob":
        return inherited
    return False


Bases: TypeAlias = frozenset[str]

ABSENT: Bases = frozenset({"null", "undefined"})
"""The values that stand for an omitted optional argument or property."""

ALL_BASES: Bases = frozenset(
    {"null", "undefined", "boolean", "integer", "number", "bigint", "string", "symbol"}
    | {"array", "object", "binary", "function"}
)

INT32 = (-(2**31), 2**31 - 1)

_OF_KIND: dict[Kind, Bases] = {
    Kind.NUMBER: frozenset({"integer", "number"}),
    Kind.OBJECT: frozenset({"object", "binary"}),
}

_OF_VALUE: dict[type[Value], Bases] = {
    **dict.fromkeys((Unknown, Api, ApiResult), ALL_BASES),
    ObjectValue: frozenset({"object"}),
    ArrayValue: frozenset({"array"}),
    FunctionValue: frozenset({"function"}),
}

_OF_TYPE: dict[type[Type], Bases] = {
    AnyType: ALL_BASES,
    NullType: frozenset({"null"}),
    BooleanType: frozenset({"boolean"}),
    StringType: frozenset({"string"}),
    BinaryType: frozenset({"binary"}),
    ArrayType: frozenset({"array"}),
    FunctionType: frozenset({"function"}),
    ObjectType: frozenset({"object", "binary"}),
}


def bases(value: Value, env: Environment) -> Bases:
    """Returns the possible base types of a value."""
    match value:
        case Literal(kind=Kind.NUMBER, value=float() | int() as number):
            return frozenset({"integer" if is_integer(number, env) else "number"})
        case Literal(kind=kind) | Typed(kind=kind):
            return _OF_KIND.get(kind) or frozenset({kind.value})
        case InstanceValue():
            return bases_of(value)
        case Union(options=options):
            return frozenset().union(*(bases(option, env) for option in options)) if options else ALL_BASES
    return _OF_VALUE[type(value)]


def is_integer(number: float, env: Environment) -> bool:
    """Whether a number counts as an integer: any whole one in Firefox, 32 bits in Chromium."""
    if not float(number).is_integer():
        return False
    return env.is_gecko or INT32[0] <= number <= INT32[1]


def accepted_bases(kind: Type, env: Environment, depth: int = 0) -> Bases | None:
    """Returns the base types that a type accepts, regardless of its other constraints, or None if unknown.

    The manifest versions of choices are ignored, as in Firefox.
    """
    target = env.resolve(kind)
    match target:
        case None | RefType():
            return None
        case NumberType(integer=integer):
            return frozenset({"integer"}) if integer else frozenset({"integer", "number"})
        case ChoicesType(choices=choices):
            if depth > MAX_NESTED_CHOICES:
                return None
            found = [accepted_bases(choice.type, env, depth + 1) for choice in choices]
            return None if None in found else frozenset().union(*(each or () for each in found))
    return _OF_TYPE[type(target)]


MAX_NESTED_CHOICES = 8
"""The maximum nesting depth of choices that are followed; they may be circular."""


def fits(possible: Bases, taken: Bases | None) -> Choice["yes", "maybe", "no"]:
    """Returns whether a value with these possible base types is accepted."""
    if taken is None:
        return "maybe"
    if possible <= taken:
        return "yes"
    return "maybe" if possible & taken else "no"
