"""Which parts of a script may be tests, by the words in them: only those are examined."""

from __future__ import annotations

import re
from collections.abc import Iterator

from extlint.script.modules.loads import top_level
from extlint.script.scope.api_places import ApiPlaces
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import (
    ExportStatement,
    FunctionDeclaration,
    ImportStatement,
    LexicalDeclaration,
    VariableDeclaration,
)
from extlint.script.syntax.shapes import declared_name
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.implications import has_implications
from extlint.text.patterns import lazy
from extlint.text.positions import encoded

MAX_BYTES = 1_000
"""Bytes of a declaration; a longer one does more than a test."""

_WORDS = lazy(
    rb"firefox|chrom(?:e|ium)|gecko|moz|safari|opera|webkit|vivaldi|brave|\bedge?\b|is_?ff|thunderbird|user_?agent"
    rb"|vendor|platform|getBrowserInfo|manifest|\bmv|InstallTrigger|import\.meta|process\.env|getURL|\blocation\b"
    rb"|permissions|\bbuild|\btarget|__\w+__|\bin\s+(?:browser|chrome)\b",
    re.IGNORECASE,
)
_DECLARING = (ExportStatement, LexicalDeclaration, VariableDeclaration, FunctionDeclaration)


class ConditionWords:
    """Decides whether parts of one script may be tests."""

    def __init__(self, evaluator: Evaluator, api_places: ApiPlaces) -> None:
        self._evaluator = evaluator
        self._api_places = api_places
        self._names: re.Pattern[bytes] | None = None
        self._is_known = False

    def are_in(self, part: Node) -> bool:
        """Whether the text of a node names the API, a browser, or another test."""
        if not self._is_known:
            self._is_known = True
            self._find_names()
        return self._is_in(part)

    def _is_in(self, part: Node) -> bool:
        text, start, end = self._evaluator.tree.text, part.start, part.end
        if self._api_places.is_in(part) or _WORDS.search(text, start, end):
            return True
        return self._names is not None and self._names.search(text, start, end) is not None

    def _find_names(self) -> None:
        """Finds the names of tests: those that are imported, then those that are declared with them."""
        found = set(self._imported())
        self._names = _pattern(found)
        declared = set(self._declared())
        if declared:
            self._names = _pattern(found | declared)

    def _imported(self) -> Iterator[str]:
        source = self._evaluator.tree.source
        for statement in top_level(self._evaluator.tree, ImportStatement):
            module = statement.source
            exports = {} if module is None else self._evaluator.imported(source(module)[1:-1])
            implying = {name for name, value in exports.items() if has_implications(value)}
            for clause in statement.named() if implying else ():
                waiting = [clause]
                while waiting:
                    each = waiting.pop()
                    if each.type == "identifier":
                        yield source(each)
                    waiting += each.named()

    def _declared(self) -> Iterator[str]:
        for kind in _DECLARING:
            for statement in top_level(self._evaluator.tree, kind):
                exported = statement.declaration if isinstance(statement, ExportStatement) else None
                declaration = exported or statement
                for each in (declaration, *declaration.named()):
                    name = declared_name(each)
                    if name is None or name.type != "identifier" or each.end - each.start > MAX_BYTES:
                        continue
                    if self._is_in(each):
                        yield self._evaluator.tree.source(name)


def _pattern(names: set[str]) -> re.Pattern[bytes] | None:
    if not names:
        return None
    listed = b"|".join(re.escape(encoded(name)) for name in sorted(names))
    return re.compile(rb"(?<![\w$])(?:%b)(?![\w$])" % listed)
