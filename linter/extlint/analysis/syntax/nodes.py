"""The kinds of syntax nodes, each with names for its parts.

`isinstance(node, CallExpression)` checks the kind, and the parts are attributes. A part that the language
requires is always a node; in broken code it may be an `Absent` one. An optional part may be None.
The kinds are named as in the grammars and ESTree.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from tree_sitter import Node as ParserNode

from extlint.analysis.syntax.node import (
    CLASSES,
    FUNCTIONS,
    NODE_FACTORIES,
    Absent,
    CompiledAsync,
    Kinds,
    Node,
    node_of,
)

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
    """A field that holds a keyword or punctuation, as it is written; empty if absent."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, node: Node, owner: type[Node]) -> str:
        found = node.node.child_by_field_name(self._name)
        return "" if found is None else found.type


class _Operand:
    """The single part of a statement or expression, for which the grammar has no field name."""

    __slots__ = ()

    def __get__(self, node: Node, owner: type[Node]) -> Node:
        return node.first() or Absent(node)


class CallOrNewExpression(Node):
    """A call or an instantiation."""

    __slots__ = ()

    _callee_field: ClassVar[str]

    @property
    def callee(self) -> Node:
        """The called function, or the class."""
        found = self.node.child_by_field_name(self._callee_field)
        return Absent(self) if found is None else node_of(found, self, self.kinds)

    @property
    def argument_list(self) -> Node | None:
        """The arguments in their parentheses.

        None for a tagged template, and for `new` without parentheses.
        """
        found = self.node.child_by_field_name("arguments")
        return None if found is None or found.type != "arguments" else node_of(found, self, self.kinds)

    @property
    def arguments(self) -> list[Node]:
        """The arguments; empty for a tagged template, and for `new` without parentheses."""
        listed = self.argument_list
        return [] if listed is None else listed.named()

    @property
    def first_argument(self) -> Node | None:
        """The first argument, or None."""
        return next(iter(self.arguments), None)


class CallExpression(CallOrNewExpression):
    """`callee(...arguments)`, a tagged template, or `import(...)`."""

    __slots__ = ()
    _callee_field = "function"


class NewExpression(CallOrNewExpression):
    """`new callee(...arguments)`."""

    __slots__ = ()
    _callee_field = "constructor"


class AccessExpression(Node):
    """A property access, by name or computed."""

    __slots__ = ()
    object: ClassVar = _Required("object")

    @property
    def key(self) -> Node:
        """The name, or the expression in brackets."""
        return self.field("property") or self.field("index") or Absent(self)


class MemberExpression(AccessExpression):
    """`object.property`."""

    __slots__ = ()
    property: ClassVar = _Required("property")


class SubscriptExpression(AccessExpression):
    """`object[index]`."""

    __slots__ = ()
    index: ClassVar = _Required("index")


class AssignmentExpression(Node):
    """`left = right`."""

    __slots__ = ()
    left: ClassVar = _Required("left")
    right: ClassVar = _Required("right")


class AugmentedAssignment(Node):
    """`left += right`, and the like."""

    __slots__ = ()
    left: ClassVar = _Required("left")
    operator: ClassVar = _Token("operator")
    right: ClassVar = _Required("right")

    @property
    def is_logical(self) -> bool:
        """Whether the value of the left side decides if it is written at all (`&&=`, `||=`, `??=`)."""
        return self.operator in {"&&=", "||=", "??="}


class BinaryExpression(Node):
    """`left && right`, `left === right`, `left in right`: two expressions joined by an operator."""

    __slots__ = ()
    left: ClassVar = _Required("left")
    operator: ClassVar = _Token("operator")
    right: ClassVar = _Required("right")

    @property
    def is_logical(self) -> bool:
        """Whether the value of the left side decides if the right one is evaluated (`&&`, `||`, `??`)."""
        return self.operator in {"&&", "||", "??"}


class UnaryExpression(Node):
    """`!argument`, `typeof argument`, `void argument`, and the like."""

    __slots__ = ()
    operator: ClassVar = _Token("operator")
    argument: ClassVar = _Required("argument")


