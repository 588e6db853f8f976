"""Finds functions, classes and objects that no code uses, and declarations that a bundler may drop then.

Either no code uses their names, or no code reads the members of the objects that hold them.

Rollup drops those that only read members of globals that it knows, such as `window.innerWidth`, and calls
that are marked as pure. Other bundlers keep the former.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from msgspec import Struct

from extlint.analysis.call_graph.callers import subclass_at
from extlint.analysis.call_graph.class_family import may_be_passed_on
from extlint.analysis.call_graph.definitions import (
    DEFAULT,
    declared_variable,
    exported_as,
    literal_with,
    literals_around,
    member_definition,
    outermost_wrapper,
    owner_of,
    runs_separately,
)
from extlint.analysis.call_graph.delegation import KNOWN_REACH, reads_of_member
from extlint.analysis.call_graph.entry_points import SharedMember
from extlint.analysis.call_graph.holders import holder_of
from extlint.analysis.call_graph.object_owners import constructor_at
from extlint.analysis.call_graph.prototypes import PROTOTYPE, constructor_with, defines_prototype
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    Class,
    Function,
    MethodDefinition,
    VariableDeclarator,
)
from extlint.analysis.syntax.prefilter import ROOTS
from extlint.analysis.syntax.shapes import call_with_argument, outermost
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of
from extlint.queries.database import Database
from extlint.queries.memos import Key
from extlint.text.patterns import isolated_word_offsets, lazy
from extlint.text.positions import encode_name

_MAX_DEPTH = 8
"""The maximum number of names that use one another to follow."""

MAX_API_LENGTH = 60
"""The maximum number of bytes between a root and the name of a member."""

_API_BEFORE = lazy(rb"(?:%b)(?:\.[\w$]+)*\.\Z" % "|".join(ROOTS).encode())
_PROTOCOLS = frozenset(
    """
    adoptedCallback attributeChangedCallback connectedCallback constructor disconnectedCallback
    handleEvent next return then throw toJSON toString valueOf
    """.split()
)
"""The methods of any object that the platform may call."""

_NO_SCOPES = frozenset({"internal_module", "module"})

IsNamed = Callable[[str], bool]
"""A test of whether another script may use this script's export of a name."""

IsRead = Callable[[SharedMember], bool]
"""A test of whether another script may read a member of an object that it shares with this script."""


class Idleness(Struct, frozen=True):
    """Code that never runs, although it has a name or is a listener.

    `is_global_named` tests whether another script or page may use a global of this name, `is_member_named`
    whether it may use a member, and `is_unreached` whether a condition around a place never has the required
    outcome. `dead_ends` include the ends of the calls that add listeners of events that never come.
    `is_bundled` is whether a bundler may drop the declarations that nothing uses.
    """

    is_global_named: IsNamed
    is_member_named: IsNamed
    is_unreached: Callable[[Node], bool]
    dead_ends: frozenset[int]
    is_bundled: bool


