"""Determines whether a use is right in an extension built from the same script with another manifest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from extlint.analysis.facts.script_facts import ApiPath, Reference
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.unavailability import Reason, Unavailability
from extlint.extension import Extension, Script
from extlint.queries.query import query


def is_for_sibling_manifest(
    extension: Extension, script: Script, reference: Reference, is_right: Callable[[Extension, Script], bool]
) -> bool:
    """Whether a use is right in an extension to which the same script belongs by another manifest.

    Code that certainly runs when the script loads fails with this manifest, regardless of others. Check this
    last: it searches for other manifests and reads them. If this fails, nothing is certain: true.
    """
    if reference.on_load and any(each.certain for each in script.contexts):
        return False
    with extension.package.failures.contained(script.path):
        return any(is_right(other, there) for other, there in extension.searches.siblings(extension, script))
    return True


def resolves_unavailability(
    extension: Extension, script: Script, reference: Reference, unavailability: Unavailability
) -> Callable[[Extension, Script], bool]:
    """Returns a predicate of siblings: whether this unavailability does not exist there, nor a new one.

    The predicate considers the whole member that the code names, not only its namespace.
    """
    path = _longest_path(extension, script, reference)
    here = _reasons(extension, path, script) - {unavailability.reason}
    return lambda other, there: here.issuperset(_reasons(other, path, there))


def _longest_path(extension: Extension, script: Script, reference: Reference) -> ApiPath:
    """Returns the path of the longest reference that begins where a reference does."""
    paths = _paths_by_start(extension, *script.location).get(reference.span[0], ())
    longer = (each for each in paths if each[: len(reference.path)] == reference.path)
    return max(longer, key=len, default=reference.path)


@query
def _paths_by_start(extension: Extension, path: str, base: int) -> Mapping[int, Sequence[ApiPath]]:
    """Returns the paths of the references in a script, by the offset at which they begin."""
    paths: dict[int, list[ApiPath]] = {}
    for each in extension.facts_at(path, base).references:
        paths.setdefault(each.span[0], []).append(each.path)
    return paths


def _reasons(extension: Extension, path: ApiPath, script: Script) -> frozenset[Reason]:
    """Returns the reasons why a member, or something that contains it, is unavailable in a script."""
    parts = (path[:length] for length in range(1, len(path) + 1))
    return frozenset(
        each.reason for part in parts for each in unavailabilities_of(extension, part, script.contexts)
    )
