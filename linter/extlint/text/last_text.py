"""Caches results for a whole text that several parts of an analysis request in succession."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

Answer = TypeVar("Answer")


def once_for_last_text(ask: Callable[[bytes], Answer]) -> Callable[[bytes], Answer]:
    """Decorates a function of a text so that it caches its result until it is called with another text.

    Texts are compared by identity: comparing their bytes costs as much as searching them.
    """
    last: list[tuple[bytes, Answer]] = []

    @wraps(ask)
    def asked(text: bytes) -> Answer:
        if not last or last[0][0] is not text:
            last[:] = [(text, ask(text))]
        return last[0][1]

    return asked
