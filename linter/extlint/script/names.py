"""Names and the scopes that declare them, looked up one name at a time.

Only the occurrences of a name matter to resolve it: whatever shadows it is an occurrence of it too.
So nothing is computed for names that nobody asks about.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator
from enum import Enum
from functools import lru_cache
from itertools import islice

from msgspec import Struct, field

from extlint.script.tree import BLOCK_SCOPES, CLASSES, FUNCTIONS, VARIABLE_SCOPES, Item, SyntaxTree

MOST_OCCURRENCES = 20_000
"""Occurrences of one name that are looked at; a name with more is given up."""

_VARIABLES = frozenset(
    {"identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern", "undefined"}
)
_PATTERNS = frozenset({"array_pattern", "object_pattern", "rest_pattern"})
_WORD = frozenset((*b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz$", *range(0x80, 0x100)))
_DOT, _SPACE = b". "


_STEPS_PER_PLACE = 3
_MOST_INDEXED = 100_000
"""Places of one word that are kept."""


class Role(Enum):
    """What an occurrence of a name does."""

    DECLARATION = "declaration"
    WRITE = "write"
    REFERENCE = "reference"


class Occurrence(Struct, frozen=True):
    """A place where a variable's name stands.

    For a declaration `source` is the node that gives it its value (a declarator, a parameter, a
    function …), `kind` says which sort it is, and `scope` is where it is visible. For a write
    `source` is the assignment.
    """

    item: Item
    role: Role
    kind: str = ""
    source: Item | None = None
    scope: Item | None = None

    @property
    def constant(self) -> bool:
        """Whether it declares what is never assigned to again."""
        up = None if self.source is None else self.source.parent
        if up is None or up.type != "lexical_declaration":
            return False
        kind = up.field("kind")
        return kind is not None and kind.type == "const"


class Effects(Struct, eq=False):
    """What the uses of a variable do to the object it holds.

    `escapes` let other code have it, `lendings` parts of it, or change the order of its items;
    `writes` are the members that are assigned to, `changes` those that are written in other ways.
    """

    escapes: list[Item] = field(default_factory=list)
    lendings: list[Item] = field(default_factory=list)
    writes: list[Item] = field(default_factory=list)
    changes: list[Item] = field(default_factory=list)


class Binding(Struct, eq=False):
    """A variable: where it is visible, what declares it, and where else it is named.

    `writes` are the declarations and every use that assigns to it.
    """

    name: str
    scope: Item
    declarations: list[Occurrence]
    writes: list[Occurrence]
    find_uses: Callable[[], list[Occurrence]]
    effects: Effects | None = None
    known_uses: list[Occurrence] | None = None

    @property
    def uses(self) -> list[Occurrence]:
        """The places where it is named that do not declare it. Raises TooManyError."""
        if self.known_uses is None:
            self.known_uses = self.find_uses()
        return self.known_uses


class TooManyError(Exception):
    """A name occurs too often to be followed."""


class Names:
    """The variables of one script."""

    def __init__(self, tree: SyntaxTree) -> None:
        self._tree = tree
        self._classified: dict[int, Occurrence | None] = {}
        self._declared: dict[tuple[str, int], dict[int, list[Occurrence]]] = {}
        self._bindings: dict[tuple[str, int], Binding] = {}
        self._too_many: set[tuple[str, int]] = set()
        self._searched: dict[str, int] = {}
        self._indexed: dict[str, list[int]] = {}
        self._free: dict[str, list[Occurrence]] = {}
        self._free_writes: dict[str, list[Occurrence]] = {}

    def resolve(self, name: str, at: Item) -> Binding | None:
        """The variable that a name means at a place, or None for a global that nothing declares.

        Raises TooManyError if the name occurs too often.
        """
        inside: list[Item] = []
        for up in at.scopes():
            inside.append(up)
            if up.type in FUNCTIONS or up.parent is None:
                self._tree.spend(len(inside))
                declared = self._declared_in(name, up)
                for scope in inside if declared else ():
                    if scope.id in declared:
                        return self._binding(name, scope, declared)
                inside.clear()
        return None

    def variable(self, name: Item) -> Binding | None:
        """The variable that a name's node means; None for a global, and for one that occurs too often."""
        try:
            return self.resolve(self._tree.source(name), name)
        except TooManyError:
            return None

    def free(self, name: str) -> list[Occurrence]:
        """The places where a name is a global that nothing in the script declares.

        Raises TooManyError if the name occurs too often.
        """
        if name not in self._free:
            self._free[name] = [
                each
                for each in self.occurrences(name, self._tree.root)
                if each.role is not Role.DECLARATION and self.resolve(name, each.item) is None
            ]
        return self._free[name]

    def free_writes(self, name: str) -> list[Occurrence]:
        """The places where a global that nothing declares is assigned to. Raises TooManyError."""
        if name not in self._free_writes:
            self._free_writes[name] = [each for each in self.free(name) if each.role is Role.WRITE]
        return self._free_writes[name]

    def global_variable(self, name: str) -> Binding | None:
        """The `var` or function at the top of the script, which is a property of the global object."""
        root = self._tree.root
        if self._tree.is_module:
            return None
        declared = self._declared_in(name, root)
        listed = declared.get(root.id, [])
        if not any(each.kind in {"var", "function"} for each in listed):
            return None
        return self._binding(name, root, declared)

    def occurrences(self, name: str, region: Item) -> list[Occurrence]:
        """The places in a region where a name stands for a variable. Raises TooManyError."""
        found = map(self.classify, self._few_places(name, region))
        return [each for each in found if each is not None]

    def _few_places(self, name: str, region: Item) -> list[int]:
        if (name, region.id) in self._too_many:
            raise TooManyError
        places = list(islice(self.places(name, region.start, region.end), MOST_OCCURRENCES + 1))
        if len(places) > MOST_OCCURRENCES:
            self._too_many.add((name, region.id))
            raise TooManyError
        return places

    def _not_read(self, name: str, region: Item) -> Iterator[Occurrence]:
        """Where a region may declare a name or write it: what a dot or bracket follows is only read."""
        text, length = self._tree.text, len(name.encode())
        for at in self._few_places(name, region):
            if text[at + length : at + length + 1] not in {b".", b"["}:
                found = self.classify(at)
                if found is not None:
                    yield found

    def places(self, name: str, start: int, end: int) -> Iterator[int]:
        """The byte offsets in a range where the word stands and is not a plain `.word`.

        A word that was searched for in as many bytes as the whole text has is searched for once in all.
        """
        places = self._indexed.get(name)
        if places is not None:
            first, last = bisect_left(places, start), bisect_left(places, end)
            self._tree.spend((last - first) * _STEPS_PER_PLACE)
            return iter(places[first:last])
        searched = self._searched.get(name, 0) + end - start
        self._searched[name] = searched
        if searched > len(self._tree.text) > end - start and self._index(name):
            return self.places(name, start, end)
        return self._search(name, start, end, _STEPS_PER_PLACE)

    def _index(self, name: str) -> bool:
        """Searches the whole text for a word; whether it stands in few enough places to be kept."""
        places = list(islice(self._search(name, 0, len(self._tree.text), 0), _MOST_INDEXED + 1))
        if len(places) > _MOST_INDEXED:
            self._searched[name] = -sys.maxsize
            return False
        self._indexed[name] = places
        return True

    def _search(self, name: str, start: int, end: int, steps: int) -> Iterator[int]:
        text = self._tree.text
        self._tree.spend_search(end - start)
        for found in _word(name).finditer(text, start, end):
            at = found.start()
            self._tree.spend(steps)
            before = text[at - 1] if at else _SPACE
            if before not in _WORD and (before != _DOT or text[max(0, at - 3) : at] == b"..."):
                yield at

    def classify(self, offset: int) -> Occurrence | None:
        """What the name at an offset does, or None if it is no variable there."""
        if offset not in self._classified:
            self._classified[offset] = _classify(self._tree.leaf_at(offset), offset)
        return self._classified[offset]

    def _declared_in(self, name: str, region: Item) -> dict[int, list[Occurrence]]:
        key = (name, region.id)
        if key not in self._declared:
            found: dict[int, list[Occurrence]] = {}
            for each in self._not_read(name, region):
                if each.role is Role.DECLARATION and each.scope is not None:
                    found.setdefault(each.scope.id, []).append(each)
            self._declared[key] = found
        return self._declared[key]

    def _binding(self, name: str, scope: Item, declared: dict[int, list[Occurrence]]) -> Binding:
        key = (name, scope.id)
        if key not in self._bindings:
            declarations = declared[scope.id]
            assigned = (
                each
                for each in self._not_read(name, scope)
                if each.role is Role.WRITE and not _shadowed(each.item, scope, declared)
            )
            writes = sorted([*declarations, *assigned], key=lambda each: each.item.start)
            self._bindings[key] = Binding(
                name, scope, declarations, writes, lambda: self._uses(name, scope, declared)
            )
        return self._bindings[key]

    def _uses(self, name: str, scope: Item, declared: dict[int, list[Occurrence]]) -> list[Occurrence]:
        return [
            each
            for each in self.occurrences(name, scope)
            if each.role is not Role.DECLARATION and not _shadowed(each.item, scope, declared)
        ]


