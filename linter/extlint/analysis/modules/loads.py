"""Finds other scripts and pages that a script itself loads: imports, workers, elements, navigation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from extlint.analysis.facts.script_facts import GET_URL, Load, LoadKind
from extlint.analysis.facts.values import Kind, Literal
from extlint.analysis.guards.forms.facts import public_guards
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.build_signs import may_depend_on_build
from extlint.analysis.syntax.node import Node, node_of
from extlint.analysis.syntax.nodes import (
    AssignmentExpression,
    BinaryExpression,
    CallExpression,
    CallOrNewExpression,
    ExportStatement,
    ImportRequireClause,
    ImportStatement,
    MemberExpression,
    NewExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.prefilter import may_insert_script
from extlint.analysis.syntax.shapes import call_with_argument, outermost
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.analysis.values.evaluator import Evaluator
from extlint.package.suffixes import SCRIPTS, has_suffix
from extlint.text.patterns import lazy, spans_of
from extlint.text.positions import ByteSpan

_WORDS = {
    b"import": lazy(b"import"),
    b"from": lazy(rb"from(?=\s*[\"'/])"),
    **{
        word: lazy(word + rb"(?=\s*[(<?/])")
        for word in (b"importScripts", b"require", b"Worker", b"SharedWorker")
    },
    **{word: lazy(word + rb"(?=\s*\()") for word in (b"addModule", b"register", b"getURL")},
}
"""The words that may load something, if they are followed by a text, a call, types or a comment."""

_SOURCES = {b"src": lazy(rb"src(?=\s*=)")}
_INSERTING_METHODS = frozenset(
    {"after", "append", "appendChild", "before", "insertBefore", "prepend", "replaceChild", "replaceWith"}
)
_HOST = lazy(r"(?i)(?:https?:)?//[\w.:\[\]-]+/")
_PAGE_NAMES = tuple(
    lazy(rb"\.%bl?(?=[?#\"'`])" % suffix, needs=(b".%b" % suffix,)) for suffix in (b"htm", b"xhtm")
)
_WORKERS = frozenset({"SharedWorker", "Worker"})
_GUARDED = frozenset({LoadKind.IMPORT_SCRIPTS, LoadKind.WORKER, LoadKind.WORKLET})
_OF_ADDRESSES = frozenset({LoadKind.DYNAMIC_IMPORT})
_REMOTE = lazy(r"(?i)(?:https?:)?//")
_MAX_TEXT_BYTES = 200
_MAX_STEPS = 2
_MAX_USES = 20


NodeT = TypeVar("NodeT", bound=Node)


def top_level(tree: SyntaxTree, kind: type[NodeT]) -> Iterator[NodeT]:
    """Yields the statements of one kind at the top level of a script, in source order."""
    cursor = tree.root.node.walk()
    if not cursor.goto_first_child():
        return
    tree.spend(tree.root.node.child_count)
    kinds = tree.root.kinds
    while True:
        if cursor.node is not None and kinds[cursor.node.kind_id][0] is kind:
            statement = node_of(cursor.node, tree.root, kinds)
            if isinstance(statement, kind):
                yield statement
        if not cursor.goto_next_sibling():
            return


def loads_of(tree: SyntaxTree, evaluator: Evaluator, within: ByteSpan | None = None) -> Iterator[Load]:
    """Yields the loads of a script by known names, in source order; or only those within a byte range."""
    reader = _Reader(evaluator)
    first, last = (0, len(tree.text)) if within is None else within
    for start, end in tree.places.spans_of(_WORDS):
        if not first <= start < last:
            continue
        leaf = tree.leaf_at(start)
        if leaf.parent is not None and leaf.parent.type == "import":
            leaf = leaf.parent
        if leaf.span == (start, end) and leaf.parent is not None:
            yield from (
                evaluator.attempt(leaf.span, partial(list, reader.loads_at_word(leaf, leaf.parent))) or ()
            )
    sources = tree.places.spans_of(_SOURCES) if within is None and may_insert_script(tree.text) else ()
    for start, end in sources:
        leaf = tree.leaf_at(start)
        if leaf.span == (start, end) and isinstance(leaf.parent, MemberExpression):
            yield from evaluator.attempt(leaf.span, partial(list, reader.inserted_script(leaf.parent))) or ()
    for start, _ in spans_of(_PAGE_NAMES, tree.text):
        if not first <= start < last:
            continue
        leaf = tree.leaf_at(start)
        yield from evaluator.attempt(leaf.span, partial(list, reader.page_load(leaf))) or ()


class _Reader:
    """Reads the loads at single places."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._guards = GuardReader(evaluator)

    def loads_at_word(self, leaf: Node, up: Node) -> Iterator[Load]:
        """Yields the loads at a word of the script."""
        text = self._text(leaf)
        match leaf.type, up:
            case ("import", ImportStatement()) | ("from", ExportStatement()):
                if up.has_token("type"):
                    return
                if isinstance(up, ImportStatement) and self._imports_only_types(up):
                    return
                source = _source_of(up)
                if source is not None:
                    yield from self._loads_by_name(source, LoadKind.IMPORT)
            case "import", CallExpression() if not self._is_for_development(up):
                yield from self._first_argument(up, LoadKind.DYNAMIC_IMPORT)
            case "identifier", CallExpression() if leaf.is_field("function"):
                if text == "importScripts" and self._is_global(leaf):
                    for each in up.arguments:
                        yield from self._loads_by_name(each, LoadKind.IMPORT_SCRIPTS)
                elif text == "require" and self._is_global(leaf):
                    yield from self._first_argument(up, LoadKind.REQUIRE)
            case "identifier", NewExpression() if leaf.is_field("constructor"):
                if text in _WORKERS and self._is_global(leaf):
                    yield from self._first_argument(up, LoadKind.WORKER)
            case "property_identifier", MemberExpression():
                yield from self._loads_by_method(text, up)

    def _is_for_development(self, call: CallExpression) -> bool:
        """Whether a build for users removes a call."""
        may_be = may_depend_on_build(self._evaluator.tree.text)
        return may_be and self._guards.public_guards_at(call).unreachable

    def _imports_only_types(self, statement: ImportStatement) -> bool:
        tree = self._evaluator.tree
        if not tree.may_have_types:
            return False
        from extlint.analysis.modules.type_imports import imports_only_types

        return imports_only_types(tree, statement)

    def _loads_by_method(self, name: str, member: MemberExpression) -> Iterator[Load]:
        """Yields the loads by a method of this name."""
        call = member.parent
        if not isinstance(call, CallExpression) or not member.is_field("function"):
            return
        match name:
            case "addModule":
                yield from self._first_argument(call, LoadKind.WORKLET)
            case "register" if self._text(member.object).endswith("serviceWorker"):
                yield from self._first_argument(call, LoadKind.SERVICE_WORKER)
            case "getURL" if self._is_element_source(call):
                yield from self._loads_by_name(call, LoadKind.SCRIPT_ELEMENT)
            case "getURL" if self._is_fetched(call, _MAX_STEPS):
                for each in self._first_argument(call, LoadKind.ADDRESS):
                    if has_suffix(each.name, SCRIPTS):
                        yield replace(each, name="/" + each.name.lstrip("/"), is_fetched=True)

    def page_load(self, text: Node) -> Iterator[Load]:
        """Yields the page whose name a text begins with, whatever the text is used for."""
        written = whole = text.parent
        if (
            written is None
            or whole is None
            or whole.type not in {"string", "template_string"}
            or text.start != whole.start + 1
        ):
            return
        name = self._text(text)
        up = whole.parent
        while up is not None and up.type in {"binary_expression", "parenthesized_expression"}:
            if up.has_token("+") and not whole.is_field("left"):
                return
            whole, up = up, up.parent
        call = up.parent if up is not None and up.type == "arguments" else None
        found = self._evaluator.api(call.callee) if isinstance(call, CallExpression) else None
        if isinstance(call, CallExpression) and found is not None and found.path in GET_URL:
            is_fetched = self._is_fetched(call, _MAX_STEPS)
            yield Load("/" + name.lstrip("/"), LoadKind.ADDRESS, written.span, False, is_fetched=is_fetched)
        elif name:
            is_fetched = self._is_fetched(whole, _MAX_STEPS)
            yield Load(name, LoadKind.PAGE, written.span, False, is_fetched=is_fetched)

    def _is_fetched(self, item: Node, steps: int) -> bool:
        """Whether the name or address of a file is only used to read the file as a text."""
        whole = outermost(item)
        up = whole.parent
        if isinstance(up, VariableDeclarator) and whole.is_field("value") and steps:
            binding = self._evaluator.names.variable(up.name) if up.name.type == "identifier" else None
            uses = [] if binding is None else [each for each in binding.uses if each.role is Role.REFERENCE]
            is_single = binding is not None and len(binding.writes) == 1 and 0 < len(uses) <= _MAX_USES
            return is_single and all(self._is_fetched(each.item, steps - 1) for each in uses)
        call = call_with_argument(whole)
        if not isinstance(call, CallExpression):
            return False
        if isinstance(call.callee, MemberExpression):
            is_request = self._text(call.callee.property) == "open" and len(call.arguments) > 1
            return is_request and self._string(call.arguments[0]) == "GET"
        return self._text(call.callee) == "fetch" and self._is_global(call.callee)

    def inserted_script(self, place: MemberExpression) -> Iterator[Load]:
        """Yields the script of another host for which an element is created and inserted."""
        assignment = place.parent
        element = place.object
        if not isinstance(assignment, AssignmentExpression) or not place.is_field("left"):
            return
        from extlint.analysis.values.elements import element_of

        if not self._is_inserted(element) or element_of(self._evaluator, element) != "script":
            return
        value = assignment.right
        name = self._known_prefix(value)
        if _HOST.match(name):
            is_called = self._guards.enclosing_function(value) is not None
            guards = self._guards.public_guards_at(value)
            yield Load(name, LoadKind.SCRIPT_ELEMENT, value.span, False, guards, is_called)

    def _is_inserted(self, element: Node) -> bool:
        """Whether the variable of an element is passed to a method that inserts it into a document."""
        binding = self._evaluator.names.variable(element) if element.type == "identifier" else None
        return binding is not None and any(
            isinstance(call := call_with_argument(use.item), CallExpression)
            and isinstance(call.callee, MemberExpression)
            and self._text(call.callee.property) in _INSERTING_METHODS
            for use in binding.uses
        )

    def _known_prefix(self, value: Node) -> str:
        """Returns the known beginning of a text."""
        found = self._string(value)
        if found is not None:
            return found
        if isinstance(value, BinaryExpression) and value.operator == "+":
            return self._known_prefix(value.left)
        first = value.first()
        is_text = value.type == "template_string" and first is not None and first.type == "string_fragment"
        return self._evaluator.tree.source(first) if is_text and first is not None else ""

    def _is_element_source(self, call: Node) -> bool:
        """Whether a value becomes the `src` of an element."""
        up = call.parent
        if isinstance(up, AssignmentExpression) and call.is_field("right"):
            return isinstance(up.left, MemberExpression) and self._text(up.left.property) == "src"
        setter = call_with_argument(call)
        if not isinstance(setter, CallExpression) or not self._text(setter.callee).endswith(".setAttribute"):
            return False
        return self._string(setter.arguments[0]) == "src"

    def _is_global(self, leaf: Node) -> bool:
        return self._evaluator.names.resolve(self._text(leaf), leaf) is None

    def _first_argument(self, call: CallOrNewExpression, kind: LoadKind) -> Iterator[Load]:
        first = call.first_argument
        if first is not None:
            yield from self._loads_by_name(first, kind)

    def _loads_by_name(self, name: Node, kind: LoadKind) -> Iterator[Load]:
        on_load = kind is LoadKind.IMPORT or (
            kind in {LoadKind.IMPORT_SCRIPTS, LoadKind.WORKER} and self._guards.certainly_on_load(name)
        )
        text = self._string(name)
        at = name
        if text is None:
            address = self._address(name)
            if address is None:
                return
            text, at = address
        load = Load(text, kind, at.span, on_load)
        if kind in _GUARDED:
            guards, function = self._guards.within_function(name)
            load = replace(load, guards=public_guards(guards), is_called=function is not None)
        elif kind in _OF_ADDRESSES and _REMOTE.match(text):
            is_called = self._guards.enclosing_function(name) is not None
            load = replace(load, guards=self._guards.public_guards_at(name), is_called=is_called)
        yield load

    def _string(self, expression: Node) -> str | None:
        value = self._evaluator.value(expression)
        if isinstance(value, Literal) and value.kind is Kind.STRING and isinstance(value.value, str):
            return value.value
        return None

    def _address(self, expression: Node) -> tuple[str, Node] | None:
        """Returns the name in an expression of an address, and its node, or None.

        The expression is `runtime.getURL(name)` or `new URL(name, import.meta.url)`.
        """
        if not isinstance(expression, CallOrNewExpression):
            return None
        first = expression.first_argument
        name = None if first is None else self._string(first)
        if first is None or name is None:
            return None
        if isinstance(expression, CallExpression):
            found = self._evaluator.api(expression.callee)
            return ("/" + name.lstrip("/"), first) if found is not None and found.path in GET_URL else None
        base = expression.arguments[1:]
        is_script = self._text(expression.callee) == "URL" and base
        return (name, first) if is_script and self._text(base[0]) == "import.meta.url" else None

    def _text(self, node: Node) -> str:
        return self._evaluator.tree.source(node) if node.end - node.start < _MAX_TEXT_BYTES else ""


def _source_of(statement: Node) -> Node | None:
    """Returns the module that a statement imports from, or None.

    This includes TypeScript's `import name = require("./module")`.
    """
    for each in statement.named():
        if isinstance(each, ImportRequireClause):
            return each.source
    return statement.source if isinstance(statement, ImportStatement | ExportStatement) else None
