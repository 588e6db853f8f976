"""Other manifests next to that of an extension, from which a build may generate another extension."""

from __future__ import annotations

from collections.abc import Callable
from posixpath import basename, dirname

from extlint.extension import Extension, Script, once_per_extension
from extlint.json_text.reader import read_json
from extlint.manifest.manifest import Manifest
from extlint.package.files import UnreadableError
from extlint.text.patterns import lazy
from extlint.text.positions import decode

_MANIFEST = lazy(r".*manifest.*\.(?:json5?|[cm]?[jt]s)")


def may_have_in_other_manifest(extension: Extension, *keys: str) -> bool:
    """Whether another manifest in the folder, which a build may merge with this one, has one of these keys.

    A program that may generate a manifest (`manifest.config.ts`) may add any key.
    """
    known = _keys_of_other_manifests(extension)
    return known is None or not known.isdisjoint(keys)


@once_per_extension
def _keys_of_other_manifests(extension: Extension) -> frozenset[str] | None:
    """Returns the keys of the other manifests in the folder, or None if they are unknown."""
    package, folder = extension.package, dirname(extension.manifest.path)
    found = frozenset[str]()
    for path in package.paths:
        is_other = path != extension.manifest.path and dirname(path) == folder
        if not is_other or _MANIFEST.fullmatch(basename(path)) is None:
            continue
        if not path.endswith(".json"):
            return None
        try:
            root = read_json(decode(package.peek(path))).root
        except UnreadableError:
            root = None
        if root is None:
            return None
        found |= frozenset(key for key, _ in root.members())
    return found


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
