"""Follows values that functions return and modules export to callers and importers."""

from __future__ import annotations

from collections import deque

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.bundles.model import Module
from extlint.analysis.call_graph.definitions import declared_name, owner_of
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, Class, Function, MethodDefinition
from extlint.analysis.syntax.shapes import enclosing_function
from extlint.analysis.trace.destinations import EXPORTS, Destinations
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import calls_of
from extlint.analysis.values.interop import holds_api
from extlint.analysis.values.property_names import key_of

_MODULE_OBJECTS = frozenset({"default", EXPORTS})
"""Properties of a module that importers may receive without naming them."""


class ReturnedValues:
    """Adds the calls of functions and the expressions that require modules to `waiting`.

    `functions` has the ids of functions that were found to return an API value.
    """

    def __init__(self, evaluator: Evaluator, to: Destinations, waiting: deque[Node]) -> None:
        self._evaluator = evaluator
        self._bundle = bundle_of(evaluator)
        self._destinations = to
        self._waiting = waiting
        self._required: set[int] = set()
        self._owners: set[int] = set()
        self.functions: set[int] = set()

    def follow_return(self, function: Function, expression: Node) -> None:
        """Follows a returned value to the calls of a function, or to the reads of a getter's property."""
        self.functions.add(function.id)
        calls, _ = calls_of(self._evaluator, function)
        self._waiting.extend(calls)
        if isinstance(function, MethodDefinition):
            self._destinations.follow_property(key_of(self._evaluator, function) or "")
        if not self._evaluator.tree.is_module and enclosing_function(function) is None:
            self._follow_into_global(function)
        if not holds_api(self._evaluator.possible.partial(expression)):
            return
        for name in self._bundle.property_names_of(function):
            self._destinations.follow_property(name)
            self.follow_export(name, function)

    def _follow_into_global(self, function: Function) -> None:
        """Follows a function at the top level, or the class or object that it is in, to other scripts."""
        if isinstance(function, MethodDefinition) and function.parent is not None:
            if function.parent.id in self._owners:
                return
            self._owners.add(function.parent.id)
        owner = owner_of(function) if isinstance(function, MethodDefinition) else function
        name = declared_name(owner) if isinstance(owner, Class | Function) else None
        if name is not None and isinstance(owner, Class):
            self._destinations.follow_name(name)
        elif name is not None:
            self._destinations.add_global(name)
        elif owner is not None:
            self._waiting.append(owner)

    def follow_listed_export(self, element: Node, array: Node) -> None:
        """Follows a value after its name in a list of exports: `["api", 0, value]`."""
        name = self._bundle.name_in_list(element, array)
        if name is not None:
            self._destinations.follow_property(name)
            self.follow_export(name, array)

    def follow_export(self, name: str, at: Node) -> None:
        """Follows the exports object of a bundled module to every expression that requires the module."""
        if name not in _MODULE_OBJECTS:
            return
        for function in at.ancestors():
            module = self._bundle.module_of(function) if isinstance(function, Function) else None
            if module is not None:
                value = self._bundle.exports_of_module(module)
                if module.function.id not in self._required and holds_api(value):
                    self._required.add(module.function.id)
                    self._waiting.extend(self._bundle.calls_requiring(module))
                    self._follow_own_reads(module)
                return

    def _follow_own_reads(self, module: Module) -> None:
        """Follows the exports of a module to the reads in its own code."""
        for name in self._bundle.module_references(module):
            place = name.parent
            if isinstance(place, AccessExpression) and key_of(self._evaluator, place) == EXPORTS:
                self._destinations.follow_read(place)
