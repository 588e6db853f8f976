"""What the modules of a chunk export, for the chunks beside it."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.bundles.chunk_text import chunk_array, module_name, pushes_of
from extlint.bundles.entries import module_of
from extlint.bundles.modules import exports_of_module
from extlint.bundles.tables import modules_in
from extlint.script.facts.values import Value
from extlint.script.scope.reached_places import Reached
from extlint.script.syntax.node import Node
from extlint.script.syntax.shapes import first_argument
from extlint.script.values.evaluator import Evaluator


def exports_of_chunk(evaluator: Evaluator, reached: Reached) -> Iterator[tuple[str, Value]]:
    """The modules of a chunk that the API was followed to, by the names that others ask for them by."""
    array = chunk_array(evaluator.tree.text)
    for at in pushes_of(evaluator.tree.text) if array is not None else ():
        table = _table(evaluator, at)
        for key, function in modules_in(evaluator, table).items() if table is not None else ():
            module = module_of(evaluator, function)
            if module is not None and reached.is_in(function):
                yield module_name(array or "", key), exports_of_module(evaluator, module)


def _table(evaluator: Evaluator, push: int) -> Node | None:
    """The modules in the call that adds a chunk."""
    call = next((up for up in evaluator.tree.leaf_at(push).ancestors() if up.type == "call_expression"), None)
    first = None if call is None else first_argument(call)
    parts = [] if first is None or first.type != "array" else first.named()
    return parts[1] if len(parts) > 1 and parts[1].type in {"array", "object"} else None
