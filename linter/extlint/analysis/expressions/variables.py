"""Evaluates variables from the declarations and writes that may reach a reference."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.expressions.destructuring import part_of, requested_part_of_pattern
from extlint.analysis.expressions.mutation import shared_with_scripts, stable_part, value_after_mutations
from extlint.analysis.expressions.objects import literal_parts
from extlint.analysis.expressions.parameters import parameter_value
from extlint.analysis.expressions.replaced_globals import is_replaced_by_alias, is_replaced_by_call
from extlint.analysis.facts.other_scripts import GLOBAL_OBJECT, merge_values
from extlint.analysis.facts.values import (
    NOTHING,
    UNKNOWN,
    Api,
    ApiResult,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Value,
    options_of,
)
from extlint.analysis.scope.model import Binding, Identifier
from extlint.analysis.scope.reaching_definitions import MAX_WRITES, may_keep_old_value, reaching_writes
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AugmentedAssignment,
    Class,
    EnumDeclaration,
    ForInStatement,
    Function,
    UpdateExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.prefilter import ROOTS
from extlint.analysis.syntax.shapes import call_of
from extlint.analysis.values.api_results import item_of, items_of
from extlint.analysis.values.evaluator import GLOBAL, Evaluator, View
from extlint.analysis.values.fallback_objects import is_empty_fallback
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.options import api_of, carries_api, join, without_options
from extlint.analysis.values.property_index import property_writes, written_value
from extlint.analysis.values.recorded import is_shared_variable
from extlint.text.patterns import lazy

_GLOBAL_NAMES = frozenset({"globalThis", "self", "window"})

_TYPE_TESTS = (
    lazy(rb"typeof(?<!\wtypeof)\s*\(?\s*([\w$]+)"),
    lazy(rb"is[A-Z](?<!\w...)\w{0,40}\s*\(\s*([\w$]+)"),
)
_INSTANCEOF = lazy(rb"instanceof(?<=\sinstanceof)\b")
_LAST_NAME = lazy(rb"[\w$]+\s*\Z")
_NAME_BYTES = 60


def name_value(view: View, identifier: Node, requested: str | None = None) -> Value:
    """Returns the value of a variable where it is read; an object may have only the `requested` property."""
    evaluator = view.evaluator
    name = evaluator.tree.source(identifier)
    if evaluator.tree.is_in_with_statement(identifier):
        return UNKNOWN
    binding = evaluator.names.resolve(name, identifier)
    if binding is None:
        return _free_value(evaluator, name, identifier)
    value = _binding_value(view, binding, identifier, requested)
    if value != UNKNOWN and (_may_have_no_such_member(value) or name.encode() in _type_tested(evaluator)):
        from extlint.analysis.values.excluded_options import of_required_type

        value = of_required_type(evaluator, value, identifier, binding)
    if not _may_be_excluded(binding, value):
        return value
    from extlint.analysis.values.excluded_options import without_excluded

    return without_excluded(evaluator, value, identifier, binding.scope)


def _may_have_no_such_member(value: Value) -> bool:
    """Whether tests of members may exclude some of the values of a variable: a promise, or one of several."""
    options = options_of(value)
    return len(options) > 1 or any(
        isinstance(each, InstanceValue) and each.class_name == "Promise" for each in options
    )


@once_per_script
def _type_tested(evaluator: Evaluator) -> frozenset[bytes]:
    """The names of variables whose types a script may test."""
    text = evaluator.tree.text
    left_sides = (
        _LAST_NAME.search(text, max(0, each.start() - _NAME_BYTES), each.start())
        for each in _INSTANCEOF.finditer(text)
    )
    names = (each[0].strip() for each in left_sides if each is not None)
    return frozenset((*chain.from_iterable(each.findall(text) for each in _TYPE_TESTS), *names))


def _may_be_excluded(binding: Binding, value: Value) -> bool:
    """Whether tests may exclude some of the texts or numbers that a variable may be: it is not reassigned."""
    options = options_of(value)
    return (
        len(binding.writes) == 1
        and (len(options) > 1 or binding.writes[0].kind == "parameter")
        and any(isinstance(each, Literal) and each.kind in (Kind.STRING, Kind.NUMBER) for each in options)
    )


def _free_value(evaluator: Evaluator, name: str, identifier: Node) -> Value:
    if name in ROOTS:
        return root_value(evaluator, name, identifier)
    if name in evaluator.shared.watched:
        return watched_value(evaluator, name, identifier)
    if name in _GLOBAL_NAMES:
        return GLOBAL
    match name:
        case "NaN":
            return Literal(Kind.NUMBER, float("nan"), identifier.span)
        case "Infinity":
            return Literal(Kind.NUMBER, float("inf"), identifier.span)
        case "undefined":
            return Literal(Kind.UNDEFINED, None, identifier.span)
    return global_value(evaluator, name)


def root_value(evaluator: Evaluator, name: str, at: Node) -> Value:
    """Returns the API itself, unless the script replaces it, as tests do."""
    if is_replaced_by_call(evaluator, name) or name in evaluator.shared.values:
        return UNKNOWN
    root = Api((), name, at.span)
    for place, value in _global_writes(evaluator, name):
        if place is not None and is_empty_fallback(place):
            continue
        replaced = without_options(value, lambda each: isinstance(each, Literal))
        if replaced != NOTHING and not (isinstance(found := api_of(replaced), Api) and not found.path):
            return UNKNOWN
    return root


def watched_value(evaluator: Evaluator, name: str, at: Node) -> Value:
    """Returns a watched global of the platform, unless the script assigns to it, or may do so."""
    if (
        _global_writes(evaluator, name)
        or is_replaced_by_call(evaluator, name)
        or is_replaced_by_alias(evaluator, name)
    ):
        return GLOBAL if name in _GLOBAL_NAMES else UNKNOWN
    return Api((GLOBAL_OBJECT, name), GLOBAL_OBJECT, at.span)


def global_value(evaluator: Evaluator, name: str) -> Value:
    """Returns the value of a property of the global object, if all writes to it are known."""
    found = [value for _, value in _global_writes(evaluator, name)]
    shared_value = evaluator.shared.values.get(name)
    if shared_value is None and not found:
        return UNKNOWN
    return stable_part(join(*found) if shared_value is None else merge_values((*found, shared_value)))


def _global_writes(evaluator: Evaluator, name: str) -> Sequence[tuple[Node | None, Value]]:
    try:
        return _writes_to_global(evaluator, name)
    except TooManyWritesError:
        return [(None, UNKNOWN)]


class TooManyWritesError(Exception):
    """Raised if a variable or property is written in more than MAX_WRITES places."""


def _writes_to_global(evaluator: Evaluator, name: str) -> list[tuple[Node, Value]]:
    """Returns the writes of the script to a property of the global object, each with its place and value.

    Raises TooManyWritesError if there are too many.
    """
    writes, places = _places_of_global(evaluator, name)
    if len(writes) + len(places) > MAX_WRITES:
        raise TooManyWritesError
    values = [(each.item, _assigned_value(evaluator.possible, each)) for each in writes]
    for place in places:
        found = written_value(evaluator.possible, place) if _is_global(evaluator, place) else None
        if found is not None:
            values.append((place, found))
    return values


@once_per_script
def _places_of_global(
    evaluator: Evaluator, name: str
) -> tuple[Sequence[Identifier], Sequence[AccessExpression]]:
    """Returns the writes to a global variable, and those to properties of its name."""
    free = evaluator.names.free_writes(name)
    declared = evaluator.names.global_variable(name)
    writes = free if declared is None else [*free, *declared.writes]
    return writes, property_writes(evaluator, name)


def writes_to_top_level(evaluator: Evaluator, name: str) -> list[tuple[Node, Value]]:
    """Returns the script's writes to any global, even one that is not a property of the global object.

    Raises TooManyWritesError if there are too many.
    """
    found = _writes_to_global(evaluator, name)
    top = None if evaluator.tree.is_module else evaluator.names.resolve(name, evaluator.tree.root)
    if top is None:
        return found
    if len(top.writes) > MAX_WRITES:
        raise TooManyWritesError
    return [*found, *((each.item, _assigned_value(evaluator.possible, each)) for each in top.writes)]


def _is_global(evaluator: Evaluator, member: AccessExpression) -> bool:
    target = member.object
    if target.type == "identifier" and evaluator.tree.source(target) == "global":
        return True
    if bundle_of(evaluator).module_named(target) is not None:
        return False  # the exports of a module are not computed for this
    return evaluator.partial(target) == GLOBAL


def _binding_value(view: View, binding: Binding, at: Node, requested: str | None) -> Value:
    """Returns the value that a variable may have at a place."""
    evaluator = view.evaluator
    if len(binding.writes) > MAX_WRITES:
        return UNKNOWN
    is_root = binding.name in ROOTS and binding.scope.type == "program"
    if is_root and any(each.kind == "var" for each in binding.declarations):
        value = join(
            Api((), binding.name, at.span),
            *(_assigned_value(evaluator.possible, each) for each in binding.writes),
        )
    else:
        value = view.join(_assigned_value(view, each, requested) for each in reaching_writes(binding, at))
        if view.absorbs(value):
            return value
    if _may_be_written_unseen(evaluator, binding) and not carries_api(value):
        return UNKNOWN
    filled = _with_bundler_properties(view, binding, value)
    if filled is None:
        filled = value_after_mutations(view, binding, value, at, requested)
    return _with_external_values(evaluator, binding, filled)


def _with_bundler_properties(view: View, binding: Binding, value: Value) -> Value | None:
    """Returns an object created empty, with the properties that a bundler's own code adds, or None."""
    evaluator = view.evaluator
    if not isinstance(value, ObjectValue):
        return None
    literal = evaluator.definition(value)
    if literal is not None and literal.type == "object":
        parts, by_name = literal_parts(evaluator, literal)
        whole = view.partial(literal) if not parts or (len(parts) == 1 and "exports" in by_name) else None
        if not isinstance(whole, ObjectValue):
            return None
        value = whole
    return bundle_of(evaluator).filled_variable(binding, value)


