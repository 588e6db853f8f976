"""Finds the members of the API that code in a package may use, wherever it gets the API from."""

from __future__ import annotations

from collections.abc import Iterable

from extlint.analysis.facts.script_facts import ApiPath
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.reachability.closed_world import may_be_named
from extlint.extension import Extension
from extlint.queries.query import query
from extlint.text.nearest import nearest
from extlint_schemas import successor


def paths_of(members: str) -> tuple[ApiPath, ...]:
    """Returns the paths of namespaces and members in a text: `cookies tabs.executeScript`."""
    return tuple(tuple(each.split(".")) for each in members.split())


def may_use_any(extension: Extension, paths: Iterable[ApiPath], files: frozenset[str] | None = None) -> bool:
    """Whether code in some files, or in any, may use one of some members.

    It names the member, a part of it, or a misspelling. Code that is not followed may get an object with it.
    """
    used = _used_paths(extension, files)
    return any(
        any(_is_use_of(each, path) for each in used) or may_be_named(extension, path, files) for path in paths
    )


@query
def _used_paths(extension: Extension, files: frozenset[str] | None) -> frozenset[ApiPath]:
    """The paths of the API that scripts reference, and the successors of members that are not available."""
    found: set[ApiPath] = set()
    for script in extension.scripts:
        if files is None or script.path in files:
            facts = script.facts
            found.update(each.path for each in (*facts.references, *facts.possible_references))
    removed = {path for path in found if unavailabilities_of(extension, path, ())}
    names = {".".join(path[:length]) for path in removed for length in range(1, len(path) + 1)}
    later = (replacement for replacement in map(successor, names) if replacement is not None)
    return frozenset(found.union(tuple(name.split(".")) for name in later))


def _is_use_of(named: ApiPath, path: ApiPath) -> bool:
    return len(named) >= len(path) and all(
        own == other or nearest(own, (other,)) is not None for own, other in zip(named, path, strict=False)
    )
