"""Evaluates an expression as an address: the addresses that it may be, or how they begin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

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
from extlint.analysis.field_texts import value_with_fields
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AugmentedAssignment,
    BinaryExpression,
    CallExpression,
    CallOrNewExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import assignment_to, key_of, property_writes

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


def addresses_of(evaluator: Evaluator, item: Node, steps: int = _MAX_STEPS) -> Addresses:
    """Returns the addresses that an expression may be, without that of the script's own page."""
    found = value_with_fields(evaluator, item)
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
        else:
            return ANY
    return begun(found) if is_extended else found
