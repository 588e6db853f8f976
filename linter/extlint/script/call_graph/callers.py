"""Who runs the code of a function, or of a field of a class: the places where what leads there is named.

A function runs where its name is used, a method where a property of that name is; neither does before
the object that holds it, or an instance of its class, is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import islice

from msgspec import Struct

from extlint.script.call_graph.property_uses import is_of_another, uses_of_property
from extlint.script.scope.bindings import Binding
from extlint.script.scope.identifiers import Role
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    BinaryExpression,
    CallExpression,
    Class,
    EnumDeclaration,
    ExportSpecifier,
    FieldDefinition,
    Function,
    MethodDefinition,
    Pair,
    SubscriptExpression,
    VariableDeclarator,
)
from extlint.script.syntax.shapes import call_of, call_with, outermost
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.functions import MAX_USES
from extlint.script.values.property_names import key_of

DEFAULT = "default"
"""The name of what a module exports by default."""

_LITERALS = frozenset({"object", "pair"})
_WRAPPING = frozenset({"debounce", "memoize", "once", "throttle", "useCallback"})
"""Functions of libraries that give back what calls their first argument, and do not call it themselves."""

_KNOWN_USES = frozenset({"bind", "call", "apply", "prototype"})


class Kind(Enum):
    """What goes by a name."""

    PROPERTY = "a property"
    EXPORT = "what a module exports"
    GLOBAL = "a variable that the scripts of a page share"


class Name(Struct, frozen=True):
    """A name by which other scripts may run something."""

    text: str
    kind: Kind = Kind.PROPERTY


class Entrance(Struct, frozen=True):
    """All places through one of which code is reached: those of its script, and names that others may use.

    `direct` is true where what the code throws comes out there, if it is a call.
    """

    uses: tuple[Node, ...]
    names: tuple[Name, ...] = ()
    direct: bool = True


def is_entered(child: Node, up: Node) -> bool:
    """Whether a part of a node runs at another time than what is around the node."""
    if isinstance(up, Function):
        return call_of(up) is None
    return isinstance(up, FieldDefinition) and child.is_field("value") and not up.has("static")


def entrances_of(evaluator: Evaluator, entered: Node) -> Iterator[Entrance]:
    """The entrances of a function or field, each of which all that runs it has passed."""
    own = _by_name(evaluator, entered)
    if own is not None:
        yield own
    member = member_of(wrapped(evaluator, entered))
    if member is not None:
        name = key_of(evaluator, member)
        owner = owner_of(member)
        is_made = name == "constructor" and isinstance(owner, Class)
        if name is not None and isinstance(entered, Function) and not is_made:
            yield from _by_property(evaluator, name, entered, member)
        if isinstance(owner, Class) and not member.has("static"):
            yield from _made_by(evaluator, owner, direct=is_made or isinstance(entered, FieldDefinition))
        elif owner is not None and owner.type == "object":
            yield from _held_by(evaluator, owner)


def wrapped(evaluator: Evaluator, function: Node) -> Node:
    """What is called in a function's place: `debounce(function)`, which calls it."""
    while True:
        whole = outermost(function)
        call = call_with(whole)
        if not isinstance(call, CallExpression) or not call.arguments[0].same(whole):
            return function
        callee = call.callee
        is_member = isinstance(callee, AccessExpression)
        name = key_of(evaluator, callee) if is_member else evaluator.tree.source(callee)
        if name not in _WRAPPING:
            return function
        function = call


def _by_name(evaluator: Evaluator, function: Node) -> Entrance | None:
    """The uses of the variable that a function is declared as, or that it is put into."""
    name = declared_name(wrapped(evaluator, function))
    binding = None if name is None else evaluator.names.variable(name)
    if binding is None or len(binding.declarations) != 1:
        return None
    return of_variable(evaluator, binding, function)


def declared_name(made: Node) -> Node | None:
    """The variable that holds a function, class or object from the start."""
    if isinstance(made, Function | Class | EnumDeclaration) and made.type.endswith("_declaration"):
        return made.name
    whole = outermost(made)
    up = whole.parent
    if isinstance(up, VariableDeclarator) and whole.is_field("value"):
        return up.name if up.name.type == "identifier" else None
    return None


def of_variable(evaluator: Evaluator, binding: Binding, inside: Node | None = None) -> Entrance | None:
    """Where a variable is used outside of what it holds; None if there are too many places."""
    found = [
        each
        for each in binding.uses
        if each.role is Role.REFERENCE and not (inside and inside.contains(each.item))
    ]
    if len(found) > MAX_USES:
        return None
    uses: list[Node] = []
    names: list[Name] = []
    for each in (*binding.declarations, *found):
        exported = exported_as(evaluator, each.item)
        if exported is not None:
            names.append(Name(exported, Kind.EXPORT))
        elif each.role is Role.REFERENCE:
            follow_use(evaluator, each.item, uses, names)
    if not evaluator.tree.is_module and binding.scope.type == "program":
        names.append(Name(binding.name, Kind.GLOBAL))
    return Entrance(tuple(uses), tuple(dict.fromkeys(names))) if uses or names else None


def exported_as(evaluator: Evaluator, name: Node) -> str | None:
    """The name by which a module exports a variable where it is named, or None if it does not there."""
    up = name.parent
    if isinstance(up, ExportSpecifier):
        return evaluator.tree.source(up.alias or name).strip("\"'")
    statement = next((each for each in islice(name.ancestors(), 3) if each.type == "export_statement"), None)
    if statement is None or (up is not None and up.type not in _EXPORTING):
        return None
    return DEFAULT if statement.has("default") else evaluator.tree.source(name)


