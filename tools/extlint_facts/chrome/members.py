"""Merges the overloads of functions, and turns the types of events into parameters of listeners."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tree_sitter import Node

from extlint_facts.chrome.forms import Json, is_event, is_void, members_of_union
from extlint_facts.chrome.syntax import Declared, UnknownFormError, part, text, with_comments
from extlint_facts.chrome.tags import facts, facts_of_overloads

if TYPE_CHECKING:
    from extlint_facts.chrome.types import TypeReader


def events_and_functions(reader: TypeReader, body: Node) -> Json:
    """Returns the methods and events of an object type, if it has any."""
    methods: dict[str, list[Declared]] = {}
    events = []
    for node, comment in with_comments(body):
        declared = Declared(text(node.child_by_field_name("name") or node), node, comment)
        if node.type == "method_signature" and declared.name != "constructor":
            methods.setdefault(declared.name, []).append(declared)
        elif node.type == "property_signature" and is_event(node):
            events.append(event(reader, declared, part(node, "type")))
    functions = [function(reader, overloads) for overloads in methods.values()]
    return {**({"functions": functions} if functions else {}), **({"events": events} if events else {})}


def function(reader: TypeReader, overloads: Sequence[Declared]) -> Json:
    """Returns one function from its overloads.

    Chrome accepts a callback or returns a promise, and optional parameters may precede required ones;
    chrome-types writes an overload for each way to call such a function. A parameter that is missing from
    some overload is optional. The callback of a function that also returns a promise is its `async`.
    """
    nodes = [each.node for each in overloads]
    promised = [node for node in nodes if is_promise(part(node, "return_type"))]
    called = [node for node in nodes if node not in promised]
    found: Json = {
        "name": overloads[0].name,
        "type": "function",
        "parameters": merge_overloads(
            [reader.parameters(part(node, "parameters")) for node in called or promised]
        ),
        **facts_of_overloads(each.comment for each in overloads),
    }
    if promised and called:
        callback = found["parameters"][-1]
        if callback["type"] != "function":
            raise UnknownFormError(called[0])
        callback.pop("optional", None)
        found["async"] = callback["name"]
    elif promised:
        found["async"] = True
    elif not is_void(part(called[0], "return_type")):
        found["returns"] = reader.value(part(called[0], "return_type"))
    return found


def merge_overloads(lists: Sequence[list[Json]]) -> list[Json]:
    """Returns the parameters of all overloads.

    Raises ValueError if one is not a subsequence of the longest.
    """
    longest = max(lists, key=len)
    names = [each["name"] for each in longest]
    for other in lists:
        left = iter(names)
        if not all(each["name"] in left for each in other):
            raise ValueError(f"overloads differ: {names} and {[each['name'] for each in other]}")
    missing_names = {
        name for name in names for other in lists if name not in [each["name"] for each in other]
    }
    return [{**each, "optional": True} if each["name"] in missing_names else each for each in longest]


def is_promise(node: Node) -> bool:
    """Whether a return type is a promise."""
    inner = node.named_children[0] if node.type == "type_annotation" else node
    return inner.type == "generic_type" and text(part(inner, "name")) == "Promise"


def event(reader: TypeReader, declared: Declared, annotation: Node) -> Json:
    """Returns an event from its type: the listeners' parameters, and the extra ones of `addListener`."""
    kind = annotation.named_children[0]
    listener, *rules = part(kind, "type_arguments").named_children
    extra: list[Json] = []
    if text(part(kind, "name")) == "CustomChromeEvent":
        first, *others = (each for each, _ in with_comments(part(listener, "parameters")))
        extra = [reader.parameter(each) for each in others]
        listener = part(first, "type").named_children[0]
    found: Json = {"name": declared.name, "type": "function", **facts(declared.comment)}
    if listener.type == "function_type":
        taken = reader.function(listener)
        found["parameters"] = taken["parameters"]
        if "returns" in taken:
            found["returns"] = taken["returns"]
    if extra:
        found["extraParameters"] = extra
    if rules:
        conditions, actions = (_type_names(reader, each) for each in rules)
        listens = listener.type == "function_type"
        found["options"] = {
            "supportsListeners": listens,
            "supportsRules": True,
            "conditions": conditions,
            "actions": actions,
        }
    return found


def _type_names(reader: TypeReader, node: Node) -> list[str]:
    listed: Iterable[Node] = members_of_union(node) if node.type == "union_type" else [node]
    return [reader.type(each)["$ref"] for each in listed]
