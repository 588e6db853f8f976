"""The functions and objects of a bundler, as values known to the evaluator and `extlint.analysis.bundles`."""

from __future__ import annotations

from extlint.analysis.facts.values import Api, FunctionValue, InstanceValue, ObjectValue, Value, options_of

REQUIRE = "require of a bundle"
"""Returns the exports of a module; the definition is the module function that has it as a parameter."""

NAMESPACE = "namespace of the polyfill"
"""The polyfill as bound by `import * as`: the API, which is its own `default`."""


class BundlerValue(InstanceValue, frozen=True):
    """A function or object of a bundle's own code; `class_name` describes it, as worded by its creator.

    `definition` is the code that it depends on. A value without one means the same in every script.
    """

    builtin: bool = False


def _is_api(value: Value) -> bool:
    return any(isinstance(each, Api) for each in options_of(value))


def holds_api(value: Value) -> bool:
    """Whether a value is the API, has it in a property, or returns it when called."""
    return any(
        isinstance(each, Api | BundlerValue)
        or (isinstance(each, FunctionValue) and each.result is not None)
        or (isinstance(each, ObjectValue) and any(_is_api(of.value) for of in each.fields.values()))
        for each in options_of(value)
    )
