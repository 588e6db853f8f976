"""Creates the fixes of mistakes in JSON files; all rules share one object for those of the manifest."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from extlint.checks.manifest_values.check import manifest_mistakes
from extlint.extension import Extension
from extlint.finding import Fix
from extlint.manifest.edits.json_fixes import JsonFixes, apply_fix
from extlint.manifest.manifest import read_manifest
from extlint.project.contexts.json_files import JsonFile, JsonKind
from extlint.queries.query import query
from extlint.schema.targets import EDGE
from extlint.schema.validation.mistake import Mistake, Scalar, scalar_text
from extlint.text.json.values import JsonValue
from extlint.text.nearest import is_certain_misspelling


@query
def manifest_fixes(extension: Extension) -> JsonFixes | None:
    """Returns the fixes of the manifest, or None if it cannot be read or is completed by a build."""
    manifest = extension.manifest
    root = manifest.document.root
    is_written = root is not None and not manifest.has_vendor_keys and not manifest.is_template
    return JsonFixes(manifest.path, manifest.index, root) if root is not None and is_written else None


_HOST_KEYS = {"permissions": "host_permissions", "optional_permissions": "optional_host_permissions"}
"""The keys of hosts in Manifest V3, by the Manifest V2 keys of permissions that contain them."""

_RENAMED_KEYS = {
    ("applications", "browser_specific_settings"),
    ("browser_action", "action"),
    ("_execute_browser_action", "_execute_action"),
    ("accentcolor", "frame"),
    ("headerURL", "theme_frame"),
    ("textcolor", "tab_background_text"),
}
"""Keys that were only renamed, with their new names."""

_REJECTED_BY_EDGE = frozenset({"update_url"})
"""Keys with which Microsoft Edge Add-ons rejects a package; the rule `store-update-url` has the source."""

MAX_TRIED = 20
"""The maximum number of mistakes in a manifest for which fixes are tested; beyond, none is safe."""


def fix_for_mistake(extension: Extension, file: JsonFile, mistake: Mistake) -> Fix | None:
    """Returns the fix of a mistake, or None without a fix."""
    if file.problem is not None or not mistake.steps or mistake.missing:
        return None
    if mistake.suggestion is not None:
        return _correction(extension, file, mistake, mistake.suggestion)
    if file.kind is JsonKind.MANIFEST and mistake.replacement is not None:
        return _conversion(extension, file, mistake)
    return None


def _correction(extension: Extension, file: JsonFile, mistake: Mistake, meant: Scalar) -> Fix | None:
    """Returns a fix that replaces a key or value with the intended one."""
    if mistake.at_key:
        safe = _is_certain(str(mistake.steps[-1]), meant)
        return _renamed_key(extension, file, mistake, scalar_text(meant), safe=safe)
    node = file.node(*mistake.steps)
    if node is None or isinstance(node.value, tuple | dict):
        return None
    fixes = JsonFixes(file.path, file.index, node)
    return fixes.replace((), meant, safe=_is_certain(node.plain, meant))


def _is_certain(written: JsonValue, meant: Scalar) -> bool:
    """Whether a value is certainly the intended one, and has no wider meaning than the original text."""
    if not isinstance(written, str) or not isinstance(meant, str):
        return True
    bare = written.strip()
    return bare == meant or f"{bare}/*" == meant or is_certain_misspelling(bare, meant)


def _conversion(extension: Extension, file: JsonFile, mistake: Mistake) -> Fix | None:
    """Returns a fix that converts a key or value of one manifest version to the other."""
    fixes = manifest_fixes(extension)
    if fixes is None:
        return None
    key, *rest = mistake.steps
    node = file.node(*mistake.steps)
    if mistake.at_key and (mistake.steps[-1], mistake.replacement) in _RENAMED_KEYS:
        return _renamed_key(extension, file, mistake, str(mistake.replacement))
    if len(rest) == 1 and _HOST_KEYS.get(str(key)) == mistake.replacement:
        return fixes.move_item(mistake.steps, str(mistake.replacement))
    if node is not None and mistake.steps == ("background", "scripts") and extension.manifest_version == 3:
        return fixes.scripts_to_worker(node)
    if node is not None and mistake.steps == ("content_security_policy",) and extension.manifest_version == 3:
        return fixes.replace(mistake.steps, {"extension_pages": node.plain}, safe=False)
    if (
        node is not None
        and mistake.steps == ("web_accessible_resources",)
        and extension.manifest_version == 3
    ):
        return fixes.replace(
            mistake.steps, [{"resources": node.plain, "matches": ["<all_urls>"]}], safe=False
        )
    return None


def _renamed_key(
    extension: Extension, file: JsonFile, mistake: Mistake, name: str, *, safe: bool = True
) -> Fix | None:
    """Returns a fix that renames a key, or None if a store or a browser rejects the result.

    It is safe only if it causes no other mistakes in the manifest.
    """
    if name in _REJECTED_BY_EDGE and EDGE in extension.requested_targets:
        return None
    holder = file.node(*mistake.steps[:-1])
    fixes = None if holder is None else JsonFixes(file.path, file.index, holder)
    fix = None if fixes is None else fixes.rename((mistake.steps[-1],), name, safe=safe)
    before = manifest_mistakes(extension)
    if fix is None or file.kind is not JsonKind.MANIFEST:
        return fix
    if len(before) > MAX_TRIED:
        return replace(fix, safe=False)
    changed = read_manifest(file.path, apply_fix(file.index, fix)).for_target(extension.target)
    after = manifest_mistakes(extension.with_manifest(changed))
    steps = (*mistake.steps[:-1], name)
    if any(each.steps == steps and not each.at_key for each in after):
        return None
    had = Counter((each.rule, each.message) for each in before)
    had.subtract((each.rule, each.message) for each in after)
    return replace(fix, safe=safe and len(after) < len(before) and min(had.values()) >= 0)
