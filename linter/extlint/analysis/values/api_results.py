"""The results of the API: the return values of calls, and the arguments of callbacks and listeners."""

from __future__ import annotations

from msgspec.structs import replace

from extlint.analysis.facts.script_facts import GET_MESSAGE, GET_URL, MESSAGE_EVENTS, ApiPath
from extlint.analysis.facts.values import (
    EVENT_METHODS,
    UNKNOWN,
    Api,
    ApiResult,
    ArrayValue,
    Delivery,
    InstanceValue,
    Literal,
    Typed,
    Unknown,
    Value,
    is_empty_object,
    is_nullish,
    options_of,
    union_of,
)
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, CallExpression
from extlint.analysis.syntax.shapes import call_with_argument, outermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of
from extlint.text.positions import ByteSpan

MANIFEST = ("runtime", "getManifest")
"""The function that returns the manifest itself rather than a promise."""

ITEM = "[]"
_SYNCHRONOUS = frozenset(
    {MANIFEST, ("runtime", "connect"), ("runtime", "connectNative"), ("tabs", "connect")}
)
"""Functions that return an object rather than a promise."""

TEXTS = frozenset({GET_MESSAGE, ("i18n", "getUILanguage")})
"""Functions that return a string in all browsers, rather than a promise."""

_MESSAGES = frozenset({"sendMessage", "sendRequest"})
"""The names of functions that send messages."""

HELPERS = frozenset({"apply", "bind", "call"})

CASE_METHODS = frozenset({"toLocaleLowerCase", "toLocaleUpperCase", "toLowerCase", "toUpperCase"})
"""The methods of a string that change its case."""

REORDERING_METHODS = frozenset({"reverse", "sort"})
_COMPARING = frozenset({"sort", "toSorted"})
_SAME_ARRAY = REORDERING_METHODS | {"filter", "slice", "toReversed", "toSorted"}
_ONE_ITEM = frozenset({"at", "find", "findLast", "pop", "shift"})
_EACH_ITEM = frozenset(
    {
        *("every", "filter", "find", "findIndex", "findLast", "findLastIndex", "flatMap", "forEach", "map"),
        *("some", "sort", "toSorted"),
    }
)
ITERATION_METHODS = frozenset(
    {"every", "filter", "find", "findIndex", "flatMap", "forEach", "map", "reduce", "some", "sort"}
)
"""The methods of an array that call a function at once."""

READING_METHODS = _EACH_ITEM | {
    "at",
    "catch",
    "concat",
    "entries",
    "finally",
    "flat",
    "includes",
    "indexOf",
    "join",
    "keys",
    "lastIndexOf",
    "reduce",
    "slice",
    "then",
    "toReversed",
    "toSorted",
    "toString",
    "values",
}
"""Methods that do not mutate an array or the fulfillment value of a promise."""

ITEM_METHODS = _EACH_ITEM | {
    "at",
    "concat",
    "entries",
    "flat",
    "reduce",
    "slice",
    "toReversed",
    "toSorted",
    "values",
}
"""The subset that passes the items of an array to other code."""


def accepts_data(path: ApiPath) -> bool:
    """Whether the arguments of a function are messages or stored data.

    They may be any data, and are copied: no function in them is called.
    """
    return bool(path) and (path[-1] in _MESSAGES or (path[0] == "storage" and path[-1] == "set"))


def result_of(value: Value) -> ApiResult | None:
    """Returns the API result that a value certainly is, or None.

    Null, undefined and the empty object are ignored. An empty object is a fallback for a result that may be
    missing: `(await browser.x.y()) || {}`.
    """
    found: ApiResult | None = None
    for option in options_of(value):
        if is_nullish(option) or is_empty_object(option):
            continue
        if not isinstance(option, ApiResult) or found is not None:
            return None
        found = option
    return found


def is_promise(value: ApiResult) -> bool:
    """Whether a value is the result of a call, not yet awaited; the manifest and ports are not promises."""
    return value.delivery is Delivery.RETURN and not value.steps and value.path not in _SYNCHRONOUS


def is_response(value: Value) -> bool:
    """Whether a value is the function by which a message listener responds, which nothing changes."""
    return (
        isinstance(value, ApiResult)
        and value.delivery is Delivery.LISTENER
        and value.path in MESSAGE_EVENTS
        and (value.index, value.steps) == (2, ())
    )


def is_text(value: Value) -> bool:
    """Whether a value is a string from the API; other options may be literals or unknown."""
    texts = [each for each in options_of(value) if not isinstance(each, Literal | Typed | Unknown)]
    return bool(texts) and all(isinstance(each, ApiResult) and each.path in TEXTS for each in texts)


def gets_stored_data(path: ApiPath) -> bool:
    """Whether a function gets the data of a storage area by keys: `storage.local.get`."""
    return len(path) == 3 and path[0] == "storage" and path[2] == "get"