class UnusedCode:
    """Determines whether a place in one script is inside unused code."""

    def __init__(
        self,
        evaluator: Evaluator,
        is_named: IsNamed,
        is_named_by_sibling: IsNamed,
        is_read: IsRead,
        queries: Database,
        idleness: Idleness | None = None,
    ) -> None:
        """`is_named_by_sibling` is the same for scripts that may share modules with this script.

        It does not depend on their imports. `queries` records what the results depend on. Without `idleness`,
        each event may come, and a global of a classic script that has no use may be called by its name.
        """
        self._evaluator = evaluator
        self._is_named = is_named
        self._is_named_by_sibling = is_named_by_sibling
        self._is_read = is_read
        self._queries = queries
        self._idleness = idleness
        self._is_bundled = idleness is not None and idleness.is_bundled and evaluator.tree.is_module
        self._known: dict[int, tuple[bool, Iterable[Key]]] = {}
        self._open: set[int] = set()
        self._unused_so_far: dict[int, None] = {}
        """The definitions that are unused if all open ones are, in the order of their results."""

    def contains(self, place: Node) -> bool:
        """Whether a place is inside a function that no code can call, since its name is unused.

        Also true if the class or object that has the function is unused. Raises TooManyError.
        """
        tree = self._evaluator.tree
        is_known = not tree.has_markup and not tree.has_eval
        return is_known and (
            any(self._is_unused(each) for each in self._enclosing_definitions(place))
            or self.never_comes(place)
        )

    def never_comes(self, place: Node) -> bool:
        """Whether a place is in a listener that is never called, or under a condition that always fails."""
        idleness = self._idleness
        if idleness is None:
            return False
        around = (each for each in place.ancestors() if isinstance(each, Function))
        is_dead = any(
            (call := call_with_argument(outermost(each))) is not None and call.end in idleness.dead_ends
            for each in (place, *around)
        )
        return is_dead or idleness.is_unreached(place)

    def _enclosing_definitions(self, place: Node) -> Iterator[Node]:
        """Yields the functions, classes and object literals that must be named somewhere to reach a place."""
        child = place
        for up in place.ancestors():
            if runs_separately(child, up):
                entered = outermost_wrapper(self._evaluator, up)
                yield entered
                member = member_definition(entered)
                owner = None if member is None else owner_of(member)
                if member is not None and owner is not None and not may_be_passed_on(self._evaluator, member):
                    yield from literals_around(owner) if owner.type == "object" else (owner,)
                if member is not None:
                    constructor = constructor_with(self._evaluator, member, literal_with(member))
                    yield from () if constructor is None else (constructor,)
            elif self._is_bundled and is_droppable(self._evaluator.tree, child, up):
                yield child
            child = up

    def _is_unused(self, definition: Node) -> bool:
        known = self._known.get(definition.id)
        if known is not None:
            self._queries.depend_on_all(known[1])
            return known[0]
        if definition.id in self._open or definition.id in self._unused_so_far:
            return True
        if len(self._open) >= _MAX_DEPTH:
            return False
        found, count = False, len(self._unused_so_far)
        self._open.add(definition.id)
        try:
            with self._queries.recording() as dependencies:
                found = self._is_unreferenced(definition) or self._is_stored_unread(definition)
        finally:
            self._open.remove(definition.id)
            if not found:
                for each in [*self._unused_so_far][count:]:
                    del self._unused_so_far[each]
        if not found:
            self._known[definition.id] = False, dependencies
            return False
        self._unused_so_far[definition.id] = None
        if not self._open:
            self._known |= dict.fromkeys(self._unused_so_far, (True, dependencies))
            self._unused_so_far.clear()
        return True

    def _is_unreferenced(self, definition: Node) -> bool:
        evaluator = self._evaluator
        binding = declared_variable(evaluator, definition)
        if (
            binding is None
            or binding.scope.type in _NO_SCOPES
            or (isinstance(definition, Class) and may_be_passed_on(evaluator, definition))
        ):
            return False
        is_global = binding.scope.type == "program" and not evaluator.tree.is_module
        if is_global and (
            self._is_named_by_sibling(binding.name)
            or not (binding.uses or self._is_unnamed_global(binding.name, definition))
        ):
            return False
        if sum(each.kind != "other" for each in binding.declarations) != 1:
            return False
        exported: list[str] = []
        for each in (*binding.declarations, *binding.uses):
            known_as = exported_as(evaluator, each.item)
            if known_as is not None:
                exported.append(known_as)
            elif each.role is Role.REFERENCE and self._runs(each.item, definition):
                return False
        return DEFAULT not in exported and not any(map(self._is_named, exported))

    def _is_unnamed_global(self, name: str, definition: Node) -> bool:
        """Whether nothing in the package except its declaration mentions the name of a global."""
        return (
            self._idleness is not None
            and not self._is_named_twice(name, definition)
            and not self._idleness.is_global_named(name)
        )

    def _runs(self, use: Node, of: Node) -> bool:
        """Whether a use of a definition may run, other than in the definition itself.

        The `extends` clause of a subclass does nothing as long as the subclass is unused, and the definition
        of a prototype as long as no code makes an object with it.
        """
        is_constructor = isinstance(of, Function | Class)
        if of.contains(use) or (is_constructor and defines_prototype(self._evaluator, use)):
            return False
        derived = subclass_at(use)
        if derived is not None and self._is_unused(derived):
            return False
        return not self._is_unused(use) and not self.contains(use)

    def _is_stored_unread(self, item: Node) -> bool:
        """Whether an item is stored in a member of an object, and no code that runs reads that member."""
        if self._is_unread_private_method(item) or self._is_unnamed_method(item):
            return True
        holder = holder_of(self._evaluator, item)
        if holder is None:
            name = _name_of_added_method(self._evaluator, item)
            return name is not None and not self._is_mentioned(name)
        reads = reads_of_member(self._evaluator, holder.owner, holder.name, KNOWN_REACH)
        if reads is None:
            return False
        is_read = any(self._runs(each, item) for each in reads.places)
        return not is_read and not any(map(self._is_read, reads.shared))

    def _is_unread_private_method(self, item: Node) -> bool:
        """Whether a method that only its class can read is unused there: `#name()`, or `private name()`."""
        if not isinstance(item, MethodDefinition) or may_be_passed_on(self._evaluator, item):
            return False
        tree, owner = self._evaluator.tree, owner_of(item)
        is_private = item.name.type == "private_property_identifier" or any(
            each.type == "accessibility_modifier" and tree.source(each) == "private" for each in item.named()
        )
        name = tree.source(item.name).removeprefix("#")
        if not (is_private and isinstance(owner, Class) and name.isidentifier()) or name in _PROTOCOLS:
            return False
        leaves = map(tree.leaf_at, mentions(self._evaluator, name))
        return not any(self._runs(each, item) for each in leaves if owner.contains(each))

    def _is_unnamed_method(self, item: Node) -> bool:
        """Whether nothing mentions the name of a method of a class, to whatever code its instances escape.

        The platform and libraries call methods by the names of protocols and those of a superclass.
        """
        if (
            self._idleness is None
            or not isinstance(item, MethodDefinition)
            or may_be_passed_on(self._evaluator, item)
        ):
            return False
        owner, name = owner_of(item), key_of(self._evaluator, item)
        return (
            isinstance(owner, Class)
            and not may_be_passed_on(self._evaluator, owner)
            and name is not None
            and name.isidentifier()
            and name not in _PROTOCOLS
            and all(each.type != "class_heritage" for each in owner.named())
            and not self._is_named_twice(name, item)
            and not self._idleness.is_member_named(name)
        )

    def _is_mentioned(self, name: str) -> bool:
        """Whether a name occurs twice in the script, or in one that may share its objects."""
        return self._is_named_twice(name) or self._is_named_by_sibling(name)

    def _is_named_twice(self, name: str, definition: Node | None = None) -> bool:
        """Whether a name occurs in the script besides its definition, and not only in its own body."""
        body = definition.body if isinstance(definition, Function) else None
        found = (
            at for at in mentions(self._evaluator, name) if body is None or not body.start <= at < body.end
        )
        return len([*islice(found, 2)]) > 1


