"""Examines one script at a time, so that an edit only causes the scripts that it affects to be examined."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import TypeVar

from extlint.checks.reachability.unreachable_code import checked_script, checked_scripts
from extlint.extension import Extension, Script
from extlint.queries.query import query

Item = TypeVar("Item")


def in_each_script(
    find: Callable[[Extension, Script], Iterable[Item]],
) -> Callable[[Extension], Iterator[Item]]:
    """Decorates a function of a script, which then yields what it finds in each script of an extension.

    The scripts are `checked_scripts`, in this order. The results are kept for each script, so they
    must be plain values.
    """

    def in_script(extension: Extension, path: str, base: int) -> tuple[Item, ...]:
        return tuple(find(extension, checked_script(extension, path, base)))

    kept = query(is_kept=True)(wraps(find)(in_script))

    @wraps(find)
    def in_all(extension: Extension) -> Iterator[Item]:
        for script in checked_scripts(extension):
            yield from kept(extension, *script.location)

    return in_all
