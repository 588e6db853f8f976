"""Answers with the questions that were asked on the way to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeAlias, TypeVar

from extlint.cache.store import Store

MAX_ALTERNATIVES = 4
"""Answers that are kept by one key: those for the last different answers to the questions."""

Question = TypeVar("Question")

_Alternative: TypeAlias = tuple[tuple[tuple[Question, bytes], ...], Any]
"""The questions with digests of their answers, and what was worked out from these."""


class Alternatives(Generic[Question]):
    """What a store has by a key: for the same question there may be another answer each time."""

    def __init__(self, store: Store, key: bytes) -> None:
        self._store = store
        self._key = key
        self._kept: list[_Alternative[Question]] = self._read()

    def answer(self, digest: Callable[[Question], bytes]) -> tuple[Any] | None:
        """The answer all of whose questions have the same answers now, by their digests; None if none has."""
        for questions, answer in self._kept:
            if all(digest(each) == known for each, known in questions):
                return (answer,)
        return None

    def keep(self, questions: Iterable[tuple[Question, bytes]], answer: object) -> None:
        """Keeps an answer before all others."""
        from extlint.cache.codec import encoded

        data = encoded([(tuple(questions), answer), *self._kept[: MAX_ALTERNATIVES - 1]])
        if data is not None:
            self._store.put(self._key, data)

    def _read(self) -> list[_Alternative[Question]]:
        data = self._store.get(self._key)
        if data is None:
            return []
        from extlint.cache.codec import decoded

        found: list[_Alternative[Question]] | None = decoded(data)
        return found or []
