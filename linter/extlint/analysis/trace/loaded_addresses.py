"""Finds the loads that use addresses of the package's own files: `image.src = runtime.getURL("a.png")`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from extlint.analysis.facts.events import Origin
from extlint.analysis.facts.script_facts import GET_URL, ApiPath, CallSite, Guards, LoadedAddress
from extlint.analysis.facts.values import Kind, Literal
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.reachability.awaits import Awaits
from extlint.analysis.reachability.occasions import OccasionFinder
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    BinaryExpression,
    CallExpression,
    CallOrNewExpression,
    ConditionalExpression,
    Function,
    NewExpression,
    Pair,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import (
    attribute_with,
    call_with_argument,
    enclosing_function,
    index_of,
    innermost,
    outermost,
    pattern_of,
)
from extlint.analysis.values.elements import element_of, is_document
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, encode_name

_ASSIGNED = frozenset({"innerHTML", "outerHTML"})
_WRITTEN = frozenset({"write", "writeln"})
_STYLE_TEXTS = frozenset({"innerHTML", "innerText", "textContent"})


def holds_markup(evaluator: Evaluator, item: Node) -> bool:
    """Whether an expression is used where the document parses it as HTML."""
    whole = outermost(item)
    up = whole.parent
    if isinstance(up, AssignmentExpression) and whole.is_field("right"):
        left = innermost(up.left)
        return isinstance(left, AccessExpression) and key_of(evaluator, left) in _ASSIGNED
    call = call_with_argument(whole)
    if not isinstance(call, CallExpression):
        return False
    callee = innermost(call.callee)
    if not isinstance(callee, AccessExpression):
        return False
    name = key_of(evaluator, callee)
    arguments = call.arguments
    if name == "insertAdjacentHTML":
        return len(arguments) == 2 and arguments[1].same(whole)
    return name in _WRITTEN and is_document(evaluator, callee.object)


def is_style(evaluator: Evaluator, place: AccessExpression) -> bool:
    """Whether a member expression holds the text of a style sheet or of a style declaration."""
    if key_of(evaluator, place) in _STYLE_TEXTS:
        return element_of(evaluator, place.object) == "style"
    holder = innermost(place.object)
    return isinstance(holder, AccessExpression) and key_of(evaluator, holder) == "style"


MAX_USES = 20
"""The most uses of a variable with an address that are examined."""

_MAX_STEPS = 4

LOADING = {
    "audio": ("src",),
    "embed": ("src",),
    "iframe": ("src",),
    "img": ("src",),
    "link": ("href",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src",),
    "track": ("src",),
    "video": ("poster", "src"),
}
"""The attributes through which elements load files."""

_NOTIFICATION = ("iconUrl", "imageUrl")
_LOADING_CALLS: Mapping[ApiPath, tuple[str, ...]] = {
    ("action", "setIcon"): ("path",),
    ("action", "setPopup"): ("popup",),
    ("browserAction", "setIcon"): ("path",),
    ("browserAction", "setPopup"): ("popup",),
    ("notifications", "create"): _NOTIFICATION,
    ("notifications", "update"): _NOTIFICATION,
    ("offscreen", "createDocument"): ("url",),
    ("pageAction", "setIcon"): ("path",),
    ("pageAction", "setPopup"): ("popup",),
    ("tabs", "create"): ("url",),
    ("tabs", "update"): ("url",),
    ("windows", "create"): ("url",),
}
"""The functions of the API that load the file at the address in a property of an argument."""

_PROPERTIES = frozenset(name for names in _LOADING_CALLS.values() for name in names)
_IN_MARKUP = lazy(
    r"(?is)<(?:(?:audio|embed|iframe|img|script|source|track|video)\b[^<>]*\ssrc"
    r"|link\b[^<>]*\shref|object\b[^<>]*\sdata)\s*=\s*[\"']?\s*\Z"
)
_IN_STYLE = lazy(r"(?is)\burl\(\s*[\"']?\s*\Z")
_END = lazy(rb"[\"'`)>\s?#]")
"""The end of an address within a text."""

_ELEMENT_FACTORIES = frozenset({"createElement", "h", "jsx", "jsxDEV", "jsxs"})
"""The functions of frameworks that create an element from its name and an object with its attributes."""


def loaded_addresses(evaluator: Evaluator, calls: Iterable[CallSite]) -> tuple[LoadedAddress, ...]:
    """Returns the package files that a script certainly loads through addresses from these calls."""
    reader = AddressUses(evaluator)
    found: list[LoadedAddress] = []
    for call in calls:
        if call.path in GET_URL and not call.open and len(call.arguments) == 1:
            name = call.arguments[0]
            if isinstance(name, Literal) and name.kind is Kind.STRING and name.span is not None:
                query = partial(reader.loads_of, call.span, str(name.value), name.span)
                found += evaluator.attempt(call.span, query) or ()
    return tuple(found)


class AddressUses:
    """Follows addresses to the loads of their files."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._guards = GuardReader(evaluator)
        self._seen: set[tuple[int, str]] = set()

    def loads_of(self, place: ByteSpan, name: str, span: ByteSpan) -> list[LoadedAddress]:
        """Returns the loads of an address that is the value of an expression, each with its position."""
        item = self._evaluator.tree.item_at(place)
        if item is None:
            return []
        self._seen = set()
        return [
            LoadedAddress(
                name,
                span,
                self._guards_at(place),
                self._guards.enclosing_function(place) is not None,
                self._is_at_load(place),
            )
            for place in self._loading_nodes(item, "", _MAX_STEPS)
        ]

    def _guards_at(self, place: Node) -> Guards:
        """Returns the guards of a load, whose promise may handle its failure, too."""
        found = self._guards.public_guards_at(place)
        if isinstance(place, CallExpression):
            return replace(found, failure=max(found.failure, self._guards.handling_of_callee(place)))
        return found

    def _is_at_load(self, place: Node) -> bool:
        """Whether a node certainly runs when the script is loaded."""
        found = OccasionFinder(self._evaluator, self._guards, Awaits(self._evaluator.tree)).of(place)
        return any(each.origin is Origin.LOAD and each.certain for each in found)

    def _loading_nodes(self, item: Node, before: str, steps: int) -> Iterator[Node]:
        """Yields the nodes that load the file at the address given by an expression.

        In a longer text, such as markup, `before` is the text before the address.
        """
        whole = outermost(item)
        up = whole.parent
        if (whole.id, before) in self._seen:
            return
        self._seen.add((whole.id, before))
        match up:
            case AssignmentExpression() if whole.is_field("right"):
                if self._loads_by_property(up, before) or (
                    before and holds_markup(self._evaluator, whole) and _IN_MARKUP.search(before)
                ):
                    yield up
                elif up.left.type == "identifier":
                    yield from self._loads_by_variable(up.left, before, steps)
            case VariableDeclarator() if whole.is_field("value"):
                yield from self._loads_by_variable(up.name, before, steps)
            case ConditionalExpression() if not whole.is_field("condition"):
                yield from self._loading_nodes(up, before, steps)
            case BinaryExpression():
                yield from self._loads_by_operand(whole, up, before, steps)
            case Pair() if whole.is_field("value") and not before and up.parent is not None:
                yield from self._loads_by_attribute(up.parent, key_of(self._evaluator, up))
            case Node(type="object") if whole.type == "shorthand_property_identifier" and not before:
                yield from self._loads_by_attribute(up, self._evaluator.tree.source(whole))
            case Node(type="template_substitution"):
                template = up.parent
                if template is not None:
                    text = self._evaluator.tree.text
                    if _END.match(text, up.end):
                        start = text[template.start + 1 : up.start].decode("utf-8", "replace")
                        yield from self._loading_nodes(template, start + before, steps)
            case Node(type="jsx_expression"):
                if not before and self._is_loading_attribute(whole):
                    yield up
            case Node(type="arguments"):
                call = call_with_argument(whole)
                if call is not None and (
                    self._loads_by_call(call, whole, before)
                    or self._loads_by_parameter(call, whole, before, steps)
                ):
                    yield call

    def _loads_by_operand(self, whole: Node, up: BinaryExpression, before: str, steps: int) -> Iterator[Node]:
        """Yields the loads of an address that is an operand: part of a text, or one of two values."""
        if up.operator == "+" and whole.is_field("right"):
            left = self._text_before(up.left)
            if left:
                yield from self._loading_nodes(up, left + before, steps)
        elif up.operator == "+":
            right = self._evaluator.text(up.right)
            if right is not None and _END.match(encode_name(right)):
                yield from self._loading_nodes(up, before, steps)
        elif up.is_logical:
            yield from self._loading_nodes(up, before, steps)

    def _text_before(self, left: Node) -> str:
        """Returns the known end of the text before an address in a concatenation."""
        left = innermost(left)
        if isinstance(left, BinaryExpression) and left.operator == "+":
            last = self._text_before(left.right)
            return self._text_before(left.left) + last if last else ""
        return self._evaluator.text(left) or ""

    def _loads_by_variable(self, name: Node, before: str, steps: int) -> Iterator[Node]:
        """Yields the nodes that load the value of a variable that is written once."""
        binding = self._evaluator.names.variable(name) if steps and name.type == "identifier" else None
        if binding is None or len(binding.writes) != 1 or len(binding.uses) > MAX_USES:
            return
        for use in binding.uses:
            if use.role is Role.REFERENCE:
                yield from self._loading_nodes(use.item, before, steps - 1)

    def _loads_by_parameter(self, call: CallOrNewExpression, argument: Node, before: str, steps: int) -> bool:
        """Whether a function of the script certainly loads the file of an argument when it is called."""
        function = self._evaluator.definition_of(call.callee) if steps else None
        index = index_of(call.arguments, argument)
        if not isinstance(function, Function) or index is None or index >= len(function.parameters):
            return False
        parameter = pattern_of(function.parameters[index])
        return any(
            self._certainly_runs(each, function) and not self._guards_at(each).failure
            for each in self._loads_by_variable(parameter, before, steps)
        )

    def _certainly_runs(self, place: Node, function: Node) -> bool:
        """Whether a place certainly runs when a function is called, perhaps in the executor of a promise."""
        around = enclosing_function(place)
        if around is None or not self._guards.certainly_in_function(place):
            return False
        if around.same(function):
            return True
        call = call_with_argument(outermost(around))
        is_executor = isinstance(call, NewExpression) and self._evaluator.names.is_global(
            call.callee, {"Promise"}
        )
        return is_executor and call is not None and self._certainly_runs(call, function)

    def _loads_by_property(self, assignment: AssignmentExpression, before: str) -> bool:
        """Whether an assignment to a property of an element loads the assigned address."""
        left = innermost(assignment.left)
        if not isinstance(left, AccessExpression):
            return False
        name = key_of(self._evaluator, left)
        if before:
            return _IN_STYLE.search(before) is not None and is_style(self._evaluator, left)
        element = element_of(self._evaluator, left.object)
        return name in ("src",) if element == "*" else name in LOADING.get(element or "", ())

    def _loads_by_call(self, call: CallOrNewExpression, argument: Node, before: str) -> bool:
        """Whether a call loads the file of an argument."""
        evaluator = self._evaluator
        callee = innermost(call.callee)
        arguments = call.arguments
        is_first = bool(arguments) and arguments[0].same(argument)
        if before:
            return _IN_MARKUP.search(before) is not None and holds_markup(evaluator, argument)
        if isinstance(call, NewExpression):
            return False
        name = evaluator.tree.source(callee) if callee.end - callee.start < 40 else ""
        if name == "import":
            return is_first
        if name in ("fetch", "window.fetch", "self.fetch", "globalThis.fetch"):
            return is_first and evaluator.names.resolve("fetch", callee) is None
        if not isinstance(callee, AccessExpression) or len(arguments) < 2 or is_first:
            return False
        method = key_of(evaluator, callee)
        if method == "open":
            return arguments[1].same(argument) and evaluator.text(arguments[0]) in ("GET", "get")
        if method != "setAttribute" or len(arguments) > 2:
            return False
        element = element_of(evaluator, callee.object)
        attribute = evaluator.text(arguments[0])
        return attribute == "src" if element == "*" else attribute in LOADING.get(element or "", ())

    def _loads_by_attribute(self, object_literal: Node, name: str | None) -> Iterator[Node]:
        """Yields the call that loads a property of its argument.

        It opens a page or shows an image, or a framework creates an element with an attribute, or
        `Object.assign` sets it.
        """
        call = call_with_argument(object_literal)
        if not isinstance(call, CallExpression):
            return
        function = self._evaluator.api(call.callee) if name in _PROPERTIES else None
        if function is not None and name in _LOADING_CALLS.get(function.path, ()):
            yield call
        if len(call.arguments) < 2:
            return
        first = call.arguments[0]
        callee = innermost(call.callee)
        if isinstance(callee, AccessExpression) and self._evaluator.tree.source(callee) == "Object.assign":
            element = element_of(self._evaluator, first)
        else:
            word = callee if callee.type == "identifier" else None
            called = self._evaluator.tree.source(word) if word is not None else None
            if isinstance(callee, AccessExpression):
                called = key_of(self._evaluator, callee)
            element = self._evaluator.text(first) if called in _ELEMENT_FACTORIES else None
        if call.arguments[1].same(object_literal) and name in LOADING.get(element or "", ()):
            yield call

    def _is_loading_attribute(self, expression: Node) -> bool:
        """Whether an expression in JSX is an address that its element loads."""
        attribute, source = attribute_with(expression), self._evaluator.tree.source
        return attribute is not None and source(attribute[1]) in LOADING.get(source(attribute[0]), ())
