"""What compilers put between a module and those that import it: `default` of what has no `__esModule`."""

from __future__ import annotations

import re

from extlint.script.facts.values import (
    UNKNOWN,
    Api,
    Field,
    FunctionValue,
    Kind,
    Literal,
    ObjectValue,
    Value,
    options_of,
)
from extlint.script.syntax.node import FUNCTIONS, Node
from extlint.script.syntax.shapes import arguments_of, parameter_items
from extlint.script.values.bundler_values import NAMESPACE, SPREADING, UNWRAPPING, WRAPPING, mark
from extlint.script.values.evaluator import Evaluator, is_root, join
from extlint.text.patterns import lazy

MAX_HELPER_BYTES = 3_000
"""Bytes of a helper; a longer function is none."""

MAX_FILLER_BYTES = 200
"""Bytes of a helper that puts getters into an object."""

HELPERS = frozenset(
    {"__createBinding", "__exportStar", "__importDefault", "__importStar", "__setModuleDefault"}
)
"""Helpers of TypeScript, each of which stands in the script unless `this` has one that does the same."""

_TEST = r"(?<![\w$.]){0}\s*&&\s*{0}\.__esModule\b[^?{{}}]{{0,100}}\?\s*"
_WHOLE = r"{0}\s*:\s*\{{\s*[\"'`]?default[\"'`]?\s*:\s*{0}\s*\}}"
_PART = r"{0}(?:\.default|\[\s*[\"'`]default[\"'`]\s*\])\s*:\s*{0}\b"
_DEFINING = (
    r"\{{\s*for\s*\(\s*(?:var|let|const)\s+([\w$]+)\s+in\s+{1}\s*\)\s*\{{?\s*"
    r"[\w$.]+\(\s*{0}\s*,\s*\1\s*,\s*\{{\s*(?:enumerable\s*:\s*(?:true|!0)\s*,\s*)?"
    r"get\s*:\s*{1}\s*\[\s*\1\s*\]\s*(?:,\s*enumerable\s*:\s*(?:true|!0)\s*)?\}}\s*\)\s*;?\s*\}}"
)
_COPIES = lazy(
    r"\bfor\s*\(|\bforEach\b|[\"`]default[\"`]\s*,\s*\{\s*value\b|\bgetOwnPropertyNames\b|__importStar|__createBinding"
)


def is_marked(value: Value) -> bool | None:
    """Whether an object says that it was an ES module; None if that is not known."""
    if isinstance(value, Api | FunctionValue):
        return False
    if not isinstance(value, ObjectValue):
        return None
    found = value.fields.get("__esModule")
    if found is None:
        return None if value.open else False
    if isinstance(found.value, Literal):
        return bool(found.value.value)
    return None


def default_of(value: Value) -> Value:
    """What `import x from` gives of a module that is such a value."""
    return join(*(_default(each) for each in options_of(value)))


def _default(value: Value) -> Value:
    marked = is_marked(value)
    if marked is False:
        return value
    if marked and isinstance(value, ObjectValue) and "default" in value.fields:
        return value.fields["default"].value
    return UNKNOWN


def namespace_of_value(value: Value, at: Node, *, always: bool = False) -> Value:
    """What `import * as` gives of a module that is such a value; `always` where `default` is the whole."""
    return join(*(_namespace(each, at, always=always) for each in options_of(value)))


def _namespace(value: Value, at: Node, *, always: bool) -> Value:
    if is_root(value):
        return mark(NAMESPACE, at)
    marked = is_marked(value)
    if marked and not always:
        return value
    if marked is None and not always:
        return ObjectValue(_without_default(value), True) if isinstance(value, ObjectValue) else UNKNOWN
    return ObjectValue({**_without_default(value), "default": Field(value)}, True)


def _without_default(value: Value) -> dict[str, Field]:
    if not isinstance(value, ObjectValue):
        return {}
    return {name: each for name, each in value.fields.items() if name != "default"}


def spread_over(value: Value) -> dict[str, Field]:
    """The properties that `export * from` passes on."""
    if not isinstance(value, ObjectValue):
        return {}
    return {name: each for name, each in value.fields.items() if name not in {"default", "__esModule"}}


def interop_kind(evaluator: Evaluator, function: Node) -> str | None:
    """Which of the helpers of compilers and bundlers a function is; None if it is none."""
    if function.type not in FUNCTIONS or function.end - function.start > MAX_HELPER_BYTES:
        return None
    parameters = parameter_items(function)
    text = evaluator.tree.source(function)
    name = re.escape(evaluator.tree.source(parameters[0])) if parameters else ""
    if not name or "default" not in text or not re.search(rf"(?<![\w$.]){name}\.__esModule", text):
        return None
    if re.search(_TEST.format(name) + _WHOLE.format(name), text):
        return WRAPPING
    if re.search(_TEST.format(name) + _PART.format(name), text):
        return UNWRAPPING
    return SPREADING if _COPIES.search(text) else None


def defines_getters(evaluator: Evaluator, function: Node) -> bool:
    """Whether all that a function does is to put the getters in one argument into the other.

    `(to, all) => { for (var key in all) define(to, key, { get: all[key] }) }`.
    """
    parameters = parameter_items(function)
    if (
        len(parameters) != 2
        or function.type not in FUNCTIONS
        or function.end - function.start > MAX_FILLER_BYTES
    ):
        return False
    to, given = (re.escape(evaluator.tree.source(each)) for each in parameters)
    return re.search(_DEFINING.format(to, given), evaluator.tree.source(function)) is not None


def interop_value(evaluator: Evaluator, kind: str, call: Node) -> Value:
    """What a helper of this kind gives."""
    arguments = arguments_of(call)
    if not arguments:
        return UNKNOWN
    value = evaluator.partial(arguments[0])
    if kind == WRAPPING:
        return join(*(_wrapped(each) for each in options_of(value)))
    if kind == UNWRAPPING:
        return default_of(value)
    evaluator.define(call)
    always = len(arguments) > 1 and _is_true(evaluator.partial(arguments[1]))
    return namespace_of_value(value, call, always=always)


def _wrapped(value: Value) -> Value:
    """An ES module as it is, anything else as the `default` of a new object."""
    marked = is_marked(value)
    if marked:
        return value
    wrapped = ObjectValue({"default": Field(value)}, False)
    return wrapped if marked is False else join(value, wrapped)


def _is_true(value: Value) -> bool:
    return isinstance(value, Literal) and value.kind in {Kind.BOOLEAN, Kind.NUMBER} and bool(value.value)


def member_of_namespace(name: str, at: Node) -> Value:
    """A member of the polyfill as `import * as` has it."""
    return Api((), "browser", at.span) if name == "default" else Api((name,), "browser", at.span)
