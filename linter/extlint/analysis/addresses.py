"""Evaluates an expression as an address, as far as it is known, and finds the addresses in texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from extlint.analysis.expressions.imports import module_of
from extlint.analysis.facts.script_facts import GET_URL
from extlint.analysis.facts.values import (
    ApiResult,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Value,
    options_of,
)
from extlint.analysis.scope.model import Identifier
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AugmentedAssignment,
    BinaryExpression,
    CallExpression,
    CallOrNewExpression,
    ConditionalExpression,
    Pair,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import (
    call_with_argument,
    enclosing_function,
    innermost,
    outermost,
    parameter_items,
    pattern_of,
)
from extlint.analysis.values.elements import element_of
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import calls_of
from extlint.analysis.values.property_index import assignment_to, key_of, property_writes
from extlint.package.suffixes import CHROME_IMAGES, FONTS, MEDIA, has_suffix
from extlint.text.patterns import lazy

MORE = "\0"
"""Follows the known beginning of an address. With nothing before it, it stands for any address."""

Addresses: TypeAlias = frozenset[str]
"""Whole addresses, and beginnings of others, which `MORE` follows."""

ANY: Addresses = frozenset({MORE})
NONE: Addresses = frozenset()

_FIELDS = ("baseURL", "url", "uri")
"""The properties of options of a request that may be the address, or its beginning."""

_OF_TEXT = frozenset({"concat", "href", "replace", "replaceAll", "toString", "trim"})
"""The members of an address that begin with the same host."""

_REPLACING = frozenset({"replace", "replaceAll"})
_CONVERSIONS = frozenset({"String", "encodeURI"})
_OWN_PARTS = frozenset({"href", "origin", "pathname", "search"})
_LOCATIONS = frozenset({"document.location", "location", "self.location", "window.location"})
_HOSTS = ("host", "hostname")
_MAX_STEPS = 6
_MAX_CALLS = 20
_FILES = (*CHROME_IMAGES, *FONTS, *MEDIA)


def addresses_of(evaluator: Evaluator, item: Node, steps: int = _MAX_STEPS) -> Addresses:
    """Returns the addresses that an expression may be, without that of the script's own page."""
    found = evaluator.possible.value(item)
    return frozenset().union(*(_of_option(evaluator, item, each, steps) for each in options_of(found)))


def begun(addresses: Iterable[str]) -> Addresses:
    """Returns the addresses that may begin with some others."""
    return frozenset(each.rstrip(MORE) + MORE for each in addresses)


def _of_option(evaluator: Evaluator, item: Node, value: Value, steps: int) -> Addresses:
    match value:
        case Literal(kind=Kind.STRING):
            return frozenset({str(value.value)})
        case Literal():
            return NONE
        case Typed(kind=Kind.STRING) if value.prefix:
            return frozenset({value.prefix + MORE})
        case ApiResult(path=path, steps=()) if path in GET_URL:
            return NONE
        case InstanceValue(span=span) if steps and span is not None:
            created = evaluator.tree.item_at(span)
            return ANY if created is None else _of_instance(evaluator, created, steps - 1)
        case ObjectValue(fields=fields):
            field = next((fields[each] for each in _FIELDS if each in fields), None)
            if field is None or field.maybe_absent:
                return ANY
            return frozenset().union(
                *(_of_option(evaluator, item, each, 0) for each in options_of(field.value))
            )
    return _of_node(evaluator, innermost(item), steps - 1) if steps else ANY


def _of_instance(evaluator: Evaluator, created: Node, steps: int) -> Addresses:
    """Returns the addresses of `new URL(name, base)` and `new Request(address)`."""
    if not isinstance(created, CallOrNewExpression):
        return ANY
    if evaluator.tree.source(created.callee) not in ("Request", "URL") or not created.arguments:
        return ANY
    if any(assignment_to(each) is not None for name in _HOSTS for each in property_writes(evaluator, name)):
        return ANY
    first, *rest = created.arguments
    found = addresses_of(evaluator, first, steps)
    if not rest or evaluator.tree.source(created.callee) == "Request":
        return found
    return found | begun(addresses_of(evaluator, rest[0], steps))


