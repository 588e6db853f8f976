"""Shell completion: the names of rules, targets and formats, and of the API.

`_EXTLINT_COMPLETE=bash_source extlint` prints the code that a shell has to run for it; click does the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def completions(kind: str, incomplete: str) -> list[str]:
    """Returns a kind's names with this prefix; after a comma, only those that are not listed before it."""
    before, comma, last = incomplete.rpartition(",")
    taken = before.split(",") if comma else []
    names = _api_names(incomplete) if kind == "api" else _known_names(kind)
    found = (name for name in names if name.startswith(last) and name not in taken)
    return [f"{before}{comma}{name}" for name in dict.fromkeys(found)]


def _known_names(kind: str) -> Iterable[str]:
    if kind == "target":
        from extlint_schemas import TARGETS

        return TARGETS
    if kind == "level":
        from extlint.finding import Severity

        return map(str, reversed(Severity))
    if kind == "color":
        return ("auto", "always", "never")
    from extlint.registry import GROUPS, RULES

    return (*RULES, *GROUPS)


def _api_names(incomplete: str) -> Iterator[str]:
    from extlint.schema.targets import BROWSERS, schema_set

    namespace = incomplete.rpartition(".")[0]
    for browser in BROWSERS:
        schemas = schema_set(browser)
        yield from schemas.names
        found = schemas.namespace(namespace) if namespace in schemas.names else None
        if found is not None:
            yield from (f"{namespace}.{name}" for name in (*found.members, *found.type_names))
