"""Determines which parts of a script may be tests, by the words in them: only those are examined.

They are the words by which code may test for a browser or its version.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from itertools import islice

from extlint.analysis.expressions.imports import EXPORT_ASSIGNMENT
from extlint.analysis.guards.environment_conditions import deciding_parts
from extlint.analysis.guards.forms.possible_values import MAX_PLACES
from extlint.analysis.modules.loads import top_level
from extlint.analysis.scope.model import ApiPlaces
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    Class,
    ExportStatement,
    FieldDefinition,
    Function,
    FunctionDeclaration,
    ImportStatement,
    LexicalDeclaration,
    MethodDefinition,
    Pair,
    VariableDeclaration,
    VariableDeclarator,
)
from extlint.analysis.syntax.prefilter import word_spans
from extlint.analysis.syntax.shapes import declared_name
from extlint.analysis.values.condition_values import has_implications
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import assignment_to, property_leaves
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, encode_name

_WORDS = lazy(
    rb"firefox|chrom(?:e|ium)|gecko|moz|safari|opera(?!(?-i:t|(?<=A)T[A-Z]))|webkit|vivaldi|brave|\bedge?\b|is_?ff|thunderbird|user_?agent"
    rb"|vendor|platform|getBrowserInfo|manifest|\bmv|InstallTrigger|import\.meta|process\.env(?!\.NODE_ENV\b)|getURL|\blocation\b"
    rb"|permissions|\bbuild|\b(?!(?-i:target)\b)target|(?<!\.)__\w+__|\bin\s+(?:browser|chrome)\b",
    re.IGNORECASE,
)
_BEGINNINGS = (
    *(b"firefox", b"chrome", b"chromium", b"gecko", b"moz", b"safari", b"opera", b"webkit", b"vivaldi"),
    *(b"brave", b"edg", b"isff", b"is_ff", b"thunderbird", b"useragent", b"user_agent", b"vendor"),
    *(b"platform", b"getbrowserinfo", b"manifest", b"mv", b"installtrigger", b"import.meta", b"process.env"),
    *(b"geturl", b"location", b"permissions", b"build", b"target", b"__"),
)
"""The lower-case beginning of each alternative, except the last, which is found by its end."""

_LAST = b"browser"
_IN = b"in"
_SPACE = b" \t\n\r\f\v"
_SEARCH_COST_RATIO = 8
"""How many times as long the expression takes to search a text as all beginnings together."""


class WordsOfTests:
    """Finds these words in parts of one text."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._bytes_searched = 0

    def occur_in(self, start: int, end: int) -> bool:
        """Whether a part of the text contains such a word."""
        self._bytes_searched += end - start
        if self._bytes_searched * _SEARCH_COST_RATIO < len(self._text):
            return _WORDS.search(self._text, start, end) is not None
        places = self._places
        at = bisect_left(places, (start, 0))
        while at < len(places) and places[at][0] < end:
            if places[at][1] <= end:
                return True
            at += 1
        return False

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        """The start and end offsets of all these words, in order."""
        return sorted(self._search())

    def _search(self) -> Iterator[tuple[int, int]]:
        lowered = self._text.lower()
        for beginning in (*_BEGINNINGS, _LAST):
            at = lowered.find(beginning)
            while at >= 0:
                start = at if beginning != _LAST else self._word_before(lowered, at)
                found = _WORDS.match(self._text, start)
                if found is not None:
                    yield found.span()
                at = lowered.find(beginning, at + 1)

    def _word_before(self, lowered: bytes, at: int) -> int:
        """Returns the start of an `in` that precedes an offset, or else the offset itself."""
        end = at
        while end and lowered[end - 1] in _SPACE:
            end -= 1
        return end - len(_IN) if end < at and lowered.endswith(_IN, 0, end) else at


MAX_BYTES = 1_000
"""The maximum number of bytes of a declaration; a longer one does more than a test."""

