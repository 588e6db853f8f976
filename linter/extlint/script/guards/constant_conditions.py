"""Conditions that always come out the same: on constants, and on parameters that every call gives alike.

A variable that is declared without a value is taken to have one when a function reads it; so is it known
here only that something is never true, or that it is a literal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extlint.script.expressions.parameters import parameter_value
from extlint.script.facts.values import UNKNOWN, Kind, Literal, ObjectValue, Value, options_of
from extlint.script.guards.forms.typeof import operand_of_typeof
from extlint.script.scope.bindings import Binding
from extlint.script.syntax.node import FUNCTIONS, MEMBERS, Node
from extlint.script.syntax.shapes import arguments_of, index_of, innermost, parameter_items
from extlint.script.values.constants import truth
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.functions import calls_of
from extlint.script.values.property_names import key_of

_MAX_DEPTH = 20
_LITERALS = frozenset({"false", "null", "number", "string", "true", "undefined"})
_EQUAL = frozenset({"==", "==="})
_UNEQUAL = frozenset({"!=", "!=="})
_OF_EVERY_OBJECT = frozenset(
    """
    __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ constructor hasOwnProperty
    isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf
    """.split()
)
_NULLISH = frozenset({Kind.NULL, Kind.UNDEFINED})


def outcome_of(evaluator: Evaluator, condition: Node, depth: int = 0) -> bool | None:
    """What a condition always comes out as; None if it may come out either way, or that is not known."""
    item = innermost(condition)
    if depth > _MAX_DEPTH:
        return None
    evaluator.tree.spend(1)
    match item.type:
        case "unary_expression" if item.has("!"):
            inner = item.field("argument")
            found = None if inner is None else outcome_of(evaluator, inner, depth + 1)
            return None if found is None else not found
        case "binary_expression":
            return _of_two(evaluator, item, depth)
        case "identifier" | "undefined":
            return _of_options(evaluator, item)
        case kind if kind in _LITERALS:
            return truth(evaluator.value(item))
        case kind if kind in MEMBERS:
            target = item.field("object")
            is_lost = target is not None and _is_nothing(evaluator, innermost(target))
            return False if is_lost or _of_options(evaluator, item) is False else None
    return None


def _is_nothing(evaluator: Evaluator, item: Node) -> bool:
    """Whether something is always null or undefined, and so are its parts, as far as they can be read."""
    held = _literals(evaluator, item)
    return held is not None and all(each.kind in _NULLISH for each in held)


def _of_two(evaluator: Evaluator, item: Node, depth: int) -> bool | None:
    left, right, operator = item.field("left"), item.field("right"), item.field("operator")
    if left is None or right is None or operator is None:
        return None
    if operator.type in {"&&", "||"}:
        decides = operator.type == "||"
        found = [outcome_of(evaluator, each, depth + 1) for each in (left, right)]
        if decides in found:
            return decides
        return None if None in found else not decides
    if operator.type in _EQUAL | _UNEQUAL:
        for subject, against in ((left, right), (right, left)):
            same = _is_same(evaluator, innermost(subject), innermost(against), operator.type)
            if same is not None:
                return same is (operator.type in _EQUAL)
    return None


def _is_same(evaluator: Evaluator, subject: Node, against: Node, operator: str) -> bool | None:
    """Whether something is always, or never, the same as a literal."""
    wanted = evaluator.value(against)
    if not isinstance(wanted, Literal):
        return None
    inner = operand_of_typeof(subject)
    held = _literals(evaluator, subject if inner is None else inner)
    if held is None:
        return None
    if inner is not None:
        is_undefined = all(each.kind is Kind.UNDEFINED for each in held)
        return wanted.value == Kind.UNDEFINED.value if is_undefined else None
    if wanted.kind in _NULLISH:
        kinds = _NULLISH if operator in {"==", "!="} else {wanted.kind}
        return True if all(each.kind in kinds for each in held) else None
    if operator in {"==", "!="} and any(each.kind not in {*_NULLISH, wanted.kind} for each in held):
        return None
    return False if all((each.kind, each.value) != (wanted.kind, wanted.value) for each in held) else None


def _of_options(evaluator: Evaluator, item: Node) -> bool | None:
    held = _literals(evaluator, item)
    if held is None:
        return None
    found = {truth(each) for each in held}
    if found == {False}:
        return False
    return True if found == {True} and _is_written_out(evaluator, item) else None


def _literals(evaluator: Evaluator, item: Node) -> list[Literal] | None:
    """The values that a constant, a parameter or a part of one may have, if all are known."""
    root: Node | None = item
    while root is not None and root.type in MEMBERS:
        if key_of(evaluator, root) is None:
            return None
        root = root.field("object")
    if root is None or (root.type == "identifier" and _constant(evaluator, root) is None):
        return None
    if root.type not in {"identifier", "undefined"}:
        return None
    held = _options(evaluator, item)
    found = [each for each in held if isinstance(each, Literal)]
    return found if found and len(found) == len(held) else None


def _options(evaluator: Evaluator, item: Node) -> Sequence[Value]:
    """The values that an expression may have; what objects lack that are known whole is undefined."""
    target = item.field("object") if item.type in MEMBERS else None
    name = None if target is None else key_of(evaluator, item)
    if target is not None and name is not None:
        return [*_parts(evaluator, evaluator.value(target), name, item)]
    part = _part_of_parameter(evaluator, item) if item.type == "identifier" else None
    if part is None:
        return options_of(evaluator.value(item))
    whole, key, default = part
    held = [*_parts(evaluator, whole, key, item)]
    if default is None or not any(isinstance(each, Literal) and each.kind is Kind.UNDEFINED for each in held):
        return held
    kept = (each for each in held if not (isinstance(each, Literal) and each.kind is Kind.UNDEFINED))
    return [*kept, *options_of(evaluator.value(default))]


def _parts(evaluator: Evaluator, whole: Value, name: str, at: Node) -> Iterator[Value]:
    for option in options_of(whole):
        if isinstance(option, ObjectValue) and not option.open and name not in option.fields:
            yield UNKNOWN if name in _OF_EVERY_OBJECT else Literal(Kind.UNDEFINED)
        else:
            yield from options_of(evaluator.member(option, name, at))


def _part_of_parameter(evaluator: Evaluator, name: Node) -> tuple[Value, str, Node | None] | None:
    """Of a name in `function f({name = default})` the parameter's value, the key and the default."""
    binding = _constant(evaluator, name)
    declared = None if binding is None else binding.writes[0]
    if declared is None or declared.source is None or declared.kind != "parameter":
        return None
    part, default = declared.item, None
    up = part.parent
    if up is not None and up.type in {"assignment_pattern", "object_assignment_pattern"}:
        part, default, up = up, up.field("right"), up.parent
    if up is not None and up.type == "pair_pattern":
        part, up = up, up.parent
    key = key_of(evaluator, part) if part.type != "identifier" else None
    pattern = declared.source.field("pattern") or declared.source
    whole = pattern.field("left") if pattern.type == "assignment_pattern" else pattern
    if up is None or key is None or up.type != "object_pattern" or whole is None or not whole.same(up):
        return None
    return parameter_value(evaluator, declared.source, whole), key, default


