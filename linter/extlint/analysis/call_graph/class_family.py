"""Finds the places that create an object, or that first name it: instances of a class and its subclasses.

    class Message { send() { … } }
    class Hello extends Message { greet() { this.send(); } }
    exports.default = Hello;

The members of `Message` are read from its own `this`, from that of `Hello`, from `super` in that, and from
the instances that `new Hello()` or `new hello.default()` creates. A class with its own member of the same
name hides that of its base class.

Also determines whether a decorator may pass a class, or a member of it, to other code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct, field

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.call_graph.callers import is_only_inspected
from extlint.analysis.call_graph.definitions import exported_as
from extlint.analysis.call_graph.entry_points import INSTANTIATED
from extlint.analysis.call_graph.holders import Holder, Visibility, holder_of
from extlint.analysis.call_graph.object_owners import class_variable, own_this, places_of, static_this
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    CallExpression,
    Class,
    Function,
    ImportStatement,
    NewExpression,
    Pair,
)
from extlint.analysis.syntax.shapes import call_with_argument, enclosing_function, innermost, outermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of
from extlint.text.patterns import lazy

MAX_CLASSES = 20
"""Classes of one family that are followed."""

ReadsOf: TypeAlias = "Callable[[Holder], Sequence[Node] | None]"
"""Returns the reads of an object member, or None if unknown code may read it."""

_SUPER = lazy(rb"\bsuper\b")
_SELF_INSTANTIATIONS = (b"new this", b"new.target")


class Family(Struct):
    """A class, its subclasses, its base classes, and the first references to its objects."""

    classes: list[Class]
    bases: list[Class]
    places: list[Node] = field(default_factory=list)

    @property
    def all(self) -> list[Class]:
        """The classes whose methods may be called with an object as `this`."""
        return [*self.classes, *self.bases]


def family_of(evaluator: Evaluator, owner: Class, hidden: str | None, reads_of: ReadsOf) -> Family | None:
    """Returns the family of a class, without the classes that hide a member of it.

    Returns None if part of it is unknown.
    """
    bases = _bases(evaluator, owner)
    if bases is None:
        return None
    family = Family([owner], bases)
    for base in bases:
        family.places += own_this(evaluator, base)
    at = 0
    while at < len(family.classes):
        if len(family.classes) > MAX_CLASSES or not _expand_class(evaluator, family, at, hidden, reads_of):
            return None
        at += 1
    return None if any(_instantiates_itself(evaluator, each) for each in family.all) else family


def names_of_subclasses(evaluator: Evaluator, family: Family) -> frozenset[str | None]:
    """Returns the own members of the subclasses in a family."""
    return frozenset[str | None]().union(*(_own_names(evaluator, each) for each in family.classes[1:]))


def _expand_class(
    evaluator: Evaluator, family: Family, at: int, hidden: str | None, reads_of: ReadsOf
) -> bool:
    """Adds the instantiations of a class of the family, and its subclasses.

    Returns whether all of them are known.
    """
    class_node = family.classes[at]
    binding = class_variable(evaluator, class_node)
    up, members = class_node.parent, class_node.body.named()
    is_decorated = class_node.has_token("decorator") or (up is not None and up.has_token("decorator"))
    if binding is None or is_decorated or any(may_be_passed_on(evaluator, each) for each in members):
        return False
    family.places += own_this(evaluator, class_node)
    waiting = [each.item for each in binding.uses]
    while waiting:
        use = outermost(waiting.pop())
        up = use.parent
        derived = _subclass_at(use)
        if isinstance(up, NewExpression) and use.is_field("constructor"):
            family.places.append(up)
        elif derived is not None:
            family.places += _super_accesses(evaluator, derived)
            if hidden is None or hidden not in _own_names(evaluator, derived):
                family.classes.append(derived)
        elif not is_only_inspected(evaluator, use):
            holder = holder_of(evaluator, _getter_of(evaluator, use) or use)
            reads = None if holder is None else reads_of(holder)
            if reads is None:
                return False
            waiting += reads
    return True


def _getter_of(evaluator: Evaluator, use: Node) -> Node | None:
    """Returns the getter that returns a value and that a bundle's function adds to an object, or None."""
    up = use.parent
    is_returned = up is not None and up.type == "return_statement"
    getter = enclosing_function(use) if is_returned else up
    if not isinstance(getter, Function) or not (is_returned or use.is_field("body")):
        return None
    whole = outermost(getter)
    argument = whole.parent.parent if isinstance(whole.parent, Pair) else whole
    call = None if argument is None else call_with_argument(outermost(argument))
    added = bundle_of(evaluator).added_properties(call) if isinstance(call, CallExpression) else None
    getters = () if added is None else (each for values in added.getters.values() for each in values)
    return getter if any(innermost(each).same(getter) for each in getters) else None


