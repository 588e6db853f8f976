"""Follows one object through a script, from each place that names it.

Into variables, function parameters, return values, and other objects that hold it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from extlint.analysis.call_graph.class_family import Origins, origins_of
from extlint.analysis.call_graph.definitions import DEFAULT, exported_as
from extlint.analysis.call_graph.entry_points import (
    CALLED,
    ExternalName,
    NameKind,
    SharedMember,
    global_of_getter,
    global_of_value,
    reads_of_global,
    shared_global,
    uses_of_part,
)
from extlint.analysis.call_graph.holders import Holder, Reads, Uses, Visibility, holder_of, holder_of_getter
from extlint.analysis.call_graph.object_arguments import (
    ES_MODULE,
    ArgumentUse,
    passed_object,
)
from extlint.analysis.call_graph.object_owners import (
    THIS,
    Reach,
    has_method,
    is_global_object,
    owner_at,
)
from extlint.analysis.scope.model import Role
from extlint.analysis.scope.reaching_definitions import may_keep_old_value
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AugmentedAssignment,
    BinaryExpression,
    CallExpression,
    CallOrNewExpression,
    ConditionalExpression,
    FieldDefinition,
    Function,
    MethodDefinition,
    NewExpression,
    Pair,
    UnaryExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import (
    call_of,
    call_with_argument,
    enclosing_function,
    index_of,
    outermost,
    pattern_and_default,
)
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import calls_of
from extlint.analysis.values.property_index import assignment_to, key_of

MAX_PLACES = 200
"""The maximum number of places that name one object to follow; an object with more counts as escaping."""

IMPLICITLY_READ = frozenset({"__proto__", "constructor", "then", "toJSON", "toString", "valueOf"})
"""Members that are read although no code names them."""

_COMPARISONS = frozenset({"==", "!=", "===", "!==", "in", "instanceof"})

_TESTING_OR_DISCARDING = frozenset(
    {"do_statement", "expression_statement", "if_statement", "while_statement"}
)
_OBJECT_PROTOTYPE_METHODS = frozenset({"hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable"})


class ObjectFlow:
    """Follows one object, or all instances of a class.

    A place that names the object has the id `via` of the function whose parameter it comes from, or 0. Each
    method that follows it returns false if other code may get the object.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        within: Reach,
        reads_of: Callable[[Holder], Reads | None],
        owner: Node | None = None,
        hidden: str | None = None,
    ) -> None:
        """`reads_of` returns the reads of a member that holds the object.

        `hidden` is a member of a class that its subclasses may override. Without an owner, the object belongs
        to another script.
        """
        self._evaluator = evaluator
        self._entered: dict[int, list[tuple[Node, int]]] = {}
        """The calls that pass the object to each function, by its id, with the origins of the calls."""
        self._returning: set[int] = set()
        """The ids of the functions that return a parameter with the object."""
        self._owner = owner
        self._hidden = hidden
        self._owners: Sequence[Node] = ()
        """The owners of the object's members; for a class, its family."""
        self._visibility = Visibility(evaluator, owner, within)
        self._find_reads = reads_of
        self._reads: dict[str, list[Node]] = {}
        self._waiting: list[tuple[Node, int]] = []
        """Places still to visit, each with the id of the function whose parameter it comes from, or 0."""
        self._seen: set[tuple[int, int]] = set()
        self._method_calls: list[AccessExpression] = []
        self._written: set[str] = set()
        self._getters: set[str] = set()
        self._is_for_module = False
        """Whether something is followed only as an ES module, so that the object must be one."""

    def uses(self) -> Uses | None:
        """Returns where members are read, or None if not all code that names the object can be followed."""
        found = None if self._owner is None else self._origins(self._owner)
        if found is None:
            return None
        self._owners = found.owners
        return self.uses_from(found.places)

    def uses_from(self, places: Iterable[Node]) -> Uses | None:
        """Returns the same for an object that these places name."""
        self._add(places, 0)
        tree = self._evaluator.tree
        escapes = tree.has_markup or tree.has_eval
        while self._waiting and not escapes:
            place, via = self._waiting.pop()
            if (place.id, via) in self._seen:
                continue
            self._seen.add((place.id, via))
            tree.spend(3)
            escapes |= len(self._seen) > MAX_PLACES or not self._follow(place, via)
        if escapes or (self._is_for_module and ES_MODULE not in self._written):
            return None
        is_confined = self._owner is None or all(map(self._confines_this, self._method_calls))
        return self._visibility.uses(self._reads) if is_confined else None

    def _origins(self, owner: Node) -> Origins | None:
        return origins_of(self._evaluator, owner, self._visibility, self._hidden, self._reads_of)

    def _reads_of(self, holder: Holder, *path: str) -> Sequence[Node] | None:
        found = self._find_reads(holder)
        if found is None:
            return None
        self._visibility.add(found, path)
        return found.places

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
            case AssignmentExpression() | AugmentedAssignment():
                if whole.is_field("left"):
                    return whole.type in {"member_expression", "subscript_expression"}
                self._add((up,), via)
                is_assigned = isinstance(up, AssignmentExpression) or may_keep_old_value(up)
                return is_assigned and self._follow_target(up.left, via)
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
                return whole.is_field("body") and (self._excludes_modules(up) or self._follow_return(up, via))
            case Node(type="object"):
                return self._follow_literal(up, self._evaluator.tree.source(whole), via)
            case Node(type="return_statement"):
                function = enclosing_function(whole)
                return function is not None and self._follow_return(function, via)
            case Node(type="export_statement"):
                return self._visibility.allows_name(SharedMember(ExternalName(DEFAULT, NameKind.EXPORT)))
            case Node(type="sequence_expression"):
                if whole.is_last():
                    self._add((up,), via)
                return True
        return up is not None and up.type in _TESTING_OR_DISCARDING

    def _follow_member(self, member: AccessExpression) -> bool:
        name = key_of(self._evaluator, member)
        if name is None or name in IMPLICITLY_READ:
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
        """Follows a branch of `condition ? one : other`."""
        if not (whole.is_field("condition") or self._excludes_modules(whole)):
            self._add((choice,), via)
        return True

    def _excludes_modules(self, item: Node) -> bool:
        """Whether no ES module takes an expression: the second branch of `it.__esModule ? it : { it }`.

        Then the object is followed only as an ES module.
        """
        whole = outermost(item)
        choice = whole.parent
        if not isinstance(choice, ConditionalExpression) or not whole.is_field("alternative"):
            return False
        condition = self._evaluator.tree.source(choice.condition)
        is_excluded = ES_MODULE in condition and "!" not in condition
        self._is_for_module |= is_excluded
        return is_excluded

    def _follow_target(self, target: Node, via: int) -> bool:
        if isinstance(target, AccessExpression):
            name, owner = key_of(self._evaluator, target), owner_at(self._evaluator, target.object)
            if is_global_object(self._evaluator, target.object):
                return name is not None and self._follow_global(name, via)
            return name is not None and owner is not None and self._follow_holder(owner, name, via)
        if target.type == "object_pattern":
            return all(self._follow_pattern_part(part) for part in target.named())
        binding = self._evaluator.names.variable(target) if target.type == "identifier" else None
        if binding is None and target.type == "identifier":
            return self._follow_global(self._evaluator.tree.source(target), via)
        if binding is None or len(binding.uses) > MAX_PLACES or not self._visibility.allows_variable(binding):
            return False
        reads = (each.item for each in binding.uses if each.role is Role.REFERENCE)
        self._add((each for each in reads if exported_as(self._evaluator, each) is None), via)
        return True

    def _follow_global(self, name: str, via: int) -> bool:
        if not self._visibility.allows_name(shared_global(name)):
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
        return self._excludes_modules(literal) or self._follow_holder(literal, name, via)

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
        """Follows the object into the parameter at an index."""
        text = self._evaluator.tree.text[function.start : function.end]
        if b"arguments" in text or _is_deferred(function):
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
        """Follows the object out of a function that returns it."""
        if function.id == via:
            self._returning.add(via)
            for call, before in self._entered.get(via, ()):
                self._add((call,), before)
            return True
        if _is_deferred(function):
            return False
        described = global_of_getter(self._evaluator, function)
        if described is not None:
            return self._follow_global(described, via)
        if isinstance(function, MethodDefinition):
            return self._follow_method(function, via)
        holder = holder_of_getter(self._evaluator, function)
        if holder is not None:
            return self._follow_holder(holder.owner, holder.name, via)
        taker = call_with_argument(outermost(function))
        if taker is not None:
            return self._follow_callback(function, taker, via)
        calls, complete = calls_of(self._evaluator, function)
        self._add(calls, via)
        return complete and all(isinstance(each, CallExpression) for each in calls)

    def _follow_callback(self, function: Function, taker: CallOrNewExpression, via: int) -> bool:
        """Follows the object out of a function that is passed to one that only calls it."""
        callee = self._evaluator.definition_of(taker.callee)
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
            elif not _is_tested(use.item):
                return False
        return True

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
        method = self._evaluator.definition_of(member)
        if not isinstance(method, Function):
            return False
        return THIS.search(self._evaluator.tree.text, method.start, method.end) is None


def _is_deferred(function: Function) -> bool:
    return function.has_token("async") or "generator" in function.type or function.has_token("*")


def _is_tested(item: Node) -> bool:
    """Whether an expression only tests for a value."""
    up = outermost(item).parent
    return isinstance(up, UnaryExpression) or (
        isinstance(up, BinaryExpression) and up.operator in _COMPARISONS
    )