@lru_cache(maxsize=256)
def _word(name: str) -> re.Pattern[bytes]:
    return re.compile(re.escape(name.encode()) + rb"(?![\w$\x80-\xff])")


def _shadowed(item: Item, scope: Item, declared: dict[int, list[Occurrence]]) -> bool:
    wanted = scope.id
    up = item.scope
    while True:
        number = up.id
        if number == wanted:
            return False
        if number in declared or up.parent is None:
            return True
        up = up.scope


def enclosing(item: Item, kinds: frozenset[str]) -> Item:
    """The nearest scope of one of these kinds around a node, or the root."""
    up = item
    for up in item.scopes():
        if up.type in kinds:
            break
    return up


def function_of(item: Item) -> Item:
    """The function that a node's code belongs to, or the program."""
    return enclosing(item, VARIABLE_SCOPES)


def _classify(item: Item, offset: int) -> Occurrence | None:
    if item.start != offset or item.parent is None:
        return None
    if item.type == "type_identifier":
        if item.parent.type in CLASSES and item.is_field("name"):
            return _declared_by(item, item.parent)
        return None
    if item.type not in _VARIABLES:
        return None
    child, up = item, item.parent
    while True:
        parent = up.parent
        if up.type in _PATTERNS and parent is not None:
            child, up = up, parent
            continue
        if up.type in {"assignment_pattern", "object_assignment_pattern"} and parent is not None:
            if not child.is_field("left"):
                return Occurrence(item, Role.REFERENCE)
            child, up = up, parent
            continue
        if up.type == "pair_pattern" and parent is not None:
            if not child.is_field("value"):
                return Occurrence(item, Role.REFERENCE)
            child, up = up, parent
            continue
        if up.type in {"required_parameter", "optional_parameter"} and parent is not None:
            if not child.is_field("pattern"):
                return Occurrence(item, Role.REFERENCE)
            child, up = up, parent
            continue
        return _role(item, child, up)


