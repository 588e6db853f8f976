"""The evaluator: the value of any expression of a script.

It works backward and on demand: from an expression to the names in it, to their declarations and
writes. What is not understood is `UNKNOWN`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cached_property, partial
from typing import Any, TypeAlias, TypeVar

from msgspec.structs import replace

from extlint.script.facts.imports import ImportResolver
from extlint.script.facts.omissions import Omission, Reason
from extlint.script.facts.shared_globals import NOTHING_SHARED, RealmGlobals
from extlint.script.facts.values import (
    NOTHING,
    UNKNOWN,
    Api,
    ArrayValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Union,
    Value,
    options_of,
    union_of,
)
from extlint.script.scope.bindings import NameResolver
from extlint.script.syntax.budget import BudgetExceeded
from extlint.script.syntax.node import FUNCTIONS, Node
from extlint.script.syntax.tree import SyntaxTree
from extlint.script.values.bundler_values import BundlerValue
from extlint.script.values.fixpoint import Fixpoint
from extlint.script.values.memo import Memo
from extlint.text.positions import ByteSpan

_Answer = TypeVar("_Answer")

MAX_PLACES = 20
"""Places of one script that are kept of those about which questions were given up."""

MAX_NAMES_WANTED = 3
"""Properties for which one object is looked at anew; after that all of it is evaluated."""

_CONSTANTS = frozenset({"false", "null", "number", "string", "true"})
"""The types of nodes whose values ask for no others."""

_NO_API = (
    _CONSTANTS | FUNCTIONS | {"array", "class", "object", "regex", "template_string", "unary_expression"}
)
"""The types of nodes whose value is no member of the API."""

_STEPS = 10
"""Steps that the evaluation of one expression counts for."""

GLOBAL = InstanceValue("globalThis")
"""The global object; in a page or worker it holds the roots."""

ExpressionRule: TypeAlias = "Callable[[Evaluator, Any], Value]"
"""What finds the value of one kind of node, which it takes as the class for that kind."""
NarrowedRule: TypeAlias = "Callable[[Evaluator, Any, str], Value]"
"""The same for who wants only one property of the value."""
MemberOf: TypeAlias = "Callable[[Evaluator, Value, str, Node], Value]"
View: TypeAlias = "Callable[[Evaluator], Evaluator]"


class Evaluator(Memo):
    """Evaluates the expressions of one script. Values are cached.

    `expressions` has the rule for each kind of node, `narrowed` those that can leave out what is not wanted,
    `member_of` evaluates a property of a value, and `certainly` makes what `certain` is.
    `imported` returns the exports of other modules, and `shared` is what other scripts of the same realm
    assign to globals.
    """

    def __init__(
        self,
        tree: SyntaxTree,
        names: NameResolver,
        expressions: Mapping[str, ExpressionRule],
        narrowed: Mapping[str, NarrowedRule],
        member_of: MemberOf,
        certainly: View,
        imported: ImportResolver,
        shared: RealmGlobals = NOTHING_SHARED,
    ) -> None:
        super().__init__()
        self.tree = tree
        self.names = names
        self.imported = imported
        self.shared = shared
        self._expressions = expressions
        self._narrowed = narrowed
        self._names_wanted: dict[int, set[str]] = {}
        self._member_of = member_of
        self._certainly = certainly
        self._definitions: dict[ByteSpan, Node] = {}
        self._constants: dict[int, Value] = {}
        self._answers = Fixpoint(tree.spend)
        self.omission: Omission | None = None
        """What was left out so far because it takes too much work."""

    def beside(self, imported: ImportResolver, shared: RealmGlobals) -> Evaluator:
        """Another evaluator of the same tree and names, which has none of the answers of this one."""
        return Evaluator(
            self.tree,
            self.names,
            self._expressions,
            self._narrowed,
            self._member_of,
            self._certainly,
            imported,
            shared,
        )

    def close(self) -> None:
        """Frees the tree and all that is known of the script, of which nothing can be asked any more.

        They refer to each other in circles, and take much memory until a garbage collector finds them.
        """
        self.forget_answers()
        self._answers = Fixpoint()
        self._definitions.clear()
        self._constants.clear()
        self._names_wanted.clear()
        self.__dict__.pop("certain", None)
        self.names.close()
        self.tree.close()

    def attempt(self, at: ByteSpan | None, ask: Callable[[], _Answer]) -> _Answer | None:
        """Asks a question with a budget of its own; None if it takes too much work.

        `at` is the place that the question is about. No expression may be under evaluation.
        """
        try:
            with self.tree.budget.question():
                return ask()
        except BudgetExceeded:
            self.give_up(at)
            return None

    def attempt_part(self, at: ByteSpan, ask: Callable[[], _Answer]) -> _Answer | None:
        """The same for a part of the question that is being attempted, which may do without an answer.

        While an expression is under evaluation, the part counts as the rest of the question.
        """
        if self._answers.is_asking:
            return ask()
        try:
            with self.tree.budget.part():
                return ask()
        except BudgetExceeded:
            self.give_up(at)
            return None

    def give_up(self, at: ByteSpan | None = None) -> None:
        """Ends the evaluation under way, and remembers that a question takes too much work."""
        self._answers.abandon()
        self.leave_out(at)

    def leave_out(self, at: ByteSpan | None) -> None:
        """Remembers that a limit was reached at a place, so that something is not known."""
        places = () if self.omission is None else self.omission.places
        if at is not None and len(places) < MAX_PLACES:
            places = (*places, at)
        self.omission = Omission(Reason.WORK, places)

    def value(self, item: Node, wanted: str | None = None) -> Value:
        """The value of an expression; see `partial` for `wanted`."""
        found = self.partial(item, wanted)
        return UNKNOWN if found == NOTHING or isinstance(found, BundlerValue) else found

    def api(self, item: Node) -> Api | None:
        """The member of the API that an expression is, if it can be nothing else that works."""
        return None if item.type in _NO_API else api_of(self.certain.value(item))

    def partial(self, item: Node, wanted: str | None = None) -> Value:
        """The value of an expression, without what it adds to itself; `NOTHING` if nothing else is left.

        Who needs nothing of an object but its property of the name `wanted` may be told of no other one.
        """
        number = item.id
        if item.type in _CONSTANTS:
            return self._constants.get(number) or self._constants.setdefault(number, self._find(item))
        narrowed = None if wanted is None else self._narrowed.get(item.type)
        if wanted is None or narrowed is None:
            return self._answers.ask(number, lambda: self._find(item))
        known = self._answers.known(number)
        if known is not None:
            return known
        if not self._may_narrow(number, wanted):
            return self._answers.ask(number, lambda: self._find(item))
        return self._answers.ask((number, wanted), lambda: self._find_narrowed(item, wanted, narrowed))

    def _may_narrow(self, number: int, wanted: str) -> bool:
        """Whether a node, by its id, is looked at anew for a property; if not, all of it is evaluated."""
        names = self._names_wanted.setdefault(number, set())
        if wanted not in names and len(names) >= MAX_NAMES_WANTED:
            return False
        names.add(wanted)
        return True

    @property
    def too_deep(self) -> bool:
        """Whether a question had no answer because too many others waited for it."""
        return self._answers.too_deep

    @property
    def whole(self) -> Evaluator:
        """The evaluator that tells all that a value may be; see `certain`."""
        return self

    @cached_property
    def certain(self) -> Evaluator:
        """The same evaluator for who has no use for a value that may be anything else as well."""
        return self._certainly(self)

    def absorbs(self, value: Value) -> bool:  # noqa: ARG002
        """Whether each union with a value is that value."""
        return False

    def join(self, values: Iterable[Value]) -> Value:
        """One of several values, of which only so many are asked for as are needed."""
        return join(*values)

    def chosen(self, values: Iterable[Value]) -> Value:
        """The same of values between which an expression chooses; see the function `chosen`."""
        return chosen(*values)

    def forget(self, item: Node) -> None:
        """Drops the cached values of an expression and those around it, because more is known now."""
        self._forget(item.id)
        for up in item.ancestors():
            if up.type.endswith(("statement", "declaration", "block")):
                return
            self._forget(up.id)

    def _forget(self, number: int) -> None:
        self._answers.forget(number)
        self._answers.forget(-number)
        for name in self._names_wanted.pop(number, ()):
            self._answers.forget((number, name))
            self._answers.forget((-number, name))

    def ask(self, key: Hashable, find: Callable[[], Value]) -> Value:
        """The cached value of something other than an expression; `key` is one of its own."""
        return self._answers.ask(key, find)

    def _find(self, item: Node) -> Value:
        self.tree.spend(_STEPS)
        how = self._expressions.get(item.type)
        return UNKNOWN if how is None else how(self, item)

    def _find_narrowed(self, item: Node, wanted: str, how: NarrowedRule) -> Value:
        self.tree.spend(_STEPS)
        return how(self, item, wanted)

    def member(self, value: Value, name: str, at: Node) -> Value:
        """The value of the property `name` of a value; `at` is the expression or pattern that reads it."""
        return union_of(map(partial(self._member_of_option, name, at), options_of(value)))

    def _member_of_option(self, name: str, at: Node, option: Value) -> Value:
        return self._member_of(self, option, name, at)

    def define(self, item: Node) -> ByteSpan:
        """Remembers the node behind a value, to be found again by its byte range."""
        self._definitions[item.span] = item
        return item.span

    def definition(self, value: Value) -> Node | None:
        """The node that a function, class or object was made by, if the script made it."""
        return self.definition_at(value.span)

    def definition_at(self, span: ByteSpan | None) -> Node | None:
        """The node that was remembered by `define` for a byte range."""
        return None if span is None else self._definitions.get(span)


def api_of(value: Value) -> Api | None:
    """The member of the API that a value is: null and undefined aside, every option must be that one."""
    found: Api | None = None
    for option in options_of(value):
        if is_nullish(option):
            continue
        if not isinstance(option, Api) or (found is not None and found.path != option.path):
            return None
        found = found or option
    return found


def members_of_choice(value: Value) -> list[Api]:
    """The members of the API that a value may be, if there are several, or one that has a stand-in."""
    options = [each for each in options_of(value) if not is_nullish(each)]
    found = [each for each in options if isinstance(each, Api)]
    if len(options) < 2 or not all(each.path for each in found):
        return []
    is_certain = len(found) == len(options) or all(each.has_stand_in for each in found)
    return found if is_certain else []


def chosen(*values: Value) -> Value:
    """One of several values between which an expression chooses.

    What is used where the API would be has its members: it stands in for it.
    """
    union = union_of(values)
    options = [each for each in options_of(union) if not is_nullish(each)]
    if all(isinstance(each, Api) for each in options):
        return union
    return union_of(
        replace(each, has_stand_in=True) if isinstance(each, Api) else each for each in options_of(union)
    )


def any_part(value: Value) -> Value:
    """Any item of an array, or any property of an object, that is completely known and holds only the API.

    UNKNOWN for everything else.
    """
    match value:
        case ArrayValue(items=parts, open=False):
            pass
        case ObjectValue(fields=fields, open=False):
            parts = tuple(each.value for each in fields.values())
        case _:
            return UNKNOWN
    is_api = parts and all(isinstance(option, Api) for part in parts for option in options_of(part))
    return union_of(parts) if is_api else UNKNOWN


def carries_api(value: Value) -> bool:
    """Whether some option of a value is a member of the API."""
    return any(isinstance(option, Api) for option in options_of(value))


def is_root(value: Value) -> bool:
    """Whether a value is a root of the API."""
    return isinstance(value, Api) and not value.path


def join(*values: Value) -> Value:
    """One of several values."""
    if len(values) == 1 and not isinstance(values[0], Union):
        return values[0]
    return union_of(values)


def is_nullish(value: Value) -> bool:
    """Whether a value is null or undefined."""
    return isinstance(value, Literal) and value.kind in {Kind.NULL, Kind.UNDEFINED}


def without(value: Value, unwanted: Callable[[Value], bool]) -> Value:
    """The value without the options for which a test holds."""
    return union_of(option for option in options_of(value) if not unwanted(option))
