"""Which parts of a script may be tests, by the words in them: only those are examined."""

from __future__ import annotations

from functools import cached_property

from extlint.script.guards.environment.conditions import deciding_parts
from extlint.script.modules.loads import top_level
from extlint.script.modules.words_of_tests import WordsOfTests
from extlint.script.scope.api_places import ApiPlaces
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import (
    ExportStatement,
    Function,
    FunctionDeclaration,
    ImportStatement,
    LexicalDeclaration,
    VariableDeclaration,
    VariableDeclarator,
)
from extlint.script.syntax.shapes import declared_name
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.implications import has_implications
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, encoded

MAX_BYTES = 1_000
"""Bytes of a declaration; a longer one does more than a test."""

MAX_SHORT_BODY_BYTES = 300
"""Bytes of a body, all of which is assumed to contribute to the result."""

_NAME = lazy(rb"[\w$\x80-\xff]+")
_DECLARING = (ExportStatement, LexicalDeclaration, VariableDeclaration, FunctionDeclaration)


class ConditionWords:
    """Decides whether parts of one script may be tests.

    A test is a declaration with words of a test, and so is what names another test: one that is imported, or
    one that is declared with them. What a module exports is asked only for a part that names something of it.
    """

    def __init__(self, evaluator: Evaluator, api_places: ApiPlaces) -> None:
        self._evaluator = evaluator
        self._api_places = api_places
        self._words = WordsOfTests(evaluator.tree.text)
        self._tests: dict[bytes, bool] = {}
        self._known: dict[ByteSpan, bool] = {}

    def are_in(self, part: Node) -> bool:
        """Whether the text of a node names the API, a browser, or another test."""
        if part.span not in self._known:
            self._known[part.span] = self.are_own_in(part) or any(map(self._is_test, self._names_in(part)))
        return self._known[part.span]

    def are_own_in(self, part: Node) -> bool:
        """Whether the text of a node names the API or a browser itself."""
        if self._api_places.is_in(part):
            return True
        return self._words.are_in(part.start, part.end)

    def _names_in(self, part: Node) -> list[bytes]:
        """The words of a part that are imported or declared, in the order of the alphabet."""
        words = frozenset(_NAME.findall(self._evaluator.tree.text, part.start, part.end))
        return sorted(words & self._all_names)

    @cached_property
    def _all_names(self) -> frozenset[bytes]:
        """The names that may be those of tests."""
        return frozenset((*self._imports, *self._declarations))

    def _is_test(self, name: bytes) -> bool:
        """Whether a test is imported or declared by a name."""
        if name not in self._tests:
            self._tests[name] = self._is_imported_test(name) or any(
                self.are_own_in(each) or any(map(self._names_imported_test, _deciding(each)))
                for each in self._declarations.get(name, ())
            )
        return self._tests[name]

    def _names_imported_test(self, part: Node) -> bool:
        return any(map(self._is_imported_test, self._names_in(part)))

    def _is_imported_test(self, name: bytes) -> bool:
        """Whether an import statement that has a name is of a module that exports tests."""
        return any(map(self._exports_tests, self._imports.get(name, ())))

    def _exports_tests(self, module: str) -> bool:
        if module not in self._implying:
            exports = self._evaluator.imported(module)
            self._implying[module] = any(map(has_implications, exports.values()))
        return self._implying[module]

    @cached_property
    def _implying(self) -> dict[str, bool]:
        """The modules that were asked for, each with whether it exports tests."""
        return {}

    @cached_property
    def _imports(self) -> dict[bytes, list[str]]:
        """The modules of the import statements that have a name, by that name."""
        source = self._evaluator.tree.source
        found: dict[bytes, list[str]] = {}
        for statement in top_level(self._evaluator.tree, ImportStatement):
            module = statement.source
            for clause in statement.named() if module is not None else ():
                waiting = [clause]
                while waiting:
                    each = waiting.pop()
                    if each.type == "identifier" and module is not None:
                        found.setdefault(encoded(source(each)), []).append(source(module)[1:-1])
                    waiting += each.named()
        return found

    @cached_property
    def _declarations(self) -> dict[bytes, list[Node]]:
        """The declarations at the top of the script that are short enough, by the name that they declare."""
        found: dict[bytes, list[Node]] = {}
        for kind in _DECLARING:
            for statement in top_level(self._evaluator.tree, kind):
                exported = statement.declaration if isinstance(statement, ExportStatement) else None
                declaration = exported or statement
                for each in (declaration, *declaration.named()):
                    name = declared_name(each)
                    if name is not None and name.type == "identifier" and each.end - each.start <= MAX_BYTES:
                        found.setdefault(encoded(self._evaluator.tree.source(name)), []).append(each)
        return found


def deciding_parts_of(function: Function) -> list[Node]:
    """The parts of a function on which its result may depend: all of it if it is short."""
    body = function.body
    return [function] if body.end - body.start <= MAX_SHORT_BODY_BYTES else deciding_parts(body)


def _deciding(declaration: Node) -> list[Node]:
    """The parts of a declaration on which the answer of a test that it declares may depend."""
    made = declaration.value if isinstance(declaration, VariableDeclarator) else declaration
    return deciding_parts_of(made) if isinstance(made, Function) else [declaration]
