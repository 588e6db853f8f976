"""Conditions that test the environment: which browser they run in, or the target of a build.

Such a condition implies nothing known about the API, since it does not test a member. It tests the user
agent, the scheme of the own address or a constant of the build, or calls a helper whose name describes the
test. Names, strings and their values are read wherever they occur in the condition.
"""

from __future__ import annotations

from extlint.analysis.facts.values import Api, FunctionValue, Literal, Value, is_nullish
from extlint.analysis.guards.environment_operands import (
    NameMeaning,
    is_build_constant,
    is_build_environment,
    is_compared_with_literal,
    is_compared_with_other_address,
    is_compared_with_own_address,
    is_compared_with_system,
    is_constructor,
    is_from_known_module,
    is_listed_member,
    is_runtime_global,
    is_tested_directly,
    is_tool_constant,
    may_be_imported,
    meaning_of_name,
    names_browser,
    names_browser_in_pattern,
    names_scheme,
)
from extlint.analysis.guards.forms.facts import (
    BROWSER_TESTED,
    CONSTANT,
    NOTHING_IMPLIED,
    VERSION_TESTED,
    Facts,
)
from extlint.analysis.guards.forms.possible_values import assigned_values, is_assigned
from extlint.analysis.scope.model import Binding
from extlint.analysis.syntax.lexer import texts_of_data
from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    BinaryExpression,
    CallExpression,
    Class,
    ConditionalExpression,
    Function,
    IfStatement,
    MemberExpression,
    PairPattern,
    SubscriptExpression,
    SwitchStatement,
)
from extlint.analysis.syntax.shapes import assigned_parts, call_of, call_with_argument, outermost
from extlint.analysis.values.api_results import HELPERS, ITERATION_METHODS
from extlint.analysis.values.condition_values import condition_value, implications_of, manifest_path_of
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import once_per_script, tentative
from extlint.analysis.values.options import is_root, without_options
from extlint.analysis.values.property_index import key_of

_BROWSER = frozenset({BROWSER_TESTED})
_VERSION = frozenset({VERSION_TESTED})

_MAX_DEPTH = 6
_MAX_FUNCTION_BYTES = 4_000
_MAX_TEXT_BYTES = 300
_MAX_TEST_BYTES = 300
"""The maximum number of bytes of a function that a method of a list calls: `names.some((name) => …)`."""

_BROWSER_INFO_FUNCTIONS = frozenset({("runtime", "getBrowserInfo"), ("runtime", "getPlatformInfo")})
_ID = ("runtime", "id")
_LENGTH = "length"
"""The length of a list or text depends only on that value, and not on other properties of that name in
the script.
"""

_LANGUAGE_GLOBALS = frozenset({"Array", "JSON", "Math", "Number", "Object", "Promise", "Reflect", "String"})
"""Globals of the language whose members are the same in every environment."""

_LITERALS = frozenset({"array", "object"})
_NO_CONSTANTS = _LITERALS | FUNCTIONS | {"class", "new_expression", "regex", "this", "update_expression"}
_MIN_TABLE_BYTES = 200
"""The minimum number of bytes of a literal that is first checked by its text."""

_TYPED = frozenset({"as_expression", "non_null_expression", "satisfies_expression"})


def environment_of(evaluator: Evaluator, condition: Node, depth: int = 0) -> Facts:
    """Returns the dependencies of a condition, whatever its outcome.

    They are `BROWSER_TESTED`, `VERSION_TESTED` and constants.
    """
    known = _known_environment(evaluator)
    waiting: list[tuple[Node, list[Node] | None]] = [(condition, None)]
    while waiting:
        each, parts = waiting.pop()
        if known.has(each, depth):
            continue
        if parts is None:
            parts = _parts(evaluator, each)
            left: list[tuple[Node, None]] = [(part, None) for part in parts if not known.has(part, depth)]
            if left:
                waiting += [(each, parts), *left]
                continue
        evaluator.tree.spend(1)
        cuts = known.begin(each, depth)
        with tentative(known.found, each.id, NOTHING_IMPLIED):
            own = _own_environment(evaluator, each, depth)
        known.end(each, own.union(*(known.read(part) for part in parts)) or NOTHING_IMPLIED, cuts)
    return known.read(condition)


