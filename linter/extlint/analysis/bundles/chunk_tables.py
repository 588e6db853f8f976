"""The tables of modules that the chunks of webpack add to a global array, or pass to a global function.

(self.webpackChunk = self.webpackChunk || []).push([[key], modules])
webpackJsonp([key], modules)
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.bundles.chunks import chunk_array, module_name, push_offsets
from extlint.analysis.bundles.model import Bundle, ModuleParameters
from extlint.analysis.bundles.module_tables import TableRuntime, property_name
from extlint.analysis.facts.values import UNKNOWN, Value
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import CallExpression, MemberExpression
from extlint.analysis.syntax.shapes import outermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import once_per_script
from extlint.text.patterns import lazy

_CHUNK_PARAMETERS = ModuleParameters(0, 1, 2)
_CHUNKS = lazy(r"webpackChunk|webpackJsonp|\|\|\s*\[\]")
_CHUNK_FUNCTION = lazy(r"webpackJsonp[\w$]*\Z")


class ChunkRuntime(TableRuntime, eq=False):
    """A runtime whose other modules may be in other chunks."""

    def external_exports(self, bundle: Bundle, key: str) -> Value:
        """Returns the exports of the module with the key in another chunk."""
        array = _own_array(bundle.evaluator)
        if array is None:
            return UNKNOWN
        name = module_name(array, key)
        return bundle.evaluator.imported(name, of_api=True).get(name, UNKNOWN)


@once_per_script
def _own_array(evaluator: Evaluator) -> str | None:
    """Returns the array that the chunks of the script are added to."""
    evaluator.tree.spend_search(len(evaluator.tree.text))
    return chunk_array(evaluator.tree.text)


def chunk_runtimes(evaluator: Evaluator) -> Iterator[ChunkRuntime]:
    """Yields the runtimes of the chunks in a script."""
    for at in push_offsets(evaluator.tree.text):
        calls = (up for up in evaluator.tree.leaf_at(at).ancestors() if isinstance(up, CallExpression))
        call = next(calls, None)
        items = [] if call is None else call.arguments
        if call is not None and isinstance(call.callee, MemberExpression):
            items = items[0].named() if items else []
        found = chunk_runtime(evaluator, items[1]) if len(items) > 1 else None
        if found is not None:
            yield found


@once_per_script
def chunk_runtime(evaluator: Evaluator, table: Node) -> ChunkRuntime | None:
    """Returns the runtime of a table that a chunk adds to an array, after the keys of chunks."""
    up = outermost(table).parent
    is_pushed = up is not None and up.type == "array"
    listed = up.parent if up is not None and is_pushed else up
    call = None if listed is None or listed.type != "arguments" else listed.parent
    items = [] if up is None else up.named()
    if not isinstance(call, CallExpression) or len(items) < 2 or items[0].type != "array":
        return None
    if not items[1].same(outermost(table)) or table.type not in {"array", "object"}:
        return None
    callee, names = call.callee, _CHUNK_FUNCTION
    if is_pushed:
        if not isinstance(callee, MemberExpression) or property_name(evaluator, callee) != "push":
            return None
        callee, names = callee.object, _CHUNKS
    is_chunk = names.search(evaluator.tree.source(callee)) is not None
    return ChunkRuntime(None, _CHUNK_PARAMETERS, table) if is_chunk else None
