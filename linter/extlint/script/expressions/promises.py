"""What promises of modules are fulfilled with, as bundlers write them."""

from __future__ import annotations

from extlint.bundles.bundle import bundle_of
from extlint.script.facts.values import UNKNOWN, FunctionValue, Value
from extlint.script.syntax.node import FUNCTIONS, Node
from extlint.script.syntax.shapes import innermost
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.functions import returned
from extlint.script.values.property_names import key_of


def gathered_later(evaluator: Evaluator, call: Node) -> Value:
    """What `await` of `anything.then(() => module)` gives."""
    function, listed = call.field("function"), call.field("arguments")
    first = None if listed is None or listed.type != "arguments" else listed.first()
    if function is None or first is None:
        return UNKNOWN
    if function.type != "member_expression" or key_of(evaluator, function) != "then":
        return UNKNOWN
    first = innermost(first)
    if first.type == "call_expression":
        return bundle_of(evaluator).bound_require(first)
    value = evaluator.partial(first)
    definition = evaluator.definition(value) if isinstance(value, FunctionValue) else None
    if definition is None or definition.type not in FUNCTIONS:
        return UNKNOWN
    return returned(evaluator, definition)
