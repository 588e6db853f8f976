"""Finds the members of the API that code in a package may use, wherever it gets the API from."""

from __future__ import annotations

from collections.abc import Iterable

from extlint.analysis.facts.script_facts import ApiPath, Reference
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

    It names the member, a part, or an object with it. A misspelled name counts as the probably intended one.
    Code that is not followed may use any member of an object of the API that it gets.
    """
    used = _used_paths(extension, files)
    return any(
        any(_is_use_of(each, path) for each in used) or may_be_named(extension, path, files) for path in paths
    )


@query
def _used_paths(extension: Extension, files: frozenset[str] | None) -> frozenset[tuple[ApiPath, bool]]:
    """The paths of the API that scripts reference, and whether only to test for them.

    A namespace that is referenced only to access a member is excluded. The successors of members
    that are not available are included.
    """
    found: set[tuple[ApiPath, bool]] = set()
    for script in extension.scripts:
        if files is None or script.path in files:
            found |= _longest_paths(extension, *script.location)
    removed = {path for path, _ in found if unavailabilities_of(extension, path, ())}
    names = {".".join(path[:length]) for path in removed for length in range(1, len(path) + 1)}
    later = (replacement for replacement in map(successor, names) if replacement is not None)
    return frozenset(found.union((tuple(name.split(".")), False) for name in later))


@query(is_kept=True, is_of_package=True)
def _longest_paths(extension: Extension, path: str, base: int) -> frozenset[tuple[ApiPath, bool]]:
    facts = extension.facts_at(path, base)
    found = {(each.path, each.only_tested) for each in facts.possible_references}
    longest: dict[int, Reference] = {}
    for reference in facts.references:
        before = longest.get(reference.span[0])
        if before is not None and reference.path[: len(before.path)] != before.path:
            found.add((before.path, before.only_tested))
        longest[reference.span[0]] = reference
    found.update((reference.path, reference.only_tested) for reference in longest.values())
    return frozenset(found)


def _is_use_of(reference: tuple[ApiPath, bool], path: ApiPath) -> bool:
    named, only_tested = reference
    if len(named) < len(path) and only_tested:
        return False
    return all(
        own == other or nearest(own, (other,)) is not None for own, other in zip(named, path, strict=False)
    )
