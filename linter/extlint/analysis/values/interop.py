"""Values of module systems: the functions and objects of bundlers, and the bindings of an import.

An ES module compiled to CommonJS has a property `__esModule`. For any other value, `default` is the value
itself.
"""

from __future__ import annotations

from extlint.analysis.facts.values import (
    UNKNOWN,
    Api,
    Field,
    FunctionValue,
    InstanceValue,
    Literal,
    ObjectValue,
    Value,
    options_of,
)
from extlint.analysis.values.options import carries_api, is_root, join

REQUIRE = "require of a bundle"
"""Returns the exports of a module; the definition is the module function that has it as a parameter."""

NAMESPACE = "namespace of the polyfill"
"""The polyfill as bound by `import * as`: the API, which is its own `default`."""


class BundlerValue(InstanceValue, frozen=True):
    """A function or object of a bundle's own code; `class_name` describes it, as worded by its creator.

    `definition` is the code that it depends on. A value without one means the same in every script.
    """

    builtin: bool = False


def holds_api(value: Value) -> bool:
    """Whether a value is the API, has it in a property, or returns it when called."""
    return any(
        isinstance(each, Api | BundlerValue)
        or (isinstance(each, FunctionValue) and each.result is not None)
        or (isinstance(each, ObjectValue) and any(carries_api(of.value) for of in each.fields.values()))
        for each in options_of(value)
    )


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