def mentions(evaluator: Evaluator, name: str) -> Iterator[int]:
    """Yields the offsets of a name in a script, except in comments and in uses of the API: `chrome.tabs`."""
    tree = evaluator.tree
    for at in isolated_word_offsets(encode_name(name), tree.text):
        of_api = _API_BEFORE.search(tree.text, max(0, at - MAX_API_LENGTH), at)
        if of_api is None and tree.leaf_at(at).type != "comment":
            yield at


def _name_of_added_method(evaluator: Evaluator, item: Node) -> str | None:
    """Returns the name of the method that an assignment adds to a prototype or to a new object, or None."""
    whole = outermost(item)
    up = whole.parent
    if not isinstance(up, AssignmentExpression) or not whole.is_field("right"):
        return None
    member = up.left
    if not isinstance(member, AccessExpression):
        return None
    owner = member.object
    is_prototype = isinstance(owner, AccessExpression) and key_of(evaluator, owner) == PROTOTYPE
    is_own = is_prototype or isinstance(constructor_at(evaluator, owner), Function)
    return key_of(evaluator, member) if is_own else None


_EFFECTS = frozenset(
    {
        *("assignment_expression", "augmented_assignment_expression", "await_expression", "call_expression"),
        *("new_expression", "update_expression"),
    }
)
_CALLS = frozenset({"call_expression", "new_expression"})
_PURE = lazy(rb"[#@]__PURE__\s*\*/\s*\Z")
_MAX_BYTES_TO_CALL = 40
"""The maximum number of bytes from the word in the comment that marks a call as pure to the call."""


def is_droppable(tree: SyntaxTree, child: Node, up: Node) -> bool:
    """Whether a part of a node is declared at the top of a module, and nothing that bundlers keep."""
    if isinstance(up, VariableDeclarator):
        statement = up.parent if up.name.type == "identifier" and child.is_field("value") else None
    else:
        statement = child if isinstance(child, Class) else None
    around = None if statement is None else statement.parent
    if around is not None and around.type == "export_statement":
        around = around.parent
    return around is not None and around.type == "program" and not _has_effect(tree, child)


def _has_effect(tree: SyntaxTree, value: Node) -> bool:
    """Whether the evaluation of an expression or class may have an effect, except that it may fail."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if each.type == "identifier" and tree.source(each) in ROOTS:
            return True
        if each.type in _CALLS and _is_pure(tree, each):
            continue
        if each.type in _EFFECTS:
            return True
        waiting += [part for part in each.named() if not runs_separately(part, each)]
    return False


def _is_pure(tree: SyntaxTree, call: Node) -> bool:
    start = outermost(call).start
    return _PURE.search(tree.text, max(0, start - _MAX_BYTES_TO_CALL), start) is not None
