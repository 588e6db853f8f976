"""The members of built-in objects."""

from __future__ import annotations

from extlint.analysis.facts.values import ArrayValue, InstanceValue, Kind, Literal, ObjectValue, Typed, Value
from extlint.analysis.values.api_results import PROMISE_METHODS

OBJECT_MEMBERS = frozenset(
    """
    __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ constructor hasOwnProperty
    isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf
    """.split()
)
"""The members that every object has from `Object.prototype`."""

ARRAY_MEMBERS = tuple(
    "at concat copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap "
    "forEach includes indexOf join keys lastIndexOf length map pop push reduce reduceRight reverse shift "
    "slice some sort splice toReversed toSorted toSpliced unshift values with".split()
)
"""The members of an array, own ones and those from `Array.prototype`."""

STRING_MEMBERS = tuple(
    """
    anchor at big blink bold charAt charCodeAt codePointAt concat endsWith fixed fontcolor fontsize includes
    indexOf isWellFormed italics lastIndexOf length link localeCompare match matchAll normalize padEnd
    padStart repeat replace replaceAll search slice small split startsWith strike sub substr substring sup
    toLocaleLowerCase toLocaleUpperCase toLowerCase toUpperCase toWellFormed trim trimEnd trimLeft trimRight
    trimStart
    """.split()
)
"""The members of a string, own ones and those from `String.prototype`."""

_MEMBERS = {
    Kind.ARRAY: frozenset(ARRAY_MEMBERS),
    Kind.BOOLEAN: frozenset[str](),
    Kind.NUMBER: frozenset({"toExponential", "toFixed", "toPrecision"}),
    Kind.STRING: frozenset(STRING_MEMBERS),
}


def has_no_member(value: Value, name: str) -> bool:
    """Whether a member certainly does not exist in a value, unless a script adds it to a prototype."""
    if name in OBJECT_MEMBERS:
        return False
    match value:
        case ArrayValue():
            return not name.isdigit() and name not in ARRAY_MEMBERS
        case InstanceValue(class_name="Promise", builtin=True):
            return name not in PROMISE_METHODS
        case Literal(kind=kind) | Typed(kind=kind) if kind in _MEMBERS:
            return not name.isdigit() and name not in _MEMBERS[kind]
        case ObjectValue():
            return not value.open and name not in value.fields
    return False
