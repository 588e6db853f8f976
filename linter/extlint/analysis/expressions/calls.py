"""Evaluates calls of the script's own functions, of well-known globals and of the API."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.facts.values import (
    UNKNOWN,
    Api,
    ApiResult,
    ArrayValue,
    FunctionValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Union,
    Value,
    is_nullish,
    options_of,
    with_span,
)
from extlint.analysis.syntax.node import CompiledAsync, Node
from extlint.analysis.syntax.nodes import CallExpression, Class, Function, MemberExpression, NewExpression
from extlint.analysis.syntax.shapes import compiled_async_of, innermost
from extlint.analysis.values.api_results import (
    call_result,
    fulfillment_of,
    is_promise,
    method_result,
    promise_of,
)
from extlint.analysis.values.evaluator import Evaluator, View
from extlint.analysis.values.functions import is_async, return_value
from extlint.analysis.values.options import without_options
from extlint.analysis.values.property_index import key_of

_CONVERSIONS = {
    "BigInt": Kind.BIGINT,
    "Boolean": Kind.BOOLEAN,
    "Number": Kind.NUMBER,
    "String": Kind.STRING,
    "Symbol": Kind.SYMBOL,
    "decodeURIComponent": Kind.STRING,
    "encodeURIComponent": Kind.STRING,
    "isFinite": Kind.BOOLEAN,
    "isNaN": Kind.BOOLEAN,
    "parseFloat": Kind.NUMBER,
    "parseInt": Kind.NUMBER,
    "setInterval": Kind.NUMBER,
    "setTimeout": Kind.NUMBER,
}
_METHODS = {
    ("Array", "from"): Kind.ARRAY,
    ("Array", "isArray"): Kind.BOOLEAN,
    ("Array", "of"): Kind.ARRAY,
    ("Date", "now"): Kind.NUMBER,
    ("Object", "entries"): Kind.ARRAY,
    ("Object", "keys"): Kind.ARRAY,
    ("Object", "values"): Kind.ARRAY,
    ("String", "fromCharCode"): Kind.STRING,
}
_ELEMENT = InstanceValue("Element")
_PLATFORM_METHODS: Mapping[tuple[str, str], Value] = {
    ("document", "createElement"): _ELEMENT,
    ("document", "getElementById"): Union((_ELEMENT, Literal(Kind.NULL))),
    ("document", "querySelector"): Union((_ELEMENT, Literal(Kind.NULL))),
    ("document", "querySelectorAll"): InstanceValue("NodeList"),
}
"""The results of methods of the page's document."""

_CONTENT_METHODS = {
    "arrayBuffer": InstanceValue("ArrayBuffer"),
    "blob": InstanceValue("Blob"),
    "formData": InstanceValue("FormData"),
    "json": None,
    "text": Typed(Kind.STRING),
}
"""The fulfillment values of methods that read the content of files, requests and responses."""

_WITH_CONTENT = frozenset({"Blob", "File", "Request", "Response"})
_SAME_OBJECT = frozenset({"freeze", "preventExtensions", "seal"})
_PROMISE_MAKERS = frozenset({"all", "allSettled", "any", "race", "reject", "resolve"})
_TEXT_METHODS = frozenset(
    """
    concat normalize padEnd padStart repeat replace replaceAll slice substring toLowerCase toString
    toUpperCase trim trimEnd trimStart
    """.split()
)
_MEMOIZERS = frozenset({"cached", "lazy", "memo", "memoise", "memoize", "memoizeOne", "once", "onceOnly"})
_BUILTINS = frozenset(
    """
    ArrayBuffer Blob Boolean DataView Date Error File Float32Array Float64Array FormData Headers Int16Array
    Int32Array Int8Array IntersectionObserver Map MutationObserver Number Promise Proxy RangeError RegExp
    Request ResizeObserver Response Set String SyntaxError TypeError URL URLSearchParams Uint16Array
    Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet
    """.split()
)


