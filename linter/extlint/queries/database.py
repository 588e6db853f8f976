"""The results of queries, with the queries and inputs that they depended on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from typing import Any, TypeAlias

MAX_UNUSED_REVISIONS = 4
"""The number of revisions after which a result that none of them used is dropped."""

Key: TypeAlias = "tuple[Ingredient, Hashable, tuple[Hashable, ...]]"
"""A query or an input, the scope of its owner, and its arguments."""

Effect: TypeAlias = tuple[str, tuple[Hashable, ...]]
"""An effect of a query in addition to its result: the kind of the effect, and its arguments."""


class Work(Enum):
    """The work done for a result in a revision."""

    COMPUTED = "computed"
    UNCHANGED = "computed, and unchanged"
    VERIFIED = "reused, as nothing that it depends on has changed"


class QueryCycleError(Exception):
    """A query that depends on its own result."""


def is_same_value(one: Any, other: Any) -> bool:
    """Whether a value is unchanged."""
    return one is other or bool(one == other)


class Ingredient:
    """A kind of values in the database: those of an input, or the results of a query.

    `function` computes a value for an owner and arguments; an input has none, and is set in each revision.
    `is_kept` is whether values are kept from one revision to the next. `is_same` decides whether a value is
    unchanged.
    """

    def __init__(
        self,
        name: str,
        function: Callable[..., Any] | None = None,
        *,
        is_kept: bool = True,
        is_same: Callable[[Any, Any], bool] | None = None,
    ) -> None:
        self.name = name
        self.function = function
        self.is_kept = is_kept
        self.is_same = is_same or is_same_value

    def __repr__(self) -> str:
        return self.name


class Input(Ingredient):
    """A kind of values that do not depend on queries."""

    def __init__(self, name: str, is_same: Callable[[Any, Any], bool] | None = None) -> None:
        super().__init__(name, is_same=is_same)


_REVISION = Input("revision")
"""An input that is never set, so that its last change is always in the current revision."""


class _Memo:
    """A result, and the revisions in which it last changed and was last known to be valid."""

    __slots__ = ("changed", "dependencies", "effects", "value", "verified")

    def __init__(self, value: Any, changed: int, verified: int) -> None:
        self.value = value
        self.changed = changed
        self.verified = verified
        self.dependencies: tuple[Key, ...] = ()
        self.effects: tuple[Effect, ...] = ()


class _Frame:
    """The dependencies and effects so far of a query that is being computed."""

    __slots__ = ("dependencies", "effects")

    def __init__(self) -> None:
        self.dependencies: dict[Key, None] = {}
        self.effects: dict[Effect, None] = {}


_DROPPED = object()
"""The value of a result that was not kept after its revision."""


class Database:
    """Stores results, and finds out which of them are still valid in the next revision of the inputs.

    A database that is not incremental has a single revision, so it records no dependencies.
    """

    def __init__(self, *, is_incremental: bool = False) -> None:
        self.is_incremental = is_incremental
        self.revision = 1
        self.work: Counter[tuple[str, Work]] = Counter()
        """The results in this revision, by the name of the query and the work done."""
        self._memos: dict[Key, _Memo] = {}
        self._frames: list[_Frame] = []
        self._running: set[Key] = set()
        self._owners: dict[Hashable, Callable[[], object]] = {}
        self._effects: Mapping[str, Callable[..., object]] = {}
        self._to_drop: list[_Memo] = []
        self._is_in_revision = False

    def begin_revision(self, effects: Mapping[str, Callable[..., object]]) -> None:
        """Begins a revision, in which all inputs are set again and all owners are registered again.

        `effects` has, by kind, the functions that repeat effects when a result is reused.
        """
        self.revision += 1
        self.work.clear()
        self._frames = [_Frame()]
        self._running.clear()
        self._owners.clear()
        self._effects = effects
        self._is_in_revision = True
        self._drop_values()

    def end_revision(self) -> None:
        """Ends a revision: drops what later ones cannot use.

        Until the next one begins, results are still computed, but are not reused then.
        """
        self._is_in_revision = False
        self._frames.clear()
        self._owners.clear()
        self._effects = {}
        self._drop_values()
        oldest = self.revision - MAX_UNUSED_REVISIONS
        for key in [key for key, memo in self._memos.items() if memo.verified < oldest]:
            del self._memos[key]

    def _drop_values(self) -> None:
        for memo in self._to_drop:
            memo.value = _DROPPED
        self._to_drop.clear()

    def register(self, scope: Hashable, find_owner: Callable[[], object]) -> None:
        """Registers the owner of a scope, for which results are computed again in order to verify others.

        `find_owner` is only called for that, and may create the owner.
        """
        self._owners[scope] = find_owner

    def set_input(
        self,
        kind: Input,
        scope: Hashable,
        value: object,
        arguments: tuple[Hashable, ...] = (),
        *,
        is_changed: bool | None = None,
    ) -> Any:
        """Sets the value of an input in this revision. Without `is_changed`, the values are compared.

        Returns the value, or the one of an earlier revision if that is the same.
        """
        memo = self._memos.get((kind, scope, arguments))
        if memo is None:
            self._memos[kind, scope, arguments] = _Memo(value, self.revision, self.revision)
            return value
        if is_changed is None:
            is_changed = not kind.is_same(memo.value, value)
            value = value if is_changed else memo.value
        memo.value = value
        memo.verified = self.revision
        if is_changed:
            memo.changed = self.revision
        return value

    def input_value(self, kind: Input, scope: Hashable, arguments: tuple[Hashable, ...] = ()) -> Any:
        """Returns the value that was last set for an input, or None."""
        memo = self._memos.get((kind, scope, arguments))
        return None if memo is None else memo.value

    def last_change(self, kind: Input, scope: Hashable, arguments: tuple[Hashable, ...] = ()) -> int:
        """Returns the revision in which an input last changed."""
        return self._memos[kind, scope, arguments].changed

    def depend_on(self, kind: Input, scope: Hashable, arguments: tuple[Hashable, ...] = ()) -> None:
        """Records that the query that is being computed depends on an input."""
        if self._frames:
            self._frames[-1].dependencies[kind, scope, arguments] = None

    def depend_on_all(self, keys: Iterable[Key]) -> None:
        """Records that the query that is being computed depends on everything that `recording` returned."""
        if self._frames:
            self._frames[-1].dependencies.update(dict.fromkeys(keys))

    @contextmanager
    def recording(self) -> Iterator[Iterable[Key]]:
        """Yields the dependencies recorded within the block, for a memo outside of the database.

        Whoever uses the memo later must depend on them, too.
        """
        if not self._frames:
            yield ()
            return
        frame = _Frame()
        self._frames.append(frame)
        try:
            yield frame.dependencies
        finally:
            self._frames.pop()
            self._frames[-1].dependencies.update(frame.dependencies)
            self._frames[-1].effects.update(frame.effects)

    def record_effect(self, kind: str, *arguments: Hashable) -> None:
        """Records an effect of the query that is being computed."""
        if self._frames:
            self._frames[-1].effects[kind, arguments] = None

    def mark_unrepeatable(self) -> None:
        """Records that the result of the query that is being computed is valid only in this revision."""
        self.depend_on(_REVISION, None)

    def result(
        self, query: Ingredient, scope: Hashable, owner: object, arguments: tuple[Hashable, ...]
    ) -> Any:
        """Returns the result of a query, which is computed for `owner` unless it is known and valid.

        Raises QueryCycleError if the query is being computed already, and whatever its function raises.
        """
        key: Key = (query, scope, arguments)
        memo = self._memos.get(key)
        if memo is None or memo.value is _DROPPED or memo.verified != self.revision:
            memo = self._valid(key, memo, owner)
        if self._frames:
            self._frames[-1].dependencies[key] = None
        return memo.value

    def _valid(self, key: Key, memo: _Memo | None, owner: object) -> _Memo:
        """Returns a valid result, verified or computed."""
        is_valid = memo is not None and (memo.verified == self.revision or self._verify(key, memo))
        if memo is not None and is_valid and memo.value is not _DROPPED:
            return memo
        return self._compute(key, memo, owner)

    def _verify(self, key: Key, memo: _Memo) -> bool:
        """Whether all dependencies of a result are unchanged since it was last valid."""
        for each in memo.dependencies:
            known = self._memos.get(each)
            is_valid = known is not None and known.verified == self.revision
            changed = known.changed if known is not None and is_valid else self._last_change(each)
            if changed > memo.verified:
                return False
        memo.verified = self.revision
        self.work[key[0].name, Work.VERIFIED] += 1
        for kind, arguments in memo.effects:
            self._effects[kind](*arguments)
        return True

    def _last_change(self, key: Key) -> int:
        """Returns the revision in which a dependency last changed; this one if that is unknown."""
        memo = self._memos.get(key)
        if memo is None:
            return self.revision
        query = key[0]
        if memo.verified != self.revision and (query.function is None or not self._verify(key, memo)):
            find_owner = self._owners.get(key[1])
            if query.function is None or not query.is_kept or find_owner is None or memo.value is _DROPPED:
                return self.revision
            memo = self._compute(key, memo, find_owner())
        return memo.changed

    def _compute(self, key: Key, memo: _Memo | None, owner: object) -> _Memo:
        if key in self._running:
            raise QueryCycleError(f"{key[0].name} depends on itself")
        function = key[0].function
        assert function is not None
        frame = _Frame()
        if self.is_incremental:
            self._frames.append(frame)
            if not self._is_in_revision:
                self.mark_unrepeatable()
        self._running.add(key)
        try:
            value = function(owner, *key[2])
        finally:
            self._running.discard(key)
            if self.is_incremental:
                self._frames.pop()
        return self._store(key, memo, value, frame)

    def _store(self, key: Key, memo: _Memo | None, value: Any, frame: _Frame) -> _Memo:
        """Stores a result. An equal one from an earlier revision counts as unchanged, and is kept itself."""
        query, work = key[0], Work.COMPUTED
        if memo is None:
            memo = self._memos[key] = _Memo(value, self.revision, self.revision)
        elif memo.value is _DROPPED:
            if memo.verified != self.revision:
                memo.changed = self.revision
            memo.value = value
        elif query.is_same(memo.value, value):
            work = Work.UNCHANGED
        else:
            memo.changed = self.revision
            memo.value = value
        self.work[query.name, work] += 1
        memo.verified = self.revision
        memo.dependencies = tuple(frame.dependencies)
        memo.effects = tuple(frame.effects)
        if self.is_incremental and not query.is_kept:
            self._to_drop.append(memo)
        return memo

    def keys_of(self, query: Ingredient) -> list[Key]:
        """Returns the keys of all stored results of a query."""
        return [key for key in self._memos if key[0] is query]

    def dependencies(self, key: Key) -> tuple[Key, ...]:
        """Returns the queries and inputs that a stored result depends on, in the order of their first use."""
        memo = self._memos.get(key)
        return () if memo is None else memo.dependencies
