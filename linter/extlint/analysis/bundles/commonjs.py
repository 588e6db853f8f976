"""CommonJS: the exports of a file, and helpers that compilers and bundlers wrap around their imports.

var __importDefault = (this && this.__importDefault) || function (mod) {
  return mod && mod.__esModule ? mod : { default: mod };
};
const api = __importDefault(require("./api"));
api.default.management
"""

from __future__ import annotations

import re

from extlint.analysis.bundles.filled_object import FilledObject, filled_value
from extlint.analysis.bundles.model import Bundle, Call, ModuleSystem
from extlint.analysis.facts.values import UNKNOWN, Field, Kind, Literal, ObjectValue, Value, options_of
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.shapes import arguments_of, parameter_items
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.interop import BundlerValue, default_of, is_es_module, namespace_of_value
from extlint.analysis.values.options import join
from extlint.text.patterns import lazy, lazy_word

_EXPORTS = lazy_word(b"exports", rb"\w")


class CommonJs(ModuleSystem):
    """Files as modules, in which `module` and `exports` are undeclared names."""

    def exports_of_file(self, bundle: Bundle) -> tuple[Value, FilledObject] | None:
        """Returns the value of a `require` of the file, as far as it is known."""
        evaluator = bundle.evaluator
        if _EXPORTS.search(evaluator.tree.text) is None:
            return None
        from extlint.analysis.bundles.filling import Filling

        filling = Filling(bundle)
        for name, is_module in (("module", True), ("exports", False)):
            free = evaluator.names.free_uses(name)
            filling.follow_uses(
                [use.item for use in free if use.role is not Role.DECLARATION], module=is_module
            )
        return filled_value(evaluator, filling.found) or UNKNOWN, filling.found


MAX_HELPER_BYTES = 3_000
"""The maximum size of a helper, in bytes."""

_WRAPS = "gives { default }"
_UNWRAPS = "gives default"
_SPREADS = "gives a namespace"
_KINDS = frozenset({_WRAPS, _UNWRAPS, _SPREADS})

_TEST = r"(?<![\w$.]){0}\s*&&\s*{0}\.__esModule\b[^?{{}}]{{0,100}}\?\s*"
_WHOLE = r"{0}\s*:\s*\{{\s*[\"'`]?default[\"'`]?\s*:\s*{0}\s*\}}"
_PART = r"{0}(?:\.default|\[\s*[\"'`]default[\"'`]\s*\])\s*:\s*{0}\b"
_COPIES = lazy(
    r"\bfor\s*\(|\bforEach\b|[\"`]default[\"`]\s*,\s*\{\s*value\b|\bgetOwnPropertyNames\b|__importStar|__createBinding"
)


class CompilerHelpers(ModuleSystem):
    """Helpers recognized by their test of `__esModule` and the code after it."""

    global_helpers = frozenset(
        {"__createBinding", "__exportStar", "__importDefault", "__importStar", "__setModuleDefault"}
    )

    def call_value(self, bundle: Bundle, call: Call) -> Value | None:
        """Returns the value of importing the helper's first argument, in the form that the helper creates."""
        if isinstance(call.callee, BundlerValue):
            kind = call.callee.class_name if call.callee.class_name in _KINDS else None
        else:
            kind = None if call.definition is None else _kind_of(bundle.evaluator, call.definition)
        return None if kind is None else _helper_result(bundle.evaluator, kind, arguments_of(call.node))

    def exported_helper(self, bundle: Bundle, function: Node) -> str | None:
        """Returns the kind of a helper."""
        return _kind_of(bundle.evaluator, function)


def _kind_of(evaluator: Evaluator, function: Node) -> str | None:
    """Returns the kind of a helper, or None for other functions."""
    if function.type not in FUNCTIONS or function.end - function.start > MAX_HELPER_BYTES:
        return None
    parameters = parameter_items(function)
    text = evaluator.tree.source(function)
    name = re.escape(evaluator.tree.source(parameters[0])) if parameters else ""
    if not name or "default" not in text or not re.search(rf"(?<![\w$.]){name}\.__esModule", text):
        return None
    if re.search(_TEST.format(name) + _WHOLE.format(name), text):
        return _WRAPS
    if re.search(_TEST.format(name) + _PART.format(name), text):
        return _UNWRAPS
    return _SPREADS if _COPIES.search(text) else None


def _helper_result(evaluator: Evaluator, kind: str, arguments: list[Node]) -> Value:
    """Returns the result of a helper of this kind."""
    if not arguments:
        return UNKNOWN
    value = evaluator.possible.partial(arguments[0])
    if kind == _WRAPS:
        return join(*(_wrapped(each) for each in options_of(value)))
    if kind == _UNWRAPS:
        return default_of(value)
    always = len(arguments) > 1 and _is_true(evaluator.partial(arguments[1]))
    return namespace_of_value(value, always=always)


def _wrapped(value: Value) -> Value:
    """Returns an ES module unchanged, and any other value as the `default` of a new object."""
    marked = is_es_module(value)
    if marked:
        return value
    wrapped = ObjectValue({"default": Field(value)}, False)
    return wrapped if marked is False else join(value, wrapped)


def _is_true(value: Value) -> bool:
    return isinstance(value, Literal) and value.kind in {Kind.BOOLEAN, Kind.NUMBER} and bool(value.value)
