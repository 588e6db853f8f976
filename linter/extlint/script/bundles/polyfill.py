"""A bundled `webextension-polyfill`, recognized by its shape.

It makes the root `browser` of `chrome`: a function that is given the root has a table of how many
arguments each function takes, and gives a `Proxy` that turns callbacks into promises.
"""

from __future__ import annotations

from extlint.script.evaluate import Evaluator
from extlint.script.properties import property_writes, written_value
from extlint.script.tree import Item
from extlint.values import Api, Value, options_of

_MARKS = (b"minArgs", b"maxArgs", b"Proxy")


def is_wrapper(evaluator: Evaluator, function: Item) -> bool:
    """Whether a function makes `browser` of what it is given."""
    known = evaluator.wrappers
    if function.id not in known:
        text = evaluator.tree.text
        evaluator.tree.spend_search(function.end - function.start)
        known[function.id] = all(text.find(word, function.start, function.end) >= 0 for word in _MARKS)
    return known[function.id]


def wrapped_root(evaluator: Evaluator, function: Item, call: Item) -> Value | None:
    """The root that a call of the polyfill's function gives; None if it is no such call."""
    listed = call.field("arguments")
    first = None if listed is None else listed.first()
    if first is None or not is_wrapper(evaluator, function):
        return None
    given = options_of(evaluator.partial(first))
    if not given or not all(isinstance(each, Api) and not each.path for each in given):
        return None
    return Api((), "browser", call.span)


def exported_root(evaluator: Evaluator, function: Item) -> Value | None:
    """The root, if the code of a module is the polyfill: it exports what such a call gives."""
    if not is_wrapper(evaluator, function):
        return None
    for place in property_writes(evaluator, "exports"):
        if function.contains(place):
            value = written_value(evaluator, place)
            if value is not None and any(
                isinstance(each, Api) and not each.path and each.root == "browser"
                for each in options_of(value)
            ):
                return Api((), "browser")
    return None
