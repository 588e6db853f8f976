"""Conditions that ask in which browser they run, or that a build decides.

What such a condition says of an API is not decided, for it is written in other ways than by a test of
the API: by the user agent, by the scheme of the extension's own address, by a constant of the build, by a
helper's name. Names, strings and what they stand for are read, wherever they stand in the condition.
"""

from __future__ import annotations

from extlint.script.facts.script_facts import ApiPath
from extlint.script.facts.values import Api, FunctionValue, Literal, Value
from extlint.script.guards.addresses import is_of_other_address, is_of_own_address
from extlint.script.guards.browser_words import (
    Asked,
    asked_by_name,
    is_fixed_by_tools,
    is_of_build,
    names_browser,
    names_browser_in_pattern,
    names_scheme,
)
from extlint.script.guards.condition_values import condition_value
from extlint.script.scope.bindings import TooManyOccurrencesError
from extlint.script.syntax.node import CLASSES, FUNCTIONS, MEMBERS, Node
from extlint.script.syntax.shapes import call_of, outermost
from extlint.script.values.condition_facts import of_manifest, told_by
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.memo import once_per_script
from extlint.script.values.possible_values import given_values, is_given
from extlint.script.values.property_names import key_of

SNIFFED = ("", "browser")
"""What such a condition tests, in the place of a path of the API."""

CONDITION = ("", "condition")
"""What every condition tests."""

CONSTANT = "constant"
"""Before the name of a global that nothing in the script declares, in whose place builds put values."""

VERSION = ("", "version")
"""What a condition tests whose name asks for the manifest version."""

NOTHING: frozenset[ApiPath] = frozenset()
_SNIFFED = frozenset({SNIFFED})
_VERSION = frozenset({VERSION})

_MAX_DEPTH = 6
_MAX_FUNCTION_BYTES = 4_000
_MAX_TEXT_BYTES = 300
_ENVIRONMENTS = frozenset({"process.env", "import.meta.env"})
_OF_BROWSERS = frozenset({("runtime", "getBrowserInfo"), ("runtime", "getPlatformInfo")})
_ID = ("runtime", "id")
_TYPED = frozenset({"as_expression", "non_null_expression", "satisfies_expression"})
_DECIDING = frozenset({"if_statement", "switch_statement", "ternary_expression"})
_EQUALITY = frozenset({"==", "===", "!=", "!=="})


def about(evaluator: Evaluator, condition: Node, depth: int = 0) -> frozenset[ApiPath]:
    """What a condition depends on whatever comes out: `SNIFFED`, and constants that a build may fill in."""
    known = _about_so_far(evaluator)
    waiting = [condition]
    while waiting:
        each = waiting[-1]
        if each.id in known:
            waiting.pop()
            continue
        parts = _parts(each)
        left = [part for part in parts if part.id not in known]
        if left:
            waiting += left
            continue
        evaluator.tree.spend(1)
        known[each.id] = NOTHING
        known[each.id] = _own(evaluator, each, depth).union(*(known[part.id] for part in parts))
    return known[condition.id]


@once_per_script
def _about_so_far(evaluator: Evaluator) -> dict[int, frozenset[ApiPath]]:  # noqa: ARG001
    """What conditions, their parts and the bodies of functions depend on, by their ids."""
    return {}


def _parts(item: Node) -> list[Node]:
    """The parts of an expression on which its outcome may depend."""
    if item.type == "arrow_function":
        body = item.field("body")
        return [] if body is None or body.type == "statement_block" else [body]
    if item.type in FUNCTIONS or item.type in CLASSES or item.type.startswith("jsx"):
        return []
    if item.type == "member_expression" or item.type in _TYPED:
        return item.named()[:1]
    return item.named()