_EXPORTING = frozenset(
    {
        "abstract_class_declaration",
        "class_declaration",
        "export_statement",
        "function_declaration",
        "generator_function_declaration",
        "variable_declarator",
    }
)


def follow_use(evaluator: Evaluator, use: Node, uses: list[Node], names: list[Name]) -> None:
    """Adds a use, or where the property is used into which it is put (`exports.f = f`, `{f}`)."""
    name = _put_into(evaluator, use)
    found = None if name is None else uses_of_property(evaluator, name)
    if name is None or found is None or _is_given_to_api(evaluator, use):
        uses.append(use)
    else:
        uses += found
        names.append(Name(name))


def _is_given_to_api(evaluator: Evaluator, use: Node) -> bool:
    """Whether the object that a use is put into goes to the API, so that nothing else reads it."""
    up = next((each for each in use.ancestors() if each.type not in _LITERALS), None)
    call = up.parent if up is not None and up.type == "arguments" else None
    return isinstance(call, CallExpression) and evaluator.api(call.callee) is not None


def _put_into(evaluator: Evaluator, use: Node) -> str | None:
    if use.type == "shorthand_property_identifier":
        return evaluator.tree.source(use)
    whole = outermost(use)
    up = whole.parent
    if isinstance(up, Pair) and whole.is_field("value"):
        return key_of(evaluator, up)
    if isinstance(up, AssignmentExpression) and whole.is_field("right"):
        return key_of(evaluator, up.left) if isinstance(up.left, AccessExpression) else None
    return None


def member_of(entered: Node) -> Node | None:
    """What gives a function its name as a property: a part of a class or object, or an assigned member."""
    if isinstance(entered, MethodDefinition | FieldDefinition):
        return entered
    whole = outermost(entered)
    match whole.parent:
        case AssignmentExpression(left=AccessExpression() as member) if whole.is_field("right"):
            return member
        case FieldDefinition() | Pair() as named if whole.is_field("value"):
            return named
    return None


def owner_of(member: Node) -> Node | None:
    """The class or object literal that a member stands in."""
    up = member.parent
    if up is None or up.type == "object":
        return up
    return up.parent if up.type == "class_body" else None


def _by_property(evaluator: Evaluator, name: str, function: Node, member: Node) -> Iterator[Entrance]:
    """Where a property of that name is used of what may be the function's owner."""
    places = uses_of_property(evaluator, name, written=member.has("set"))
    if places is None:
        return
    uses = [
        use
        for use in places
        if not function.contains(use) and not is_of_another(evaluator, use, function, owner_of(member))
    ]
    uses += _unnamed_uses(evaluator, owner_of(member))
    if len(uses) <= MAX_USES:
        names = () if name.startswith("#") else (Name(name),)
        yield Entrance(tuple(uses), names)


def _unnamed_uses(evaluator: Evaluator, owner: Node | None) -> Iterator[Node]:
    """Where a member of an object is used by a name that is not known."""
    name = None if owner is None or owner.type != "object" else declared_name(owner)
    binding = None if name is None else evaluator.names.variable(name)
    for use in () if binding is None else islice(binding.uses, MAX_USES):
        up = use.item.parent
        is_indexed = isinstance(up, SubscriptExpression) and use.item.is_field("object")
        if up is not None and is_indexed and key_of(evaluator, up) is None:
            yield up


def _made_by(evaluator: Evaluator, owner: Node, *, direct: bool) -> Iterator[Entrance]:
    """Where instances of a class, or of one that extends it, are made."""
    uses: list[Node] = []
    names: list[Name] = []
    waiting, seen = [owner], {owner.id}
    while waiting:
        each = waiting.pop()
        found = _uses_of_class(evaluator, each)
        if found is None or len(seen) > MAX_USES:
            return
        names += found.names
        for use in found.uses:
            derived = derived_by(use)
            if derived is None:
                uses.append(use)
            elif derived.id not in seen:
                seen.add(derived.id)
                waiting.append(derived)
    yield Entrance(tuple(uses), tuple(dict.fromkeys(names)), direct)


def _uses_of_class(evaluator: Evaluator, owner: Node) -> Entrance | None:
    name = declared_name(owner)
    binding = None if name is None else evaluator.names.variable(name)
    found = None if binding is None else of_variable(evaluator, binding, owner)
    if found is None:
        return None
    makes_itself = b"new this" in evaluator.tree.text[owner.start : owner.end]
    kept = [use for use in found.uses if makes_itself or not _only_looks(evaluator, use)]
    return Entrance(tuple(kept), found.names)


def _only_looks(evaluator: Evaluator, use: Node) -> bool:
    """Whether a class is named for a static member, or to ask whether something is an instance of it."""
    up = use.parent
    if isinstance(up, AccessExpression) and use.is_field("object"):
        return key_of(evaluator, up) not in {*_KNOWN_USES, None}
    return isinstance(up, BinaryExpression) and up.operator == "instanceof"


def derived_by(use: Node) -> Node | None:
    """The class that extends what is named there."""
    for up in islice(use.ancestors(), 3):
        if up.type == "class_heritage":
            return up.parent
    return None


def _held_by(evaluator: Evaluator, owner: Node) -> Iterator[Entrance]:
    """The uses of the variable that holds an object literal, or one that this is a part of."""
    whole = owner
    for up in owner.ancestors():
        if up.type not in _LITERALS:
            break
        whole = up
    name = declared_name(whole)
    binding = None if name is None else evaluator.names.variable(name)
    if binding is not None and len(binding.declarations) == 1:
        found = of_variable(evaluator, binding, whole)
        if found is not None:
            yield Entrance(found.uses, found.names, direct=False)
