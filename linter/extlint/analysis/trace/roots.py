"""The start of the trace: names, strings and keys that may denote a root."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from extlint.analysis.facts.values import UNKNOWN, leads_to_api
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, ImportSpecifier, PairPattern
from extlint.analysis.trace.destinations import Destinations
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.interop import BundlerValue


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
