"""Makes a message listener return `true` on the paths on which it responds later.

    (message, sender, sendResponse) => {
      if (message === "load") {
        storage.local.get("k", (items) => sendResponse(items.k));
        return true;
      }
    }

The statement comes where it ends only such paths: no code that would run afterwards is left out, and the
listener does not keep other senders waiting. If that is not certain, the listener is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterable

from extlint.analysis.facts.values import EVENT_METHODS, Kind, Literal
from extlint.analysis.repairs.rewriting import begins_own_statement, indentation_of, statement_after
from extlint.analysis.syntax.node import LOOPS, Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    CallExpression,
    Function,
    IfStatement,
    TryStatement,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import call_with_argument, innermost, outermost
from extlint.analysis.timing.continuations import Exit, exit_of
from extlint.analysis.timing.exclusive_branches import ExclusiveBranches
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import return_statements, uses_of
from extlint.analysis.values.property_index import key_of
from extlint.text.positions import TextEdit

_RETURN = "return true"
_LISTS = frozenset({"statement_block", "switch_case", "switch_default"})
_STATEMENTS = frozenset(
    {"expression_statement", "lexical_declaration", "return_statement", "variable_declaration"}
)
_PASSED = _STATEMENTS | {
    *("arguments", "as_expression", "assignment_expression", "call_expression", "member_expression"),
    *("new_expression", "non_null_expression", "parenthesized_expression", "satisfies_expression"),
    *("sequence_expression", "subscript_expression", "unary_expression", "variable_declarator"),
}
"""The nodes between an expression and its statement in which the expression always runs."""

_DECLARATIONS = frozenset({"empty_statement", "function_declaration", "generator_function_declaration"})
_JUMPS = frozenset({"break_statement", "continue_statement"})
_UNFOLLOWED = LOOPS | {"finally_clause", "labeled_statement", "with_statement"}
"""Statements after which other code than that below them may run."""

_WIDER_TYPES = {"void": "true | void"}
"""Return types that do not include `true`, with the types to replace them."""

_TYPES = frozenset({"any", "boolean", "boolean | undefined", "boolean | void", "true | undefined"})
_TYPES_WITH_TRUE = _TYPES | {*_WIDER_TYPES.values(), "undefined | boolean", "void | boolean", "unknown"}


class _UnsureError(Exception):
    """It is not certain where the listener has to return `true`."""


def edits_keeping_open(
    evaluator: Evaluator, listener: Function, places: Iterable[Node]
) -> tuple[TextEdit, ...] | None:
    """Returns edits after which a listener returns `true` once any of these nodes has run, or None.

    The listener is not `async`. The nodes are those in the listener itself that respond later.
    """
    try:
        return _Listener(evaluator, listener).edits(places)
    except _UnsureError:
        return None


class _Listener:
    def __init__(self, evaluator: Evaluator, listener: Function) -> None:
        self._evaluator = evaluator
        self._listener = listener
        self._text = evaluator.tree.text
        self._branches = ExclusiveBranches(evaluator, listener)
        self._edits: dict[TextEdit, None] = {}

    def edits(self, places: Iterable[Node]) -> tuple[TextEdit, ...]:
        """Returns the edits, in order. Raises _UnsureError."""
        has_error = self._evaluator.tree.root.node.has_error
        if has_error or not all(map(self._listens, uses_of(self._evaluator, self._listener))):
            raise _UnsureError
        self._widen_type()
        if self._listener.body.type == "statement_block":
            for place in places:
                self._return_after(place)
        else:
            self._add_block(places)
        return tuple(sorted(self._edits))

    def _listens(self, use: Node) -> bool:
        """Whether a use of the listener's name only adds or removes the listener."""
        call = call_with_argument(outermost(use))
        callee = call.callee if isinstance(call, CallExpression) else None
        return isinstance(callee, AccessExpression) and key_of(self._evaluator, callee) in EVENT_METHODS

    def _widen_type(self) -> None:
        annotation = self._listener.field("return_type")
        if annotation is None:
            return
        written = annotation.first()
        name = "" if written is None else self._evaluator.tree.source(written)
        if written is not None and name in _WIDER_TYPES:
            self._add(TextEdit(*written.span, _WIDER_TYPES[name]))
        elif name not in _TYPES_WITH_TRUE:
            raise _UnsureError

    def _add_block(self, places: Iterable[Node]) -> None:
        """Makes a block of the expression that is the listener's body."""
        body = self._listener.body
        for place in places:
            self._require_always_run(place, body)
        if not isinstance(_without_void(innermost(body)), CallExpression):
            raise _UnsureError
        self._add(TextEdit(body.start, body.start, "{ "))
        self._add(TextEdit(body.end, body.end, f"; {_RETURN}; }}"))

    def _return_after(self, place: Node) -> None:
        statement = self._statement_of(place)
        if _is_branch(statement):
            self._return_in_branch(statement, place)
        elif statement.type == "return_statement":
            self._split(statement)
        else:
            self._return_in_list(statement, place)

    def _return_in_list(self, statement: Node, place: Node) -> None:
        """Makes the listener return `true` in the block or case of a statement, after what follows there."""
        holder = statement.parent
        assert holder is not None
        for each in _siblings_after(statement):
            if each.type == "break_statement":
                self._replace_break(each, place)
                return
            if _contains_jump(each):
                raise _UnsureError
            for returned in return_statements(self._evaluator, each):
                self._return_true_at(returned)
            if exit_of(each) is Exit.FUNCTION:
                return
        if not holder.same(self._listener.body):
            self._require_no_more_code(holder, place)
        last = holder.named()[-1]
        self._add(statement_after(self._text, last, statement, _RETURN))

    def _return_in_branch(self, statement: Node, place: Node) -> None:
        """Makes a block of a branch without braces, which ends with `return true`."""
        up = statement.parent
        assert up is not None
        if statement.type == "return_statement":
            self._split(statement, "{ ", " }")
            return
        self._require_no_more_code(statement, place)
        indentation = indentation_of(self._text, statement)
        outer = indentation_of(self._text, up)
        if indentation is None or outer is None or up.type != "if_statement":
            separator = "" if self._text[statement.end - 1 : statement.end] == b";" else ";"
            self._add(TextEdit(statement.start, statement.start, "{ "))
            self._add(TextEdit(statement.end, statement.end, f"{separator} {_RETURN}; }}"))
            return
        new = statement_after(self._text, statement, statement, _RETURN)
        line_end = "\r\n" if "\r\n" in new.text else new.text[:1]
        if line_end not in ("\r\n", "\n", "\r") or not isinstance(up, IfStatement):
            raise _UnsureError
        self._add(TextEdit(up.condition.end, up.condition.end, " {"))
        self._add(new._replace(text=f"{new.text}{line_end}{outer}}}"))

    def _split(self, returned: Node, start: str = "", end: str = "") -> None:
        """Replaces the `return` of a call's result by the call, followed by `return true`."""
        value = returned.first()
        if value is None or not isinstance(_without_void(value), CallExpression):
            raise _UnsureError
        if not begins_own_statement(self._text, value):
            raise _UnsureError
        separator = "" if self._text[returned.end - 1 : returned.end] == b";" else ";"
        self._add(TextEdit(returned.start, value.start, start))
        self._add(TextEdit(returned.end, returned.end, f"{separator} {_RETURN};{end}"))

    def _return_true_at(self, returned: Node) -> None:
        """Replaces what a `return` statement returns."""
        value = returned.first()
        if value is None:
            end = returned.start + len("return")
            self._add(TextEdit(end, end, " true"))
        elif self._is_no_answer(returned):
            space = " " if value.start == returned.start + len("return") else ""
            self._add(TextEdit(*value.span, f"{space}true"))
        elif value.type != "true":
            raise _UnsureError

    def _replace_break(self, statement: Node, place: Node) -> None:
        """Replaces the `break` that ends a case, after which the listener does nothing more."""
        self._require_no_more_code(self._switch_left_by(statement), place)
        self._add(TextEdit(statement.start, statement.start + len("break"), _RETURN))

    def _switch_left_by(self, statement: Node) -> Node:
        """Returns the `switch` that a `break` leaves. Raises _UnsureError for any other statement."""
        if statement.type == "break_statement" and statement.first() is None:
            for each in statement.ancestors():
                if each.type in LOOPS or each.same(self._listener):
                    break
                if each.type == "switch_statement":
                    return each
        raise _UnsureError

    def _require_no_more_code(self, child: Node, place: Node) -> None:
        """Raises _UnsureError unless the listener only ends after a statement, once a place has run."""
        while (up := child.parent) is not None and not up.same(self._listener):
            if up.type in _UNFOLLOWED or (isinstance(up, TryStatement) and _leaves(up.finalizer)):
                raise _UnsureError
            end = self._end_of_list(child, place) if up.type in _LISTS else None
            if up.type == "switch_body":
                self._require_nothing_in_cases(_siblings_after(child), place)
            if end is not None and end.type == "return_statement":
                return
            child = up if end is None else self._switch_left_by(end)

    def _end_of_list(self, statement: Node, place: Node) -> Node | None:
        """Returns the statement that leaves a block or case after another one, or None at its end.

        Raises _UnsureError if anything happens before.
        """
        for each in _siblings_after(statement):
            if each.type == "break_statement" or (
                each.type == "return_statement" and self._is_no_answer(each)
            ):
                return each
            if not self._does_nothing(each, place):
                raise _UnsureError
        return None

    def _require_nothing_in_cases(self, cases: Iterable[Node], place: Node) -> None:
        """Raises _UnsureError unless the cases that another one falls into do nothing."""
        for case in cases:
            for each in case.named():
                if each.type == "break_statement" and each.first() is None:
                    return
                if not each.is_field("value") and not self._does_nothing(each, place):
                    raise _UnsureError

    def _does_nothing(self, statement: Node, place: Node) -> bool:
        """Whether a statement does nothing in a call of the listener in which a place has run."""
        if statement.type in _DECLARATIONS:
            return True
        if statement.type == "else_clause":
            inner = statement.first()
            return inner is None or self._does_nothing(inner, place)
        if not isinstance(statement, IfStatement):
            return False
        alternative = statement.alternative
        return self._branches.are_exclusive(place, statement.consequence) and (
            alternative is None or self._does_nothing(alternative, place)
        )

    def _is_no_answer(self, returned: Node) -> bool:
        """Whether a `return` statement returns nothing, or a constant that is false."""
        value = returned.first()
        found = None if value is None else self._evaluator.value(value)
        return value is None or (
            isinstance(found, Literal) and (not found.value or found.kind is Kind.UNDEFINED)
        )

    def _statement_of(self, place: Node) -> Node:
        """Returns the statement that always runs a place, in a block, a case or a branch."""
        statement = place
        while statement.parent is not None:
            if statement.parent.type in _LISTS or _is_branch(statement):
                break
            statement = statement.parent
        self._require_always_run(place, statement)
        if statement.type not in _STATEMENTS or not self._listener.body.contains(statement):
            raise _UnsureError
        return statement

    def _require_always_run(self, place: Node, whole: Node) -> None:
        """Raises _UnsureError unless a place runs whenever the expression or statement around it does."""
        node = place
        while not node.same(whole):
            up = node.parent
            if up is None or up.type not in _PASSED or up.has_token("optional_chain"):
                raise _UnsureError
            node = up
        while isinstance(node := place, AccessExpression | CallExpression):
            if node.has_token("optional_chain"):
                raise _UnsureError
            place = node.object if isinstance(node, AccessExpression) else node.callee

    def _add(self, edit: TextEdit) -> None:
        self._edits[edit] = None


def _is_branch(statement: Node) -> bool:
    """Whether a statement is a branch of an `if` without braces."""
    if statement.type == "statement_block" or statement.parent is None:
        return False
    if isinstance(statement.parent, IfStatement):
        return statement.is_field("consequence")
    return statement.parent.type == "else_clause" and statement.type != "if_statement"


def _siblings_after(node: Node) -> list[Node]:
    up = node.parent
    return [] if up is None else [each for each in up.named() if each.start >= node.end]


def _leaves(finalizer: Node | None) -> bool:
    """Whether a `finally` block leaves the function, or goes somewhere else."""
    block = None if finalizer is None else finalizer.first()
    return block is not None and exit_of(block) is not None


def _contains_jump(statement: Node) -> bool:
    """Whether a statement contains a `break` or `continue`, outside of functions."""
    waiting = [statement]
    while waiting:
        node = waiting.pop()
        if node.type in _JUMPS:
            return True
        waiting += [each for each in node.named() if not isinstance(each, Function)]
    return False


def _without_void(expression: Node) -> Node:
    """Returns the operand of `void`, or the expression itself."""
    inner = innermost(expression)
    if isinstance(inner, UnaryExpression) and inner.operator == "void":
        return innermost(inner.argument)
    return inner