def _role(item: Item, child: Item, up: Item) -> Occurrence | None:
    match up.type:
        case "variable_declarator" if child.is_field("name"):
            return _declared_variable(item, up)
        case "formal_parameters":
            function = up.parent
            if function is None or function.type not in FUNCTIONS:
                return None
            return Occurrence(item, Role.DECLARATION, "parameter", child, function)
        case "arrow_function" if child.is_field("parameter"):
            return Occurrence(item, Role.DECLARATION, "parameter", child, up)
        case "catch_clause" if child.is_field("parameter"):
            return Occurrence(item, Role.DECLARATION, "catch", up, up)
        case "for_in_statement" if child.is_field("left"):
            kind = up.field("kind")
            if kind is None:
                return Occurrence(item, Role.WRITE, "loop", up)
            scope = function_of(up) if kind.type == "var" else up
            return Occurrence(item, Role.DECLARATION, "loop", up, scope)
        case "assignment_expression" if child.is_field("left"):
            return Occurrence(item, Role.WRITE, "assignment", up)
        case "augmented_assignment_expression" if child.is_field("left"):
            return Occurrence(item, Role.WRITE, "augmented", up)
        case "update_expression":
            return Occurrence(item, Role.WRITE, "update", up)
        case "import_specifier":
            alias = up.field("alias")
            return _imported(item, up) if alias is None or alias.same(item) else None
        case "import_clause" | "namespace_import" | "import_require_clause" | "import_alias":
            first = up.first()
            return _imported(item, up) if first is not None and first.same(item) else None
        case "export_specifier" if child.is_field("alias"):
            return None
        case "type_query" | "nested_identifier" | "nested_type_identifier" | "type_predicate" | "asserts":
            return None
    if child.is_field("name") and (up.type in FUNCTIONS | CLASSES or up.type in _OTHER_NAMED):
        return _declared_by(item, up)
    return None if _in_type_query(child, up) else Occurrence(item, Role.REFERENCE)


def _in_type_query(child: Item, up: Item | None) -> bool:
    """Whether a name is a type's (`let x: typeof browser.tabs`)."""
    while up is not None and up.type in _MEMBERS and child.is_field("object"):
        child, up = up, up.parent
    return up is not None and up.type == "type_query"


_MEMBERS = frozenset({"member_expression", "subscript_expression"})
_OTHER_NAMED = frozenset({"enum_declaration", "function_signature", "internal_module", "module"})


def _declared_variable(item: Item, declarator: Item) -> Occurrence | None:
    statement = declarator.parent
    if statement is None or _is_ambient(statement):
        return None
    if statement.type == "variable_declaration":
        return Occurrence(item, Role.DECLARATION, "var", declarator, function_of(declarator))
    return Occurrence(item, Role.DECLARATION, "let", declarator, enclosing(declarator, BLOCK_SCOPES))


def _declared_by(item: Item, named: Item) -> Occurrence | None:
    """A function, class, enum or module that carries its own name."""
    if _is_ambient(named):
        return None
    kind = "function" if named.type in FUNCTIONS else "class" if named.type in CLASSES else "other"
    if named.type in {"function_expression", "generator_function", "class"}:
        scope = named
    elif kind == "function":
        scope = function_of(named)
    else:
        scope = enclosing(named, BLOCK_SCOPES)
    return Occurrence(item, Role.DECLARATION, kind, named, scope)


def _imported(item: Item, clause: Item) -> Occurrence:
    return Occurrence(item, Role.DECLARATION, "import", clause, enclosing(clause, frozenset({"program"})))


def _is_ambient(item: Item) -> bool:
    """Whether a declaration only tells TypeScript of something that exists elsewhere (`declare …`)."""
    return item.parent is not None and item.parent.type == "ambient_declaration"
