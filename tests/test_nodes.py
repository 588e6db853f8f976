"""The kinds of syntax nodes and the names of their parts."""

from __future__ import annotations

import pytest

from extlint.analysis.syntax.node import Absent, Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AssignmentPattern,
    AugmentedAssignment,
    AwaitExpression,
    BinaryExpression,
    CallExpression,
    CatchClause,
    ConditionalExpression,
    ExportStatement,
    ForInStatement,
    Function,
    IfStatement,
    ImportStatement,
    NewExpression,
    Pair,
    Parameter,
    SwitchStatement,
    TryStatement,
    UnaryExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.parse import Grammar, parse, with_marks
from extlint.analysis.syntax.tree import SyntaxTree, nodes_outside_functions


def _tree(text: str, grammar: Grammar = "javascript") -> SyntaxTree:
    parsed = parse(text.encode(), grammar)
    assert parsed is not None
    return SyntaxTree(with_marks(text.encode()), parsed)


def _first(tree: SyntaxTree, kind: type[Node]) -> Node:
    """Returns the first node of a kind, including nodes inside functions."""
    waiting = [tree.root]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, kind):
            return node
        waiting += node.named()
    raise AssertionError(kind)


def _shown(tree: SyntaxTree, part: object) -> object:
    if isinstance(part, Node):
        return tree.source(part)
    return [_shown(tree, each) for each in part] if isinstance(part, list) else part


PARTS: list[tuple[str, type[Node], dict[str, object]]] = [
    ("f(a, b)", CallExpression, {"callee": "f", "arguments": ["a", "b"], "first_argument": "a"}),
    ("f`a`", CallExpression, {"callee": "f", "arguments": [], "argument_list": None}),
    ("new F(a)", NewExpression, {"callee": "F", "arguments": ["a"]}),
    ("new F", NewExpression, {"callee": "F", "arguments": [], "argument_list": None}),
    ("a.b", AccessExpression, {"object": "a", "key": "b"}),
    ("a[b]", AccessExpression, {"object": "a", "key": "b"}),
    ("a = b", AssignmentExpression, {"left": "a", "right": "b"}),
    ("a ||= b", AugmentedAssignment, {"left": "a", "right": "b", "operator": "||=", "is_logical": True}),
    ("a += b", AugmentedAssignment, {"operator": "+=", "is_logical": False}),
    ("a && b", BinaryExpression, {"left": "a", "right": "b", "operator": "&&", "is_logical": True}),
    ("a in b", BinaryExpression, {"left": "a", "right": "b", "operator": "in", "is_logical": False}),
    ("typeof a", UnaryExpression, {"operator": "typeof", "argument": "a"}),
    ("await a", AwaitExpression, {"argument": "a"}),
    ("await (a)", AwaitExpression, {"argument": "(a)"}),
    ("a ? b : c", ConditionalExpression, {"condition": "a", "consequence": "b", "alternative": "c"}),
    ("function f(a, b) {}", Function, {"name": "f", "parameters": ["a", "b"], "body": "{}"}),
    ("a => b", Function, {"name": None, "parameters": ["a"], "body": "b"}),
    ("let a", VariableDeclarator, {"name": "a", "value": None}),
    ("let {a} = b", VariableDeclarator, {"name": "{a}", "value": "b"}),
    ("({a: b})", Pair, {"key": "a", "value": "b"}),
    ("let {a = b} = c", AssignmentPattern, {"left": "a", "right": "b"}),
    ("if (a) b", IfStatement, {"condition": "(a)", "consequence": "b", "alternative": None}),
    ("for (const a of b) c", ForInStatement, {"kind": "const", "left": "a", "operator": "of", "right": "b"}),
    ("for (a in b) c", ForInStatement, {"kind": "", "left": "a", "operator": "in", "body": "c"}),
    ("switch (a) {}", SwitchStatement, {"value": "(a)", "body": "{}"}),
    ("try {} finally {}", TryStatement, {"body": "{}", "handler": None}),
    ("try {} catch (e) {}", CatchClause, {"parameter": "e", "body": "{}"}),
    ("import a from 'b'", ImportStatement, {"source": "'b'"}),
    ("export {a as b, c}", ExportStatement, {"source": None, "specifiers": ["a as b", "c"]}),
    ("export default a", ExportStatement, {"value": "a", "declaration": None, "specifiers": []}),
]


@pytest.mark.parametrize(("text", "kind", "expected"), PARTS, ids=[each[0] for each in PARTS])
def test_named_parts_of_nodes(text: str, kind: type[Node], expected: dict[str, object]) -> None:
    tree = _tree(text)
    node = _first(tree, kind)
    found = {name: getattr(node, name) for name in expected}
    assert {
        name: _shown(tree, each() if callable(each) else each) for name, each in found.items()
    } == expected


def test_typescript_this_is_not_a_parameter() -> None:
    tree = _tree("function f(this: Window, a?: string, b = 1) {}", "typescript")
    function = _first(tree, Function)
    assert isinstance(function, Function)
    assert [_shown(tree, each) for each in function.parameters] == ["a?: string", "b = 1"]
    optional = function.parameters[0]
    assert isinstance(optional, Parameter)
    assert _shown(tree, [optional.pattern, optional.annotation]) == ["a", ": string"]
    assert optional.value is None


def test_nodes_know_their_ancestors() -> None:
    tree = _tree("f(a.b)")
    call = _first(tree, CallExpression)
    assert isinstance(call, CallExpression)
    argument = call.arguments[0]
    assert [each.type for each in argument.ancestors()] == [
        "arguments",
        "call_expression",
        "expression_statement",
        "program",
    ]
    assert call.callee.is_field("function")
    assert not argument.is_field("function")
    assert [each.type for each in nodes_outside_functions(tree, argument)] == [
        "member_expression",
        "property_identifier",
        "identifier",
    ]


def test_absent_part_behaves_like_unknown_code() -> None:
    call = _first(_tree("f(a)"), CallExpression)
    absent = Absent(call)
    assert (absent.type, absent.span) == ("", (call.end, call.end))
    assert (absent.named(), absent.children(), absent.first(), absent.field("body")) == ([], [], None, None)
    assert not absent.has_token("(")
    assert not absent.is_field("function")
    assert absent.same(Absent(call))
    assert not absent.same(call)
    assert absent.scope.type == "program"
