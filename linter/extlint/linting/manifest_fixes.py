"""The fixes of a manifest, created by one object for all rules."""

from __future__ import annotations

from extlint.extension import Extension
from extlint.manifest.edits.json_fixes import JsonFixes
from extlint.queries.query import query


@query
def manifest_fixes(extension: Extension) -> JsonFixes | None:
    """Returns the fixes of the manifest, or None if it cannot be read or is completed by a build."""
    manifest = extension.manifest
    root = manifest.document.root
    is_written = root is not None and not manifest.has_vendor_keys and not manifest.is_template
    return JsonFixes(manifest.path, manifest.index, root) if root is not None and is_written else None
