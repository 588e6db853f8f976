"""Prints the queries that led to the findings of a rule, or to none, in one extension.

`python tools/explain_finding.py EXTENSION RULE [FILE]` checks an extension with one rule, and prints a tree
for each target: every query, and below it the queries and inputs that it depended on. With FILE, a path in
the extension, it prints only the queries about that file, each with what it depended on.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from extlint.analysis.cache.cache import MemoryCache
from extlint.checking.report_of import Settings, report_of
from extlint.finding import Severity
from extlint.linting.apply_rules import findings_of
from extlint.package.discovery.find import find_packages
from extlint.package.files import Package
from extlint.queries.database import Database
from extlint.queries.memos import Key
from extlint.registry import RULES
from extlint.schema.model import NO_USER_SCHEMAS

MAX_LINES = 1000
"""The maximum number of queries and inputs that are printed for one result."""


def explain(package: Package, rule: str, file: str | None) -> Iterator[str]:
    """Yields the lines about one extension."""
    store = MemoryCache().store_for(package)
    report = report_of(package, Settings(None, (rule,), NO_USER_SCHEMAS, Severity.ERROR), store)
    for finding in report.findings:
        start = finding.span.start
        yield f"{finding.path}:{start.line}:{start.column}: {finding.message}"
    keys = [key for key in store.keys_of(findings_of) if key[2] == (rule,)]
    if not keys:
        yield f"{rule} was not run: a condition in its row of the registry does not hold"
    for key in keys:
        yield f"for {getattr(key[1][0], 'target', key[1]) if isinstance(key[1], tuple) else key[1]}:"
        for each in [key] if file is None else about_file(store, key, file):
            yield from (f"  {line}" for line in explanation(store, each))


def about_file(queries: Database, key: Key, file: str) -> Iterator[Key]:
    """Yields the queries about a file that a result depended on."""
    waiting, seen = [key], {key}
    while waiting:
        current = waiting.pop()
        if file in current[2] and queries.dependencies(current):
            yield current
            continue
        new = [each for each in queries.dependencies(current) if each not in seen]
        seen.update(new)
        waiting += reversed(new)


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


def main() -> int:
    """Prints the explanation."""
    if len(sys.argv) not in (3, 4) or sys.argv[2] not in RULES:
        print(f"usage: {sys.argv[0]} EXTENSION RULE [FILE]", file=sys.stderr)
        return 2
    for package in find_packages([sys.argv[1]]):
        if not isinstance(package, Package):
            print(package, file=sys.stderr)
            return 1
        for line in explain(package, sys.argv[2], sys.argv[3] if len(sys.argv) == 4 else None):
            print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
