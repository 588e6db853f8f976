"""The kinds of syntax nodes, each with names for its parts.

`isinstance(node, CallExpression)` tells a kind, and its parts are attributes. A part that the language
requires is a node always: in broken code it may be an `Absent` one. One that may be left out is None then.
The kinds are named as the grammars and ESTree name them.
"""

from __future__ import annotations

from typing import ClassVar

from tree_sitter import Node as ParserNode

from extlint.script.syntax.node import CLASSES, FUNCTIONS, MAKERS, Absent, Kinds, Node, node_of

AWAIT_LENGTH = len("await")


class _Required:
    """A field that the grammar always fills."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, node: Node, owner: type[Node]) -> Node:
        found = node.node.child_by_field_name(self._name)
        if found is None:
            return Absent(node)
        make, node_type = node.kinds[found.kind_id]
        return make(found, node, node_type, node.kinds)


class _Optional:
    """A field that may be empty."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, node: Node, owner: type[Node]) -> Node | None:
        found = node.node.child_by_field_name(self._name)
        return None if found is None else node_of(found, node, node.kinds)


class _Token:
    """A field that holds a word or sign, as it is written; empty if there is none."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, node: Node, owner: type[Node]) -> str:
        found = node.node.child_by_field_name(self._name)
        return "" if found is None else found.type


class _Operand:
    """What stands in a statement or expression that has only one part, which the grammar does not name."""

    __slots__ = ()

    def __get__(self, node: Node, owner: type[Node]) -> Node:
        return node.first() or Absent(node)


class CallOrNewExpression(Node):
    """A call, or the making of an instance."""

    __slots__ = ()

    _callee_field: ClassVar[str]

    @property
    def callee(self) -> Node:
        """What is called, or the class."""
        found = self.node.child_by_field_name(self._callee_field)
        return Absent(self) if found is None else node_of(found, self, self.kinds)

    @property
    def argument_list(self) -> Node | None:
        """The arguments in their parentheses; None for a tagged template, and for `new` without any."""
        found = self.node.child_by_field_name("arguments")
        return None if found is None or found.type != "arguments" else node_of(found, self, self.kinds)

    @property
    def arguments(self) -> list[Node]:
        """The arguments; none for a tagged template, and for `new` without parentheses."""
        listed = self.argument_list
        return [] if listed is None else listed.named()

    @property
    def first_argument(self) -> Node | None:
        """The first argument, if it has one."""
        return next(iter(self.arguments), None)


class CallExpression(CallOrNewExpression, types=("call_expression",)):
    """`callee(...arguments)`, a tagged template, or `import(...)`."""

    __slots__ = ()
    _callee_field = "function"


class NewExpression(CallOrNewExpression, types=("new_expression",)):
    """`new callee(...arguments)`."""

    __slots__ = ()
    _callee_field = "constructor"


class AccessExpression(Node):
    """A property of an object, by its name or computed."""

    __slots__ = ()
    object = _Required("object")

    @property
    def key(self) -> Node:
        """The name, or the expression in brackets."""
        return self.field("property") or self.field("index") or Absent(self)


class MemberExpression(AccessExpression, types=("member_expression",)):
    """`object.property`."""

    __slots__ = ()
    property = _Required("property")


class SubscriptExpression(AccessExpression, types=("subscript_expression",)):
    """`object[index]`."""

    __slots__ = ()
    index = _Required("index")


class AssignmentExpression(Node, types=("assignment_expression",)):
    """`left = right`."""

    __slots__ = ()
    left = _Required("left")
    right = _Required("right")


class AugmentedAssignment(Node, types=("augmented_assignment_expression",)):
    """`left += right`, and the like."""

    __slots__ = ()
    left = _Required("left")
    operator = _Token("operator")
    right = _Required("right")

    @property
    def is_logical(self) -> bool:
        """Whether the value of the left side decides if it is written at all (`&&=`, `||=`, `??=`)."""
        return self.operator in {"&&=", "||=", "??="}


class BinaryExpression(Node, types=("binary_expression",)):
    """`left && right`, `left === right`, `left in right`: two expressions and what stands between them."""

    __slots__ = ()
    left = _Required("left")
    operator = _Token("operator")
    right = _Required("right")

    @property
    def is_logical(self) -> bool:
        """Whether the value of the left side decides if the right one is evaluated (`&&`, `||`, `??`)."""
        return self.operator in {"&&", "||", "??"}


class UnaryExpression(Node):
    """`!argument`, `typeof argument`, `void argument`, and the like."""

    __slots__ = ()
    operator = _Token("operator")
    argument = _Required("argument")


class UpdateExpression(Node, types=("update_expression",)):
    """`argument++`, `--argument`."""

    __slots__ = ()
    operator = _Token("operator")
    argument = _Required("argument")


class AwaitExpression(Node, types=("await_expression",)):
    """`await argument`."""

    __slots__ = ()
    argument = _Operand()


def _unary_or_await(node: ParserNode, parent: Node | None, node_type: str, kinds: Kinds) -> Node:
    if _is_await(node):
        return AwaitExpression(node, parent, "await_expression", kinds)
    return UnaryExpression(node, parent, node_type, kinds)


def _is_await(node: ParserNode) -> bool:
    """Whether it is an `await` that the parser got as `!` and spaces; see `extlint.script.syntax.parse`."""
    operator, argument = node.child(0), node.child(1)
    if operator is None or argument is None or operator.type != "!":
        return False
    return argument.start_byte - operator.start_byte >= AWAIT_LENGTH and argument.type != "comment"


MAKERS["unary_expression"] = _unary_or_await


class ConditionalExpression(Node, types=("ternary_expression",)):
    """`condition ? consequence : alternative`."""

    __slots__ = ()
    condition = _Required("condition")
    consequence = _Required("consequence")
    alternative = _Required("alternative")


class RegularExpression(Node, types=("regex",)):
    """`/pattern/flags`."""

    __slots__ = ()
    pattern = _Required("pattern")
    flags = _Optional("flags")


class Function(Node, types=FUNCTIONS):
    """A function of any kind: a declaration, an expression, an arrow or a method."""

    __slots__ = ()
    body = _Required("body")

    @property
    def name(self) -> Node | None:
        """Its own name, if it has one."""
        return self.field("name")

    @property
    def parameters(self) -> list[Node]:
        """The parameters as they are written; TypeScript's `this` is none."""
        alone = self.node.child_by_field_name("parameter")
        if alone is not None:
            return [node_of(alone, self, self.kinds)]
        listed = self.field("parameters")
        return [] if listed is None else [each for each in listed.named() if not _is_this(each)]