class UpdateExpression(Node):
    """`argument++`, `--argument`."""

    __slots__ = ()
    operator: ClassVar = _Token("operator")
    argument: ClassVar = _Required("argument")


class AwaitExpression(Node):
    """`await argument`."""

    __slots__ = ()
    argument: ClassVar = _Operand()


def _unary_or_await(node: ParserNode, parent: Node | None, node_type: str, kinds: Kinds) -> Node:
    if _is_await(node):
        return AwaitExpression(node, parent, "await_expression", kinds)
    return UnaryExpression(node, parent, node_type, kinds)


def _is_await(node: ParserNode) -> bool:
    """Whether a node is an `await` that the parser was passed as `!` and spaces.

    See `extlint.analysis.syntax.parse`.
    """
    operator, argument = node.child(0), node.child(1)
    if operator is None or argument is None or operator.type != "!":
        return False
    return argument.start_byte - operator.start_byte >= AWAIT_LENGTH and argument.type != "comment"


class ConditionalExpression(Node):
    """`condition ? consequence : alternative`."""

    __slots__ = ()
    condition: ClassVar = _Required("condition")
    consequence: ClassVar = _Required("consequence")
    alternative: ClassVar = _Required("alternative")


class RegularExpression(Node):
    """`/pattern/flags`."""

    __slots__ = ()
    pattern: ClassVar = _Required("pattern")
    flags: ClassVar = _Optional("flags")


class Function(Node):
    """A function of any kind: a declaration, an expression, an arrow or a method."""

    __slots__ = ()
    body: ClassVar = _Required("body")

    @property
    def name(self) -> Node | None:
        """Its own name, or None."""
        return self.field("name")

    @property
    def parameters(self) -> list[Node]:
        """The parameters as they are written, except TypeScript's `this`."""
        single_parameter = self.node.child_by_field_name("parameter")
        if single_parameter is not None:
            return [node_of(single_parameter, self, self.kinds)]
        listed = self.field("parameters")
        return [] if listed is None else [each for each in listed.named() if not _is_this(each)]


class FunctionDeclaration(Function):
    """`function name(...parameters) body` as a statement."""

    __slots__ = ()


class CompiledAsyncFunction(Function):
    """A generator that a compiler emitted for an `async` function; see `compiled_async`.

    It is treated as the original: an `async` arrow function if it runs immediately.
    """

    __slots__ = ("use",)

    def __init__(self, node: ParserNode, parent: Node | None, use: CompiledAsync, kinds: Kinds) -> None:
        is_arrow = use is CompiledAsync.CALLED
        super().__init__(node, parent, "arrow_function" if is_arrow else "function_expression", kinds)
        self.use = use

    def has_token(self, *tokens: str) -> bool:
        """Whether a child has one of these tokens, as if the function had been written with `async`."""
        return "async" in tokens or ("*" not in tokens and super().has_token(*tokens))


def _generator(node: ParserNode, parent: Node | None, node_type: str, kinds: Kinds) -> Node:
    from extlint.analysis.syntax.compiled_async import compiled_async

    use = None if node.child_by_field_name("name") is not None else compiled_async(node, parent)
    if use is None or (use is CompiledAsync.CALLED and _has_parameters(node)):
        return Function(node, parent, node_type, kinds)
    return CompiledAsyncFunction(node, parent, use, kinds)


def _has_parameters(function: ParserNode) -> bool:
    listed = function.child_by_field_name("parameters")
    return listed is not None and listed.named_child_count > 0


def _yield_or_await(node: ParserNode, parent: Node | None, node_type: str, kinds: Kinds) -> Node:
    up = parent
    while up is not None and not isinstance(up, Function):
        up = up.parent
    found = Node(node, parent, node_type, kinds)
    if isinstance(up, CompiledAsyncFunction) and not found.has_token("*"):
        return AwaitExpression(node, parent, "await_expression", kinds)
    return found


