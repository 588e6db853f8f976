"""Manifests that hold a key for each manifest version, of which a build keeps what each browser reads."""

from __future__ import annotations

from collections.abc import Sequence

from extlint.extension import Extension, once_per_extension
from extlint.project.builds import has_none_of_its_scripts, is_built_from

_PAIRS = (("action", "browser_action"), ("action", "page_action"))
"""What version 3 reads, and what version 2 reads in its place."""

_BY_VERSION = frozenset(
    {
        *("action", "applications", "background", "browser_action", "content_security_policy"),
        *("host_permissions", "manifest_version", "page_action", "web_accessible_resources"),
    }
)
"""Keys that such a build writes for each manifest version in its own form, or leaves out."""


def is_for_one_version(extension: Extension, steps: Sequence[str | int]) -> bool:
    """Whether a value of the manifest is in a key that a build has yet to fit to a manifest version."""
    return bool(steps) and steps[0] in _BY_VERSION and _has_both_halves(extension)


@once_per_extension
def _has_both_halves(extension: Extension) -> bool:
    manifest = extension.manifest
    return (
        any(all(manifest.get(key) is not None for key in pair) for pair in _PAIRS)
        and has_none_of_its_scripts(extension)
        and is_built_from(extension)
    )
