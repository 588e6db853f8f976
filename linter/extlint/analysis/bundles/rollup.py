"""The namespaces of Rolldown. Its other output, and that of Rollup, no longer has modules.

var space = make({ api: () => chrome })
"""

from __future__ import annotations

from extlint.analysis.bundles.filled_object import (
    DEFINES_GETTERS,
    FilledObject,
    add_getters,
    filled_value,
    helper_text,
)
from extlint.analysis.bundles.model import Bundle, Call, ModuleSystem
from extlint.analysis.facts.values import Value
from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.shapes import first_argument, innermost
from extlint.analysis.values.evaluator import Evaluator


class Rollup(ModuleSystem):
    """The remains of modules: namespaces."""

    def call_value(self, bundle: Bundle, call: Call) -> Value | None:
        """Returns the object of the properties in `make(getters)`."""
        if call.definition is None:
            return None
        return _object_of_getters(bundle.evaluator, call.definition, call.node)


def _object_of_getters(evaluator: Evaluator, function: Node, call: Node) -> Value | None:
    """Returns the result of a helper that creates an object of getters, or None for others.

    Example: `make({a: () => x})`.
    """
    first = first_argument(call)
    if first is None or first.type != "object":
        return None
    if not all(innermost(each.field("value") or each).type in FUNCTIONS for each in first.named()):
        return None
    if not first.named() or not DEFINES_GETTERS.search(helper_text(evaluator, function)):
        return None
    found = FilledObject()
    add_getters(evaluator, found, [first])
    return filled_value(evaluator, found)