class MethodDefinition(Function):
    """A method, getter or setter of a class or object, or a constructor."""

    __slots__ = ()

    @property
    def name(self) -> Node:
        """Its name, which may be computed."""
        return self.field("name") or Absent(self)


def _is_this(parameter: Node) -> bool:
    return isinstance(parameter, Parameter) and parameter.pattern.type == "this"


class Parameter(Node):
    """A parameter in TypeScript's grammar; in JavaScript's a parameter is the bare pattern."""

    __slots__ = ()
    pattern: ClassVar = _Required("pattern")
    annotation: ClassVar = _Optional("type")
    value: ClassVar = _Optional("value")
    """Its default."""


class Class(Node):
    """A class, declared or an expression."""

    __slots__ = ()
    name: ClassVar = _Optional("name")
    body: ClassVar = _Required("body")


class FieldDefinition(Node):
    """A field of a class."""

    __slots__ = ()
    value: ClassVar = _Optional("value")

    @property
    def name(self) -> Node:
        """Its name, which may be computed."""
        return self.field("name") or self.field("property") or Absent(self)


class EnumDeclaration(Node):
    """TypeScript's `enum name { ... }`."""

    __slots__ = ()
    name: ClassVar = _Required("name")
    body: ClassVar = _Required("body")


class EnumAssignment(Node):
    """`name = value` in an enum."""

    __slots__ = ()
    name: ClassVar = _Required("name")
    value: ClassVar = _Required("value")


class LexicalDeclaration(Node):
    """`let` or `const` with declarators."""

    __slots__ = ()
    kind: ClassVar = _Token("kind")


class VariableDeclaration(Node):
    """`var` with declarators."""

    __slots__ = ()


class VariableDeclarator(Node):
    """`name = value` after `var`, `let` or `const`; the name may be a pattern."""

    __slots__ = ()
    name: ClassVar = _Required("name")
    value: ClassVar = _Optional("value")


class Pair(Node):
    """`key: value` in an object."""

    __slots__ = ()
    key: ClassVar = _Required("key")
    value: ClassVar = _Required("value")


class PairPattern(Node):
    """`key: value` in a pattern that destructures an object; the value is a pattern."""

    __slots__ = ()
    key: ClassVar = _Required("key")
    value: ClassVar = _Required("value")


class AssignmentPattern(Node):
    """`left = right` in a pattern: the target and its default."""

    __slots__ = ()
    left: ClassVar = _Required("left")
    right: ClassVar = _Required("right")


class IfStatement(Node):
    """`if (condition) consequence else alternative`; the last is an `else_clause`."""

    __slots__ = ()
    condition: ClassVar = _Required("condition")
    consequence: ClassVar = _Required("consequence")
    alternative: ClassVar = _Optional("alternative")


class ForStatement(Node):
    """`for (initializer; condition; increment) body`."""

    __slots__ = ()
    initializer: ClassVar = _Optional("initializer")
    condition: ClassVar = _Optional("condition")
    increment: ClassVar = _Optional("increment")
    body: ClassVar = _Required("body")


class ForInStatement(Node):
    """`for (kind left of right) body`, or with `in`."""

    __slots__ = ()
    kind: ClassVar = _Token("kind")
    """`var`, `let` or `const`; empty if it declares nothing."""
    left: ClassVar = _Required("left")
    operator: ClassVar = _Token("operator")
    right: ClassVar = _Required("right")
    body: ClassVar = _Required("body")


class DoStatement(Node):
    """`do body while (condition)`."""

    __slots__ = ()
    condition: ClassVar = _Required("condition")
    body: ClassVar = _Required("body")


class WhileStatement(Node):
    """`while (condition) body`."""

    __slots__ = ()
    condition: ClassVar = _Required("condition")
    body: ClassVar = _Required("body")


class SwitchStatement(Node):
    """`switch (value) body`."""

    __slots__ = ()
    value: ClassVar = _Required("value")
    body: ClassVar = _Required("body")


class SwitchCase(Node):
    """`case value:` with its statements."""

    __slots__ = ()
    value: ClassVar = _Required("value")