def call_result(callee: Api, call: Node) -> Value:
    """Returns the result of a call of an API member."""
    path = callee.path[:-1] if callee.path[-1:] and callee.path[-1] in HELPERS else callee.path
    if len(path) < 2:
        return UNKNOWN
    where = call.span if gets_stored_data(path) or path in GET_URL else None
    return ApiResult(path, Delivery.RETURN, root=callee.root, call=where)


def awaited(value: ApiResult) -> ApiResult:
    """Returns the value after `await`."""
    return replace(value, delivery=Delivery.PROMISE) if is_promise(value) else value


def fulfillment_of(value: Value) -> Value:
    """Returns the fulfillment value of a promise, or any other value unchanged."""
    return union_of(_fulfillment_of_option(each) for each in options_of(value))


def _fulfillment_of_option(value: Value) -> Value:
    if isinstance(value, ApiResult):
        return awaited(value)
    if isinstance(value, InstanceValue):
        is_plain = value.builtin and value.class_name not in ("Promise", "Proxy")
        return value if is_plain else value.fulfillment or UNKNOWN
    return value


def promise_of(value: Value, span: ByteSpan | None = None) -> InstanceValue:
    """Returns a promise of a value."""
    inner = fulfillment_of(value)
    return InstanceValue("Promise", True, span, fulfillment=None if isinstance(inner, Unknown) else inner)


def part_of_result(value: ApiResult, name: str) -> Value:
    """Returns a field or an item of an API result, or UNKNOWN for a promise."""
    if is_promise(value) or len(value.steps) > 8:
        return UNKNOWN
    return replace(value, steps=(*value.steps, ITEM if name.isdigit() else name))


def results_among(value: Value) -> list[ApiResult]:
    """Returns the API results that a value may be."""
    return [each for each in options_of(value) if isinstance(each, ApiResult)]


def item_of(value: ApiResult) -> Value:
    """Returns any item of an API result."""
    return part_of_result(value, "0")


def items_of(value: Value) -> Value:
    """Returns any item of an array of the script, or UNKNOWN if not all of them are known."""
    options = options_of(value)
    if not options or not all(isinstance(each, ArrayValue) and not each.open for each in options):
        return UNKNOWN
    return union_of(item for each in options if isinstance(each, ArrayValue) for item in each.items)


def method_result(callee: ApiResult) -> Value:
    """Returns the result of a method of an API array or string; `callee` ends in the method's name.

    A string in another case is a part of the string, with the name of the method as the last step.
    """
    if callee.steps[-1] in CASE_METHODS:
        return callee
    array = replace(callee, steps=callee.steps[:-1])
    if callee.steps[-1] in _SAME_ARRAY:
        return array
    return item_of(array) if callee.steps[-1] in _ONE_ITEM else UNKNOWN


def callback_argument(evaluator: Evaluator, function: Node, index: int) -> Value | None:
    """Returns the value that the API passes to a function's parameter, by index from 0, or None.

    The function must be an argument of a call that makes the API call it, or the listener of one that
    removes it or asks for it.
    """
    whole = outermost(function)
    call = call_with_argument(whole)
    if not isinstance(call, CallExpression):
        return None
    callee = call.callee
    is_first = call.arguments[0].same(whole)
    value = evaluator.partial(callee)
    if isinstance(value, Api) and len(value.path) > 1:
        path = value.path[:-1] if value.path[-1] in HELPERS else value.path
        if path[-1] in EVENT_METHODS:
            return ApiResult(path[:-1], Delivery.LISTENER, index, root=value.root)
        where = call.span if gets_stored_data(path) else None
        return ApiResult(path, Delivery.CALLBACK, index, root=value.root, call=where)
    if isinstance(value, ApiResult) and value.steps[-1:] and value.steps[-1] in _EACH_ITEM:
        array = replace(value, steps=value.steps[:-1])
        return item_of(array) if is_first and index < _items_passed(value.steps[-1]) else UNKNOWN
    if not isinstance(callee, AccessExpression) or not is_first:
        return None
    name = key_of(evaluator, callee) or ""
    if index >= _items_passed(name):
        return None
    if name in _EACH_ITEM:
        items = items_of(evaluator.partial(callee.object))
        return None if isinstance(items, Unknown) or not options_of(items) else items
    if name != "then":
        return None
    promise = evaluator.partial(callee.object)
    if isinstance(promise, InstanceValue) and promise.fulfillment is not None:
        return promise.fulfillment
    return awaited(promise) if isinstance(promise, ApiResult) and is_promise(promise) else None


def _items_passed(method: str) -> int:
    """Returns how many items an array method passes to its function, before other arguments."""
    return 2 if method in _COMPARING else 1


def is_passed_by_event(value: Value) -> bool:
    """Whether a value certainly is something that an event passes to its listeners, or a part of it."""
    options = options_of(value)
    return bool(options) and all(
        isinstance(each, ApiResult) and each.delivery is Delivery.LISTENER for each in options
    )
