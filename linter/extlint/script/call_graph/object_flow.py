"""Finds where the members of an object are read, if the object does not escape.

    const lib = { list() { … }, version: 1 };
    document.title = lib.version;

Each place that names the object is followed: into variables, function parameters, return values, and other
objects that hold it. If all of these places only access named members, no other member is ever read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from extlint.script.call_graph.class_family import family_of, names_of_subclasses
from extlint.script.call_graph.definitions import DEFAULT, exported_as
from extlint.script.call_graph.entry_points import ExternalName, NameKind
from extlint.script.call_graph.holders import Holder, holder_of
from extlint.script.call_graph.instantiations import is_only_inspected
from extlint.script.call_graph.object_arguments import ES_MODULE, ArgumentUse, passed_object
from extlint.script.call_graph.object_owners import (
    THIS,
    Reach,
    class_variable,
    has_method,
    is_global_object,
    module_exported_at,
    owner_at,
    places_of,
    reach_of,
    static_this,
)
from extlint.script.call_graph.property_uses import uses_of_part
from extlint.script.call_graph.shared_members import (
    CALLED,
    INSTANTIATED,
    SharedMember,
    global_of_getter,
    global_of_value,
    reads_of_global,
    shared_global,
)
from extlint.script.call_graph.variable_uses import external_names
from extlint.script.scope.model import Binding, Role
from extlint.script.scope.reaching_definitions import may_keep_old_value
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AugmentedAssignment,
    BinaryExpression,
    CallExpression,
    CallOrNewExpression,
    Class,
    ConditionalExpression,
    FieldDefinition,
    Function,
    MethodDefinition,
    NewExpression,
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
    """The places where a member of an object is read, and how far the object is visible beyond its script.

    `shared` are the names by which other scripts may read the member.
    """

    places: Sequence[Node]
    reach: Reach
    shared: frozenset[SharedMember] = frozenset()


class _Uses(Struct, frozen=True):
    """The places where each member of an object is read, how far the object is visible, and its names."""

    by_name: Mapping[str, Sequence[Node]]
    reach: Reach
    shared: frozenset[SharedMember]

    def of(self, name: str) -> Reads:
        """Returns the reads of a member."""
        shared = frozenset(each.member(name) for each in self.shared)
        return Reads(self.by_name.get(name, ()), self.reach, shared)


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
    return None if known is None else known.of(name)


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


def reads_of_shared_member(evaluator: Evaluator, places: Iterable[Node], path: Sequence[str]) -> Reads | None:
    """Returns where a member of an object of another script is read, given the places that name the object.

    Returns None if unknown code may read it.
    """
    found = Reads([*places], Reach.SCRIPT)
    for name in path:
        part = _part_of(evaluator, found.places, name)
        if part is None:
            return None
        found = replace(part, shared=part.shared | {each.member(name) for each in found.shared})
    return found


def _part_of(evaluator: Evaluator, places: Sequence[Node], name: str) -> Reads | None:
    """Returns the reads of one element of a path, given those of the object; or None if unknown."""
    if name not in {CALLED, INSTANTIATED}:
        uses = _Flow(evaluator, None, Reach.NAMED, 0, None).uses_from(places)
        return None if uses is None else uses.of(name)
    found = [outermost(each).parent if name == INSTANTIATED else call_of(each) for each in places]
    calls = [
        each for each in found if isinstance(each, NewExpression if name == INSTANTIATED else CallExpression)
    ]
    others = [each for each, call in zip(places, found, strict=True) if call not in calls]
    is_known = not others or (
        name == INSTANTIATED and all(is_only_inspected(evaluator, each) for each in others)
    )
    return Reads(calls, Reach.SCRIPT) if is_known else None


class _Flow:
    """Follows one object, or all instances of a class."""

    def __init__(
        self, evaluator: Evaluator, owner: Node | None, within: Reach, depth: int, hidden: str | None
    ) -> None:
        """`hidden` is a member of a class that its subclasses may override.

        Without an owner, the object belongs to another script.
        """
        self._evaluator = evaluator
        self._owner = owner
        self._hidden = hidden
        self._owners = [] if owner is None else [owner]
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
        self._shared: set[SharedMember] = set()
        self._is_for_module = False
        """Whether something is followed only as an ES module, so that the object must be one."""

    def uses(self) -> _Uses | None:
        """Returns where members are read, or None if not all code that names the object can be followed."""
        if self._owner is None or not self._start(self._owner):
            return None
        return self._follow_all()

    def uses_from(self, places: Iterable[Node]) -> _Uses | None:
        """Returns the same for an object that these places name."""
        self._add(places, 0)
        return self._follow_all()

    def _follow_all(self) -> _Uses | None:
        tree = self._evaluator.tree
        self._escapes = tree.has_markup or tree.has_eval
        while self._waiting and not self._escapes:
            place, via = self._waiting.pop()
            if (place.id, via) in self._seen:
                continue
            self._seen.add((place.id, via))
            self._evaluator.tree.spend(3)
            self._escapes |= len(self._seen) > MAX_PLACES or not self._follow(place, via)
        if self._escapes or (self._is_for_module and ES_MODULE not in self._written):
            return None
        is_confined = self._owner is None or all(map(self._confines_this, self._method_calls))
        return _Uses(self._reads, self._reach, frozenset(self._shared)) if is_confined else None

    def _start(self, owner: Node) -> bool:
        """Follows the places that create or first name an object; returns false if they are unknown."""
        if isinstance(owner, Class):
            return self._start_class(owner)
        if owner.type == "class_body":
            return isinstance(owner.parent, Class) and self._start_static(owner.parent)
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
        return all(each is not None and self._is_within_reach(each, INSTANTIATED) for each in named)

    def _start_static(self, owner: Class) -> bool:
        """Follows the variable of a class, which names the class itself."""
        binding = class_variable(self._evaluator, owner)
        if binding is None or owner.has_token("decorator") or not self._is_within_reach(binding):
            return False
        uses = (each.item for each in binding.uses)
        self._add((each for each in uses if exported_as(self._evaluator, each) is None), 0)
        self._add(static_this(self._evaluator, owner), 0)
        return True

    def _reads_of(self, holder: Holder, *path: str) -> Sequence[Node] | None:
        """Returns the reads of a member that holds the object, or holds what has it at a path."""
        found = reads_of_member(self._evaluator, holder.owner, holder.name, self._within, self._depth + 1)
        if found is None:
            return None
        self._reach |= found.reach
        self._shared |= {SharedMember(each.name, (*each.path, *path)) for each in found.shared}
        return found.places

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
            case AugmentedAssignment():
                if whole.is_field("left"):
                    return whole.type in {"member_expression", "subscript_expression"}
                self._add((up,), via)
                return may_keep_old_value(up) and self._follow_target(up.left, via)
            case Pair():
                described = global_of_value(self._evaluator, whole)
                if described is not None:
                    return self._follow_global(described, via)
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
            case FieldDefinition():
                holder = holder_of(self._evaluator, whole)
                return holder is not None and self._follow_holder(holder.owner, holder.name, via)
            case NewExpression():
                is_class = self._owner is None or self._owner.type == "class_body"
                return is_class and whole.is_field("constructor")
            case Function():
                return whole.is_field("body") and (
                    self._is_in_non_module_branch(up) or self._follow_return(up, via)
                )
            case Node(type="object"):
                return self._follow_literal(up, self._evaluator.tree.source(whole), via)
            case Node(type="return_statement"):
                function = enclosing_function(whole)
                return function is not None and self._follow_return(function, via)
            case Node(type="export_statement"):
                return self._record_name(SharedMember(ExternalName(DEFAULT, NameKind.EXPORT)))
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
            if is_global_object(self._evaluator, target.object):
                return name is not None and self._follow_global(name, via)
            return name is not None and owner is not None and self._follow_holder(owner, name, via)
        if target.type == "object_pattern":
            return all(self._follow_pattern_part(part) for part in target.named())
        binding = self._evaluator.names.variable(target) if target.type == "identifier" else None
        if binding is None and target.type == "identifier":
            return self._follow_global(self._evaluator.tree.source(target), via)
        if binding is None or len(binding.uses) > MAX_PLACES or not self._is_within_reach(binding):
            return False
        reads = (each.item for each in binding.uses if each.role is Role.REFERENCE)
        self._add((each for each in reads if exported_as(self._evaluator, each) is None), via)
        return True

    def _is_within_reach(self, binding: Binding, *path: str) -> bool:
        """Whether a variable is visible no further than requested; also records how far it is.

        `path` leads from the value of the variable to the object.
        """
        reach = reach_of(self._evaluator, binding)
        if reach == Reach.SCRIPT or Reach.NAMED not in self._within:
            return self._record_reach(reach)
        names = external_names(self._evaluator, binding, self._owner)
        return bool(names) and all(self._record_name(SharedMember(each, path)) for each in names)

    def _record_name(self, shared: SharedMember) -> bool:
        """Records a name by which other scripts access the object; returns false if none is allowed."""
        self._shared.add(shared)
        return self._record_reach(Reach.NAMED)

    def _follow_global(self, name: str, via: int) -> bool:
        """Follows the object into a property of the global object."""
        if not self._record_name(shared_global(name)):
            return False
        self._add(reads_of_global(self._evaluator, name), via)
        return True

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
        described = global_of_getter(self._evaluator, function)
        if described is not None:
            return self._follow_global(described, via)
        if isinstance(function, MethodDefinition):
            return self._follow_method(function, via)
        taker = call_with_argument(outermost(function))
        if taker is not None:
            return self._follow_callback(function, taker, via)
        calls, complete = calls_of(self._evaluator, function)
        self._add(calls, via)
        return complete and all(isinstance(each, CallExpression) for each in calls)

    def _follow_callback(self, function: Function, taker: CallOrNewExpression, via: int) -> bool:
        """Follows the object out of a function that is passed to one that only calls it."""
        callee = self._evaluator.definition(self._evaluator.certain.partial(taker.callee))
        index = index_of(taker.arguments, outermost(function))
        parameters = callee.parameters if isinstance(callee, Function) else []
        name = parameters[index] if index is not None and index < len(parameters) else None
        binding = (
            self._evaluator.names.variable(name) if name is not None and name.type == "identifier" else None
        )
        if binding is None or len(binding.writes) != 1 or len(binding.uses) > MAX_PLACES:
            return False
        for use in binding.uses:
            call = call_of(use.item)
            if call is not None:
                self._add((call,), via)
            elif not self._is_tested(use.item):
                return False
        return True

    def _is_tested(self, item: Node) -> bool:
        """Whether an expression only tests for a value."""
        up = outermost(item).parent
        return isinstance(up, UnaryExpression) or (
            isinstance(up, BinaryExpression) and up.operator in _COMPARISONS
        )

    def _follow_method(self, function: MethodDefinition, via: int) -> bool:
        """Follows the object out of a getter or method that returns it."""
        holder = holder_of(self._evaluator, function)
        if holder is None or function.has_token("get"):
            return holder is not None and self._follow_holder(holder.owner, holder.name, via)
        reads = self._reads_of(holder, CALLED)
        calls = [call for read in reads or () if (call := call_of(read)) is not None]
        self._add(calls, via)
        return reads is not None and len(calls) == len(reads)

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