class FunctionDeclaration(Function, types=("function_declaration",)):
    """`function name(...parameters) body` as a statement."""

    __slots__ = ()


class MethodDefinition(Function, types=("method_definition",)):
    """A method, getter or setter of a class or object, or a constructor."""

    __slots__ = ()

    @property
    def name(self) -> Node:
        """Its name, which may be computed."""
        return self.field("name") or Absent(self)


def _is_this(parameter: Node) -> bool:
    return isinstance(parameter, Parameter) and parameter.pattern.type == "this"


class Parameter(Node, types=("optional_parameter", "required_parameter")):
    """A parameter in TypeScript's grammar; in JavaScript's a parameter is the bare pattern."""

    __slots__ = ()
    pattern = _Required("pattern")
    annotation = _Optional("type")
    value = _Optional("value")
    """Its default."""


class Class(Node, types=CLASSES):
    """A class, declared or an expression."""

    __slots__ = ()
    name = _Optional("name")
    body = _Required("body")


class FieldDefinition(Node, types=("field_definition", "public_field_definition")):
    """A field of a class."""

    __slots__ = ()
    value = _Optional("value")

    @property
    def name(self) -> Node:
        """Its name, which may be computed."""
        return self.field("name") or self.field("property") or Absent(self)


class EnumDeclaration(Node, types=("enum_declaration",)):
    """TypeScript's `enum name { ... }`."""

    __slots__ = ()
    name = _Required("name")
    body = _Required("body")


class EnumAssignment(Node, types=("enum_assignment",)):
    """`name = value` in an enum."""

    __slots__ = ()
    name = _Required("name")
    value = _Required("value")


class LexicalDeclaration(Node, types=("lexical_declaration",)):
    """`let` or `const` with declarators."""

    __slots__ = ()
    kind = _Token("kind")


