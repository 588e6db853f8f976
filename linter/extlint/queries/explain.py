"""Prints the queries that led to a result."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.queries.database import Database
from extlint.queries.memos import Key

MAX_LINES = 1000
"""The maximum number of queries and inputs that are printed for one result."""


def explanation(queries: Database, key: Key) -> Iterator[str]:
    """Yields a line for a result and for everything that it depended on, below the query that used it.

    What was printed before is printed again without its own dependencies.
    """
    waiting: list[tuple[Key, int]] = [(key, 0)]
    printed: set[Key] = set()
    while waiting and len(printed) < MAX_LINES:
        current, depth = waiting.pop()
        is_known = current in printed
        printed.add(current)
        dependencies = queries.dependencies(current)
        yield "  " * depth + _text(current) + (" (see above)" if is_known and dependencies else "")
        if not is_known:
            waiting += [(each, depth + 1) for each in reversed(dependencies)]


def _text(key: Key) -> str:
    """Returns a query with its arguments, or an input."""
    ingredient, _, arguments = key
    return f"{ingredient.name}({', '.join(map(repr, arguments))})" if arguments else ingredient.name
