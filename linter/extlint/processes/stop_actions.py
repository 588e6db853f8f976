"""Registers cleanup for a run that is stopped midway: worker processes, half-written files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

_actions: dict[object, Callable[[], object]] = {}


@contextmanager
def run_on_stop(action: Callable[[], object]) -> Iterator[None]:
    """Runs an action if the run is stopped in the block, at any point."""
    key = object()
    _actions[key] = action
    try:
        yield
    finally:
        _actions.pop(key, None)


def run_stop_actions() -> None:
    """Runs all registered actions, ignoring errors, in a process that ends without a normal shutdown."""
    while _actions:
        _, action = _actions.popitem()
        with suppress(Exception):
            action()
