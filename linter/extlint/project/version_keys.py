"""Manifests with the keys of both manifest versions, from which a build selects those of one version."""

from __future__ import annotations

from collections.abc import Sequence

from extlint.extension import Extension
from extlint.project.builds import is_build_source, misses_all_scripts
from extlint.queries.query import query

_PAIRS = (("action", "browser_action"), ("action", "page_action"))
"""A key of Manifest V3, and the corresponding key of Manifest V2."""

_BY_VERSION = frozenset(
    {
        *("action", "applications", "background", "browser_action", "content_security_policy"),
        *("host_permissions", "manifest_version", "page_action", "web_accessible_resources"),
    }
)
"""Keys that such a build rewrites or removes for each manifest version."""


def depends_on_version(extension: Extension, steps: Sequence[str | int]) -> bool:
    """Whether a value of the manifest is in a key that a build has yet to adapt to a manifest version."""
    return bool(steps) and steps[0] in _BY_VERSION and _has_keys_of_both_versions(extension)


@query(is_kept=True)
def _has_keys_of_both_versions(extension: Extension) -> bool:
    manifest = extension.manifest
    return (
        any(all(manifest.get(key) is not None for key in pair) for pair in _PAIRS)
        and misses_all_scripts(extension)
        and is_build_source(extension)
    )