def _constant(evaluator: Evaluator, name: Node) -> Binding | None:
    """The constant or parameter of a name, if nothing else gives it a value."""
    binding = evaluator.names.variable(name)
    if binding is None or len(binding.writes) != 1:
        return None
    declared = binding.writes[0]
    return binding if declared.constant or declared.kind == "parameter" else None


def _is_written_out(evaluator: Evaluator, item: Node) -> bool:
    """Whether the values of a name are literals where it, or the parameter, gets them."""
    binding = _constant(evaluator, item) if item.type == "identifier" else None
    source = None if binding is None else binding.writes[0].source
    if binding is None or source is None:
        return False
    if binding.writes[0].kind != "parameter":
        value = source.field("value")
        return value is not None and _is_literal(innermost(value))
    function = next((up for up in source.ancestors() if up.type in FUNCTIONS), None)
    index = None if function is None else index_of(parameter_items(function), source)
    if function is None or index is None:
        return False
    calls, _ = calls_of(evaluator, function)
    given = [arguments_of(call) for call in calls]
    return all(len(each) > index and _is_literal(innermost(each[index])) for each in given)


def _is_literal(item: Node) -> bool:
    if item.type == "unary_expression" and item.has("!"):
        inner = item.field("argument")
        return inner is not None and _is_literal(inner)
    return item.type in _LITERALS
