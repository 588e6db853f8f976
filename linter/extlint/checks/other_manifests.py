"""Other manifests next to that of an extension, from which a build may generate another extension."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from posixpath import basename, dirname

from extlint.analysis.facts.events import Origin
from extlint.analysis.facts.script_facts import ApiPath, Reference
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.unavailability import Reason, Unavailability
from extlint.extension import Extension, Script
from extlint.manifest.manifest import Manifest
from extlint.package.files import bytes_of
from extlint.queries.query import query
from extlint.text.json.reader import read_json
from extlint.text.patterns import lazy
from extlint.text.positions import decode

_VERSION = "manifest_version"
_OWN_ORIGINS = frozenset({Origin.LOAD, Origin.EVENT, Origin.PLATFORM})
_CAUSED = frozenset({"onConnect", "onConnectExternal", "onMessage", "onMessageExternal"})
"""The events for which a script may test the browser before it causes them."""

_MANIFEST = lazy(r".*manifest.*\.(?:json5?|[cm]?[jt]s)")


def may_have_in_other_manifest(extension: Extension, *keys: str) -> bool:
    """Whether another manifest in the folder, which a build may merge with this one, has one of these keys.

    A program that may generate a manifest (`manifest.config.ts`) may add any key.
    """
    known = _keys_of_other_manifests(extension)
    return known is None or not known.isdisjoint(keys)


def is_replaced_by_part(extension: Extension, key: str) -> bool:
    """Whether a tool that merges objects may replace a key by that of a part of the manifest next to it.

    A part is a manifest without a version. Its value must differ.
    """
    from extlint.project.rewritten_keys import merges_manifests

    own = extension.manifest.get(key)
    others = (each for each in _other_manifests(extension) if each is not None)
    found = [other[key] for other in others if key in other and _VERSION not in other]
    return any(own is None or each != own.plain for each in found) and merges_manifests(extension)


@query(is_kept=True)
def _keys_of_other_manifests(extension: Extension) -> frozenset[str] | None:
    """Returns the keys of the other manifests in the folder, or None if they are unknown."""
    found = _other_manifests(extension)
    return None if None in found else frozenset(key for each in found if each is not None for key in each)


@query
def _other_manifests(extension: Extension) -> tuple[Mapping[str, object] | None, ...]:
    """Returns the contents of the other manifests in the folder, with None for one that is unknown."""
    package, folder = extension.package, dirname(extension.manifest.path)
    return tuple(
        _contents(extension, path) if path.endswith(".json") else None
        for path in package.paths
        if path != extension.manifest.path
        and dirname(path) == folder
        and _MANIFEST.fullmatch(basename(path)) is not None
    )


def _contents(extension: Extension, path: str) -> Mapping[str, object] | None:
    root = read_json(decode(bytes_of(extension.package.peek, path) or b"")).root
    return None if root is None else {key: member.node.plain for key, member in root.members()}


def may_hold_in_other_manifest(
    extension: Extension, script: Script, holds: Callable[[Manifest], bool]
) -> bool:
    """Whether something may be true of another manifest that is used with the same script.

    Check this last: it searches for other manifests and reads them. If this fails, nothing is certain: true.
    """
    if _keys_of_other_manifests(extension) is None:
        return True
    with extension.package.failures.contained(script.path):
        return any(holds(other.manifest) for other, _ in extension.searches.siblings(extension, script))
    return True


def is_for_sibling_manifest(
    extension: Extension, script: Script, reference: Reference, is_right: Callable[[Extension, Script], bool]
) -> bool:
    """Whether a use is right in an extension to which the same script belongs by another manifest.

    Code that certainly runs when the script loads fails with this manifest, regardless of others. So does, if
    a framework builds the same code for each browser, what only events of the browser start. Check this last:
    it searches for other manifests and reads them. If this fails, nothing is certain: true.
    """
    if reference.on_load and any(each.certain for each in script.contexts):
        return False
    with extension.package.failures.contained(script.path):
        if extension.manifest.path in extension.package.made and _is_started_by_browser(
            extension, script, reference
        ):
            return False
        return any(is_right(other, there) for other, there in extension.searches.siblings(extension, script))
    return True


def _is_started_by_browser(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether a place runs when its script loads, or at events that no script causes: certainly, or only."""
    occasions = extension.searches.occasions(script, reference.span)
    own = [
        each
        for each in occasions
        if each.origin in _OWN_ORIGINS and (not each.event or each.event[-1] not in _CAUSED)
    ]
    return any(each.certain for each in own) or len(own) == len(occasions) > 0


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
