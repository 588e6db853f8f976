"""The results of queries, with the queries and inputs that they depended on."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Hashable, Iterable, Mapping
from typing import Any, TypeAlias

from extlint.queries.memos import (
    DROPPED,
    Effect,
    Frame,
    Ingredient,
    Input,
    Key,
    Memo,
    QueryCycleError,
    Recorder,
    Work,
)

MAX_UNUSED_ROUNDS = 4
"""The number of rounds of checks after which a result that none of them used is dropped."""

_STORED = Input("stored result")

_Verification: TypeAlias = "Generator[_Verification, bool | None, bool]"


class Database(Recorder):
    """Stores results, and finds out which of them are still valid after its inputs have changed.

    The *revision* is a number that grows whenever an input changes. A *check* begins with a new revision; its
    inputs may change while it lasts. A database that is not incremental has a single revision, so it records
    neither dependencies nor work, and stores only results.
    """

    def __init__(self, *, is_incremental: bool = False) -> None:
        super().__init__(is_recording=is_incremental)
        self.is_incremental = is_incremental
        self.revision = 1
        self.work: Counter[tuple[str, Work]] = Counter()
        """The results in this check, by the name of the query and the work done."""
        self._memos: dict[Key, Memo] = {}
        self._results: dict[Key, Any] = {}
        self._running: set[Key] = set()
        self._verifying: set[Key] = set()
        self._to_drop: list[Memo] = []
        self._is_in_check = is_incremental
        self._begun = 1
        self._last_rounds = deque([0], maxlen=MAX_UNUSED_ROUNDS)

    def begin_round(self) -> None:
        """Begins a round of checks, such as one for each manifest. A round without a check does not count."""
        if self.revision != self._last_rounds[-1]:
            self._last_rounds.append(self.revision)

    def begin_check(self, effects: Mapping[str, Callable[..., object]]) -> None:
        """Begins a check, in which all inputs are set again and all owners are registered again.

        `effects` has, by kind, the functions that repeat effects when a result is reused.
        """
        self.revision += 1
        self._begun = self.revision
        self.work.clear()
        self._frames = [Frame()]
        self._running.clear()
        self._verifying.clear()
        self._owners.clear()
        self._effects = {**effects}
        self._is_in_check = True
        self._drop_values()

    def end_check(self) -> None:
        """Ends a check: drops what later ones cannot use.

        Until the next one begins, results are still computed, but are not reused then.
        """
        self._is_in_check = False
        self._frames.clear()
        self._owners.clear()
        self._effects = {}
        self._drop_values()
        oldest = self._last_rounds[0]
        for key in [key for key, memo in self._memos.items() if memo.verified <= oldest]:
            del self._memos[key]

    def clear(self) -> None:
        """Frees all results. They and their owners refer to each other."""
        self._memos.clear()
        self._results.clear()
        self._owners.clear()
        self._effects = {}

    def _drop_values(self) -> None:
        for memo in self._to_drop:
            memo.value = DROPPED
        self._to_drop.clear()

    def set_input(
        self,
        kind: Input,
        scope: Hashable,
        value: object,
        arguments: tuple[Hashable, ...] = (),
        *,
        is_changed: bool | None = None,
    ) -> Any:
        """Sets the value of an input. Without `is_changed`, the values are compared.

        Returns the value, or the one set before if that is the same.
        """
        memo = self._memos.get((kind, scope, arguments))
        if memo is None:
            memo = self._memos[kind, scope, arguments] = Memo(value, self.revision)
            is_reset = bool(is_changed)
        elif is_changed is None:
            is_changed = not kind.is_same(memo.value, value)
            value = value if is_changed else memo.value
            is_reset = is_changed and memo.verified >= self._begun
        else:
            is_reset = is_changed
        self.revision += is_reset  # results of this check may depend on the earlier value
        memo.value = value
        memo.verified = self.revision
        if is_changed:
            memo.changed = self.revision
        return value

    def input_value(self, kind: Input, scope: Hashable, arguments: tuple[Hashable, ...] = ()) -> Any:
        """Returns the value that was last set for an input, or None."""
        memo = self._memos.get((kind, scope, arguments))
        return None if memo is None else memo.value

    def get(self, key: Hashable) -> Any:
        """Returns the result stored for a key, or None if it does not exist or was dropped."""
        found = self.input_value(_STORED, None, (key,))
        if found is not None:
            self.put(key, found)
        return found

    def put(self, key: Hashable, result: Any) -> None:
        """Stores a result for a key, replacing an earlier one."""
        self.set_input(_STORED, None, result, (key,), is_changed=False)

    def last_change(self, kind: Input) -> int:
        """Returns the revision in which an input last changed."""
        return self._memos[kind, None, ()].changed

    def is_used(self, query: Ingredient, scope: Hashable, arguments: tuple[Hashable, ...]) -> bool:
        """Whether a result has been used in this check."""
        memo = self._memos.get((query, scope, arguments))
        return memo is not None and memo.verified >= self._begun

    def is_under_way(self, query: Ingredient, scope: Hashable, arguments: tuple[Hashable, ...]) -> bool:
        """Whether a result is being computed or verified."""
        key = (query, scope, arguments)
        return key in self._running or key in self._verifying

    def result(
        self, query: Ingredient, scope: Hashable, owner: object, arguments: tuple[Hashable, ...]
    ) -> Any:
        """Returns the result of a query, which is computed for `owner` unless it is known and valid.

        Raises QueryCycleError if the query is being computed already and has no value for that, and whatever
        its function raises.
        """
        key: Key = (query, scope, arguments)
        if not self.is_incremental:
            found = self._results.get(key, self)
            return self._only_result(key, owner) if found is self else found
        memo = self._memos.get(key)
        if memo is None or memo.value is DROPPED or memo.verified != self.revision:
            if query.in_cycle is not None and self.is_under_way(*key):
                self.mark_unrepeatable()
                return query.in_cycle(owner, *arguments)
            memo = self._valid(key, memo, owner)
        if self._frames:
            self._frames[-1].dependencies[key] = None
        return memo.value

    def _only_result(self, key: Key, owner: object) -> Any:
        """Computes a result that is never computed again."""
        query, _, arguments = key
        assert query.function is not None
        if key in self._running:
            if query.in_cycle is None:
                raise QueryCycleError(f"{query.name} depends on itself")
            return query.in_cycle(owner, *arguments)
        self._running.add(key)
        try:
            value = self._results[key] = query.function(owner, *arguments)
        finally:
            self._running.discard(key)
        return value

    def _valid(self, key: Key, memo: Memo | None, owner: object) -> Memo:
        """Returns a valid result: verified or computed."""
        is_valid = memo is not None and (memo.verified == self.revision or self._verify(key, memo))
        if memo is not None and is_valid and memo.value is not DROPPED:
            return memo
        return self._compute(key, memo, owner)

    def _verify(self, key: Key, memo: Memo) -> bool:
        """Whether all dependencies of a result are unchanged since it was last valid.

        The stack does not grow with the length of a chain of dependencies.
        """
        waiting, is_valid = [self._verification(key, memo)], None
        while waiting:
            try:
                waiting.append(waiting[-1].send(is_valid))
                is_valid = None
            except StopIteration as end:
                waiting.pop()
                is_valid = end.value
        return bool(is_valid)

    def _verification(self, key: Key, memo: Memo) -> _Verification:
        """Verifies a result. Yields the verifications of dependencies, and receives their results."""
        self._verifying.add(key)
        try:
            for each in memo.dependencies:
                known = self._memos.get(each)
                changed = self._known_change(each, known)
                if changed is None and known is not None:
                    is_valid = yield self._verification(each, known)
                    changed = known.changed if is_valid or self._update(each, known) else self.revision
                if memo.verified == self.revision:
                    return True  # it was computed meanwhile, for a dependency on a cycle
                if changed is None or changed > memo.verified:
                    return False
        finally:
            self._verifying.discard(key)
        memo.verified = self.revision
        self.work[key[0].name, Work.VERIFIED] += 1
        self._repeat(memo.effects)
        return True

    def _repeat(self, effects: Iterable[Effect]) -> None:
        """Repeats effects of a result, which are not those of the query that is being computed."""
        with self.unrecorded():
            for kind, arguments in effects:
                self._effects[kind](*arguments)

    def _known_change(self, key: Key, memo: Memo | None) -> int | None:
        """Returns the revision in which a dependency last changed, or None if it has to be verified first.

        An input that is not set in this check counts as changed when the check began.
        """
        if key[0].function is None:
            return memo.changed if memo is not None and memo.verified >= self._begun else self._begun
        if memo is None or self.is_under_way(*key):
            return self.revision
        return memo.changed if memo.verified == self.revision else None

    def _update(self, key: Key, memo: Memo) -> bool:
        """Updates an outdated result. Returns false if it is unknown whether the result has changed."""
        find_owner = self._owners.get(key[1])
        if find_owner is None or memo.value is DROPPED:
            return False
        self._compute(key, memo, find_owner())
        return True

    def _compute(self, key: Key, memo: Memo | None, owner: object) -> Memo:
        if key in self._running:
            raise QueryCycleError(f"{key[0].name} depends on itself")
        function = key[0].function
        assert function is not None
        frame = Frame()
        self._frames.append(frame)
        if not self._is_in_check:
            self.mark_unrepeatable()
        self._running.add(key)
        try:
            value = function(owner, *key[2])
        finally:
            self._running.discard(key)
            self._frames.pop()
        memo = self._store(key, memo, value, frame)
        if frame.conclusions:
            self._repeat(frame.conclusions)
        return memo

    def _store(self, key: Key, memo: Memo | None, value: Any, frame: Frame) -> Memo:
        """Stores a result. An equal one from an earlier revision counts as unchanged, and is kept itself."""
        query, work = key[0], Work.COMPUTED
        memo = self._memos.get(key) if memo is None else memo
        if memo is None:
            memo = self._memos[key] = Memo(value, self.revision)
        elif memo.value is DROPPED:
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
        if not query.is_kept:
            self._to_drop.append(memo)
        return memo

    def keys_of(self, query: Ingredient) -> list[Key]:
        """Returns the keys of all stored results of a query."""
        return [key for key in self._memos if key[0] is query]

    def dependencies(self, key: Key) -> tuple[Key, ...]:
        """Returns the queries and inputs that a stored result depends on, in the order of their first use."""
        memo = self._memos.get(key)
        return () if memo is None else memo.dependencies