class VariableDeclaration(Node, types=("variable_declaration",)):
    """`var` with declarators."""

    __slots__ = ()


class VariableDeclarator(Node, types=("variable_declarator",)):
    """`name = value` after `var`, `let` or `const`; the name may be a pattern."""

    __slots__ = ()
    name = _Required("name")
    value = _Optional("value")


class Pair(Node, types=("pair",)):
    """`key: value` in an object."""

    __slots__ = ()
    key = _Required("key")
    value = _Required("value")


class PairPattern(Node, types=("pair_pattern",)):
    """`key: value` in a pattern that takes an object apart; the value is a pattern."""

    __slots__ = ()
    key = _Required("key")
    value = _Required("value")


class AssignmentPattern(Node, types=("assignment_pattern", "object_assignment_pattern")):
    """`left = right` in a pattern: what takes the value, and the default."""

    __slots__ = ()
    left = _Required("left")
    right = _Required("right")


class IfStatement(Node, types=("if_statement",)):
    """`if (condition) consequence else alternative`; the last is an `else_clause`."""

    __slots__ = ()
    condition = _Required("condition")
    consequence = _Required("consequence")
    alternative = _Optional("alternative")


class ForStatement(Node, types=("for_statement",)):
    """`for (initializer; condition; increment) body`."""

    __slots__ = ()
    initializer = _Optional("initializer")
    condition = _Optional("condition")
    increment = _Optional("increment")
    body = _Required("body")


class ForInStatement(Node, types=("for_in_statement",)):
    """`for (kind left of right) body`, or with `in`."""

    __slots__ = ()
    kind = _Token("kind")
    """`var`, `let` or `const`; empty if it declares nothing."""
    left = _Required("left")
    operator = _Token("operator")
    right = _Required("right")
    body = _Required("body")


class DoStatement(Node, types=("do_statement",)):
    """`do body while (condition)`."""

    __slots__ = ()
    condition = _Required("condition")
    body = _Required("body")


class WhileStatement(Node, types=("while_statement",)):
    """`while (condition) body`."""

    __slots__ = ()
    condition = _Required("condition")
    body = _Required("body")


class SwitchStatement(Node, types=("switch_statement",)):
    """`switch (value) body`."""

    __slots__ = ()
    value = _Required("value")
    body = _Required("body")


class SwitchCase(Node, types=("switch_case",)):
    """`case value:` with its statements."""

    __slots__ = ()
    value = _Required("value")


class TryStatement(Node, types=("try_statement",)):
    """`try body handler finalizer`."""

    __slots__ = ()
    body = _Required("body")
    handler = _Optional("handler")
    finalizer = _Optional("finalizer")


class CatchClause(Node, types=("catch_clause",)):
    """`catch (parameter) body`."""

    __slots__ = ()
    parameter = _Optional("parameter")
    body = _Required("body")


class ImportStatement(Node, types=("import_statement",)):
    """`import ... from source`; TypeScript's `import name = require(...)` has no source of its own."""

    __slots__ = ()
    source = _Optional("source")


class ImportRequireClause(Node, types=("import_require_clause",)):
    """`name = require(source)` in an import of TypeScript's."""

    __slots__ = ()
    source = _Required("source")


class ExportStatement(Node, types=("export_statement",)):
    """`export declaration`, `export default value`, `export { ... } from source`."""

    __slots__ = ()
    declaration = _Optional("declaration")
    value = _Optional("value")
    source = _Optional("source")

    def specifiers(self) -> list[ExportSpecifier]:
        """What is named between its braces."""
        clauses = (each for each in self.named() if each.type == "export_clause")
        return [each for clause in clauses for each in clause.named() if isinstance(each, ExportSpecifier)]


class ModuleSpecifier(Node):
    """`name as alias` between the braces of an import or export."""

    __slots__ = ()
    name = _Required("name")
    alias = _Optional("alias")


class ImportSpecifier(ModuleSpecifier, types=("import_specifier",)):
    """What an import takes from a module, under the alias if it has one."""

    __slots__ = ()


class ExportSpecifier(ModuleSpecifier, types=("export_specifier",)):
    """What a module exports, under the alias if it has one."""

    __slots__ = ()
