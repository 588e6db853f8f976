"""Other manifests next to that of an extension, from which a build may generate another extension."""

from __future__ import annotations

from collections.abc import Callable

from extlint.extension import Extension, Script
from extlint.manifest.manifest import Manifest
from extlint.text.patterns import lazy

_MANIFEST = lazy(r".*manifest.*\.(?:json5?|[cm]?[jt]s)")


def has_other_manifests(extension: Extension) -> bool:
    """Whether the folder has another manifest that a build may use to complete this one."""
    folder, _, name = extension.manifest.path.rpartition("/")
    split_paths = (
        path.rpartition("/") for path in extension.package.paths if path != extension.manifest.path
    )
    return any(_MANIFEST.fullmatch(own) and where == folder for where, _, own in split_paths if own != name)


def may_hold_in_other_manifest(
    extension: Extension, script: Script, holds: Callable[[Manifest], bool]
) -> bool:
    """Whether something may be true of another manifest that is used with the same script.

    Check this last: it searches for other manifests and reads them. If this fails, nothing is certain: true.
    """
    if has_other_manifests(extension):
        return True
    with extension.package.failures.contained(script.path):
        return any(holds(other.manifest) for other, _ in extension.searches.siblings(extension, script))
    return True