class _Known:
    """The known dependencies of conditions, their parts and the bodies of functions, by their ids.

    A result is incomplete if the search for it reached the maximum depth, or a result that was not finished.
    It is found anew if that may find more, because fewer steps lead to it.
    """

    def __init__(self) -> None:
        self.found: dict[int, Facts] = {}
        self.cuts = 0
        """How often a search has ended early."""
        self._depths: dict[int, int] = {}
        """The depth at which each incomplete result was found."""

    def has(self, item: Node, depth: int) -> bool:
        return item.id in self.found and self._depths.get(item.id, depth) <= depth

    def read(self, item: Node) -> Facts:
        self.cuts += item.id in self._depths
        return self.found[item.id]

    def begin(self, item: Node, depth: int) -> int:
        """Returns the number of cuts before the search for a result, which is incomplete until its end."""
        self._depths[item.id] = depth
        return self.cuts

    def end(self, item: Node, found: Facts, cuts: int) -> None:
        """Stores a result, which is complete unless more searches have ended early."""
        self.found[item.id] = found
        if self.cuts == cuts:
            del self._depths[item.id]


def _is_neutral_data(evaluator: Evaluator, literal: Node) -> bool:
    """Whether a literal is a table of data without a text that could test for the browser."""
    if literal.end - literal.start < _MIN_TABLE_BYTES:
        return False
    texts = texts_of_data(evaluator.tree.text, literal.start, literal.end)
    return texts is not None and not any(
        names_browser(name) or names_scheme(name)
        for name in (each.decode("utf-8", "replace") for each in texts)
    )


@once_per_script
def _known_environment(evaluator: Evaluator) -> _Known:  # noqa: ARG001
    return _Known()


def _parts(evaluator: Evaluator, expression: Node) -> list[Node]:
    """Returns the parts of an expression on which its outcome may depend."""
    if expression.type in _LITERALS and _is_neutral_data(evaluator, expression):
        return []
    if isinstance(expression, Function):
        if expression.body.type != "statement_block":
            return [expression.body] if expression.type == "arrow_function" else []
        call = call_with_argument(outermost(expression))
        callee = call.callee if isinstance(call, CallExpression) else None
        name = key_of(evaluator, callee) if isinstance(callee, AccessExpression) else None
        is_short = name in ITERATION_METHODS and expression.end - expression.start <= _MAX_TEST_BYTES
        return deciding_parts(expression.body) if is_short else []
    if isinstance(expression, Class) or expression.type.startswith("jsx"):
        return []
    if isinstance(expression, MemberExpression) or expression.type in _TYPED:
        return expression.named()[:1]
    return expression.named()


def _own_environment(evaluator: Evaluator, item: Node, depth: int) -> Facts:
    match item:
        case AccessExpression():
            return _environment_of_member(evaluator, item, depth)
        case CallExpression():
            return _environment_of_call(evaluator, item, depth)
        case BinaryExpression(operator="in", left=key, right=owner):
            return _BROWSER if is_listed_member(evaluator, key, owner) else NOTHING_IMPLIED
    match item.type:
        case "identifier" | "shorthand_property_identifier":
            return _environment_of_variable(evaluator, item, depth)
        case "string_fragment":
            text = evaluator.tree.source(item) if item.end - item.start < _MAX_TEXT_BYTES else ""
            if names_browser(text):
                return NOTHING_IMPLIED if is_compared_with_other_address(evaluator, item) else _BROWSER
            return (
                _BROWSER
                if names_scheme(text) and is_compared_with_own_address(evaluator, item)
                else NOTHING_IMPLIED
            )
        case "regex_pattern":
            text = evaluator.tree.source(item) if item.end - item.start < _MAX_TEXT_BYTES else ""
            is_other = not names_browser_in_pattern(text) or is_compared_with_other_address(evaluator, item)
            return NOTHING_IMPLIED if is_other else _BROWSER
    return NOTHING_IMPLIED


