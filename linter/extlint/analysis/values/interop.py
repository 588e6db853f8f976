"""The bindings of an import of a module with a known value, an ES module or a CommonJS one.

An ES module compiled to CommonJS has a property `__esModule`. For any other value, `default` is the value
itself.
"""

from __future__ import annotations

from extlint.analysis.facts.values import (
    UNKNOWN,
    Api,
    Field,
    FunctionValue,
    Literal,
    ObjectValue,
    Value,
    options_of,
)
from extlint.analysis.values.bundler_values import NAMESPACE, BundlerValue
from extlint.analysis.values.options import is_root, join


def is_es_module(value: Value) -> bool | None:
    """Whether an object is marked as a compiled ES module, or None if unknown."""
    if isinstance(value, Api | FunctionValue):
        return False
    if not isinstance(value, ObjectValue):
        return None
    found = value.fields.get("__esModule")
    if found is None:
        return None if value.open else False
    if isinstance(found.value, Literal):
        return bool(found.value.value)
    return None


def default_of(value: Value) -> Value:
    """Returns the value that `import x from` binds for a module with this value."""
    return join(*(_default(each) for each in options_of(value)))


def _default(value: Value) -> Value:
    marked = is_es_module(value)
    if marked is False:
        return value
    if marked and isinstance(value, ObjectValue) and "default" in value.fields:
        return value.fields["default"].value
    return UNKNOWN


def namespace_of_value(value: Value, *, always: bool = False) -> Value:
    """Returns the value that `import * as` binds for a module; `always` if `default` is the value itself."""
    return join(*(_namespace(each, always=always) for each in options_of(value)))


def _namespace(value: Value, *, always: bool) -> Value:
    if is_root(value):
        return BundlerValue(NAMESPACE)
    marked = is_es_module(value)
    if marked and not always:
        return value
    if marked is None and not always:
        return ObjectValue(_without_default(value), True) if isinstance(value, ObjectValue) else UNKNOWN
    return ObjectValue({**_without_default(value), "default": Field(value)}, True)


def _without_default(value: Value) -> dict[str, Field]:
    if not isinstance(value, ObjectValue):
        return {}
    return {name: each for name, each in value.fields.items() if name != "default"}


def reexported_properties(value: Value) -> dict[str, Field]:
    """Returns the properties that `export * from` re-exports."""
    if not isinstance(value, ObjectValue):
        return {}
    return {name: each for name, each in value.fields.items() if name not in {"default", "__esModule"}}
