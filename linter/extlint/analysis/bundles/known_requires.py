"""Finds the calls that require a module of a bundle, if its key is used only in calls of `require`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from extlint.analysis.bundles.model import Bundle, Module, Runtime
from extlint.analysis.bundles.module_tables import TableRuntime
from extlint.analysis.bundles.requires import called_runtime, calls_requiring, calls_with_key
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    BinaryExpression,
    CallExpression,
    Function,
    Pair,
    SubscriptExpression,
)
from extlint.analysis.syntax.shapes import call_with_argument
from extlint.analysis.values.evaluator import Evaluator
from extlint.text.positions import encode_name

_KEY_CHARACTERS = frozenset(b"./-")
"""Characters next to a word that is a part of a longer key."""

MAX_KEYS = 200
"""The maximum number of uses of a module's keys that are examined; with more, any code may require it."""


def known_requires(bundle: Bundle, module: Module) -> list[Node] | None:
    """Returns calls that return a module's exports, or None if other code of the script may require it."""
    if module.runtime is None or module.key is None or module.getter_call is not None:
        return None
    names = {module.key, *module.runtime.names_of(bundle, module.key)}
    return list(calls_requiring(bundle, module)) if _is_always_named(bundle, names, module.runtime) else None


def requires_in_chunk(bundle: Bundle, key: str) -> list[Node] | None:
    """Returns the calls that return the exports of another chunk's module, or None if other code may."""
    return list(calls_with_key(bundle, key)) if _is_always_named(bundle, {key}) else None


def _is_always_named(bundle: Bundle, names: set[str], runtime: Runtime | None = None) -> bool:
    """Whether a script requires the module with these names only by calls that directly name it."""
    has_table = runtime is None or isinstance(runtime, TableRuntime)
    keys = bundle.open_keys() if has_table else None
    if keys is not None:
        return keys.isdisjoint(names)
    literals = islice(_key_literals(bundle.evaluator, names), MAX_KEYS + 1)
    return all(at < MAX_KEYS and _is_known_use(bundle, item) for at, item in enumerate(literals))


def _key_literals(evaluator: Evaluator, names: set[str]) -> Iterator[Node]:
    """Yields the numbers and strings of a script that equal one of these keys."""
    tree = evaluator.tree
    for name in sorted(names):
        length = len(encode_name(name))
        for at in evaluator.names.words.occurrences(name):
            neighbors = tree.text[max(0, at - 1) : at] + tree.text[at + length : at + length + 1]
            if _KEY_CHARACTERS.isdisjoint(neighbors):
                leaf = tree.leaf_at(at)
                if leaf.type == "number":
                    yield leaf
                elif leaf.type in {"string_fragment", "template_string"} and leaf.span == (at, at + length):
                    yield leaf.parent or leaf


def _is_known_use(bundle: Bundle, item: Node) -> bool:
    """Whether a literal is only a property key, index, operand, or argument of a known `require`."""
    up, call = item.parent, call_with_argument(item)
    match up:
        case BinaryExpression():
            return not up.is_logical
        case SubscriptExpression():
            return item.is_field("index")
        case Pair():
            return item.is_field("key") or _is_dependency_map(up.parent)
    if not isinstance(call, CallExpression) or not call.arguments[0].same(item):
        return False
    is_registered = len(call.arguments) == 2 and isinstance(call.arguments[1], Function)
    value = bundle.evaluator.partial(call.callee)
    return is_registered or called_runtime(bundle, value, call.callee) is not None


def _is_dependency_map(item: Node | None) -> bool:
    """Whether an object is next to the function of a module, and so is its map from names to keys."""
    entry = None if item is None or item.type != "object" else item.parent
    return entry is not None and entry.type == "array" and isinstance(entry.first(), Function)