class TryStatement(Node):
    """`try body handler finalizer`."""

    __slots__ = ()
    body: ClassVar = _Required("body")
    handler: ClassVar = _Optional("handler")
    finalizer: ClassVar = _Optional("finalizer")


class CatchClause(Node):
    """`catch (parameter) body`."""

    __slots__ = ()
    parameter: ClassVar = _Optional("parameter")
    body: ClassVar = _Required("body")


class ImportStatement(Node):
    """`import ... from source`; TypeScript's `import name = require(...)` has no source of its own."""

    __slots__ = ()
    source: ClassVar = _Optional("source")


class ImportRequireClause(Node):
    """`name = require(source)` in a TypeScript import."""

    __slots__ = ()
    source: ClassVar = _Required("source")


class ExportStatement(Node):
    """`export declaration`, `export default value`, `export { ... } from source`."""

    __slots__ = ()
    declaration: ClassVar = _Optional("declaration")
    value: ClassVar = _Optional("value")
    source: ClassVar = _Optional("source")

    def specifiers(self) -> list[ExportSpecifier]:
        """Returns the specifiers between its braces."""
        clauses = (each for each in self.named() if each.type == "export_clause")
        return [each for clause in clauses for each in clause.named() if isinstance(each, ExportSpecifier)]


class ModuleSpecifier(Node):
    """`name as alias` between the braces of an import or export."""

    __slots__ = ()
    name: ClassVar = _Required("name")
    alias: ClassVar = _Optional("alias")


class ImportSpecifier(ModuleSpecifier):
    """A name imported from a module, bound to the alias if present."""

    __slots__ = ()


class ExportSpecifier(ModuleSpecifier):
    """A name exported by a module, under the alias if present."""

    __slots__ = ()


_TYPES: dict[type[Node], Iterable[str]] = {
    CallExpression: ("call_expression",),
    NewExpression: ("new_expression",),
    MemberExpression: ("member_expression",),
    SubscriptExpression: ("subscript_expression",),
    AssignmentExpression: ("assignment_expression",),
    AugmentedAssignment: ("augmented_assignment_expression",),
    BinaryExpression: ("binary_expression",),
    UpdateExpression: ("update_expression",),
    AwaitExpression: ("await_expression",),
    ConditionalExpression: ("ternary_expression",),
    RegularExpression: ("regex",),
    Function: FUNCTIONS,
    FunctionDeclaration: ("function_declaration",),
    MethodDefinition: ("method_definition",),
    Parameter: ("optional_parameter", "required_parameter"),
    Class: CLASSES,
    FieldDefinition: ("field_definition", "public_field_definition"),
    EnumDeclaration: ("enum_declaration",),
    EnumAssignment: ("enum_assignment",),
    LexicalDeclaration: ("lexical_declaration",),
    VariableDeclaration: ("variable_declaration",),
    VariableDeclarator: ("variable_declarator",),
    Pair: ("pair",),
    PairPattern: ("pair_pattern",),
    AssignmentPattern: ("assignment_pattern", "object_assignment_pattern"),
    IfStatement: ("if_statement",),
    ForStatement: ("for_statement",),
    ForInStatement: ("for_in_statement",),
    DoStatement: ("do_statement",),
    WhileStatement: ("while_statement",),
    SwitchStatement: ("switch_statement",),
    SwitchCase: ("switch_case",),
    TryStatement: ("try_statement",),
    CatchClause: ("catch_clause",),
    ImportStatement: ("import_statement",),
    ImportRequireClause: ("import_require_clause",),
    ExportStatement: ("export_statement",),
    ImportSpecifier: ("import_specifier",),
    ExportSpecifier: ("export_specifier",),
}
"""The syntax node types of each class, as named in the grammars."""

for _class, _types in _TYPES.items():
    NODE_FACTORIES.update(dict.fromkeys(_types, _class))
NODE_FACTORIES["unary_expression"] = _unary_or_await
NODE_FACTORIES["generator_function"] = _generator
NODE_FACTORIES["yield_expression"] = _yield_or_await
