"""Esbuild: helpers that create a getter for each CommonJS module, and namespaces of ES modules.

    var lazy = (run, module) => () =>
      (module || run((module = { exports: {} }).exports, module), module.exports);
    var define = (to, all) => { for (var name in all) property(to, name, { get: all[name], … }) };
    var api = lazy((exports, module) => { module.exports = chrome });
    api().management

The helpers may be in a chunk that other chunks import.
"""

from __future__ import annotations

import re

from extlint.analysis.bundles.filled_object import FilledObject, add_getters
from extlint.analysis.bundles.model import Bundle, Call, FillingCall, Module, ModuleParameters, ModuleSystem
from extlint.analysis.bundles.module_tables import declared_value
from extlint.analysis.bundles.runtimes import MAX_RUNTIME_BYTES, calls_in, parameters_passed
from extlint.analysis.facts.values import Value
from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.nodes import CallExpression, Pair
from extlint.analysis.syntax.shapes import first_argument, innermost, outermost, parameter_items
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import sets_name
from extlint.analysis.values.interop import BundlerValue
from extlint.analysis.values.memo import once_per_script

MAX_DEFINER_BYTES = 200
"""The maximum size in bytes of a helper that adds getters to an object."""

_GETTER = "getter of a module"
"""A function that returns the exports of a module; the definition is the call that created it from the
module function.
"""

_GETTER_MAKER = "makes getters of modules"
"""A helper of another script that creates a getter from a module function."""

_DEFINER = "defines getters"
"""A helper of another script that adds the getters in its second argument to its first argument."""

_PARAMETERS = ModuleParameters(module=1, exports=0)

_DEFINING = (
    r"\{{\s*for\s*\(\s*(?:var|let|const)\s+([\w$]+)\s+in\s+{1}\s*\)\s*\{{?\s*"
    r"[\w$.]+\(\s*{0}\s*,\s*\1\s*,\s*\{{\s*(?:enumerable\s*:\s*(?:true|!0)\s*,\s*)?"
    r"get\s*:\s*{1}\s*\[\s*\1\s*\]\s*(?:,\s*enumerable\s*:\s*(?:true|!0)\s*)?\}}\s*\)\s*;?\s*\}}"
)


class Esbuild(ModuleSystem):
    """Modules without a `require`: getters call CommonJS modules, and ES modules' exports are variables."""

    def module(self, bundle: Bundle, function: Node) -> Module | None:
        """Returns the module of a getter maker's first argument, or of the function in a passed object."""
        up = outermost(function).parent
        if up is not None and up.type == "pair":
            up = up.parent
        if up is not None and up.type == "object":
            up = outermost(up).parent
        call = None if up is None or up.type != "arguments" else up.parent
        first = call.first_argument if isinstance(call, CallExpression) else None
        if not isinstance(call, CallExpression) or first is None or not first.contains(function):
            return None
        parameters = _parameters_passed_by(bundle.evaluator, call.callee)
        return None if parameters is None else Module(function, parameters, getter_call=call)

    def call_value(self, bundle: Bundle, call: Call) -> Value | None:
        """Returns a module's getter for a call of a getter maker, or the function that a call only names."""
        is_imported = isinstance(call.callee, BundlerValue) and call.callee.class_name == _GETTER_MAKER
        if is_imported or (
            call.definition is not None and _parameters_passed_by(bundle.evaluator, call.function)
        ):
            return bundle.bundler_value(_GETTER, call.node)
        named = None if call.definition is None else first_argument(call.node)
        if call.definition is None or named is None or not sets_name(bundle.evaluator, call.definition):
            return None
        return bundle.evaluator.possible.partial(named)

    def value_of_getter(self, bundle: Bundle, value: BundlerValue) -> Value | None:
        """Returns the exports that a module's getter returns."""
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
        """Records the getters that the defining helper of another script adds."""
        if not isinstance(call.callee, BundlerValue) or call.callee.class_name != _DEFINER:
            return False
        return call.index == 0 and bool(call.others) and add_getters(bundle.evaluator, found, call.others)

    def exported_helper(self, bundle: Bundle, function: Node) -> str | None:
        """Returns the kind of a helper that defines getters, or that creates them from module functions."""
        if _defines_getters(bundle.evaluator, function):
            return _DEFINER
        return _GETTER_MAKER if _getter_maker_parameters(bundle.evaluator, function) == _PARAMETERS else None


def _parameters_passed_by(evaluator: Evaluator, callee: Node) -> ModuleParameters | None:
    """Returns the module parameters of a function that makes module getters, or None for other functions."""
    if callee.type != "identifier":
        return None
    maker = declared_value(evaluator, callee)
    if maker is not None:
        return _getter_maker_parameters(evaluator, maker)
    value = evaluator.partial(callee)
    is_imported = isinstance(value, BundlerValue) and value.class_name == _GETTER_MAKER
    return _PARAMETERS if is_imported else None


@once_per_script
def _getter_maker_parameters(evaluator: Evaluator, maker: Node) -> ModuleParameters | None:
    """Returns the module parameters that a function passes to its argument, if it creates a module for it."""
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
    """Whether a function only adds the getters in its second argument to its first argument.

    `(to, all) => { for (var key in all) define(to, key, { get: all[key] }) }`.
    """
    parameters = parameter_items(function)
    if (
        len(parameters) != 2
        or function.type not in FUNCTIONS
        or function.end - function.start > MAX_DEFINER_BYTES
    ):
        return False
    to, getters = (re.escape(evaluator.tree.source(each)) for each in parameters)
    return re.search(_DEFINING.format(to, getters), evaluator.tree.source(function)) is not None
