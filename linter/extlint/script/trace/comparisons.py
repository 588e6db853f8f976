"""Where what the API gave is compared for equality, and with what."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.script.facts.values import ArrayValue, Literal, Value, at_span
from extlint.script.syntax.node import Node
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.property_names import key_of

COMPARING = frozenset({"arguments", "binary_expression", "switch_statement"})
"""The nodes that may compare what stands in them."""

_EQUALITY = frozenset({"!=", "!==", "==", "==="})


def compared_with(evaluator: Evaluator, item: Node, up: Node) -> Iterator[tuple[Value, bool]]:
    """The values that an expression is compared with by its parent, and whether strictly so."""
    match up.type:
        case "binary_expression":
            operator = up.field("operator")
            other = up.field("right") if item.is_field("left") else up.field("left")
            if operator is not None and operator.type in _EQUALITY and other is not None:
                yield _at(evaluator, other), operator.type in {"!==", "==="}
        case "switch_statement":
            body = up.field("body")
            for case in () if body is None else body.named():
                value = case.field("value")
                if value is not None:
                    yield _at(evaluator, value), True
        case "arguments" if up.parent is not None and len(up.named()) == 1:
            yield from ((each, True) for each in _listed(evaluator, up.parent))


def _at(evaluator: Evaluator, item: Node) -> Value:
    return at_span(evaluator.value(item), item.span)


def _listed(evaluator: Evaluator, call: Node) -> Iterator[Value]:
    """The items of the list that `[…].includes(x)` searches."""
    function = call.field("function")
    owner = None if function is None else function.field("object")
    if function is None or owner is None or key_of(evaluator, function) != "includes":
        return
    array = evaluator.value(owner)
    if isinstance(array, ArrayValue) and not array.open:
        yield from (each for each in array.items if isinstance(each, Literal))