def call_value(view: View, call: CallExpression, requested: str | None = None) -> Value:
    """Returns the value of a call. A resulting object may have only the `requested` property."""
    evaluator = view.evaluator
    if call.argument_list is None:
        return UNKNOWN
    if call.callee.type == "import":
        return _import_value(evaluator, call)
    compiled = compiled_async_of(call)
    if compiled is not None:
        is_function = compiled.use is CompiledAsync.WRAPPED
        return view.partial(compiled) if is_function else return_value(view, compiled)
    callee = without_options(evaluator.partial(call.callee), is_nullish)
    options = options_of(callee)
    if options and all(isinstance(each, FunctionValue) and not each.is_class for each in options):
        return view.join(_function_call_value(view, each, call, requested) for each in options)
    own = bundle_of(evaluator).call_value(callee, call.callee, call)
    if own is not None:
        return own
    if options and all(isinstance(each, Api) for each in options):
        return _api_call_value(evaluator, callee, call) if len(options) == 1 else UNKNOWN
    if isinstance(callee, ApiResult) and callee.steps:
        return method_result(callee)
    found = _global_call_value(view, call, requested)
    return _memoized(evaluator, call) if found == UNKNOWN else found


def async_function_of(evaluator: Evaluator, call: CallExpression) -> Function | None:
    """Returns the `async` function of the script that a call certainly calls, or None."""
    value = without_options(evaluator.partial(call.callee), is_nullish)
    if not isinstance(value, FunctionValue) or value.is_class or value.result is not None:
        return None
    function = evaluator.definition(value)
    if not isinstance(function, Function) or not is_async(function) or call.argument_list is None:
        return None
    return function if bundle_of(evaluator).call_value(value, call.callee, call) is None else None


def _memoized(evaluator: Evaluator, call: CallExpression) -> Value:
    """Evaluates `once(f)` and similar calls as a function with the same result as the argument."""
    callee = call.callee
    name = evaluator.tree.source(callee.property if isinstance(callee, MemberExpression) else callee)
    first = call.first_argument if name in _MEMOIZERS else None
    argument = UNKNOWN if first is None else evaluator.partial(first)
    return replace(argument, parameters=None) if isinstance(argument, FunctionValue) else UNKNOWN


def _import_value(evaluator: Evaluator, call: CallExpression) -> Value:
    """Evaluates `import("./name")` as a promise of the module's exports."""
    first = call.first_argument
    name = None if first is None else evaluator.partial(first)
    promised: Value | None = None
    if isinstance(name, Literal) and isinstance(name.value, str) and evaluator.imported(name.value):
        promised = _required(evaluator, name.value, call)
    return InstanceValue("Promise", True, call.span, fulfillment=promised)


def _required(evaluator: Evaluator, name: str, call: CallExpression) -> Value:
    from extlint.analysis.expressions.imports import required_value

    return required_value(evaluator, name, call)


def _api_call_value(evaluator: Evaluator, callee: Value, call: CallExpression) -> Value:
    """Evaluates `f.bind(this, a)` as the function itself, and other calls as the result of the API call."""
    if not isinstance(callee, Api):
        return UNKNOWN
    if callee.path[-1:] != ("bind",):
        return call_result(callee, call)
    if any(each.type == "spread_element" for each in call.arguments):
        return UNKNOWN
    bound = tuple(evaluator.possible.value(each) for each in call.arguments[1:])
    return Api(callee.path[:-1], callee.root, callee.span, (*callee.bound, *bound))


def _function_call_value(view: View, value: Value, call: CallExpression, requested: str | None) -> Value:
    if isinstance(value, FunctionValue) and value.result is not None:
        return value.result
    definition = view.evaluator.definition(value)
    if not isinstance(definition, Function):
        return UNKNOWN
    own = bundle_of(view.evaluator).call_value(value, call.callee, call)
    return return_value(view, definition, requested) if own is None else own


def _global_call_value(view: View, call: CallExpression, requested: str | None) -> Value:
    evaluator = view.evaluator
    source = evaluator.tree.source
    callee, arguments = call.callee, call.arguments
    name = evaluator.names.global_name(callee)
    if name is not None:
        if name == "require" and arguments and arguments[0].type == "string":
            return _required(evaluator, source(arguments[0])[1:-1], call)
        if name == "RegExp":
            return InstanceValue("RegExp", True, call.span)
        if name == "Object" and len(arguments) == 1:
            return _as_object(view.partial(arguments[0], requested))
        if name == "fetch":
            return InstanceValue("Promise", True, call.span, fulfillment=InstanceValue("Response"))
        if name == "alert":
            return Literal(Kind.UNDEFINED, None, call.span)
        return Typed(_CONVERSIONS[name], call.span) if name in _CONVERSIONS else UNKNOWN
    if not isinstance(callee, MemberExpression):
        return UNKNOWN
    target = callee.object
    owner, name = evaluator.names.global_name(target), key_of(evaluator, callee) or ""
    if owner is not None:
        if owner == "Object" and name in _SAME_OBJECT and arguments:
            return view.partial(arguments[0], requested)
        return _static_call_value(evaluator, owner, name, call)
    value = evaluator.partial(target)
    if name == "then" and len(arguments) == 1:
        return _then_value(evaluator, value, arguments[0], call)
    if isinstance(value, InstanceValue) and value.class_name in _WITH_CONTENT and name in _CONTENT_METHODS:
        return InstanceValue("Promise", True, call.span, fulfillment=_CONTENT_METHODS[name])
    text = isinstance(value, Literal | Typed) and value.kind is Kind.STRING
    return Typed(Kind.STRING, call.span) if text and name in _TEXT_METHODS else UNKNOWN