def _of_node(evaluator: Evaluator, item: Node, steps: int) -> Addresses:
    """Returns the addresses of an expression whose value is not known, by its parts."""
    match item:
        case BinaryExpression() if item.operator == "+":
            return begun(addresses_of(evaluator, item.left, steps))
        case CallExpression():
            callee = innermost(item.callee)
            source = evaluator.tree.source(callee)
            if source in _CONVERSIONS and item.first_argument is not None:
                return addresses_of(evaluator, item.first_argument, steps)
            if source.endswith("URL.createObjectURL"):
                return NONE
            key = key_of(evaluator, callee) if isinstance(callee, AccessExpression) else None
            if isinstance(callee, AccessExpression) and key in _OF_TEXT:
                found = begun(addresses_of(evaluator, callee.object, steps))
                return found if found or key not in _REPLACING else ANY
        case AccessExpression():
            key = key_of(evaluator, item)
            if key in _OWN_PARTS and evaluator.tree.source(item.object) in _LOCATIONS:
                return NONE
            if key in _OF_TEXT:
                return addresses_of(evaluator, item.object, steps)
        case Node(type="template_string"):
            first = next(iter(item.named()), None)
            inner = first.first() if first is not None and first.type == "template_substitution" else None
            if first is not None and inner is not None and first.start == item.start + 1:
                return begun(addresses_of(evaluator, inner, steps))
        case Node(type="identifier"):
            return _of_variable(evaluator, item, steps)
    return ANY


def _of_variable(evaluator: Evaluator, name: Node, steps: int) -> Addresses:
    """Returns the addresses of a variable, to which code may add more: `url += "?page=1"`."""
    binding = evaluator.names.variable(name)
    if binding is None:
        return ANY
    found, is_extended = NONE, False
    for each in binding.writes:
        assignment = assignment_to(each.item)
        if isinstance(assignment, AugmentedAssignment) and assignment.operator == "+=":
            is_extended = True
        elif isinstance(assignment, AssignmentExpression):
            found |= addresses_of(evaluator, assignment.right, steps)
        elif isinstance(each.source, VariableDeclarator) and each.item.is_field("name"):
            value = each.source.value
            found |= NONE if value is None else addresses_of(evaluator, value, steps)
        elif each.kind == "parameter":
            found |= _of_parameter(evaluator, each.item, steps)
        elif not _is_file(evaluator, each):
            return ANY
    return begun(found) if is_extended else found


def _of_parameter(evaluator: Evaluator, name: Node, steps: int) -> Addresses:
    """Returns the addresses that the calls of a function pass to a parameter, if all calls are known."""
    function = enclosing_function(name)
    listed = [] if function is None else [pattern_of(each) for each in parameter_items(function)]
    index = next((at for at, each in enumerate(listed) if each.same(name)), None)
    calls, complete = ([], False) if function is None else calls_of(evaluator, function)
    if index is None or not complete or len(calls) > _MAX_CALLS:
        return ANY
    passed = [each.arguments for each in calls]
    if any(each.type == "spread_element" for arguments in passed for each in arguments):
        return ANY
    return NONE.union(*(addresses_of(evaluator, each[index], steps) for each in passed if index < len(each)))


def _is_file(evaluator: Evaluator, declared: Identifier) -> bool:
    """Whether an import gives the address of a file that a bundler copies: `import logo from "./a.png"`."""
    if declared.kind != "import" or declared.source is None or declared.source.type != "import_clause":
        return False
    module = module_of(evaluator, declared.source)
    return module is not None and has_suffix(module.partition("?")[0], _FILES)


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

_WITHOUT_ACCESS = {"href": ("a", "area", "link"), "src": ("img",), "srcset": ("img", "source")}
"""Attributes that load pictures and style sheets, or that only a user opens, with their elements."""

_BYTES_BEFORE = 500
"""Bytes of a text before an address in which a tag with this address begins."""

