"""Resolves names to the scopes that declare them, one name at a time.

Resolving a name involves only the occurrences of that name, since whatever shadows it is an occurrence too.
So nothing is computed for names that are never looked up.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Container, Iterator
from functools import partial
from typing import Any

from msgspec import Struct, field

from extlint.analysis.scope.model import Binding, Identifier, Role, classify
from extlint.analysis.scope.word_index import Words
from extlint.analysis.syntax.node import DECLARED_FUNCTIONS, FUNCTIONS, Node
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.text.positions import ByteSpan, encode_name

_MAX_NEIGHBORHOOD_BYTES = 64


class _Declared(Struct):
    """The declarations of a name in a function or the program.

    `scopes` has them by scope, and `functions` the byte ranges of the nested functions that declare the name,
    in order.
    """

    scopes: dict[int, list[Identifier]] = field(default_factory=dict)
    functions: list[ByteSpan] = field(default_factory=list)

    def functions_in(self, scope: Node) -> Iterator[ByteSpan]:
        """Yields those inside of a scope."""
        for at in range(bisect_left(self.functions, (scope.start, scope.end)), len(self.functions)):
            if self.functions[at][0] >= scope.end:
                return
            yield self.functions[at]


class NameResolver:
    """Resolves the variables of one script."""

    def __init__(self, tree: SyntaxTree) -> None:
        self.words = Words(tree)
        self._tree = tree
        self._classified: dict[int, Identifier | None] = {}
        self._declared: dict[tuple[str, int], _Declared] = {}
        self._bindings: dict[tuple[str, int], Binding] = {}
        self._resolved: dict[tuple[str, int], Binding | None] = {}
        self._undeclared: dict[str, Node] = {}
        self._free_uses: dict[str, list[Identifier]] = {}
        self._free_writes: dict[str, list[Identifier]] = {}

    def close(self) -> None:
        """Frees all cached information about names."""
        caches: tuple[dict[Any, Any], ...] = (
            self._classified,
            self._declared,
            self._bindings,
            self._resolved,
            self._undeclared,
            self._free_uses,
            self._free_writes,
        )
        for each in caches:
            each.clear()
        self.words.close()

    def resolve(self, name: str, at: Node) -> Binding | None:
        """Returns the variable that a name refers to at a node.

        Returns None for a global that the script does not declare.
        """
        key = (name, at.scope.id)
        if key not in self._resolved:
            self._look_up(name, at)
        return self._resolved[key]

    def _look_up(self, name: str, at: Node) -> None:
        """Resolves a name at a node; caches the result for functions on the way that do not declare it."""
        found: Binding | None = None
        passed: list[tuple[str, int]] = []
        inner: Node | None = None
        inside: list[Node] = []
        for up in at.scopes():
            if not inside:
                key = (name, up.id)
                if key in self._resolved:
                    found = self._resolved[key]
                    break
                passed.append(key)
            inside.append(up)
            if up.type in FUNCTIONS or up.parent is None:
                self._tree.spend(len(inside))
                declared = self._declarations_in(name, up, inner)
                own = next((each for each in inside if each.id in declared.scopes), None)
                if own is not None:
                    found = self._binding(name, own, declared)
                    break
                inner = up
                inside.clear()
        self._resolved.update(dict.fromkeys(passed, found))

    def variable(self, name: Node) -> Binding | None:
        """Returns the variable that a name node refers to, or None for a global.

        The name of a function declaration belongs to the scope outside it, whatever has that name inside.
        """
        up = name.parent
        is_own = up is not None and up.type in DECLARED_FUNCTIONS and name.is_field("name")
        return self.resolve(self._tree.source(name), up if is_own and up is not None else name)

    def global_name(self, item: Node) -> str | None:
        """Returns the name that an expression is, if the script does not declare it, or None."""
        return self._tree.source(item) if item.type == "identifier" and self.variable(item) is None else None

    def is_global(self, item: Node, names: Container[str]) -> bool:
        """Whether an expression is one of these names, which the script does not declare."""
        return item.type == "identifier" and self._tree.source(item) in names and self.variable(item) is None

    def free_uses(self, name: str) -> list[Identifier]:
        """Returns the uses of a name as a global that the script does not declare."""
        if name not in self._free_uses:
            root = self._tree.root
            declared = self._declarations_in(name, root)
            is_declared = root.id in declared.scopes
            self._free_uses[name] = [] if is_declared else self._uses(name, root, declared)
        return self._free_uses[name]

    def free_writes(self, name: str) -> list[Identifier]:
        """Returns the writes to a global that the script does not declare."""
        if name not in self._free_writes:
            root = self._tree.root
            declared = self._declarations_in(name, root)
            is_declared = root.id in declared.scopes
            self._free_writes[name] = [] if is_declared else self._writes(name, root, declared)
        return self._free_writes[name]

    def global_variable(self, name: str) -> Binding | None:
        """Returns the top-level `var` or function of a script, which is a property of the global object."""
        root = self._tree.root
        if self._tree.is_module:
            return None
        declared = self._declarations_in(name, root)
        listed = declared.scopes.get(root.id, [])
        if not any(each.kind in {"var", "function"} for each in listed):
            return None
        return self._binding(name, root, declared)

    def identifiers(self, name: str, region: Node) -> list[Identifier]:
        """Returns the identifiers in a region that name a variable."""
        found = map(self.classify, self.words.name_occurrences(name, region.start, region.end))
        return [each for each in found if each is not None]

    def _may_be_written(self, name: str, at: int) -> bool:
        """Whether the name at an offset may be declared or written there.

        Before a dot or bracket it is only read. Before a parenthesis it is only read too, unless it is the
        name of a function.
        """
        text = self._tree.text
        after = at + len(encode_name(name))
        following = text[after : after + 1]
        if following == b"(":
            return _may_be_after_function(text[max(0, at - _MAX_NEIGHBORHOOD_BYTES) : at])
        return following not in {b".", b"["}

    def classify(self, offset: int) -> Identifier | None:
        """Returns the identifier at an offset, or None if it does not name a variable."""
        if offset not in self._classified:
            self._classified[offset] = classify(self._tree.leaf_at(offset), offset)
        return self._classified[offset]

    def _declarations_in(self, name: str, region: Node, inner: Node | None = None) -> _Declared:
        """Returns the declarations of a name in a function or the program.

        If a nested function declares the name, its other contents do not matter to the scopes outside.
        `inner` is a nested function that does not declare the name and whose declarations are known.
        """
        key = (name, region.id)
        if key not in self._declared:
            found = _Declared()
            outer = self._undeclared.get(name)
            if outer is None or not outer.contains(region):
                with self._tree.budget.shared_work():
                    self._add_declarations(name, region, inner, found)
                if not found.scopes:
                    self._undeclared[name] = region
            self._declared[key] = found
        return self._declared[key]

    def _add_declarations(self, name: str, region: Node, inner: Node | None, found: _Declared) -> None:
        if inner is None:
            self._add_declarations_between(name, region, region.start, region.end, found)
        else:
            self._add_declarations_between(name, region, region.start, inner.start, found)
            known = self._declared[name, inner.id]
            for scope, listed in known.scopes.items():
                found.scopes.setdefault(scope, []).extend(listed)
            found.functions += known.functions
            self._add_declarations_between(name, region, inner.end, region.end, found)

    def _add_declarations_between(
        self, name: str, region: Node, start: int, end: int, found: _Declared
    ) -> None:
        following = start
        while following < end:
            for at in self.words.name_occurrences(name, following, end):
                each = self.classify(at) if at >= following and self._may_be_written(name, at) else None
                if each is not None and each.role is Role.DECLARATION and each.scope is not None:
                    found.scopes.setdefault(each.scope.id, []).append(each)
                    if _is_function_in(each.scope, region):
                        insort(found.functions, each.scope.span)
                        following = max(each.scope.end, at + 1)
                        if self.words.has_cached_names(name):
                            break
            else:
                return

    def _binding(self, name: str, scope: Node, declared: _Declared) -> Binding:
        key = (name, scope.id)
        if key not in self._bindings:
            declarations = declared.scopes[scope.id]
            assigned = self._writes(name, scope, declared)
            writes = sorted([*declarations, *assigned], key=lambda each: each.item.start)
            self._bindings[key] = Binding(
                name, scope, declarations, writes, lambda: self._uses(name, scope, declared)
            )
        return self._bindings[key]

    def _writes(self, name: str, scope: Node, declared: _Declared) -> list[Identifier]:
        """Returns the writes to the variable that a scope declares, or to a global for the root scope."""
        shadowed: dict[int, bool] = {}
        with self._tree.budget.shared_work():
            places = filter(
                partial(self._may_be_written, name), self._unshadowed_occurrences(name, scope, declared)
            )
            return [
                each
                for each in map(self.classify, places)
                if each is not None
                and each.role is Role.WRITE
                and not _is_shadowed(each.item, scope, declared, shadowed)
            ]

    def _uses(self, name: str, scope: Node, declared: _Declared) -> list[Identifier]:
        shadowed: dict[int, bool] = {}
        with self._tree.budget.shared_work():
            return [
                each
                for each in map(self.classify, self._unshadowed_occurrences(name, scope, declared))
                if each is not None
                and each.role is not Role.DECLARATION
                and not _is_shadowed(each.item, scope, declared, shadowed)
            ]

    def _unshadowed_occurrences(self, name: str, scope: Node, declared: _Declared) -> Iterator[int]:
        """Yields the occurrences of a name in a scope, except in nested functions that declare the name."""
        at = scope.start
        for start, end in declared.functions_in(scope):
            if start > at:
                yield from self.words.name_occurrences(name, at, start)
            at = max(at, end)
        yield from self.words.name_occurrences(name, at, scope.end)


def _may_be_after_function(before: bytes) -> bool:
    """Whether text may end with the word `function`, perhaps followed by a star or a comment."""
    stem = before.rstrip()
    return not stem or stem.endswith((b"function", b"*", b"/")) or (b"//" in stem and b"\n" in before)


def _is_function_in(scope: Node, region: Node) -> bool:
    """Whether a scope is a function nested in a region."""
    return scope.type in FUNCTIONS and region.contains(scope) and not region.same(scope)


def _is_shadowed(item: Node, scope: Node, declared: _Declared, known: dict[int, bool]) -> bool:
    """Whether a name refers to a different variable than in the given scope.

    `known` caches results by scope.
    """
    scope_id = scope.id
    passed: list[int] = []
    up = item.scope
    while (number := up.id) not in known:
        passed.append(number)
        if number == scope_id or number in declared.scopes or up.parent is None:
            known[number] = number != scope_id
        else:
            up = up.scope
    found = known[number]
    known.update(dict.fromkeys(passed, found))
    return found