def _bases(evaluator: Evaluator, owner: Class) -> list[Class] | None:
    """Returns the base classes of a class, or None if one of them is unknown."""
    found: list[Class] = []
    current = owner
    while (extended := _base_expression(current)) is not None:
        base = evaluator.definition_of(extended)
        if not isinstance(base, Class) or len(found) >= MAX_CLASSES:
            return None
        found.append(base)
        current = base
    return found


def _base_expression(class_node: Class) -> Node | None:
    """Returns the expression of the base class, or None."""
    heritage = next((each for each in class_node.children() if each.type == "class_heritage"), None)
    first = None if heritage is None else heritage.first()
    return first.field("value") if first is not None and first.type == "extends_clause" else first


def _subclass_at(use: Node) -> Class | None:
    """Returns the class whose base class is exactly this expression, or None."""
    up = use.parent
    if up is not None and up.type == "extends_clause" and use.is_field("value"):
        up = up.parent
    subclass = up.parent if up is not None and up.type == "class_heritage" else None
    return subclass if isinstance(subclass, Class) else None


def _super_accesses(evaluator: Evaluator, class_node: Class) -> Iterator[Node]:
    """Yields the `super` expressions through which a class reads members of its base class."""
    for found in _SUPER.finditer(evaluator.tree.text, class_node.start, class_node.end):
        leaf = evaluator.tree.leaf_at(found.start())
        if leaf.type == "super" and isinstance(leaf.parent, AccessExpression):
            yield leaf


def _own_names(evaluator: Evaluator, class_node: Class) -> set[str | None]:
    return {key_of(evaluator, each) for each in class_node.body.named() if not each.has_token("static")}


def _instantiates_itself(evaluator: Evaluator, class_node: Class) -> bool:
    text = evaluator.tree.text[class_node.start : class_node.end]
    return any(each in text for each in _SELF_INSTANTIATIONS)


class Origins(Struct, frozen=True):
    """The first places of an object, and the owners of its members: for a class, its family."""

    places: Sequence[Node]
    owners: Sequence[Node]


def origins_of(
    evaluator: Evaluator, owner: Node, visibility: Visibility, hidden: str | None, reads_of: ReadsOf
) -> Origins | None:
    """Returns the origins of an object, or of all instances of a class, or None if they are unknown.

    Also records how far it is visible. `hidden` is a member that subclasses of the class may override.
    """
    if isinstance(owner, Class):
        return _of_instances(evaluator, owner, visibility, hidden, reads_of)
    if owner.type == "class_body":
        return _of_class(evaluator, owner, visibility)
    return Origins(places_of(evaluator, owner), [owner])


def _of_instances(
    evaluator: Evaluator, owner: Class, visibility: Visibility, hidden: str | None, reads_of: ReadsOf
) -> Origins | None:
    family = family_of(evaluator, owner, hidden, reads_of)
    if family is None:
        return None
    for each in family.classes:
        binding = class_variable(evaluator, each)
        if binding is None or not visibility.allows_variable(binding, INSTANTIATED):
            return None
    return Origins(family.places, family.all)


def _of_class(evaluator: Evaluator, body: Node, visibility: Visibility) -> Origins | None:
    """Returns the origins of a class itself: the uses of its variable, and `this` in its static members."""
    owner = body.parent
    binding = class_variable(evaluator, owner) if isinstance(owner, Class) else None
    if (
        not isinstance(owner, Class)
        or binding is None
        or owner.has_token("decorator")
        or not visibility.allows_variable(binding)
    ):
        return None
    uses = (each.item for each in binding.uses)
    named = (each for each in uses if exported_as(evaluator, each) is None)
    return Origins([*named, *static_this(evaluator, owner)], [body])


def may_be_passed_on(evaluator: Evaluator, declared: Node) -> bool:
    """Whether a decorator may pass a class, or a member of it, to other code.

    One of the program without arguments has no name of an event: it may only wrap the member.
    """
    found = _decorators_of(declared)
    if isinstance(declared, Class):
        return any(True for _ in found)
    return not all(_only_wraps(evaluator, each) for each in found)


def _decorators_of(declared: Node) -> Iterator[Node]:
    yield from (part for part in declared.named() if part.type == "decorator")
    before = declared.previous()
    while before is not None and before.type == "decorator":
        yield before
        before = before.previous()


def _only_wraps(evaluator: Evaluator, decorator: Node) -> bool:
    name = decorator.first()
    if isinstance(name, CallExpression):
        name = None if name.arguments else name.callee
    binding = evaluator.names.variable(name) if name is not None and name.type == "identifier" else None
    source = None if binding is None or len(binding.writes) != 1 else binding.writes[0].source
    if source is None or isinstance(source, Function):
        return source is not None
    statement = next((each for each in source.ancestors() if isinstance(each, ImportStatement)), None)
    module = None if statement is None else statement.source
    return module is not None and bool(evaluator.imported(evaluator.tree.source(module)[1:-1]))
