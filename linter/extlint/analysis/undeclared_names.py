"""Names that a script uses without declaring them, that it declares at its top, or may define as globals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice

from extlint.analysis.call_graph.callers import entry_points_of
from extlint.analysis.expressions.destructuring import names_in
from extlint.analysis.facts.context import CONTEXT_OF
from extlint.analysis.facts.script_facts import Declaration, GlobalUse, TopLevel
from extlint.analysis.facts.values import Value
from extlint.analysis.guards.forms.facts import public_guards
from extlint.analysis.reachability.destinations import DestinationFinder
from extlint.analysis.reachability.executed_paths import ExecutedPaths
from extlint.analysis.reachability.paths import Paths, combined, deferred
from extlint.analysis.scope.model import Identifier, Role
from extlint.analysis.syntax.node import CLASSES, DECLARED_FUNCTIONS, FUNCTIONS, VARIABLE_SCOPES, Node
from extlint.analysis.syntax.nodes import (
    AssignmentExpression,
    AugmentedAssignment,
    ExportSpecifier,
    ForInStatement,
    Function,
    MemberExpression,
    UnaryExpression,
    UpdateExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.prefilter import GLOBAL_OBJECTS
from extlint.analysis.syntax.shapes import outermost
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.analysis.values.evaluator import Evaluator
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name

MAX_USES = 20
"""The most uses of one name that are examined."""

_NAMED = frozenset({"identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"})
_READING = frozenset({"augmented", "update"})
"""The kinds of writes that read the variable before, and so fail in sloppy code, too."""

_TAGS = frozenset({"jsx_closing_element", "jsx_opening_element", "jsx_self_closing_element"})
_SAFE_OPERATORS = frozenset({"typeof", "delete"})
_DIRECTIVE = lazy(rb"(?i)\b(?:globals?|exported|declare|require)\b")
"""Words in comments that say where a name comes from."""


def undeclared_uses(
    evaluator: Evaluator,
    paths: ExecutedPaths,
    names: Iterable[str],
    *,
    is_module: bool | None = None,
    must_be_known: bool = True,
) -> Iterator[GlobalUse]:
    """Yields the uses of each of these names that the script does not declare, and that fail if they run.

    In strict code, such as a script that `is_module`, assignments fail, too. Unless a path to the use
    `must_be_known`, one is assumed to any code whose text cannot run elsewhere.
    """

    def use_at(name: str, at: int) -> GlobalUse | None:
        leaf = _undeclared_at(evaluator, at, is_module)
        if leaf is None:
            return None
        executed = paths.to(leaf)
        if not executed and not must_be_known and not _may_be_injected(evaluator, leaf):
            executed = _written_path(paths, leaf)
        return GlobalUse(name, leaf.span, None, True, executed, paths.on_load(leaf)) if executed else None

    for name in names:
        places = evaluator.names.words.occurrences(name)
        uses = (evaluator.attempt((at, at + 1), partial(use_at, name, at)) for at in places)
        yield from islice((each for each in uses if each is not None), MAX_USES)


def _undeclared_at(evaluator: Evaluator, at: int, is_module: bool | None) -> Node | None:
    """Returns the name at an offset if its use fails unless something outside of the script defines it."""
    leaf = evaluator.tree.leaf_at(at)
    found = evaluator.names.classify(at) if leaf.start == at and leaf.type in _NAMED else None
    if found is None or not _fails(evaluator, found, is_module) or evaluator.names.variable(leaf) is not None:
        return None
    return None if evaluator.tree.is_in_with_statement(leaf) else leaf


def _may_be_injected(evaluator: Evaluator, item: Node) -> bool:
    """Whether the text of a function around an expression may run elsewhere."""
    destinations = DestinationFinder(evaluator)
    return any(
        destinations.of(use) in CONTEXT_OF
        for up in item.ancestors()
        if isinstance(up, Function)
        for use in (up, *(each for entry in entry_points_of(evaluator, up) for each in entry.uses))
    )


def _written_path(paths: ExecutedPaths, item: Node) -> Paths:
    """Returns the guards around an expression as it is written, without those of callers."""
    local, entered = paths.guards.within_function(item)
    found = frozenset({public_guards(local)})
    return found if entered is None else combined(found, deferred(_written_path(paths, entered)))


def _fails(evaluator: Evaluator, use: Identifier, is_module: bool | None) -> bool:
    """Whether a use fails if nothing defines the name."""
    if _is_assigned(use):
        return _is_strict(evaluator, use.item, is_module)
    if use.role is Role.WRITE:
        return True
    is_plain = not (isinstance(use.item.parent, ExportSpecifier) or _is_tag(use.item))
    return use.role is Role.REFERENCE and is_plain and not _is_tested(use.item)


def _is_assigned(use: Identifier) -> bool:
    """Whether a use gives the variable a value, without reading it."""
    if use.role is Role.WRITE:
        return use.kind not in _READING
    target = outermost(use.item)
    up = target.parent
    return isinstance(up, AssignmentExpression | ForInStatement) and target.is_field("left")


def _is_strict(evaluator: Evaluator, item: Node, is_module: bool | None) -> bool:
    """Whether code is strict. If it is not known how the script is loaded, its syntax decides."""
    return is_strict(
        evaluator.tree, item, in_module=evaluator.tree.is_module if is_module is None else is_module
    )


def _is_tested(item: Node) -> bool:
    up = outermost(item).parent
    return isinstance(up, UnaryExpression) and up.operator in _SAFE_OPERATORS


def may_define(
    evaluator: Evaluator, name: str, *, is_module: bool | None = None, is_merging: bool = True
) -> bool:
    """Whether a script may define a global of this name for itself or other scripts.

    Every occurrence counts, except uses, variables that other scripts do not see, and prose. If a script
    `is_merging`, members of any object may become globals.
    """
    return any(
        not _is_harmless(evaluator, name, at, is_module, is_merging)
        for at in evaluator.names.words.occurrences(name)
    )


def _is_harmless(evaluator: Evaluator, name: str, at: int, is_module: bool | None, is_merging: bool) -> bool:
    tree = evaluator.tree
    leaf = tree.leaf_at(at)
    if leaf.type in _NAMED and leaf.start == at:
        return _is_harmless_name(evaluator, leaf, at, is_module, is_merging)
    text = tree.text[leaf.start : leaf.end]
    match leaf.type:
        case "property_identifier" | "private_property_identifier":
            return _is_harmless_member(evaluator, leaf, is_merging)
        case "statement_identifier" | "${":
            return True
        case "comment":
            return _DIRECTIVE.search(text) is None
        case "string_fragment":
            return text != encode_name(name) and b"=" not in text and b"function" not in text
    return False


def _is_harmless_name(
    evaluator: Evaluator, leaf: Node, at: int, is_module: bool | None, is_merging: bool
) -> bool:
    found, tree = evaluator.names.classify(at), evaluator.tree
    if found is None:
        return isinstance(leaf.parent, ExportSpecifier)
    if leaf.type == "shorthand_property_identifier" and is_merging:
        return False
    variable = evaluator.names.variable(leaf)
    if variable is not None:
        return is_module or tree.is_module or variable.scope.parent is not None
    return _is_tag(leaf) or _fails(evaluator, found, is_module)


def _is_tag(item: Node) -> bool:
    return item.parent is not None and item.parent.type in _TAGS


def _is_harmless_member(evaluator: Evaluator, key: Node, is_merging: bool) -> bool:
    up = key.parent
    if not isinstance(up, MemberExpression):
        return not is_merging
    if up.object.type == "this":
        return _is_in_method(up)
    is_of_global = evaluator.tree.source(up.object) in GLOBAL_OBJECTS
    return not is_of_global and not (is_merging and _is_written(outermost(up)))


def _is_written(target: Node) -> bool:
    up = target.parent
    match up:
        case AssignmentExpression() | AugmentedAssignment() | ForInStatement():
            return target.is_field("left")
        case UpdateExpression():
            return True
    return up is not None and "pattern" in up.type


def _is_in_method(item: Node) -> bool:
    """Whether `this` at a node is an instance of a class."""
    for up in item.ancestors():
        if up.type in FUNCTIONS and up.type != "arrow_function":
            return up.type == "method_definition" and up.parent is not None and up.parent.type == "class_body"
        if up.type in CLASSES:
            return True
    return False


_UNIQUE = frozenset({"class_declaration", "lexical_declaration"})
"""Statements whose names can be declared only once in a scope."""

_DECLARING = _UNIQUE | DECLARED_FUNCTIONS | {"variable_declaration"}
_WITHOUT_VALUE = _DECLARING | {"empty_statement"}
"""Statements that leave the value of the one before."""


def top_level(evaluator: Evaluator) -> TopLevel:
    """Returns the names that a script declares at its top, and the value of its last expression."""
    statements = evaluator.tree.root.named()
    declarations = (
        Declaration(evaluator.tree.source(name), name.span, each.type in _UNIQUE)
        for each in statements
        if each.type in _DECLARING
        for name in _declared_names(each)
    )
    return TopLevel(tuple(declarations), _last_value(evaluator, statements))


def _declared_names(statement: Node) -> Iterator[Node]:
    if statement.type in DECLARED_FUNCTIONS or statement.type == "class_declaration":
        name = statement.field("name")
        if name is not None:
            yield name
        return
    for each in statement.named():
        if isinstance(each, VariableDeclarator):
            yield from names_in(each.name)


def _last_value(evaluator: Evaluator, statements: list[Node]) -> Value | None:
    """Returns the value of the last statement that has one, or None if it is not an expression."""
    last = next((each for each in reversed(statements) if each.type not in _WITHOUT_VALUE), None)
    expression = last.first() if last is not None and last.type == "expression_statement" else None
    return None if expression is None else evaluator.possible.value(expression)


_DIRECTIVES = frozenset({b'"use strict"', b"'use strict'"})


def is_strict(tree: SyntaxTree, item: Node, *, in_module: bool) -> bool:
    """Whether the code at a node is strict: in a module, a class, or after a directive."""
    if in_module:
        return True
    return any(
        up.type in CLASSES or (up.type in VARIABLE_SCOPES and _has_directive(tree, up))
        for up in item.ancestors()
    )


def _has_directive(tree: SyntaxTree, scope: Node) -> bool:
    """Whether a function or the program begins with a directive that makes it strict."""
    body = scope.field("body") or scope
    for statement in body.named():
        literal = statement.first() if statement.type == "expression_statement" else None
        if literal is None or literal.type != "string":
            return False
        if tree.text[literal.start : literal.end] in _DIRECTIVES:
            return True
    return False
