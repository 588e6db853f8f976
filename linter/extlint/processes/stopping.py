"""What is left to do when a run is stopped where it stands: worker processes, files that are half written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

_actions: dict[object, Callable[[], object]] = {}


@contextmanager
def when_stopped(action: Callable[[], object]) -> Iterator[None]:
    """Has something done if the run is stopped in the block. It may be stopped anywhere there."""
    key = object()
    _actions[key] = action
    try:
        yield
    finally:
        _actions.pop(key, None)


def stop_all() -> None:
    """Does what is to be done now, whatever fails of it, for a process that ends without Python's own way."""
    while _actions:
        _, action = _actions.popitem()
        with suppress(Exception):
            action()