def _environment_of_variable(evaluator: Evaluator, item: Node, depth: int) -> Facts:
    name = evaluator.tree.source(item)
    by_name = _environment_by_name(evaluator, item, name)
    if by_name is not None:
        return by_name
    binding = evaluator.names.resolve(name, item)
    if not item.is_field("object"):
        return _environment_of_binding(evaluator, item, name, binding, depth)
    found = (
        NOTHING_IMPLIED
        if _is_namespace(binding)
        else _environment_of_binding(evaluator, item, name, binding, depth)
    )
    return NOTHING_IMPLIED if found and is_root(evaluator.partial(item)) else found


def _environment_of_binding(
    evaluator: Evaluator, item: Node, name: str, binding: Binding | None, depth: int
) -> Facts:
    """Returns the dependencies of a variable through the values assigned to it."""
    if binding is None:
        if (
            is_build_constant(name)
            and name not in evaluator.shared.values
            and not is_assigned(evaluator, item)
            and not is_runtime_global(evaluator, name)
        ):
            return frozenset({("", CONSTANT, name)})
        followed = _environment_of_assigned(evaluator, item, depth)
        if is_constructor(item):
            return followed
        return followed | _environment_of_value(condition_value(evaluator, item))
    found = NOTHING_IMPLIED
    for write in binding.writes[:_MAX_DEPTH]:
        if write.kind == "import":
            if is_build_constant(name) and not is_from_known_module(evaluator, item):
                return frozenset({("", CONSTANT, name)})
            if is_constructor(item):
                return NOTHING_IMPLIED
            return _environment_of_value(evaluator.partial(item))
        part = write.item.parent
        if isinstance(part, PairPattern) and write.item.is_field("value"):
            found |= _environment_by_name(evaluator, item, key_of(evaluator, part) or "") or NOTHING_IMPLIED
        assigned = None if write.source is None else assigned_parts(write.source)
        value = None if assigned is None else assigned[1]
        if value is not None and depth < _MAX_DEPTH and is_build_environment(evaluator, value):
            found |= NOTHING_IMPLIED if is_tool_constant(name) else _BROWSER
    return found | _environment_of_assigned(evaluator, item, depth)


def _is_namespace(binding: Binding | None) -> bool:
    """Whether a variable is the namespace of a module (`import * as`)."""
    source = None if binding is None or not binding.declarations else binding.declarations[0].source
    return source is not None and source.type == "namespace_import"


def _environment_by_name(evaluator: Evaluator, item: Node, name: str) -> Facts | None:
    """Returns the facts that follow from the words of a name, or None if they have no known meaning."""
    meaning = meaning_of_name(name)
    if meaning is None:
        return None
    value = without_options(evaluator.partial(_assigned_expression(item) or item), is_nullish)
    if manifest_path_of(value) is not None:
        return NOTHING_IMPLIED
    if isinstance(value, Api):
        is_whole_root = not value.path and name == "browser" and is_tested_directly(item)
        return _BROWSER if is_whole_root or value.path in _BROWSER_INFO_FUNCTIONS else NOTHING_IMPLIED
    return _BROWSER if meaning is NameMeaning.BROWSER else _VERSION


def _assigned_expression(item: Node) -> Node | None:
    """Returns the value a condition assigns to a variable (`(_chrome = chrome.tabs) === null`), or None."""
    up = item.parent
    return up.right if isinstance(up, AssignmentExpression) and item.is_field("left") else None