def _may_be_written_unseen(evaluator: Evaluator, binding: Binding) -> bool:
    """Whether a direct `eval` in a variable's scope, or other code through its namespace, may write it.

    No `eval` replaces a function that is declared and written nowhere else.
    """
    if all(each.is_constant for each in binding.declarations):
        return False
    if any(_is_exported_by_namespace(each.item) for each in binding.declarations):
        return True
    is_function = bool(binding.writes) and all(each.kind == "function" for each in binding.writes)
    if not evaluator.tree.has_eval or is_function:
        return False
    uses = evaluator.names.free_uses("eval")
    return any(call_of(each.item) is not None and binding.scope.contains(each.item) for each in uses)


def _is_exported_by_namespace(name: Node) -> bool:
    statement = next((up for up in islice(name.ancestors(), 3) if up.type == "export_statement"), None)
    return (
        statement is not None and statement.parent is not None and statement.parent.type == "statement_block"
    )


def _with_external_values(evaluator: Evaluator, binding: Binding, value: Value) -> Value:
    """Returns a variable's value, with values that other scripts of the same realm or markup may assign."""
    if binding.scope.type == "program" and evaluator.tree.has_markup:
        return _shared(binding, value)
    if binding.scope.type != "program" or evaluator.tree.is_module:
        return value
    is_shared = not (value == UNKNOWN or carries_api(value)) and is_shared_variable(evaluator, binding.name)
    shared_value = evaluator.shared.values.get(binding.name, UNKNOWN if is_shared else None)
    if shared_value is None:
        return value
    if shared_value == UNKNOWN:
        return _shared(binding, value)
    return merge_values((value, shared_value))


