"""What a bundler's own functions are, as values that only the evaluator knows."""

from __future__ import annotations

from extlint.script.facts.values import Api, FunctionValue, InstanceValue, ObjectValue, Value, options_of
from extlint.script.syntax.node import Node

REQUIRE = "require of a bundle"
"""Gives the exports of a module; the definition is the module's function that has it as a parameter."""

GETTER = "getter of a module"
"""Gives the exports of a module when it is called; the definition is the call that made it."""

DEFAULT = "getter of a default"
"""Gives the default export of its argument when it is called; the definition is the call that made it."""

NAMESPACE = "namespace of the polyfill"
"""The polyfill as `import * as` has it: the API, which is its own `default`."""

WRAPPING = "gives { default }"
UNWRAPPING = "gives default"
SPREADING = "gives a namespace"
INTEROP = frozenset({WRAPPING, UNWRAPPING, SPREADING})
"""Helpers of another script that make of a module's value what an import gives."""

DEFINING = "defines getters"
"""A helper of another script that puts into its first argument the getters in its second."""

MAKING = "makes getters of modules"
"""A helper of another script that makes of a module, called with `exports` and `module`, its getter."""

MARKS = frozenset({REQUIRE, GETTER, DEFAULT, NAMESPACE, DEFINING, MAKING, *INTEROP})


def mark(name: str, definition: Node) -> InstanceValue:
    """A value of one of these kinds."""
    return InstanceValue(name, False, None, definition.span)


def is_mark(value: Value) -> bool:
    """Whether a value is one of these, and so of no use to anybody else."""
    return isinstance(value, InstanceValue) and value.class_name in MARKS


def is_definer(value: Value) -> bool:
    """Whether a value is a helper of another script that puts getters into an object."""
    return isinstance(value, InstanceValue) and value.class_name == DEFINING


def _is_api(value: Value) -> bool:
    return any(isinstance(each, Api) for each in options_of(value))


def holds_api(value: Value) -> bool:
    """Whether a value is the API, has it in a property, or gives it when it is called."""
    return any(
        isinstance(each, Api)
        or is_mark(each)
        or (isinstance(each, FunctionValue) and each.gives is not None)
        or (isinstance(each, ObjectValue) and any(_is_api(of.value) for of in each.fields.values()))
        for each in options_of(value)
    )
