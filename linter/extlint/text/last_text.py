"""Caches results for a whole text that several parts of an analysis request in succession."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

Answer = TypeVar("Answer")


def cache_last_text(function: Callable[[bytes], Answer]) -> Callable[[bytes], Answer]:
    """Decorates a function of a text so that it caches its result until it is called with another text.

    Texts are compared by identity: comparing their bytes costs as much as searching them.
    """
    last: list[tuple[bytes, Answer]] = []

    @wraps(function)
    def wrapper(text: bytes) -> Answer:
        if not last or last[0][0] is not text:
            last[:] = [(text, function(text))]
        return last[0][1]

    return wrapper
