"""The stored results of queries, and the dependencies that are recorded while a query is computed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Any, TypeAlias

Key: TypeAlias = "tuple[Ingredient, Hashable, tuple[Hashable, ...]]"
"""A query or an input, the scope of its owner, and its arguments."""

Effect: TypeAlias = tuple[str, tuple[Hashable, ...]]
"""An effect of a query in addition to its result: the kind of the effect, and its arguments."""

DROPPED = object()
"""The value of a result that was not kept after its revision."""


class Work(Enum):
    """The work done for a result in a check."""

    __hash__ = object.__hash__  # that of Enum is slow

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

    `function` computes a value for an owner and arguments; an input has none. `is_kept` is whether values are
    kept from one check to the next. `is_same` decides whether a value is unchanged. `in_cycle` computes the
    value that a query uses if it depends on itself; without it, that is an error.
    """

    def __init__(
        self,
        name: str,
        function: Callable[..., Any] | None = None,
        *,
        is_kept: bool = True,
        is_same: Callable[[Any, Any], bool] | None = None,
        in_cycle: Callable[..., Any] | None = None,
    ) -> None:
        self.name = name
        self.function = function
        self.is_kept = is_kept
        self.is_same = is_same or is_same_value
        self.in_cycle = in_cycle

    @property
    def method(self) -> str:
        """The name of the function, without its module."""
        return self.name.rpartition(".")[2]

    def __repr__(self) -> str:
        return self.name


class Input(Ingredient):
    """A kind of values that do not depend on queries."""

    def __init__(self, name: str, is_same: Callable[[Any, Any], bool] | None = None) -> None:
        super().__init__(name, is_same=is_same)


class Frame:
    """The dependencies and effects so far of a query that is being computed."""

    __slots__ = ("conclusions", "dependencies", "effects")

    def __init__(self) -> None:
        self.dependencies: dict[Key, None] = {}
        self.effects: dict[Effect, None] = {}
        self.conclusions: list[Effect] = []
        """The effects that take place once the result is stored."""


class Memo:
    """A result, and the revisions in which it last changed and was last known to be valid."""

    __slots__ = ("changed", "dependencies", "effects", "value", "verified")

    def __init__(self, value: Any, revision: int) -> None:
        self.value = value
        self.changed = revision
        self.verified = revision
        self.dependencies: tuple[Key, ...] = ()
        self.effects: tuple[Effect, ...] = ()


_CHECK = Input("check")
"""An input that is never set, so that it last changed at the beginning of the current check."""


class Recorder:
    """Records the dependencies and effects of each query that is being computed."""

    def __init__(self, *, is_recording: bool) -> None:
        self._frames: list[Frame] = [Frame()] if is_recording else []
        self._owners: dict[Hashable, Callable[[], object]] = {}
        self._effects: dict[str, Callable[..., object]] = {}

    def register(self, scope: Hashable, find_owner: Callable[[], object]) -> None:
        """Registers the owner of a scope, for which results are computed again in order to verify others.

        `find_owner` is only called for that, and may create the owner.
        """
        self._owners[scope] = find_owner

    def on_effect(self, kind: str, repeat: Callable[..., object]) -> None:
        """Sets the function that repeats effects of a kind when a result is reused in this check."""
        self._effects[kind] = repeat

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
        with self.unrecorded() as frame:
            yield frame.dependencies
        self._frames[-1].dependencies.update(frame.dependencies)
        self._frames[-1].effects.update(frame.effects)

    @contextmanager
    def unrecorded(self) -> Iterator[Frame]:
        """Within the block, records dependencies and effects of no query that is being computed."""
        frame = Frame()
        self._frames.append(frame)
        try:
            yield frame
        finally:
            self._frames.pop()

    def record_effect(self, kind: str, *arguments: Hashable) -> None:
        """Records an effect of the query that is being computed."""
        if self._frames:
            self._frames[-1].effects[kind, arguments] = None

    def conclude_with(self, kind: str, *arguments: Hashable) -> None:
        """Records an effect that takes place as soon as the result that is being computed is stored."""
        if self._frames:
            self._frames[-1].effects[kind, arguments] = None
            self._frames[-1].conclusions.append((kind, arguments))

    def mark_unrepeatable(self) -> None:
        """Records that the result of the query that is being computed is valid only in this check."""
        self.depend_on(_CHECK, None)