_SHOWN = lazy(rb"(?i)<(?:a|area|img|link)\b[^<>]*\s(?:href|src|srcset)\s*=\s*\\?[\"']?\Z")
_NAMESPACES = lazy(rb"https?://www\.w3\.org/(?:1998|1999|2000)/")
_ADDRESS = lazy(rb"(?:https?|wss?)://[^\s\"'`<>()\\|,;$]*")
_REST_OF_SCHEME = lazy(rb"[a-z]*:?/{0,2}\Z")
_STYLE_VALUE = lazy(rb"url\(\s*\\?[\"']?([^\s\"'`)$\\]*)")
_VALUE = lazy(rb"\s*=\s*\\?[\"']?([^\s\"'>\\]*)")
_TAG = lazy(rb"<([\w-]+)[^<]*\Z")


def needs_no_access(evaluator: Evaluator, word: str, holder: Node) -> bool:
    """Whether an assignment of a property only opens an address, lets a user do so, or shows a picture."""
    if word == "href" and evaluator.tree.source(holder).rpartition(".")[2] == "location":
        return True
    return element_of(evaluator, holder) in _WITHOUT_ACCESS.get(word, ())


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
    """Returns the addresses of an attribute in a text with markup, but not of one in a selector."""
    source = evaluator.tree.text
    found = _VALUE.match(source, end, leaf.end)
    if found is None or source[end - len(word) - 1 : end - len(word)] == b"[":
        return NONE
    tag = _TAG.search(source[text.start : end])
    if tag is not None and tag[1].lower().decode("ascii", "replace") in _WITHOUT_ACCESS.get(word, ()):
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
    start = max(text.start, at - _BYTES_BEFORE)
    if _NAMESPACES.match(source, at, leaf.end) or _SHOWN.search(source, start, at):
        return NONE
    if _is_harmless(evaluator, text):
        return NONE
    found = _ADDRESS.match(source, at, leaf.end)
    if found is None:
        return ANY if _REST_OF_SCHEME.match(source, at, leaf.end) else NONE
    address = found[0].decode("utf-8", "replace")
    is_whole = found.end() < leaf.end or (
        text.end == leaf.end + 1 and not isinstance(outermost(text).parent, BinaryExpression)
    )
    return frozenset({address if is_whole else address + MORE})


def _is_harmless(evaluator: Evaluator, text: Node, steps: int = _MAX_STEPS) -> bool:
    """Whether a text is only compared, printed, or part of an address that code or a user opens."""
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
        return isinstance(place, AccessExpression) and needs_no_access(
            evaluator, str(key_of(evaluator, place)), place.object
        )
    users = _users_of(evaluator, whole) if steps else None
    if users is not None:
        return all(_is_harmless(evaluator, each, steps - 1) for each in users)
    if isinstance(up, Pair) and up.parent is not None:
        whole = outermost(up.parent)
    call = call_with_argument(whole)
    if call is None:
        up = whole.parent
        return is_shown_in_jsx(evaluator, up.parent if up is not None and up.type == "jsx_expression" else up)
    callee = call.callee
    api = evaluator.api(callee)
    if api is not None:
        return api.path in _OPENING
    if isinstance(callee, AccessExpression) and key_of(evaluator, callee) in _TESTS:
        return True
    return evaluator.tree.source(callee) in ("open", "self.open", "window.open")


def _users_of(evaluator: Evaluator, value: Node) -> Sequence[Node] | None:
    """Returns the expressions that get a value that a function returns or a variable has, or None.

    The variable is one of a function, so that no other script sees it.
    """
    up = value.parent
    function = enclosing_function(value)
    if function is None or up is None:
        return None
    if isinstance(up, VariableDeclarator) and up.name.type == "identifier":
        binding = evaluator.names.variable(up.name)
        return None if binding is None else [each.item for each in binding.uses]
    if up.type == "return_statement" or function.body.same(value):
        calls, are_all = calls_of(evaluator, function)
        return calls if are_all else None
    return None


def is_shown_in_jsx(evaluator: Evaluator, attribute: Node | None) -> bool:
    """Whether an attribute of JSX is the address of a picture, or of a link, which only a user opens."""
    if attribute is None or attribute.type != "jsx_attribute" or attribute.parent is None:
        return False
    name, tag = attribute.first(), attribute.parent.field("name")
    if name is None or tag is None:
        return False
    return evaluator.tree.source(tag) in _WITHOUT_ACCESS.get(evaluator.tree.source(name), ())
