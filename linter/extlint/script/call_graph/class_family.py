"""Where the objects of a class are named first: the instances of it and of the classes that extend it.

    class Message { send() { … } }
    class Hello extends Message { greet() { this.send(); } }
    exports.default = Hello;

The members of `Message` are read from its own `this`, from that of `Hello`, from `super` in that, and from
what `new Hello()` or `new hello.default()` gives. A class that has a member of its own by the same name hides
that of the class which it extends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct, field

from extlint.bundles.bundle import bundle_of
from extlint.script.call_graph.holders import Holder, holder_of
from extlint.script.call_graph.instantiations import is_only_inspected
from extlint.script.call_graph.object_owners import class_variable, own_this
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import AccessExpression, CallExpression, Class, Function, NewExpression, Pair
from extlint.script.syntax.shapes import call_with, function_around, innermost, outermost
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.property_names import key_of
from extlint.text.patterns import lazy

MAX_CLASSES = 20
"""Classes of one family that are followed."""

ReadsOf: TypeAlias = "Callable[[Holder], Sequence[Node] | None]"
"""Where a member of an object is read; None if unknown code may read it."""

_SUPER = lazy(rb"\bsuper\b")
_MAKES_ITSELF = (b"new this", b"new.target")


class Family(Struct):
    """A class, those that extend it, those that it extends, and the places that name its objects first."""

    classes: list[Class]
    bases: list[Class]
    places: list[Node] = field(default_factory=list)

    @property
    def all(self) -> list[Class]:
        """The classes whose methods may be called with an object as `this`."""
        return [*self.classes, *self.bases]


def family_of(evaluator: Evaluator, owner: Class, hidden: str | None, reads_of: ReadsOf) -> Family | None:
    """The family of a class, without the classes that hide a member of it; None if not all of it is known."""
    bases = _bases(evaluator, owner)
    if bases is None:
        return None
    family = Family([owner], bases)
    for base in bases:
        family.places += own_this(evaluator, base)
    at = 0
    while at < len(family.classes):
        if len(family.classes) > MAX_CLASSES or not _is_followed(evaluator, family, at, hidden, reads_of):
            return None
        at += 1
    return None if any(_makes_itself(evaluator, each) for each in family.all) else family


def names_of_derived(evaluator: Evaluator, family: Family) -> frozenset[str | None]:
    """The members that the classes of a family have of their own, other than the first."""
    return frozenset[str | None]().union(*(_own_names(evaluator, each) for each in family.classes[1:]))


def _is_followed(
    evaluator: Evaluator, family: Family, at: int, hidden: str | None, reads_of: ReadsOf
) -> bool:
    """Adds where a class of the family is instantiated, and the classes that extend it."""
    made = family.classes[at]
    binding = class_variable(evaluator, made)
    parts = (made, made.body, *made.body.named())
    if binding is None or any(each.has("decorator") for each in parts):
        return False
    family.places += own_this(evaluator, made)
    waiting = [each.item for each in binding.uses]
    while waiting:
        use = outermost(waiting.pop())
        up = use.parent
        derived = _extended_at(use)
        if isinstance(up, NewExpression) and use.is_field("constructor"):
            family.places.append(up)
        elif derived is not None:
            family.places += _each_super(evaluator, derived)
            if hidden is None or hidden not in _own_names(evaluator, derived):
                family.classes.append(derived)
        elif not is_only_inspected(evaluator, use):
            holder = holder_of(evaluator, _given_by(evaluator, use) or use)
            reads = None if holder is None else reads_of(holder)
            if reads is None:
                return False
            waiting += reads
    return True


def _given_by(evaluator: Evaluator, use: Node) -> Node | None:
    """The getter that gives what is named there, which a function of a bundle adds to an object."""
    up = use.parent
    is_returned = up is not None and up.type == "return_statement"
    getter = function_around(use) if is_returned else up
    if not isinstance(getter, Function) or not (is_returned or use.is_field("body")):
        return None
    whole = outermost(getter)
    holding = whole.parent.parent if isinstance(whole.parent, Pair) else whole
    call = None if holding is None else call_with(outermost(holding))
    added = bundle_of(evaluator).added_by(call) if isinstance(call, CallExpression) else None
    given = () if added is None else (each for values in added.getters.values() for each in values)
    return getter if any(innermost(each).same(getter) for each in given) else None


def _bases(evaluator: Evaluator, owner: Class) -> list[Class] | None:
    """The classes that one extends; None if one of them is not known."""
    found: list[Class] = []
    made = owner
    while (extended := _extended_by(made)) is not None:
        base = evaluator.definition(evaluator.certain.value(extended))
        if not isinstance(base, Class) or len(found) >= MAX_CLASSES:
            return None
        found.append(base)
        made = base
    return found


def _extended_by(made: Class) -> Node | None:
    """What a class extends, as it is written."""
    heritage = next((each for each in made.all() if each.type == "class_heritage"), None)
    first = None if heritage is None else heritage.first()
    return first.field("value") if first is not None and first.type == "extends_clause" else first


def _extended_at(use: Node) -> Class | None:
    """The class that extends exactly what is named there."""
    up = use.parent
    if up is not None and up.type == "extends_clause" and use.is_field("value"):
        up = up.parent
    made = up.parent if up is not None and up.type == "class_heritage" else None
    return made if isinstance(made, Class) else None


def _each_super(evaluator: Evaluator, made: Class) -> Iterator[Node]:
    """Where a class reads members of the one that it extends."""
    for found in _SUPER.finditer(evaluator.tree.text, made.start, made.end):
        leaf = evaluator.tree.leaf_at(found.start())
        if leaf.type == "super" and isinstance(leaf.parent, AccessExpression):
            yield leaf


def _own_names(evaluator: Evaluator, made: Class) -> set[str | None]:
    return {key_of(evaluator, each) for each in made.body.named() if not each.has("static")}


def _makes_itself(evaluator: Evaluator, made: Class) -> bool:
    text = evaluator.tree.text[made.start : made.end]
    return any(each in text for each in _MAKES_ITSELF)
