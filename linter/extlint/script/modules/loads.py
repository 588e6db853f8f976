"""Other scripts and pages that a script loads by itself: imports, workers, elements, navigation."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.script.facts.script_facts import Load, LoadKind
from extlint.script.facts.values import Kind, Literal
from extlint.script.guards.guard_reader import GuardReader
from extlint.script.syntax.node import Node, node_of
from extlint.script.syntax.shapes import arguments_of, first_argument
from extlint.script.syntax.tree import SyntaxTree
from extlint.script.values.evaluator import Evaluator
from extlint.text.patterns import lazy

_WORD = lazy(
    rb"\b(?:import(?:Scripts)?|from|require|(?:Shared)?Worker|(?:addModule|register|getURL)(?=\s*\())\b"
)
_PAGE_NAME = lazy(rb"\.x?html?(?=[?#\"'`])")
_WORKERS = frozenset({"SharedWorker", "Worker"})
_GET_URL = frozenset({("extension", "getURL"), ("runtime", "getURL")})
_MAX_TEXT_BYTES = 200
MAX_WORDS = 20_000
"""Places that are looked at in one script; what comes after them is passed over."""


def top_level(tree: SyntaxTree, kind: str) -> Iterator[Node]:
    """The statements of one kind at the top of a script, in source order."""
    cursor = tree.root.node.walk()
    if not cursor.goto_first_child():
        return
    tree.spend(tree.root.node.child_count)
    while True:
        node = cursor.node
        if node is not None and node.type == kind:
            yield node_of(node, tree.root)
        if not cursor.goto_next_sibling():
            return


def loads_of(tree: SyntaxTree, evaluator: Evaluator) -> Iterator[Load]:
    """What a script loads by a name that is known, in source order."""
    reader = _Reader(evaluator)
    for count, found in enumerate(_WORD.finditer(tree.text)):
        if count >= MAX_WORDS:
            return
        leaf = tree.leaf_at(found.start())
        if leaf.parent is not None and leaf.parent.type == "import":
            leaf = leaf.parent
        if leaf.start == found.start() and leaf.end == found.end() and leaf.parent is not None:
            yield from reader.at(leaf, leaf.parent)
    for count, found in enumerate(_PAGE_NAME.finditer(tree.text) if b"htm" in tree.text else ()):
        if count >= MAX_WORDS:
            return
        yield from reader.page(tree.leaf_at(found.start()))


class _Reader:
    """Reads what is loaded at single places."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._guards = GuardReader(evaluator)

    def at(self, leaf: Node, up: Node) -> Iterator[Load]:
        """What a word of the script loads."""
        text = self._text(leaf)
        match leaf.type, up.type:
            case ("import", "import_statement") | ("from", "export_statement"):
                if up.has("type"):
                    return
                clause = next((each for each in up.named() if each.type == "import_require_clause"), up)
                source = clause.field("source")
                if source is not None:
                    yield from self._named(source, LoadKind.IMPORT)
            case ("import", "call_expression"):
                yield from self._first_argument(up, LoadKind.DYNAMIC_IMPORT)
            case ("identifier", "call_expression") if leaf.is_field("function"):
                if text == "importScripts" and self._is_global(leaf):
                    yield from self._arguments(up, LoadKind.IMPORT_SCRIPTS)
                elif text == "require" and self._is_global(leaf):
                    yield from self._first_argument(up, LoadKind.REQUIRE)
            case ("identifier", "new_expression") if leaf.is_field("constructor"):
                if text in _WORKERS and self._is_global(leaf):
                    yield from self._first_argument(up, LoadKind.WORKER)
            case ("property_identifier", "member_expression"):
                yield from self._of_member(text, up)

    def _of_member(self, name: str, member: Node) -> Iterator[Load]:
        """What a script loads by a method of this name."""
        of = member.field("object")
        call = member.parent
        if of is None or call is None:
            return
        if call.type != "call_expression" or not member.is_field("function"):
            return
        match name:
            case "addModule":
                yield from self._first_argument(call, LoadKind.WORKLET)
            case "register" if self._text(of).endswith("serviceWorker"):
                yield from self._first_argument(call, LoadKind.SERVICE_WORKER)
            case "getURL" if self._is_source(call):
                yield from self._named(call, LoadKind.SCRIPT_ELEMENT)

    def page(self, text: Node) -> Iterator[Load]:
        """The page that a text begins with the name of, whatever becomes of that text."""
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
            if up.has("+") and not whole.is_field("left"):
                return
            whole, up = up, up.parent
        call = up.parent if up is not None and up.type == "arguments" else None
        callee = None if call is None else call.field("function")
        found = None if callee is None else self._evaluator.api(callee)
        if found is not None and found.path in _GET_URL:
            yield Load("/" + name.lstrip("/"), LoadKind.ADDRESS, written.span, False)
        elif name:
            yield Load(name, LoadKind.PAGE, written.span, False)

    def _is_source(self, call: Node) -> bool:
        """Whether a value becomes the `src` of an element."""
        up = call.parent
        if up is None:
            return False
        if up.type == "assignment_expression" and call.is_field("right"):
            left = up.field("left")
            key = left.field("property") if left is not None and left.type == "member_expression" else None
            return key is not None and self._text(key) == "src"
        setter = up.parent if up.type == "arguments" else None
        target = None if setter is None else setter.field("function")
        if target is None or not self._text(target).endswith(".setAttribute"):
            return False
        first = up.first()
        return first is not None and self._string(first) == "src"

    def _is_global(self, leaf: Node) -> bool:
        return self._evaluator.names.resolve(self._text(leaf), leaf) is None

    def _arguments(self, call: Node, kind: LoadKind) -> Iterator[Load]:
        for each in arguments_of(call):
            yield from self._named(each, kind)

    def _first_argument(self, call: Node, kind: LoadKind) -> Iterator[Load]:
        first = first_argument(call)
        if first is not None:
            yield from self._named(first, kind)

    def _named(self, item: Node, kind: LoadKind) -> Iterator[Load]:
        on_load = kind is LoadKind.IMPORT or (
            kind in {LoadKind.IMPORT_SCRIPTS, LoadKind.WORKER} and self._guards.certainly_on_load(item)
        )
        name = self._string(item)
        if name is not None:
            yield Load(name, kind, item.span, on_load)
        elif (address := self._address(item)) is not None:
            yield Load(address[0], kind, address[1].span, on_load)

    def _string(self, item: Node) -> str | None:
        value = self._evaluator.value(item)
        if isinstance(value, Literal) and value.kind is Kind.STRING and isinstance(value.value, str):
            return value.value
        return None

    def _address(self, item: Node) -> tuple[str, Node] | None:
        """The name in `runtime.getURL(name)` or in `new URL(name, import.meta.url)`, and where it stands."""
        callee = item.field("function") if item.type == "call_expression" else item.field("constructor")
        first = first_argument(item)
        name = None if first is None else self._string(first)
        if callee is None or first is None or name is None:
            return None
        if item.type == "call_expression":
            found = self._evaluator.api(callee)
            return ("/" + name.lstrip("/"), first) if found is not None and found.path in _GET_URL else None
        base = arguments_of(item)[1:]
        is_script = item.type == "new_expression" and self._text(callee) == "URL" and base
        return (name, first) if is_script and self._text(base[0]) == "import.meta.url" else None

    def _text(self, item: Node) -> str:
        return self._evaluator.tree.source(item) if item.end - item.start < _MAX_TEXT_BYTES else ""
