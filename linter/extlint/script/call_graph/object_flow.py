"""Finds where the members of an object are read, if the object does not escape.

    const lib = { list() { … }, version: 1 };
    document.title = lib.version;

Each place that names the object is followed: into variables, function parameters, return values, and other
objects that hold it. If all of these places only access named members, no other member is ever read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from extlint.script.call_graph.class_family import family_of, names_of_subclasses
from extlint.script.call_graph.holders import Holder
from extlint.script.call_graph.object_arguments import ES_MODULE, ArgumentUse, passed_object
from extlint.script.call_graph.object_owners import (
    THIS,
    Reach,
    class_variable,
    has_method,
    module_exported_at,
    owner_at,
    places_of,
    reach_of,
)
from extlint.script.call_graph.property_uses import uses_of_part
from extlint.script.scope.model import Binding, Role
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    BinaryExpression,
    CallExpression,
    CallOrNewExpression,
    Class,
    ConditionalExpression,
    Function,
    Pair,
    UnaryExpression,
    VariableDeclarator,
)
from extlint.script.syntax.shapes import (
    call_of,
    call_with_argument,
    enclosing_function,
    index_of,
    outermost,
    pattern_and_default,
)
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.functions import calls_of
from extlint.script.values.memo import once_per_script
from extlint.script.values.property_index import assignment_to
from extlint.script.values.property_names import key_of

MAX_PLACES = 200
"""The maximum number of places that name one object to follow; an object with more counts as escaping."""

MAX_DEPTH = 4
"""The maximum depth of objects that hold one another to follow."""

_IMPLICITLY_READ = frozenset({"__proto__", "constructor", "then", "toJSON", "toString", "valueOf"})
"""Members that are read although no code names them."""

_TESTING_OR_DISCARDING = frozenset(
    {"do_statement", "expression_statement", "if_statement", "while_statement"}
)
_COMPARISONS = frozenset({"==", "!=", "===", "!==", "in", "instanceof"})
_OBJECT_PROTOTYPE_METHODS = frozenset({"hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable"})


class Reads(Struct, frozen=True):
    """The places where a member of an object is read, and how far the object is visible beyond its script."""

    places: Sequence[Node]
    reach: Reach


class _Uses(Struct, frozen=True):
    """The places where each member of an object is read, and how far the object is visible."""

    by_name: Mapping[str, Sequence[Node]]
    reach: Reach


def reads_of_member(
    evaluator: Evaluator, owner: Node, name: str, within: Reach, depth: int = 0
) -> Reads | None:
    """Returns where a member of an object, or of the instances of a class, is read.

    If unknown code may read it, or the object is visible further than `within`, returns None. `depth` is the
    number of objects held by this one that are already being followed.
    """
    is_followed = depth <= MAX_DEPTH and name not in _IMPLICITLY_READ
    is_hidden = (
        is_followed
        and isinstance(owner, Class)
        and name in _subclass_members(evaluator, owner, within, depth)
    )
    hidden = name if is_hidden else None
    known = _uses_of(evaluator, owner, within, depth, hidden) if is_followed else None
    return None if known is None else Reads(known.by_name.get(name, ()), known.reach)


@once_per_script
def _subclass_members(evaluator: Evaluator, owner: Class, within: Reach, depth: int) -> frozenset[str | None]:
    """Returns the names of the members that subclasses of a class define themselves."""

    def reads_of(holder: Holder) -> Sequence[Node] | None:
        found = reads_of_member(evaluator, holder.owner, holder.name, within, depth + 1)
        return None if found is None else found.places

    family = family_of(evaluator, owner, None, reads_of)
    return frozenset() if family is None else names_of_subclasses(evaluator, family)


@once_per_script
def _uses_of(
    evaluator: Evaluator, owner: Node, within: Reach, depth: int, hidden: str | None
) -> _Uses | None:
    return _Flow(evaluator, owner, within, depth, hidden).uses()


class _Flow:
    """Follows one object, or all instances of a class."""

    def __init__(
        self, evaluator: Evaluator, owner: Node, within: Reach, depth: int, hidden: str | None
    ) -> None:
        """`hidden` is a member of a class that its subclasses may override."""
        self._evaluator = evaluator
        self._owner = owner
        self._hidden = hidden
        self._owners = [owner]
        """The owners of the object's members; for a class, its family."""
        self._within = within
        self._depth = depth
        self._reads: dict[str, list[Node]] = {}
        self._reach = Reach.SCRIPT
        self._escapes = False
        self._waiting: list[tuple[Node, int]] = []
        """Places still to visit, each with the id of the function whose parameter it comes from, or 0."""
        self._seen: set[tuple[int, int]] = set()
        self._entered: dict[int, list[tuple[Node, int]]] = {}
        self._returning: set[int] = set()
        self._method_calls: list[AccessExpression] = []
        self._written: set[str] = set()
        self._getters: set[str] = set()
        self._is_for_module = False
        """Whether something is followed only as an ES module, so that the object must be one."""

    def uses(self) -> _Uses | None:
        """Returns where members are read, or None if not all code that names the object can be followed."""
        tree = self._evaluator.tree
        self._escapes = tree.has_markup or tree.has_eval or not self._start(self._owner)
        while self._waiting and not self._escapes:
            place, via = self._waiting.pop()
            if (place.id, via) in self._seen:
                continue
            self._seen.add((place.id, via))
            self._evaluator.tree.spend(3)
            self._escapes |= len(self._seen) > MAX_PLACES or not self._follow(place, via)
        if self._escapes or (self._is_for_module and ES_MODULE not in self._written):
            return None
        is_confined = all(map(self._confines_this, self._method_calls))
        return _Uses(self._reads, self._reach) if is_confined else None

    def _start(self, owner: Node) -> bool:
        """Follows the places that create or first name an object; returns false if they are unknown."""
        if isinstance(owner, Class):
            return self._start_class(owner)
        is_module = isinstance(owner, Function)
        if is_module and not self._record_reach(Reach.MODULE):
            return False
        starts = places_of(self._evaluator, owner)
        self._add(starts or (), 0)
        return starts is not None

    def _start_class(self, owner: Class) -> bool:
        family = family_of(self._evaluator, owner, self._hidden, self._reads_of)
        if family is None:
            return False
        named = (class_variable(self._evaluator, each) for each in family.classes)
        self._owners = [*family.all]
        self._add(family.places, 0)
        return all(each is not None and self._is_within_reach(each) for each in named)

    def _reads_of(self, holder: Holder) -> Sequence[Node] | None:
        found = reads_of_member(self._evaluator, holder.owner, holder.name, self._within, self._depth + 1)
        self._reach |= Reach.SCRIPT if found is None else found.reach
        return None if found is None else found.places

    def _record_reach(self, reach: Reach | None) -> bool:
        """Records how far the object is visible, and returns whether that is within the requested reach."""
        self._reach |= reach or Reach.SCRIPT
        return reach is not None and reach in self._within

    def _add(self, places: Iterable[Node], via: int) -> None:
        self._waiting += [(each, via) for each in places]

    def _follow(self, place: Node, via: int) -> bool:
        """Follows a place that names the object; returns false if other code may get the object there."""
        whole = outermost(place)
        up, call = whole.parent, call_with_argument(whole)
        if call is not None:
            return self._follow_argument(whole, call, via)
        match up:
            case AccessExpression():
                return whole.is_field("object") and self._follow_member(up)
            case VariableDeclarator():
                return self._follow_target(up.name, via)
            case AssignmentExpression():
                if whole.is_field("left"):
                    return whole.type in {"member_expression", "subscript_expression"}
                self._add((up,), via)
                return self._follow_target(up.left, via)
            case Pair():
                name = key_of(self._evaluator, up)
                return name is not None and self._follow_literal(up.parent, name, via)
            case ConditionalExpression():
                return self._follow_branch(whole, up, via)
            case BinaryExpression():
                if up.is_logical and not (up.operator == "&&" and whole.is_field("left")):
                    self._add((up,), via)
                return up.is_logical or up.operator in _COMPARISONS
            case UnaryExpression():
                return True
            case Function():
                return whole.is_field("body") and (
                    self._is_in_non_module_branch(up) or self._follow_return(up, via)
                )
            case Node(type="object"):
                return self._follow_literal(up, self._evaluator.tree.source(whole), via)
            case Node(type="return_statement"):
                function = enclosing_function(whole)
                return function is not None and self._follow_return(function, via)
            case Node(type="sequence_expression"):
                if up.named()[-1].same(whole):
                    self._add((up,), via)
                return True
        return up is not None and up.type in _TESTING_OR_DISCARDING

    def _follow_member(self, member: AccessExpression) -> bool:
        name = key_of(self._evaluator, member)
        if name is None or name in _IMPLICITLY_READ:
            return False
        assignment = assignment_to(outermost(member))
        if isinstance(assignment, AssignmentExpression):
            self._written.add(name)
            return True
        self._reads.setdefault(name, []).append(member)
        if call_of(member) is not None:
            self._method_calls.append(member)
        return True

    def _follow_branch(self, whole: Node, choice: ConditionalExpression, via: int) -> bool:
        """Follows a branch of `condition ? one : other`.

        The exception is the second branch of `it.__esModule ? …`, which no ES module takes.
        """
        if whole.is_field("condition"):
            return True
        if self._excludes_modules(whole, choice):
            self._is_for_module = True
        else:
            self._add((choice,), via)
        return True

    def _follow_target(self, target: Node, via: int) -> bool:
        """Follows the object into a variable, a pattern or a member of another object."""
        if isinstance(target, AccessExpression):
            name, owner = key_of(self._evaluator, target), owner_at(self._evaluator, target.object)
            module = module_exported_at(self._evaluator, target)
            if module is not None:
                return self._start(module)
            return name is not None and owner is not None and self._follow_holder(owner, name, via)
        if target.type == "object_pattern":
            return all(self._follow_pattern_part(part) for part in target.named())
        binding = self._evaluator.names.variable(target) if target.type == "identifier" else None
        if binding is None or len(binding.uses) > MAX_PLACES or not self._is_within_reach(binding):
            return False
        self._add((each.item for each in binding.uses if each.role is Role.REFERENCE), via)
        return True

    def _is_within_reach(self, binding: Binding) -> bool:
        """Whether a variable is visible no further than requested; also records how far it is."""
        return self._record_reach(reach_of(self._evaluator, binding))

    def _follow_pattern_part(self, part: Node) -> bool:
        name = None if part.type == "rest_pattern" else key_of(self._evaluator, part)
        if name is None:
            return False
        self._reads.setdefault(name, []).extend(uses_of_part(self._evaluator, part))
        return True

    def _follow_literal(self, literal: Node | None, name: str, via: int) -> bool:
        """Follows the object as a member of an object literal."""
        if literal is None:
            return False
        return self._is_in_non_module_branch(literal) or self._follow_holder(literal, name, via)

    def _is_in_non_module_branch(self, wrapper: Node) -> bool:
        """Whether a literal or function only wraps values that are not ES modules.

        Example: `it.__esModule ? it : { it }`.
        """
        whole = outermost(wrapper)
        choice = whole.parent
        if not isinstance(choice, ConditionalExpression):
            return False
        is_wrapper = self._excludes_modules(whole, choice)
        self._is_for_module |= is_wrapper
        return is_wrapper

    def _excludes_modules(self, whole: Node, choice: ConditionalExpression) -> bool:
        """Whether a branch excludes ES modules: the second of `it && it.__esModule ? … : …`."""
        condition = self._evaluator.tree.source(choice.condition)
        return whole.is_field("alternative") and ES_MODULE in condition and "!" not in condition

    def _follow_holder(self, owner: Node, name: str, via: int) -> bool:
        places = self._reads_of(Holder(owner, name))
        self._add(places or (), via)
        return places is not None

    def _follow_argument(self, whole: Node, call: CallOrNewExpression, via: int) -> bool:
        index = index_of(call.arguments, whole)
        if not isinstance(call, CallExpression) or index is None:
            return False
        passed = passed_object(self._evaluator, self._owners, call, index)
        self._getters |= passed.getters
        self._written |= passed.written
        match passed.use:
            case ArgumentUse.DEFAULT_READ:
                self._reads.setdefault("default", []).append(call)
                self._is_for_module = True
            case ArgumentUse.RETURNED:
                self._add((call,), via)
            case ArgumentUse.PARAMETER if passed.function is not None:
                return self._follow_parameter(passed.function, index, call, via)
        return passed.use is not ArgumentUse.UNKNOWN

    def _follow_parameter(self, function: Function, index: int, call: CallExpression, via: int) -> bool:
        text = self._evaluator.tree.text[function.start : function.end]
        if (
            b"arguments" in text
            or function.has_token("async")
            or "generator" in function.type
            or function.has_token("*")
        ):
            return False
        entered = self._entered.setdefault(function.id, [])
        entered.append((call, via))
        if function.id in self._returning:
            self._add((call,), via)
        parameters = function.parameters
        if any(each.type == "rest_pattern" for each in parameters[: index + 1]):
            return False
        if index >= len(parameters):
            return True
        return self._follow_target(pattern_and_default(parameters[index])[0], function.id)

    def _follow_return(self, function: Function, via: int) -> bool:
        if function.id == via:
            self._returning.add(via)
            self._waiting += self._entered.get(via, ())
            return True
        if function.has_token("async") or "generator" in function.type or function.has_token("*"):
            return False
        calls, complete = calls_of(self._evaluator, function)
        self._add(calls, via)
        return complete and all(isinstance(each, CallExpression) for each in calls)

    def _confines_this(self, member: AccessExpression) -> bool:
        """Whether a called method uses `this` only in ways that are followed."""
        name = key_of(self._evaluator, member)
        is_known = (
            name in self._getters
            or name in _OBJECT_PROTOTYPE_METHODS
            or (name is not None and any(has_method(self._evaluator, each, name) for each in self._owners))
        )
        if is_known and name not in self._written:
            return True
        method = self._evaluator.definition(self._evaluator.certain.partial(member))
        if not isinstance(method, Function):
            return False
        return THIS.search(self._evaluator.tree.text, method.start, method.end) is None