def _as_object(value: Value) -> Value:
    """Evaluates `Object(value)`, which is the value itself if that is a function or object."""
    kinds = Api | FunctionValue | ObjectValue
    return value if all(isinstance(each, kinds) for each in options_of(value)) else UNKNOWN


def _then_value(evaluator: Evaluator, value: Value, callback: Node, call: CallExpression) -> Value:
    """Evaluates `promise.then(callback)` as a promise of the callback's return value."""
    is_known = (isinstance(value, ApiResult) and is_promise(value)) or isinstance(value, InstanceValue)
    function = evaluator.definition_of(callback) if is_known else None
    if not isinstance(function, Function):
        return UNKNOWN
    return promise_of(return_value(evaluator.possible, function), call.span)


def awaited_then_value(view: View, call: CallExpression) -> Value:
    """Returns the value of `await anything.then(() => module)`, given the call of `then`."""
    first = call.first_argument
    if first is None:
        return UNKNOWN
    first = innermost(first)
    if isinstance(first, CallExpression):
        return bundle_of(view.evaluator).bound_require(first)
    value = view.partial(first)
    definition = view.evaluator.definition(value) if isinstance(value, FunctionValue) else None
    return UNKNOWN if definition is None else return_value(view, definition)


def _static_call_value(evaluator: Evaluator, owner: str, name: str, call: CallExpression) -> Value:
    """Returns the value of a call of a well-known object's method, such as `Promise.resolve()`."""
    if (owner, name) in _PLATFORM_METHODS:
        return with_span(_PLATFORM_METHODS[owner, name], call.span)
    if (owner, name) in _METHODS:
        return Typed(_METHODS[owner, name], call.span)
    if owner == "console":
        return Literal(Kind.UNDEFINED, None, call.span)
    if owner == "Math":
        return Typed(Kind.NUMBER, call.span)
    if owner == "Promise" and name == "resolve" and len(call.arguments) == 1:
        return promise_of(evaluator.possible.partial(call.arguments[0]), call.span)
    if owner == "Promise" and name in _PROMISE_MAKERS:
        all_of = (
            evaluator.possible.partial(call.arguments[0]) if name == "all" and call.arguments else UNKNOWN
        )
        return InstanceValue("Promise", True, call.span, fulfillment=_promise_all_value(all_of))
    if owner == "Object" and name == "assign":
        return ObjectValue({}, True, call.span)
    return UNKNOWN


def _promise_all_value(promises: Value) -> Value | None:
    """Returns the fulfillment value of `Promise.all` for an array, or None if unknown."""
    if not isinstance(promises, ArrayValue) or promises.open:
        return None
    return ArrayValue(tuple(map(fulfillment_of, promises.items)))


def instance_value(view: View, new_expression: NewExpression) -> Value:
    """Returns the value of `new X()`."""
    evaluator = view.evaluator
    name = evaluator.tree.source(new_expression.callee)
    if evaluator.names.global_name(new_expression.callee) is not None:
        if name in _BUILTINS:
            return InstanceValue(name, True, new_expression.span)
        if name == "Function":
            return Typed(Kind.FUNCTION, new_expression.span)
        if name == "Array":
            return ArrayValue((), True, new_expression.span)
        is_open = bool(new_expression.arguments)
        return ObjectValue({}, is_open, new_expression.span) if name == "Object" else UNKNOWN
    value = evaluator.partial(new_expression.callee)
    if isinstance(value, FunctionValue) and value.is_class and value.result is not None:
        return value.result
    if isinstance(value, Api) and not value.path:
        return value
    definition = evaluator.definition(value)
    is_class = isinstance(value, FunctionValue) and value.is_class and isinstance(definition, Class)
    return InstanceValue(name, False, new_expression.span, value.span) if is_class else UNKNOWN
