"""The start of the trace, and the values that functions return and modules export."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.bundles.model import Module
from extlint.analysis.call_graph.definitions import declared_name, owner_of
from extlint.analysis.facts.values import UNKNOWN, leads_to_api
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    Class,
    Function,
    ImportSpecifier,
    MethodDefinition,
    PairPattern,
)
from extlint.analysis.syntax.shapes import enclosing_function
from extlint.analysis.trace.destinations import EXPORTS, Destinations
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import calls_of
from extlint.analysis.values.interop import BundlerValue, holds_api
from extlint.analysis.values.property_index import key_of

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


class Roots:
    """Adds the expressions with such a value to `waiting`, or follows the value into a name."""

    def __init__(self, evaluator: Evaluator, to: Destinations, waiting: deque[Node]) -> None:
        self._evaluator = evaluator
        self._destinations = to
        self._waiting = waiting

    def follow(self, leaf: Node) -> None:
        """Follows a name, string or key that may denote a root."""
        if leaf.type == "string_fragment" and leaf.parent is not None:
            self._follow_string(leaf.parent)
        elif leaf.type in {"number", '"', "'"} and leaf.parent is not None:
            self._follow_require(leaf if leaf.type == "number" else leaf.parent)
        elif leaf.type == "property_identifier" and leaf.parent is not None:
            if isinstance(leaf.parent, PairPattern):
                self._destinations.follow_pattern(leaf.parent.value, UNKNOWN)
            elif isinstance(leaf.parent, AccessExpression):
                self._waiting.append(leaf.parent)
        else:
            found = self._evaluator.names.classify(leaf.start)
            if found is not None and found.role is Role.REFERENCE:
                self._waiting.append(leaf)
            elif found is not None:
                self._destinations.follow_name(leaf)

    def _follow_require(self, key: Node) -> None:
        listed = key.parent
        if listed is not None and listed.type == "arguments" and listed.parent is not None:
            self._waiting.append(listed.parent)

    def _follow_string(self, string: Node) -> None:
        up = string.parent
        if up is None:
            return
        if up.type == "subscript_expression":
            self._waiting.append(up)
        elif up.type == "arguments" and up.parent is not None:
            self._waiting.append(up.parent)
        elif up.type in {"import_statement", "import_require_clause"}:
            for name in _imported_names(up):
                value = self._evaluator.possible.partial(name)
                if leads_to_api(value) or isinstance(value, BundlerValue):
                    self._destinations.follow_name(name)


def _imported_names(statement: Node) -> Iterator[Node]:
    waiting = [each for each in statement.named() if each.type != "string"]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ImportSpecifier):
            yield part.alias or part.name
        elif part.type == "identifier":
            yield part
        else:
            waiting += part.named()
