"""Where a module of a bundle is required, and the names by which functions are reached."""

from __future__ import annotations

import re
from collections.abc import Iterator

from extlint.bundles.calls import is_require_call
from extlint.bundles.model import Module
from extlint.script.scope.identifiers import Role
from extlint.script.syntax.node import MEMBERS, Node
from extlint.script.syntax.shapes import index_of, outermost
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.property_names import key_of

MAX_REQUIRES = 2_000
"""Places where one module is required; what comes after them is passed over."""


def requires_of(evaluator: Evaluator, module: Module) -> Iterator[Node]:
    """The calls that give the exports of a module."""
    if module.wrapping is not None:
        yield module.wrapping
    if module.runtime is None or module.key is None:
        return
    for key in _names_of(evaluator, module):
        for call in _calls_with(evaluator, key):
            if is_require_call(evaluator, call, module):
                yield call


def _names_of(evaluator: Evaluator, module: Module) -> list[str]:
    """The names by which modules require it: its key, or what maps of names give for the key."""
    key = module.key or ""
    if module.runtime is None or not module.runtime.nested:
        return [key]
    text = evaluator.tree.text.decode("utf-8", "replace")
    evaluator.tree.spend_search(len(text))
    quoted = re.escape(key)
    found = re.findall(rf"([\"']?)([^\"'\s{{}},]+)\1\s*:\s*[\"']?{quoted}[\"']?\s*[,}}]", text)
    return list(dict.fromkeys(name for _, name in found))[:100]


def _calls_with(evaluator: Evaluator, key: str) -> Iterator[Node]:
    """The calls whose first argument is this key, as a number or string."""
    text = evaluator.tree.text
    quoted = re.escape(key.encode())
    evaluator.tree.spend_search(len(text))
    pattern = re.compile(rb"\(\s*(?:/\*[^*]{0,500}\*/\s*)?([\"'`]?)(" + quoted + rb")\1\s*[),]")
    for count, found in enumerate(pattern.finditer(text)):
        if count >= MAX_REQUIRES:
            return
        leaf = evaluator.tree.leaf_at(found.start(2))
        item: Node | None = leaf.parent if leaf.type in {"string_fragment"} else leaf
        listed = None if item is None else item.parent
        if listed is not None and listed.type == "arguments" and listed.parent is not None:
            yield listed.parent


def held_as(evaluator: Evaluator, function: Node) -> Iterator[str]:
    """The names of properties that hold a function, or whose getter it is."""
    whole = outermost(function)
    up = whole.parent
    if function.type == "method_definition":
        yield from _key(evaluator, function)
        if key_of(evaluator, function) == "get" and up is not None:
            yield from _defined(evaluator, up)
    elif up is None:
        return
    elif up.type == "pair":
        yield from _key(evaluator, up)
        if key_of(evaluator, up) == "get" and up.parent is not None:
            yield from _defined(evaluator, up.parent)
    elif up.type == "assignment_expression":
        left = up.field("left")
        if left is not None and left.type in MEMBERS:
            yield from _key(evaluator, left)
    elif up.type in {"arguments", "array"}:
        items = up.named()
        at = index_of(items, whole) or 0
        if at and items[at - 1].type == "string":
            yield evaluator.tree.source(items[at - 1])[1:-1]
        if at > 1 and items[at - 1].type == "number" and items[at - 2].type == "string":
            yield evaluator.tree.source(items[at - 2])[1:-1]
    name = function.field("name") if function.type.endswith("declaration") else None
    if up is not None and up.type == "variable_declarator":
        name = up.field("name")
    if name is not None and name.type == "identifier":
        yield from _given_names(evaluator, name)


def _given_names(evaluator: Evaluator, name: Node) -> Iterator[str]:
    """The properties that a variable is put into, or that give it by a getter."""
    binding = evaluator.names.variable(name)
    for use in () if binding is None or len(binding.uses) > 200 else binding.uses:
        if use.role is not Role.REFERENCE:
            continue
        whole = outermost(use.item)
        up = whole.parent
        if use.item.type == "shorthand_property_identifier":
            yield evaluator.tree.source(use.item)
        elif up is None:
            continue
        elif up.type == "pair":
            yield from _key(evaluator, up)
        elif up.type == "assignment_expression" and whole.is_field("right"):
            left = up.field("left")
            if left is not None and left.type in MEMBERS:
                yield from _key(evaluator, left)
        elif up.type == "arrow_function":
            yield from held_as(evaluator, up)
        elif up.type == "return_statement" and up.parent is not None and up.parent.parent is not None:
            getter = up.parent.parent
            if getter.type in {"function_expression", "method_definition"}:
                yield from held_as(evaluator, getter)
        elif up.type == "array":
            items = up.named()
            at = index_of(items, whole) or 0
            if at > 1 and items[at - 2].type == "string":
                yield evaluator.tree.source(items[at - 2])[1:-1]


def _key(evaluator: Evaluator, item: Node) -> Iterator[str]:
    name = key_of(evaluator, item)
    if name is not None and name not in {"get", "value"}:
        yield name


def _defined(evaluator: Evaluator, descriptor: Node) -> Iterator[str]:
    """The property whose descriptor an object is."""
    listed = outermost(descriptor).parent
    if listed is not None and listed.type == "arguments":
        items = listed.named()
        if len(items) == 3 and items[1].type == "string":
            yield evaluator.tree.source(items[1])[1:-1]