def _own(evaluator: Evaluator, item: Node, depth: int) -> frozenset[ApiPath]:
    match item.type:
        case "identifier" | "shorthand_property_identifier":
            return _of_variable(evaluator, item, depth)
        case kind if kind in MEMBERS:
            return _of_member(evaluator, item, depth)
        case "string_fragment":
            text = evaluator.tree.source(item) if item.end - item.start < _MAX_TEXT_BYTES else ""
            if names_browser(text):
                return NOTHING if is_of_other_address(evaluator, item) else _SNIFFED
            return _SNIFFED if names_scheme(text) and is_of_own_address(evaluator, item) else NOTHING
        case "regex_pattern":
            text = evaluator.tree.source(item) if item.end - item.start < _MAX_TEXT_BYTES else ""
            is_other = not names_browser_in_pattern(text) or is_of_other_address(evaluator, item)
            return NOTHING if is_other else _SNIFFED
        case "call_expression":
            return _of_call(evaluator, item, depth)
    return NOTHING


def _of_variable(evaluator: Evaluator, item: Node, depth: int) -> frozenset[ApiPath]:
    name = evaluator.tree.source(item)
    by_name = _by_name(evaluator, item, name)
    if by_name is not None:
        return by_name
    try:
        binding = evaluator.names.resolve(name, item)
    except TooManyOccurrencesError:
        return NOTHING
    if binding is None:
        if is_of_build(name) and name not in evaluator.shared.values and not is_given(evaluator, item):
            return frozenset({("", CONSTANT, name)})
        return _told(condition_value(evaluator, item)) | _followed(evaluator, item, depth)
    found = NOTHING
    for write in binding.writes[:_MAX_DEPTH]:
        if write.kind == "import":
            if is_of_build(name) and not _is_known(evaluator, item):
                return frozenset({("", CONSTANT, name)})
            return _told(evaluator.partial(item))
        value = None if write.source is None else write.source.field("value") or write.source.field("right")
        is_written = write.kind in {"assignment", "let", "var"}
        if value is not None and is_written and depth < _MAX_DEPTH and _is_environment(evaluator, value):
            found |= NOTHING if is_fixed_by_tools(name) else _SNIFFED
    return found | _followed(evaluator, item, depth)


def _by_name(evaluator: Evaluator, item: Node, name: str) -> frozenset[ApiPath] | None:
    """What the words of a name say; None if they say nothing."""
    asked = asked_by_name(name)
    if asked is None:
        return None
    value = evaluator.partial(item)
    if of_manifest(value) is not None:
        return NOTHING
    if isinstance(value, Api):
        is_whole_root = not value.path and name == "browser" and _is_tested(item)
        return _SNIFFED if is_whole_root or value.path in _OF_BROWSERS else NOTHING
    return _SNIFFED if asked is Asked.BROWSER else _VERSION


def _is_tested(root: Node) -> bool:
    """Whether a root itself is tested, and not what is in it, nor handed on."""
    whole = outermost(root)
    up = whole.parent
    if up is None or up.type in MEMBERS or up.type == "arguments":
        return False
    return not (up.type == "binary_expression" and up.has("in"))


def _of_member(evaluator: Evaluator, item: Node, depth: int) -> frozenset[ApiPath]:
    target = item.field("object")
    name = key_of(evaluator, item)
    if target is None or name is None:
        return NOTHING
    if _is_environment(evaluator, target):
        return NOTHING if is_fixed_by_tools(name) else _SNIFFED
    by_name = _by_name(evaluator, item, name)
    if by_name is not None:
        return by_name
    if name == _ID[-1]:
        value = evaluator.partial(item)
        if isinstance(value, Api):
            return _SNIFFED if value.path == _ID and _is_compared(evaluator, item) else NOTHING
    told = _told(condition_value(evaluator, item)) if _is_foreign(evaluator, target) else NOTHING
    return told | _followed(evaluator, item, depth)


def _is_foreign(evaluator: Evaluator, item: Node) -> bool:
    """Whether what is at the root of an expression may come from another script."""
    while item.type in MEMBERS and (inner := item.field("object")) is not None:
        item = inner
    if item.type != "identifier":
        return False
    try:
        binding = evaluator.names.resolve(evaluator.tree.source(item), item)
    except TooManyOccurrencesError:
        return False
    return binding is None or any(
        each.kind == "import" or each.source is None or each.source.type == "variable_declarator"
        for each in binding.declarations
    )


