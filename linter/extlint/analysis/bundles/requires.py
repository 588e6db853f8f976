"""Calls of a bundle's `require`: their values, and the calls that return a module."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from extlint.analysis.bundles.model import Bundle, Module, Runtime
from extlint.analysis.facts.values import FunctionValue, InstanceValue, Value
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import CallExpression
from extlint.analysis.values.constants import text_of
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.interop import REQUIRE
from extlint.analysis.values.memo import once_per_script
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name

_FIRST_ARGUMENT = lazy(rb"\(\s*(?:/\*[^*]{0,500}\*/\s*)?([\"'`]?)((?<=[\"'`])[^\"'`\n\\]++|[\w$]++)\1\s*[),]")


def called_runtime(
    bundle: Bundle, callee: Value, name: Node | None = None
) -> tuple[Runtime, Module | None] | None:
    """Returns the runtime whose `require` is called, and the module that calls it by its own parameter.

    `callee` is the value of the called expression, and `name` that expression, if it may identify the
    runtime.
    """
    evaluator = bundle.evaluator
    if isinstance(callee, InstanceValue):
        definition = evaluator.definition_at(callee.definition) if callee.class_name == REQUIRE else None
        own = None if definition is None else bundle.module_of(definition)
        return None if own is None or own.runtime is None else (own.runtime, own)
    definition = evaluator.definition(callee) if isinstance(callee, FunctionValue) else None
    runtime = None if definition is None else bundle.runtime_of(definition)
    if runtime is None and name is not None:
        runtime = bundle.runtime_named(name)
    return None if runtime is None else (runtime, None)


def required_exports(bundle: Bundle, runtime: Runtime, own: Module | None, passed: Value) -> Value | None:
    """Returns the value of `require` for an argument, or None if it is unknown."""
    name = text_of(passed)
    key = name if own is None or name is None else runtime.key_of(bundle, own, name)
    return None if key is None else exports_for_key(bundle, runtime, key)


def exports_for_key(bundle: Bundle, runtime: Runtime, key: str) -> Value:
    """Returns the value of `require` for a key."""
    module = module_for_key(bundle, runtime, key)
    return runtime.external_exports(bundle, key) if module is None else bundle.exports_of_module(module)


def module_for_key(bundle: Bundle, runtime: Runtime, key: str) -> Module | None:
    """Returns the module of a runtime with a key."""
    function = runtime.function_for_key(bundle, key)
    return None if function is None else bundle.module_of(function)


def calls_requiring(bundle: Bundle, module: Module) -> Iterator[Node]:
    """Yields the calls that return the exports of a module, or its getter."""
    if module.getter_call is not None:
        yield module.getter_call
    if module.runtime is None or module.key is None:
        return
    for name in module.runtime.names_of(bundle, module.key):
        for call in _calls_with_key(bundle.evaluator, name):
            if _returns_module(bundle, call, module):
                yield call


def calls_with_key(bundle: Bundle, key: str) -> Iterator[Node]:
    """Yields the calls of a `require` with a key, although the script itself may not have that module."""
    for call in _calls_with_key(bundle.evaluator, key):
        if called_runtime(bundle, bundle.evaluator.partial(call.callee), call.callee) is not None:
            yield call


def _returns_module(bundle: Bundle, call: CallExpression, module: Module) -> bool:
    """Whether a call returns the exports of this module."""
    first = call.first_argument
    if first is None:
        return False
    found = called_runtime(bundle, bundle.evaluator.partial(call.callee), call.callee)
    name = None if found is None else bundle.evaluator.text(first)
    if found is None or name is None:
        return False
    runtime, own = found
    key = name if own is None else runtime.key_of(bundle, own, name)
    found_module = None if key is None else module_for_key(bundle, runtime, key)
    return found_module is not None and found_module.function.same(module.function)


def _calls_with_key(evaluator: Evaluator, key: str) -> Iterator[CallExpression]:
    """Yields the calls whose first argument is this key, as a number or string."""
    for at in _key_offsets(evaluator).get(encode_name(key), ()):
        leaf = evaluator.tree.leaf_at(at)
        item: Node | None = leaf.parent if leaf.type in {"string_fragment"} else leaf
        listed = None if item is None else item.parent
        if listed is not None and listed.type == "arguments" and isinstance(listed.parent, CallExpression):
            yield listed.parent


@once_per_script
def _key_offsets(evaluator: Evaluator) -> Mapping[bytes, Sequence[int]]:
    """Returns the positions of strings and numbers that appear to be first arguments, by their text."""
    text = evaluator.tree.text
    evaluator.tree.spend_search(len(text))
    found: dict[bytes, list[int]] = {}
    for each in _FIRST_ARGUMENT.finditer(text):
        found.setdefault(each[2], []).append(each.start(2))
    return found
