"""What was tested before a place is reached."""

from __future__ import annotations

from extlint.script.constants import text_of
from extlint.script.evaluate import Evaluator
from extlint.script.facts import Guards, Path
from extlint.script.functions import WRAPPERS, outermost
from extlint.script.names import FUNCTIONS, TooManyError
from extlint.script.tree import Item
from extlint.values import Kind, Literal

_NOTHING: frozenset[Path] = frozenset()
_EXITS = frozenset({"break_statement", "continue_statement", "return_statement", "throw_statement"})
_BODIES = frozenset({"program", "statement_block", "switch_case", "switch_default"})
_LOOPS = frozenset({"for_statement", "while_statement"})
_DEEPEST = 40


class GuardReader:
    """Reads the conditions around places of one script."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._exits: dict[int, list[tuple[int, Item]]] = {}

    def around(self, item: Item) -> Guards:
        """What holds where an expression is evaluated."""
        tested: set[Path] = set()
        missing: set[Path] = set()
        caught = False
        inside_function = False
        child = item
        for up in item.ancestors():
            for condition, truth in self._conditions(child, up):
                tested |= self.implied(condition, truth, present=True)
                missing |= self.implied(condition, truth, present=False)
            if up.type == "try_statement" and child.is_field("body") and not inside_function:
                caught = caught or up.field("handler") is not None
            if up.type in FUNCTIONS and not _called_in_place(up):
                inside_function = True
            child = up
        return Guards(frozenset(tested), caught, frozenset(missing))

    def certainly_on_load(self, item: Item) -> bool:
        """Whether an expression certainly runs when the script loads, outside of functions and conditions."""
        child = item
        for up in item.ancestors():
            if up.type in FUNCTIONS and not _called_in_place(up):
                return False
            if (
                up.type
                in {"catch_clause", "do_statement", "for_in_statement", "switch_body", "try_statement"}
                | _LOOPS
            ):
                return False
            if up.type in {"field_definition", "public_field_definition"}:
                return False
            if up.type in {"if_statement", "ternary_expression"} and not child.is_field("condition"):
                return False
            if up.type == "binary_expression" and child.is_field("right") and _is_logical(up):
                return False
            if up.type in _BODIES and any(before <= child.start for before, _ in self._early_exits(up)):
                return False
            child = up
        return True

    def _conditions(self, child: Item, up: Item) -> list[tuple[Item, bool]]:
        """The conditions that decide whether `child` runs inside `up`, each with its needed outcome."""
        condition = up.field("condition")
        match up.type:
            case "if_statement" | "ternary_expression" if condition is not None:
                if child.is_field("consequence"):
                    return [(condition, True)]
                return [(condition, False)] if child.is_field("alternative") else []
            case "while_statement" | "for_statement" if condition is not None:
                return [(condition, True)] if child.is_field("body") else []
            case "binary_expression" if child.is_field("right"):
                left, operator = up.field("left"), up.field("operator")
                if left is not None and operator is not None and operator.type in {"&&", "||", "??"}:
                    return [(left, operator.type == "&&")]
            case "augmented_assignment_expression" if child.is_field("right"):
                left = up.field("left")
                if left is not None and (up.has("??=") or up.has("||=")):
                    return [(left, False)]
        if up.type in _BODIES:
            return [(exit_, False) for before, exit_ in self._early_exits(up) if before <= child.start]
        return []

    def _early_exits(self, body: Item) -> list[tuple[int, Item]]:
        """The conditions of `if (…) return;` in a body, with the byte offset from which they have failed."""
        if body.id not in self._exits:
            found = []
            for statement in body.named():
                condition = statement.field("condition") if statement.type == "if_statement" else None
                then = statement.field("consequence") if condition is not None else None
                if condition is not None and then is not None and _leaves(then):
                    found.append((statement.end, condition))
            self._evaluator.tree.spend(body.node.named_child_count)
            self._exits[body.id] = found
        return self._exits[body.id]

    def implied(self, condition: Item, truth: bool, *, present: bool, depth: int = 0) -> frozenset[Path]:
        """The members that are there (or, not `present`, are missing) if a condition has an outcome."""
        if depth > _DEEPEST:
            return _NOTHING
        item = _unwrapped(condition)
        match item.type:
            case "unary_expression" if item.has("!"):
                inner = item.field("argument")
                return (
                    _NOTHING
                    if inner is None
                    else self.implied(inner, not truth, present=present, depth=depth + 1)
                )
            case "binary_expression":
                return self._binary(item, truth, present, depth)
            case "call_expression":
                inner = _boolean_argument(self._evaluator, item)
                if inner is not None:
                    return self.implied(inner, truth, present=present, depth=depth + 1)
            case "identifier":
                constant = self._constant(item)
                if constant is not None:
                    return self.implied(constant, truth, present=present, depth=depth + 1)
        return self._member(item) if truth is present else _NOTHING

    def _member(self, item: Item) -> frozenset[Path]:
        found = self._evaluator.api(item)
        return frozenset({found.path}) if found is not None and found.path else _NOTHING

    def _binary(self, item: Item, truth: bool, present: bool, depth: int) -> frozenset[Path]:
        left, right, operator = item.field("left"), item.field("right"), item.field("operator")
        if left is None or right is None or operator is None:
            return _NOTHING
        if operator.type in {"&&", "||", "??"}:
            first = self.implied(left, truth, present=present, depth=depth + 1)
            second = self.implied(right, truth, present=present, depth=depth + 1)
            both = (operator.type == "&&") is truth
            return first | second if both else first & second
        if operator.type == "in":
            return self._in(left, right) if truth is present else _NOTHING
        if operator.type in {"==", "===", "!=", "!=="}:
            same = operator.type in {"==", "==="}
            for subject, against in ((left, right), (right, left)):
                found = self._compared(subject, against, same is truth)
                if found is not None:
                    path, is_there = found
                    return path if is_there is present else _NOTHING
        if operator.type == "instanceof" and truth and present:
            return self._member(_unwrapped(left))
        return _NOTHING

    def _in(self, left: Item, right: Item) -> frozenset[Path]:
        owner, name = self._evaluator.api(right), text_of(self._evaluator.value(left))
        return _NOTHING if owner is None or name is None else frozenset({(*owner.path, name)})

    def _compared(self, subject: Item, against: Item, equal: bool) -> tuple[frozenset[Path], bool] | None:
        """The member that a comparison tells of, and whether it is there."""
        subject, value = _unwrapped(subject), self._evaluator.value(against)
        if not isinstance(value, Literal):
            return None
        if subject.type == "unary_expression" and subject.has("typeof"):
            inner = subject.field("argument")
            path = _NOTHING if inner is None else self._member(_unwrapped(inner))
            if not path or value.kind is not Kind.STRING:
                return None
            if value.value == "undefined":
                return path, not equal
            return (path, True) if equal else None
        if value.kind in {Kind.NULL, Kind.UNDEFINED}:
            path = self._member(subject)
            return (path, not equal) if path else None
        if value.kind is Kind.BOOLEAN:
            outcome = bool(value.value) is equal
            path = self.implied(subject, outcome, present=True)
            return (path, True) if path else None
        return None

    def _constant(self, item: Item) -> Item | None:
        """The condition that a `const` with a name for it stands for (`const hasTest = !!browser.test`)."""
        try:
            binding = self._evaluator.names.resolve(self._evaluator.tree.source(item), item)
        except TooManyError:
            return None
        if binding is None or len(binding.declarations) != 1:
            return None
        declared = binding.declarations[0]
        if declared.kind not in {"let", "var"} or declared.source is None:
            return None
        if any(use.role.value == "write" for use in binding.uses):
            return None
        name, value = declared.source.field("name"), declared.source.field("value")
        if name is None or value is None or name.type != "identifier":
            return None
        return (
            value
            if _unwrapped(value).type in {"binary_expression", "call_expression", "unary_expression"}
            else None
        )


def only_tested(evaluator: Evaluator, item: Item) -> bool:
    """Whether a member is read for nothing but to see whether it exists."""
    whole = outermost(item)
    up = whole.parent
    if up is None:
        return False
    match up.type:
        case "unary_expression":
            return up.has("!") or up.has("typeof")
        case "if_statement" | "while_statement" | "do_statement" | "ternary_expression" | "for_statement":
            return whole.is_field("condition")
        case "binary_expression":
            return _tests(evaluator, whole, up)
        case "arguments" if up.parent is not None:
            inner = _boolean_argument(evaluator, up.parent)
            return inner is not None and inner.same(whole)
    return False


def _tests(evaluator: Evaluator, whole: Item, up: Item) -> bool:
    operator = up.field("operator")
    if operator is None:
        return False
    if operator.type in {"&&", "||", "??"}:
        if whole.is_field("left"):
            return operator.type == "&&" or only_tested(evaluator, up)
        return only_tested(evaluator, up)
    if operator.type in {"==", "===", "!=", "!=="}:
        other = up.field("right") if whole.is_field("left") else up.field("left")
        value = None if other is None else evaluator.value(other)
        return isinstance(value, Literal) and value.kind in {Kind.NULL, Kind.UNDEFINED, Kind.BOOLEAN}
    return False


def is_alternative(item: Item) -> bool:
    """Whether something else is taken where the member is missing (`x.y ?? z`, `x.y?.()`, `{y = z}`)."""
    whole = outermost(item)
    up = whole.parent
    if up is None:
        return False
    if up.type == "binary_expression" and whole.is_field("left"):
        return up.has("??") or up.has("||")
    if up.type in {"call_expression", "member_expression", "subscript_expression"}:
        first = up.named()[0] if up.named() else None
        return first is not None and first.same(whole) and up.has("optional_chain")
    if up.type == "augmented_assignment_expression":
        return whole.is_field("left")
    return False


def _boolean_argument(evaluator: Evaluator, call: Item) -> Item | None:
    """The `x` of `Boolean(x)`."""
    function, listed = call.field("function"), call.field("arguments")
    if function is None or listed is None or function.type != "identifier":
        return None
    return listed.first() if evaluator.tree.source(function) == "Boolean" else None


def _unwrapped(item: Item) -> Item:
    while item.type in WRAPPERS:
        inner = item.first()
        if inner is None:
            return item
        item = inner
    return item


def _is_logical(binary: Item) -> bool:
    return binary.has("&&") or binary.has("||") or binary.has("??")


def _leaves(then: Item) -> bool:
    """Whether a branch ends by leaving the block that it stands in."""
    if then.type == "statement_block":
        statements = then.named()
        return bool(statements) and _leaves(statements[-1])
    return then.type in _EXITS


def _called_in_place(function: Item) -> bool:
    whole = outermost(function)
    up = whole.parent
    return up is not None and up.type == "call_expression" and whole.is_field("function")