MAX_SHORT_BODY_BYTES = 300
"""The maximum number of bytes of a body that is entirely assumed to contribute to the result."""

_NAME = lazy(rb"[\w$\x80-\xff]+")
_MEMBER = lazy(rb"\s*\??\.\s*([\w$]+)")
_WHOLE = encode_name(EXPORT_ASSIGNMENT)
"""The export that is the entire CommonJS module: its members are those of the namespace."""

_THIS = b"this"

_TARGET = b"target"
_TARGET_VALUE = lazy(rb"target(?<!\wtarget)[\"']?\]?\s*(?::|=(?![=>]))([^;\n]{1,200})")
_DECLARING = (Class, ExportStatement, FunctionDeclaration, LexicalDeclaration, VariableDeclaration)


class ConditionWords:
    """Decides whether parts of one script may be tests.

    A declaration is a test if it contains words of a test, or if it names another test: one that is imported,
    or one that is declared, or defined as a member, with such words. The exports of a module are requested
    only for a part that names one of them.
    """

    def __init__(self, evaluator: Evaluator, api_places: ApiPlaces) -> None:
        self._evaluator = evaluator
        self._api_places = api_places
        self._words = WordsOfTests(evaluator.tree.text)
        self._tests: dict[bytes, bool] = {}
        self._known: dict[ByteSpan, bool] = {}

    def may_be_test(self, part: Node) -> bool:
        """Whether the text of a node names the API, a browser, or another test."""
        if part.span not in self._known:
            self._known[part.span] = self.names_api_or_browser(part) or any(
                self._is_test(name, part) for name in self._names_in(part)
            )
        return self._known[part.span]

    def names_api_or_browser(self, part: Node) -> bool:
        """Whether the text of a node directly names the API or a browser."""
        if self._api_places.is_in(part) or self._words.occur_in(part.start, part.end):
            return True
        return self._is_target_test and self._evaluator.tree.text.find(_TARGET, part.start, part.end) >= 0

    @cached_property
    def _is_target_test(self) -> bool:
        """Whether something called `target`, such as an event's, is assigned a value with words of a test."""
        return any(
            self._words.occur_in(*each.span(1)) for each in _TARGET_VALUE.finditer(self._evaluator.tree.text)
        )

    def _names_in(self, part: Node) -> list[bytes]:
        """Returns the words of a part that are imported or declared, in alphabetical order."""
        words = frozenset(_NAME.findall(self._evaluator.tree.text, part.start, part.end))
        return sorted(words & self._all_names)

    @cached_property
    def _all_names(self) -> frozenset[bytes]:
        """The names that may refer to tests."""
        return frozenset((*self._imports, *self._declarations, _THIS))

    def _is_test(self, name: bytes, part: Node) -> bool:
        """Whether a name in a part refers to a test, or to an object whose test the part reads."""
        if self._is_imported_test(name, part) or self._is_declared_test(name):
            return True
        is_own = name == _THIS or name in self._declarations
        members = self._members_read(name, part) if is_own else ()
        return any(each is not None and self._is_member_test(each) for each in members)

    def _is_member_test(self, name: bytes) -> bool:
        """Whether the script defines a member of that name as a short test."""
        key = b"." + name
        if key not in self._tests:
            leaves = islice(property_leaves(self._evaluator, name.decode("utf-8", "replace")), MAX_PLACES)
            self._tests[key] = False
            self._tests[key] = any(
                each is not None and each.end - each.start <= MAX_BYTES and self.may_be_test(each)
                for each in map(_definition_of, leaves)
            )
        return self._tests[key]

    def _is_declared_test(self, name: bytes) -> bool:
        if name not in self._tests:
            self._tests[name] = any(
                self.names_api_or_browser(each) or any(map(self._names_imported_test, _deciding_parts(each)))
                for each in self._declarations.get(name, ())
            )
        return self._tests[name]

    def _names_imported_test(self, part: Node) -> bool:
        return any(self._is_imported_test(name, part) for name in self._names_in(part))

    def _is_imported_test(self, name: bytes, part: Node) -> bool:
        """Whether a name in a part is imported from a module that exports tests, and may refer to one."""
        return any(
            self._tests_of(module) and not (is_namespace and self._reads_no_test(name, module, part))
            for module, is_namespace in self._imports.get(name, ())
        )

    def _reads_no_test(self, name: bytes, module: str, part: Node) -> bool:
        """Whether a part names all members it reads from a module namespace, and these include no test."""
        tests = self._tests_of(module)
        if _WHOLE in tests:
            return False
        return all(each is not None and each not in tests for each in self._members_read(name, part))

    def _members_read(self, name: bytes, part: Node) -> list[bytes | None]:
        """Returns the member that a part reads at each occurrence of a name, or None for none."""
        text = self._evaluator.tree.text
        ends = (part.start + end for _, end in word_spans(text[part.start : part.end], {name}))
        return [None if found is None else found[1] for found in (_MEMBER.match(text, end) for end in ends)]

    def _tests_of(self, module: str) -> frozenset[bytes]:
        """Returns the names by which a module exports tests."""
        if module not in self._exported_tests:
            exports = self._evaluator.imported(module)
            self._exported_tests[module] = frozenset(
                encode_name(name) for name, value in exports.items() if has_implications(value)
            )
        return self._exported_tests[module]

    @cached_property
    def _exported_tests(self) -> dict[str, frozenset[bytes]]:
        """The tests that modules export, for the modules that were requested."""
        return {}

    @cached_property
    def _imports(self) -> dict[bytes, list[tuple[str, bool]]]:
        """The modules of the import statements with each name, and whether the name is a namespace."""
        source = self._evaluator.tree.source
        found: dict[bytes, list[tuple[str, bool]]] = {}
        for statement in top_level(self._evaluator.tree, ImportStatement):
            module = statement.source
            for clause in statement.named() if module is not None else ():
                waiting = [clause]
                while waiting:
                    each = waiting.pop()
                    if each.type == "identifier" and module is not None:
                        is_namespace = each.parent is not None and each.parent.type == "namespace_import"
                        imported = source(module)[1:-1], is_namespace
                        found.setdefault(encode_name(source(each)), []).append(imported)
                    waiting += each.named()
        return found

    @cached_property
    def _declarations(self) -> dict[bytes, list[Node]]:
        """The script's top-level declarations that are short enough, by the name that they declare."""
        found: dict[bytes, list[Node]] = {}
        for kind in _DECLARING:
            for statement in top_level(self._evaluator.tree, kind):
                exported = statement.declaration if isinstance(statement, ExportStatement) else None
                declaration = exported or statement
                for each in (declaration, *declaration.named()):
                    name = declared_name(each)
                    if name is not None and name.type == "identifier" and each.end - each.start <= MAX_BYTES:
                        found.setdefault(encode_name(self._evaluator.tree.source(name)), []).append(each)
        return found


def _definition_of(leaf: Node) -> Node | None:
    """Returns the definition of a member whose name is a leaf: a pair, field, method or assignment."""
    match leaf.parent:
        case AccessExpression() as place:
            return assignment_to(place)
        case FieldDefinition() | MethodDefinition() | Pair() as definition:
            return definition
    return None


def deciding_parts_of(function: Function) -> list[Node]:
    """Returns the parts of a function on which its result may depend: all of it if it is short."""
    body = function.body
    return [function] if body.end - body.start <= MAX_SHORT_BODY_BYTES else deciding_parts(body)


def _deciding_parts(declaration: Node) -> list[Node]:
    """Returns the parts of a declaration on which the result of a test that it declares may depend."""
    definition = declaration.value if isinstance(declaration, VariableDeclarator) else declaration
    return deciding_parts_of(definition) if isinstance(definition, Function) else [declaration]