def _environment_of_member(evaluator: Evaluator, item: AccessExpression, depth: int) -> Facts:
    target, name = item.object, key_of(evaluator, item)
    if (
        isinstance(item, SubscriptExpression)
        and is_tested_directly(item)
        and call_of(item) is None
        and is_listed_member(evaluator, item.index, target)
    ):
        return _BROWSER
    if name is None or name == _LENGTH or evaluator.names.is_global(target, _LANGUAGE_GLOBALS):
        return NOTHING_IMPLIED
    if is_build_environment(evaluator, target):
        return NOTHING_IMPLIED if is_tool_constant(name) else _BROWSER
    by_name = _environment_by_name(evaluator, item, name)
    if by_name is not None:
        return NOTHING_IMPLIED if is_compared_with_system(evaluator, item) else by_name
    if name == _ID[-1]:
        value = evaluator.partial(item)
        if isinstance(value, Api):
            return (
                _BROWSER
                if value.path == _ID and is_compared_with_literal(evaluator, item)
                else NOTHING_IMPLIED
            )
    if name in HELPERS and call_of(item) is not None:
        return NOTHING_IMPLIED
    followed = _environment_of_assigned(evaluator, item, depth)
    if not is_constructor(item) and may_be_imported(evaluator, target):
        return followed | _environment_of_value(condition_value(evaluator, item))
    return followed


def _environment_of_call(evaluator: Evaluator, call: CallExpression, depth: int) -> Facts:
    if depth >= _MAX_DEPTH:
        _known_environment(evaluator).cuts += 1
        return NOTHING_IMPLIED
    value = condition_value(evaluator, call.callee)
    if isinstance(value, FunctionValue) and value.implications is not None:
        return value.implications.environment
    definition = evaluator.definition(value)
    if not isinstance(definition, Function):
        return _environment_of_value(evaluator.partial(call))
    return environment_of_function(evaluator, definition, depth + 1)


def environment_of_function(evaluator: Evaluator, function: Function, depth: int = 0) -> Facts:
    """Returns the dependencies of a function's result: those of its return values and conditions."""
    body = function.body
    if body.end - body.start > _MAX_FUNCTION_BYTES:
        return NOTHING_IMPLIED
    if body.type != "statement_block":
        return environment_of(evaluator, body, depth)
    known = _known_environment(evaluator)
    if not known.has(body, depth):
        parts = deciding_parts(body)
        evaluator.tree.spend(len(parts))
        cuts = known.begin(body, depth)
        with tentative(known.found, body.id, NOTHING_IMPLIED):
            found = [environment_of(evaluator, each, depth) for each in parts]
        known.end(body, NOTHING_IMPLIED.union(*found), cuts)
    return known.read(body)


def deciding_parts(body: Node) -> list[Node]:
    """Returns the conditions of a body, and its return values."""
    found: list[Node] = []
    waiting = [body]
    while waiting:
        each = waiting.pop()
        match each:
            case Function() | Class():
                continue
            case Node(type="return_statement"):
                found += each.named()[:1]
                continue
            case IfStatement() | ConditionalExpression():
                tested = each.condition
            case SwitchStatement():
                tested = each.value
            case _:
                waiting += each.named()
                continue
        found.append(tested)
        waiting += [part for part in each.named() if not part.same(tested)]
    return found


def _environment_of_assigned(evaluator: Evaluator, item: Node, depth: int) -> Facts:
    """Returns the dependencies of the expressions that a variable, or a property of that name, is assigned.

    Properties of other objects may have the same name: all of them must agree.
    """
    if depth >= _MAX_DEPTH:
        _known_environment(evaluator).cuts += 1
        return NOTHING_IMPLIED
    is_property = isinstance(item, AccessExpression)
    found: list[Facts] = []
    for each in assigned_values(evaluator, item):
        if each.value is None:
            continue
        own = environment_of(evaluator, each.value, depth + 1)
        if is_property and _is_constant(evaluator, each.value):
            continue
        if is_property and not own:
            return NOTHING_IMPLIED
        found.append(own)
    if not is_property:
        return NOTHING_IMPLIED.union(*found)
    return frozenset.intersection(*found) if found else NOTHING_IMPLIED


def _is_constant(evaluator: Evaluator, value: Node) -> bool:
    """Whether a value is a literal, no matter how it is computed, except a template with substitutions."""
    if value.type in _NO_CONSTANTS or any(each.type == "template_substitution" for each in value.named()):
        return False
    return isinstance(evaluator.value(value), Literal)


def _environment_of_value(value: Value) -> Facts:
    return implications_of(value).environment