def _is_environment(evaluator: Evaluator, item: Node) -> bool:
    return item.end - item.start <= len("import.meta.env") and evaluator.tree.source(item) in _ENVIRONMENTS


def _is_known(evaluator: Evaluator, item: Node) -> bool:
    """Whether something is known of the module that a name is imported from."""
    binding = evaluator.names.variable(item)
    clause = None if binding is None or not binding.declarations else binding.declarations[0].source
    up = clause
    while up is not None and up.field("source") is None:
        up = up.parent
    source = None if up is None else up.field("source")
    return source is not None and bool(evaluator.imported(evaluator.tree.source(source)[1:-1]))


def _is_compared(evaluator: Evaluator, item: Node) -> bool:
    """Whether a text is compared with another that is known, or looked for such a one."""
    whole = outermost(item)
    up = whole.parent
    if up is None:
        return False
    if up.type == "binary_expression":
        operator = up.field("operator")
        other = up.field("right") if whole.is_field("left") else up.field("left")
        is_equality = operator is not None and operator.type in _EQUALITY
        return is_equality and other is not None and isinstance(evaluator.value(other), Literal)
    return up.type == "member_expression" and whole.is_field("object") and call_of(up) is not None


def _of_call(evaluator: Evaluator, call: Node, depth: int) -> frozenset[ApiPath]:
    function = call.field("function")
    if function is None or depth >= _MAX_DEPTH:
        return NOTHING
    value = condition_value(evaluator, function)
    if isinstance(value, FunctionValue) and value.told is not None:
        return value.told.about
    definition = evaluator.definition(value)
    if definition is None or definition.type not in FUNCTIONS:
        return _told(evaluator.partial(call))
    return about_function(evaluator, definition, depth + 1)


def about_function(evaluator: Evaluator, function: Node, depth: int = 0) -> frozenset[ApiPath]:
    """What the answer of a function depends on: what it returns, and the conditions in it."""
    body = function.field("body")
    if body is None or body.end - body.start > _MAX_FUNCTION_BYTES:
        return NOTHING
    if body.type != "statement_block":
        return about(evaluator, body, depth)
    known = _about_so_far(evaluator)
    if body.id not in known:
        known[body.id] = NOTHING
        parts = deciding_parts(body)
        evaluator.tree.spend(len(parts))
        known[body.id] = NOTHING.union(*(about(evaluator, each, depth) for each in parts))
    return known[body.id]


def deciding_parts(body: Node) -> list[Node]:
    """The conditions of a body, and what it returns."""
    found: list[Node] = []
    waiting = [body]
    while waiting:
        each = waiting.pop()
        if each.type in FUNCTIONS or each.type in CLASSES:
            continue
        if each.type == "return_statement":
            found += each.named()[:1]
        elif each.type in _DECIDING:
            condition = each.field("condition") or each.field("value")
            found += [] if condition is None else [condition]
            waiting += [part for part in each.named() if condition is None or not part.same(condition)]
        else:
            waiting += each.named()
    return found


def _followed(evaluator: Evaluator, item: Node, depth: int) -> frozenset[ApiPath]:
    """What the expressions depend on that a variable, or a property of that name, is given.

    Properties of other objects may go by the same name: all of them must say it.
    """
    if depth >= _MAX_DEPTH:
        return NOTHING
    is_property = item.type in MEMBERS
    found: list[frozenset[ApiPath]] = []
    for each in given_values(evaluator, item):
        if each.value is None:
            continue
        own = about(evaluator, each.value, depth + 1)
        if is_property and isinstance(evaluator.value(each.value), Literal):
            continue
        if is_property and not own:
            return NOTHING
        found.append(own)
    if not is_property:
        return NOTHING.union(*found)
    return frozenset.intersection(*found) if found else NOTHING


def _told(value: Value) -> frozenset[ApiPath]:
    return told_by(value).about