def _shared(binding: Binding, value: Value) -> Value:
    return shared_with_scripts(value, constant=all(each.is_constant for each in binding.declarations))


def value_of_writes(view: View, binding: Binding) -> Value:
    """Returns every value that the script itself assigns to a variable."""
    if len(binding.writes) > MAX_WRITES:
        return UNKNOWN
    return view.join(_assigned_value(view, each) for each in binding.writes)


def variable_value(view: View, name: Node) -> Value:
    """Returns every value that a variable may have at any time, wherever it is read."""
    evaluator = view.evaluator
    binding = evaluator.names.variable(name)
    value = UNKNOWN if binding is None else value_of_writes(view, binding)
    if binding is None or view.absorbs(value):
        return value
    filled = _with_bundler_properties(view, binding, value)
    if filled is not None:
        return _with_external_values(evaluator, binding, filled)
    return value_after_mutations(view, binding, _with_external_values(evaluator, binding, value), name)


def _assigned_value(view: View, write: Identifier, requested: str | None = None) -> Value:
    """Returns the value that a declaration or write assigns to its variable.

    An object may have only the `requested` property.
    """
    source = write.source
    if source is None:
        return UNKNOWN
    match write.kind:
        case "parameter":
            return parameter_value(view, source, write.item, requested)
        case "import":
            from extlint.analysis.expressions.imports import imported_value

            return imported_value(view.evaluator, source, write.item, requested)
    match source:
        case VariableDeclarator(value=None):
            return Literal(Kind.UNDEFINED)
        case VariableDeclarator(name=pattern, value=Node() as value):
            return _part_of_assigned(view, value, pattern, write.item, requested)
        case Function() | Class() | EnumDeclaration():
            return view.partial(source)
        case AssignmentExpression():
            return _part_of_assigned(view, source.right, source.left, write.item, requested)
        case AugmentedAssignment():
            return view.partial(source.right, requested) if may_keep_old_value(source) else UNKNOWN
        case ForInStatement():
            return _iteration_value(view.evaluator, source, write.item)
        case UpdateExpression():
            return Typed(Kind.NUMBER, source.span)
    return NOTHING if source.type == "function_signature" else UNKNOWN


def _part_of_assigned(view: View, value: Node, pattern: Node, name: Node, requested: str | None) -> Value:
    """Returns the part of an assigned value that a name in the pattern is bound to."""
    of_whole = requested_part_of_pattern(view.evaluator, pattern, name, requested)
    return part_of(view, view.partial(value, of_whole), pattern, name)


def _iteration_value(evaluator: Evaluator, loop: ForInStatement, name: Node) -> Value:
    """Returns the value that `for (… of …)` assigns to a name."""
    if loop.operator != "of" or loop.has_token("await"):
        return UNKNOWN
    array = evaluator.possible.partial(loop.right)
    whole = item_of(array) if isinstance(array, ApiResult) else items_of(array)
    return part_of(evaluator.possible, whole, loop.left, name)
