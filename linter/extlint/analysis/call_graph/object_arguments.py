"""Determines how a call uses an object that it receives as an argument."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from msgspec import Struct

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.call_graph.object_owners import has_getters
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    CallExpression,
    Function,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import (
    innermost,
)
from extlint.analysis.values.api_results import accepts_data
from extlint.analysis.values.evaluator import Evaluator
from extlint.text.patterns import lazy

ES_MODULE = "__esModule"

_DEFINE_FUNCTIONS = frozenset({"Object.defineProperties", "Object.defineProperty"})
_RETURNING_ARGUMENT = _DEFINE_FUNCTIONS | {"Object.freeze", "Object.preventExtensions", "Object.seal"}
_KEY_READERS = frozenset({"Object.getOwnPropertyNames", "Object.isFrozen", "Object.keys"})
_OWN_KEYS = lazy(r"\bhasOwnProperty\s*\.\s*call\Z")


class ArgumentUse(Enum):
    """How a call uses an object that it receives as an argument."""

    UNKNOWN = auto()
    NOT_READ = auto()
    """The call accesses no member by name."""
    DEFAULT_READ = auto()
    """The call reads its default export, if it is an ES module."""
    RETURNED = auto()
    """The call returns it."""
    PARAMETER = auto()
    """It becomes a parameter of a function of the script."""


class PassedObject(Struct, frozen=True):
    """The use of a passed object, and the members that the call adds: getters, and members that it writes."""

    use: ArgumentUse
    function: Function | None = None
    getters: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()


def passed_object(
    evaluator: Evaluator, owners: Sequence[Node], call: CallExpression, index: int
) -> PassedObject:
    """Returns how a call uses its argument at an index, which is an object with the members of `owners`."""
    bundle = bundle_of(evaluator)
    callee = _called_expression(call)
    function = evaluator.definition_of(callee)
    added = bundle.added_properties(call) if index == 0 else None
    getters, written = frozenset[str](), frozenset[str]()
    if added is not None:
        getters = frozenset(added.getters)
        written = frozenset({*added.written, *([ES_MODULE] if added.is_es_module else [])})

    def passed(use: ArgumentUse, function: Function | None = None) -> PassedObject:
        return PassedObject(use, function, getters, written)

    if (added is not None and added.copied) or any(
        each.type == "spread_element" for each in call.arguments[:index]
    ):
        return passed(ArgumentUse.UNKNOWN)
    if index == 0 and bundle.reads_default(call):
        return passed(ArgumentUse.DEFAULT_READ)
    if isinstance(function, Function):
        return passed(ArgumentUse.PARAMETER, function)
    api = evaluator.api(callee)
    if api is not None and accepts_data(api.path):
        return passed(ArgumentUse.UNKNOWN if any(map(has_getters, owners)) else ArgumentUse.NOT_READ)
    if index > 0:
        return passed(ArgumentUse.UNKNOWN)
    source = evaluator.tree.source(_constant_member(evaluator, callee))
    if added is not None or source in _RETURNING_ARGUMENT:
        return passed(ArgumentUse.RETURNED)
    is_naming = source in _KEY_READERS or _OWN_KEYS.search(source) is not None
    return passed(ArgumentUse.NOT_READ if is_naming else ArgumentUse.UNKNOWN)


def _called_expression(call: CallExpression) -> Node:
    """Returns the called expression, such as `f` for `(0, f)()`, which calls it without `this`."""
    callee = innermost(call.callee)
    return innermost(callee.named()[-1]) if callee.type == "sequence_expression" else callee


def _constant_member(evaluator: Evaluator, callee: Node) -> Node:
    """Returns the member that initializes a constant, or the callee itself.

    An example is `const define = Object.defineProperty`.
    """
    binding = evaluator.names.variable(callee) if callee.type == "identifier" else None
    source = None if binding is None or len(binding.writes) != 1 else binding.writes[0].source
    if not isinstance(source, VariableDeclarator) or source.name.type != "identifier":
        return callee
    return source.value if isinstance(source.value, AccessExpression) else callee
