"""Whether a text is asked of an address: of the extension's own, or of that of something else."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from extlint.script.guards.environment.words import names_address
from extlint.script.syntax.node import MEMBERS, Node
from extlint.script.syntax.shapes import arguments_of, call_of, innermost
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.property_names import key_of
from extlint.text.patterns import lazy

_MAX_TEXT_BYTES = 300
_OWN_ADDRESS = lazy(
    rb"\blocation\b|\bgetURL\b|\b(?:self|window|globalThis|document)\.(?:origin|URL|baseURI)\b|\bimport\.meta\.url"
)
_TEXTS = frozenset({"parenthesized_expression", "regex", "string", "template_string"})


def is_of_own_address(evaluator: Evaluator, text: Node) -> bool:
    """Whether a text is compared with, or looked for in, an address of the extension itself."""
    return any(_is_own_address(evaluator, each) for each in _asked_with(text))


def is_of_other_address(evaluator: Evaluator, text: Node) -> bool:
    """Whether a text is compared with, or looked for in, the address of something else, by its name."""
    asked = [each for each in _asked_with(text) if not each.contains(text)]
    return any(map(partial(_is_named_address, evaluator), asked)) and not any(
        _is_own_address(evaluator, each) for each in asked
    )


def _is_named_address(evaluator: Evaluator, item: Node) -> bool:
    """Whether an expression is an address by its name, or what a method makes of one."""
    item = innermost(item)
    while item.type == "call_expression" and (function := item.field("function")) is not None:
        item = innermost(function.field("object") or function)
    if item.type in MEMBERS:
        return names_address(key_of(evaluator, item) or "")
    return item.type == "identifier" and names_address(evaluator.tree.source(item))


def _asked_with(text: Node) -> list[Node]:
    """What a text, or a pattern, is compared with or looked for in."""
    whole = text.parent
    while whole is not None and whole.type in _TEXTS:
        whole = whole.parent
    if whole is None:
        return []
    if whole.type == "binary_expression":
        return whole.named()
    if whole.type == "member_expression":
        call = call_of(whole)
        return [] if call is None else arguments_of(call)
    call = whole.parent if whole.type == "arguments" else None
    function = None if call is None else call.field("function")
    target = None if function is None else function.field("object")
    return [] if target is None else [target]


def _is_own_address(evaluator: Evaluator, item: Node) -> bool:
    if _OWN_ADDRESS.search(evaluator.tree.text, item.start, min(item.end, item.start + _MAX_TEXT_BYTES)):
        return True
    root = item
    while root.type in MEMBERS and (inner := root.field("object")) is not None:
        root = inner
    binding = evaluator.names.variable(root) if root.type == "identifier" else None
    sources: Iterable[Node | None] = () if binding is None else (each.source for each in binding.writes[:3])
    return any(
        _OWN_ADDRESS.search(evaluator.tree.text, each.start, min(each.end, each.start + _MAX_TEXT_BYTES))
        for each in sources
        if each is not None and each.type in {"variable_declarator", "assignment_expression"}
    )
