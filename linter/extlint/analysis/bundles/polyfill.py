"""A bundled `webextension-polyfill`, recognized by its shape.

It creates the root `browser` from `chrome`: a function that receives the root contains a table of the number
of arguments of each function, and returns a `Proxy` that turns callbacks into promises.
"""

from __future__ import annotations

from extlint.analysis.bundles.model import Bundle, Call, Module, ModuleSystem
from extlint.analysis.facts.values import Api, Value, options_of
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.shapes import first_argument
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.interop import NAMESPACE, BundlerValue
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.options import is_root
from extlint.analysis.values.property_index import property_writes, written_value

_MARKS = (b"minArgs", b"maxArgs", b"Proxy")


class Polyfill(ModuleSystem):
    """The API as the root `browser`, regardless of the polyfill's changes to it."""

    def exports_of_module(self, bundle: Bundle, module: Module) -> Value | None:
        """Returns the root, if the code of a module exports the result of the polyfill's function."""
        evaluator = bundle.evaluator
        if not _is_wrapper(evaluator, module.function):
            return None
        for place in property_writes(evaluator, "exports"):
            if module.function.contains(place):
                value = written_value(evaluator.possible, place)
                if value is not None and any(
                    isinstance(each, Api) and not each.path and each.root == "browser"
                    for each in options_of(value)
                ):
                    return Api((), "browser")
        return None

    def call_value(self, bundle: Bundle, call: Call) -> Value | None:
        """Returns the root for a call of the polyfill's function."""
        function = call.definition
        first = None if function is None else first_argument(call.node)
        if function is None or first is None:
            return None
        if not _is_wrapper(bundle.evaluator, function):
            return None
        passed = options_of(bundle.evaluator.possible.partial(first))
        return Api((), "browser", call.node.span) if passed and all(map(is_root, passed)) else None

    def member_value(self, bundle: Bundle, value: BundlerValue, name: str, at: Node) -> Value | None:  # noqa: ARG002
        """Returns a member of the polyfill for `import * as`."""
        if value.class_name != NAMESPACE:
            return None
        return Api(() if name == "default" else (name,), "browser", at.span)


@once_per_script
def _is_wrapper(evaluator: Evaluator, function: Node) -> bool:
    """Whether a function creates `browser` from its argument."""
    text = evaluator.tree.text
    evaluator.tree.spend_search(function.end - function.start)
    return all(text.find(word, function.start, function.end) >= 0 for word in _MARKS)
