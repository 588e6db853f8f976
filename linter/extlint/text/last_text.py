"""Questions about a whole text that several parts of an analysis ask, one after another."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

Answer = TypeVar("Answer")


def once_for_last_text(ask: Callable[[bytes], Answer]) -> Callable[[bytes], Answer]:
    """Decorates a question so that it is worked out once for a text, until it is asked about another.

    The text is known again by its identity: to compare two costs as much as to search them.
    """
    last: list[tuple[bytes, Answer]] = []

    @wraps(ask)
    def asked(text: bytes) -> Answer:
        if not last or last[0][0] is not text:
            last[:] = [(text, ask(text))]
        return last[0][1]

    return asked
