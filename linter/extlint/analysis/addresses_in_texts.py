"""Finds the addresses in texts: at a scheme, in attributes of markup, and in `url(…)` of styles."""

from __future__ import annotations

from extlint.analysis.addresses import ANY, MORE, NONE, Addresses, addresses_of
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AugmentedAssignment,
    BinaryExpression,
    ConditionalExpression,
    Pair,
)
from extlint.analysis.syntax.shapes import call_with_argument, outermost
from extlint.analysis.values.elements import element_of
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of
from extlint.text.patterns import lazy

_TESTS = frozenset(
    """
    endsWith error includes indexOf lastIndexOf log match matchAll split startsWith test warn
    """.split()
)
"""Methods that only look for a text, or print it."""

_COMPARISONS = frozenset({"==", "===", "!=", "!=="})
_OPENING = frozenset(
    {("tabs", "create"), ("tabs", "update"), ("windows", "create"), ("runtime", "setUninstallURL")}
)
"""The functions of the API that open an address, which requires no access to its host."""

_NAMESPACES = lazy(rb"https?://www\.w3\.org/(?:1998|1999|2000)/")
_ADDRESS = lazy(rb"(?:https?|wss?)://[^\s\"'`<>()\\|,;$]*")
_REST_OF_SCHEME = lazy(rb"[a-z]*:?/{0,2}\Z")
_STYLE_VALUE = lazy(rb"url\(\s*\\?[\"']?([^\s\"'`)$\\]*)")
_VALUE = lazy(rb"\s*=\s*\\?[\"']?([^\s\"'>\\]*)")
_TAG = lazy(rb"<([\w-]+)[^<]*\Z")


def only_links(evaluator: Evaluator, word: str, holder: Node) -> bool:
    """Whether an assignment of a property opens an address, or lets a user open it."""
    if word != "href":
        return False
    is_location = evaluator.tree.source(holder).rpartition(".")[2] == "location"
    return is_location or element_of(evaluator, holder) in ("a", "area")


def addresses_in_style(evaluator: Evaluator, text: Node) -> Addresses:
    """Returns the addresses in `url(…)` of a text or template."""
    source, found = evaluator.tree.text, NONE
    for each in _STYLE_VALUE.finditer(source, text.start, text.end):
        start, end = each[1].decode("utf-8", "replace"), each.end()
        if not source.startswith(b"${", end):
            found |= ANY if end == text.end - 1 else frozenset({start})
        elif start:
            found |= frozenset({start + MORE})
        else:
            inner = evaluator.tree.leaf_at(end).parent
            value = None if inner is None else inner.first()
            found |= ANY if value is None else addresses_of(evaluator, value)
    return found


def addresses_in_markup(evaluator: Evaluator, word: str, leaf: Node, text: Node, end: int) -> Addresses:
    """Returns the addresses of an attribute in a text with markup."""
    source = evaluator.tree.text
    found = _VALUE.match(source, end, leaf.end)
    if found is None:
        return NONE
    tag = _TAG.search(source[text.start : end])
    if word == "href" and tag is not None and tag[1].lower() in (b"a", b"area"):
        return NONE
    if found.end() < leaf.end:
        return frozenset({found[1].decode("utf-8", "replace")})
    if found[1]:
        return frozenset({found[1].decode("utf-8", "replace") + MORE})
    following = next((each for each in text.named() if each.start == leaf.end), None)
    inner = following.first() if following is not None else None
    if inner is not None:
        return addresses_of(evaluator, inner)
    whole = outermost(text)
    if isinstance(whole.parent, BinaryExpression) and whole.is_field("right"):
        whole = outermost(whole.parent)
    up = whole.parent
    is_added = isinstance(up, BinaryExpression) and up.operator == "+" and whole.is_field("left")
    return addresses_of(evaluator, up.right) if is_added and isinstance(up, BinaryExpression) else ANY


def address_in_text(evaluator: Evaluator, leaf: Node, text: Node, at: int) -> Addresses:
    """Returns the address at a scheme in a text, unless code only compares or opens it."""
    source = evaluator.tree.text
    if _NAMESPACES.match(source, at, leaf.end) or _is_harmless(evaluator, text):
        return NONE
    found = _ADDRESS.match(source, at, leaf.end)
    if found is None:
        return ANY if _REST_OF_SCHEME.match(source, at, leaf.end) else NONE
    address = found[0].decode("utf-8", "replace")
    is_whole = found.end() < leaf.end or (
        text.end == leaf.end + 1 and not isinstance(outermost(text).parent, BinaryExpression)
    )
    return frozenset({address if is_whole else address + MORE})


def _is_harmless(evaluator: Evaluator, text: Node) -> bool:
    """Whether a text is only compared, printed, or part of an address that is opened."""
    whole = outermost(text)
    up = whole.parent
    if isinstance(up, BinaryExpression) and up.operator in _COMPARISONS:
        return True
    while isinstance(up, BinaryExpression | ConditionalExpression) or (
        up is not None and up.type in ("template_substitution", "template_string")
    ):
        whole = outermost(up)
        up = whole.parent
    if isinstance(up, AssignmentExpression | AugmentedAssignment):
        place = up.left
        return isinstance(place, AccessExpression) and only_links(
            evaluator, str(key_of(evaluator, place)), place.object
        )
    if isinstance(up, Pair) and up.parent is not None:
        whole = outermost(up.parent)
    call = call_with_argument(whole)
    if call is None:
        return False
    callee = call.callee
    api = evaluator.api(callee)
    if api is not None:
        return api.path in _OPENING
    if isinstance(callee, AccessExpression) and key_of(evaluator, callee) in _TESTS:
        return True
    return evaluator.tree.source(callee) in ("open", "self.open", "window.open")
