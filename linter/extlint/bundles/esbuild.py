"""Esbuild: helpers that make a getter of each CommonJS module, and namespaces of ES modules.

    var lazy = (run, module) => () =>
      (module || run((module = { exports: {} }).exports, module), module.exports);
    var define = (to, all) => { for (var name in all) property(to, name, { get: all[name], … }) };
    var api = lazy((exports, module) => { module.exports = chrome });
    api().management

The helpers may stand in a chunk, which other chunks import.
"""

from __future__ import annotations

import re

from extlint.bundles.filled_object import FilledObject, add_getters
from extlint.bundles.model import Bundle, Call, FillingCall, Module, ModuleParameters
from extlint.bundles.module_system import ModuleSystem
from extlint.bundles.runtimes import MAX_RUNTIME_BYTES, calls_in, parameters_passed
from extlint.bundles.tokens import declared_value
from extlint.script.facts.values import Value
from extlint.script.syntax.node import FUNCTIONS, Node
from extlint.script.syntax.nodes import CallExpression, Pair
from extlint.script.syntax.shapes import first_argument, innermost, outermost, parameter_items
from extlint.script.values.bundler_values import BundlerValue
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.keep_names import sets_name
from extlint.script.values.memo import once_per_script

MAX_DEFINER_BYTES = 200
"""Bytes of a helper that puts getters into an object."""

_GETTER = "getter of a module"
"""Gives the exports of a module; the definition is the call that made it of the module function."""

_GETTER_MAKER = "makes getters of modules"
"""A helper of another script that makes of a module function its getter."""

_DEFINER = "defines getters"
"""A helper of another script that puts into its first argument the getters in its second."""

_PARAMETERS = ModuleParameters(module=1, exports=0)

_DEFINING = (
    r"\{{\s*for\s*\(\s*(?:var|let|const)\s+([\w$]+)\s+in\s+{1}\s*\)\s*\{{?\s*"
    r"[\w$.]+\(\s*{0}\s*,\s*\1\s*,\s*\{{\s*(?:enumerable\s*:\s*(?:true|!0)\s*,\s*)?"
    r"get\s*:\s*{1}\s*\[\s*\1\s*\]\s*(?:,\s*enumerable\s*:\s*(?:true|!0)\s*)?\}}\s*\)\s*;?\s*\}}"
)


class Esbuild(ModuleSystem):
    """There is no `require`: a module is called by its getter, and what ES modules export is a variable."""

    def module(self, bundle: Bundle, function: Node) -> Module | None:
        """The first argument of a getter maker, or the function in an object that is that."""
        up = outermost(function).parent
        if up is not None and up.type == "pair":
            up = up.parent
        if up is not None and up.type == "object":
            up = outermost(up).parent
        call = None if up is None or up.type != "arguments" else up.parent
        first = call.first_argument if isinstance(call, CallExpression) else None
        if not isinstance(call, CallExpression) or first is None or not first.contains(function):
            return None
        parameters = _passed_by(bundle.evaluator, call.callee)
        return None if parameters is None else Module(function, parameters, getter_made_by=call)

    def call_value(self, bundle: Bundle, call: Call) -> Value | None:
        """A helper makes a module's getter, or gives a function its name."""
        is_imported = isinstance(call.callee, BundlerValue) and call.callee.class_name == _GETTER_MAKER
        if is_imported or (call.definition is not None and _passed_by(bundle.evaluator, call.function)):
            return bundle.value(_GETTER, call.node)
        named = None if call.definition is None else first_argument(call.node)
        if call.definition is None or named is None or not sets_name(bundle.evaluator, call.definition):
            return None
        return bundle.evaluator.partial(named)

    def value_of_getter(self, bundle: Bundle, value: BundlerValue) -> Value | None:
        """A module's getter gives its exports."""
        making = bundle.evaluator.definition_at(value.definition) if value.class_name == _GETTER else None
        first = None if making is None else first_argument(making)
        function = None if first is None else innermost(first)
        if function is not None and function.type == "object":
            function = function.first()
            if isinstance(function, Pair):
                function = function.value
        module = None if function is None or function.type not in FUNCTIONS else bundle.module_of(function)
        return None if module is None else bundle.exports_of_module(module)

    def fill(self, bundle: Bundle, found: FilledObject, call: FillingCall) -> bool:
        """The helper that defines getters, where another script has it."""
        if not isinstance(call.callee, BundlerValue) or call.callee.class_name != _DEFINER:
            return False
        return call.index == 0 and bool(call.others) and add_getters(bundle.evaluator, found, call.others)

    def exported_helper(self, bundle: Bundle, function: Node) -> str | None:
        """The helper that defines getters, or the one that makes them of module functions."""
        if _defines_getters(bundle.evaluator, function):
            return _DEFINER
        return _GETTER_MAKER if _passed_in(bundle.evaluator, function) == _PARAMETERS else None


def _passed_by(evaluator: Evaluator, callee: Node) -> ModuleParameters | None:
    """What modules are called with by a function that makes getters of them; None if it is none."""
    if callee.type != "identifier":
        return None
    maker = declared_value(evaluator, callee)
    if maker is not None:
        return _passed_in(evaluator, maker)
    value = evaluator.certain.partial(callee)
    is_imported = isinstance(value, BundlerValue) and value.class_name == _GETTER_MAKER
    return _PARAMETERS if is_imported else None


@once_per_script
def _passed_in(evaluator: Evaluator, maker: Node) -> ModuleParameters | None:
    """What a function passes to the function that it is passed, if it makes a module for that."""
    if maker.type not in FUNCTIONS or maker.end - maker.start > MAX_RUNTIME_BYTES:
        return None
    parameters, body = parameter_items(maker), maker.field("body")
    source = evaluator.tree.source
    if not parameters or body is None or not re.search(r"\{\s*exports\s*:\s*\{\s*\}", source(maker)):
        return None
    for call in calls_in(evaluator, body):
        if source(parameters[0]) in re.findall(r"[\w$]+", source(call.callee)):
            passed = parameters_passed(evaluator, call.arguments, None)
            if passed is not None:
                return passed
    return None


def _defines_getters(evaluator: Evaluator, function: Node) -> bool:
    """Whether all that a function does is to put the getters in one argument into the other.

    `(to, all) => { for (var key in all) define(to, key, { get: all[key] }) }`.
    """
    parameters = parameter_items(function)
    if (
        len(parameters) != 2
        or function.type not in FUNCTIONS
        or function.end - function.start > MAX_DEFINER_BYTES
    ):
        return False
    to, given = (re.escape(evaluator.tree.source(each)) for each in parameters)
    return re.search(_DEFINING.format(to, given), evaluator.tree.source(function)) is not None
