"""Checks a manifest for the target of an extension, and adapts the mistakes of Thunderbird add-ons.

Converts mistakes that browsers find in a Thunderbird add-on's manifest to those that are reported.

Thunderbird reads the same keys as Firefox, and has keys, permissions and values of its own, whose names are
known in some versions. So only near misses are reported among names that browsers do not know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from extlint.checks.api.schema_path import find_schema_path
from extlint.checks.manifest_values.relations import relations
from extlint.extension import Extension
from extlint.manifest import vendor_keys
from extlint.manifest.manifest import PERMISSIONS, Manifest
from extlint.project.builds import build_adds_version, depends_on_version, may_be_completed
from extlint.queries.query import query
from extlint.schema.targets import BROWSERS, CHROME, FIREFOX, LAST_WITH_VERSION_2, Target
from extlint.schema.validation.browser_differences import VERSIONS, agreed_mistakes, schema_of, visible_value
from extlint.schema.validation.mistake import Mistake, Steps
from extlint.schema.validation.validator import validator
from extlint.text.json.values import JsonValue
from extlint.text.nearest import nearest
from extlint.text.wording import quoted, unknown_key_message
from extlint_schemas import thunderbird_names

_READER_OF_KEY = {
    "browser_specific_settings": FIREFOX,
    "minimum_chrome_version": CHROME,
}
"""The keys that one of the browsers reads, and the others ignore, whatever their value."""

_KEPT_FOR_POLICIES = "webRequestBlocking"
"""The permission that Manifest V3 has only for extensions that policies install."""

_PLAIN = {"name": "A", "version": "1"}


@query
def manifest_mistakes(extension: Extension) -> tuple[Mistake, ...]:
    """Returns the mistakes of the manifest, for rules to report; empty if it is not an object.

    If a build completes the manifest, nothing is missing in it.
    Chrome apps are not extensions, and are not checked.
    """
    manifest = extension.manifest
    if extension.target.is_specification and manifest.has_vendor_keys and not manifest.is_in_sections:
        manifest = manifest.original
        extension = extension.with_manifest(manifest)
    if not manifest.is_object:
        return ()
    value = manifest.plain
    if manifest.get("app") is not None:
        return ()
    stated = value.get("manifest_version") if isinstance(value, dict) else None
    versions = (stated,) if type(stated) is int and stated in VERSIONS else VERSIONS
    browsers = BROWSERS if extension.target.is_specification else (extension.target.name,)
    combinations = [(browser, version) for browser in browsers for version in versions]
    found: tuple[Mistake, ...] = ()
    if not any(_accepts(value, *each) for each in _most_likely_first(combinations, value)):
        found = _agreed(extension, value, combinations)
    if extension.is_for_thunderbird:
        found = tuple(
            mistake for each in found if (mistake := mistake_in_thunderbird(manifest, each)) is not None
        )
    found = tuple(each for each in found if not _may_be_completed(extension, each))
    if stated == 2 and _rejects_version_2(extension.target):
        found = (_VERSION_2, *found)
    if len(browsers) > 1:
        found = (*found, *_single_reader_mistakes(extension, value, versions[-1]))
    if extension.target.minimum is not None:
        from extlint.checks.manifest_values.known_keys import newer_keys

        ignored = {each.steps for each in found if each.at_key or each.rule == "wrong-manifest-version"}
        ignored |= {each.steps for each in found if each.steps and each.missing}
        found = (*found, *newer_keys(extension, ignored))
    return tuple(
        each
        for each in found
        if not (
            _is_allowed_by_policy(extension, each)
            or _is_kept_for_mozilla(extension, each)
            or _is_resolved_by_tool(extension, each)
        )
    )


def _agreed(
    extension: Extension, value: JsonValue, combinations: Sequence[tuple[str, int]]
) -> tuple[Mistake, ...]:
    """Returns the mistakes on which all the given browsers and versions agree."""
    from extlint.checks.manifest_values.browser_verdict import verdict

    return tuple(agreed_mistakes([verdict(extension, value, *each) for each in combinations]))


def _is_allowed_by_policy(extension: Extension, mistake: Mistake) -> bool:
    """Whether an extension that only policies install requests a permission that such extensions may use.

    Another permission proves that, as no other extension gets it. Both facts are from Chromium's list of
    permissions, `_permission_features.json`.
    """
    node = extension.manifest.get(*mistake.steps) if mistake.rule == "wrong-manifest-version" else None
    if node is None or node.value != _KEPT_FOR_POLICIES:
        return False
    version = extension.manifest_version
    paths = [tuple(name.split(".")) for name, _ in extension.manifest.strings("permissions")]
    found = [find_schema_path(extension.schemas, path, version) for path in paths]
    elements = [element for each in found if each is not None and not each.rest for element in each.elements]
    return any(each.availability.conditions.install == "policy" for each in elements)


def _is_kept_for_mozilla(extension: Extension, mistake: Mistake) -> bool:
    """Whether a key or value that Firefox keeps for the add-ons of Mozilla is in one of these, by its id."""
    if not mistake.is_reserved or not mistake.message.endswith(_OWNER):
        return False
    found = (extension.manifest.get(key, "gecko", "id") for key in _SETTINGS)
    return any(isinstance(each.value, str) and each.value.endswith(_OWN_IDS) for each in found if each)


_OWNER = "Mozilla's own add-ons"
"""The add-ons that may use some keys and permissions, as the facts about Firefox name them."""

_OWN_IDS = (
    *("@mozilla.com", "@mozilla.org"),
    *("@pioneer.mozilla.org", "@search.mozilla.org", "@shield.mozilla.org"),
)
"""The ends of ids that addons.mozilla.org accepts only from Mozilla (`SYSTEM_ADDON_GUIDS` of its server)."""

_SETTINGS = ("browser_specific_settings", "applications")


def _is_resolved_by_tool(extension: Extension, mistake: Mistake) -> bool:
    """Whether a tool of the project writes the key that contains a mistake, or keeps it for one version.

    A tool may also replace the key by that of another part of the manifest.
    """
    from extlint.checks.other_manifests import is_replaced_by_part
    from extlint.project.rewritten_keys import may_be_corrected

    return (
        depends_on_version(extension, mistake.steps)
        or may_be_corrected(extension, mistake)
        or (bool(mistake.steps) and is_replaced_by_part(extension, str(mistake.steps[0])))
    )


def _may_be_completed(extension: Extension, mistake: Mistake) -> bool:
    """Whether a build may still fix a mistake by completing the manifest."""
    is_version = mistake.steps == ("version",) and not mistake.at_key
    if not mistake.missing and not is_version:
        return False
    if is_version or (not mistake.steps and _STATED_BY_PACKAGE.issuperset(mistake.missing)):
        return build_adds_version(extension)
    return may_be_completed(extension, *(map(str, mistake.steps[:1]) or mistake.missing))


_STATED_BY_PACKAGE = frozenset({"description", "name", "version"})
"""The keys whose values builds copy from `package.json`."""


_WITHOUT_VERSION_2 = (CHROME,)
"""The browsers that have removed Manifest V2; Edge's date is unknown."""

_VERSION_2 = Mistake(
    "invalid-value",
    ("manifest_version",),
    "Chrome removed support for Manifest V2 in version 139",
    help="use Manifest V3, or check for older versions with `--target chrome<=138`",
)
"""The mistake of Manifest V2 in Chrome. Verified in Chromium 156, which rejects every such manifest."""


def _rejects_version_2(target: Target) -> bool:
    """Whether some requested version of Chrome is too new for Manifest V2."""
    return target.name in _WITHOUT_VERSION_2 and (
        target.maximum is None or target.maximum > LAST_WITH_VERSION_2
    )


def _single_reader_mistakes(extension: Extension, value: JsonValue, version: int) -> Iterator[Mistake]:
    """Yields the mistakes in keys that only one browser reads, if all are checked: no other checks them."""
    for key, browser in _READER_OF_KEY.items():
        if isinstance(value, dict) and key in value:
            minimal_value = {**_PLAIN, "manifest_version": version, key: value[key]}
            if not _accepts(minimal_value, browser, version):
                from extlint.checks.manifest_values.browser_verdict import verdict

                mistakes = verdict(extension, minimal_value, browser, version).mistakes
                yield from (each for each in mistakes if each.steps[:1] == (key,))


def _most_likely_first(
    combinations: Sequence[tuple[str, int]], value: JsonValue
) -> Sequence[tuple[str, int]]:
    """Returns the browsers in the order in which they are checked; one that accepts the manifest is enough.

    Firefox rejects a background with only a service worker.
    """
    background = value.get("background") if isinstance(value, dict) else None
    is_for_chrome = isinstance(background, dict) and "scripts" not in background and "page" not in background
    return tuple(reversed(combinations)) if is_for_chrome else combinations


def _accepts(value: JsonValue, browser: str, version: int) -> bool:
    visible = visible_value(value, browser, version)
    return validator(schema_of(browser, version)).accepts(visible) and not any(
        relations(visible, browser, version)
    )


_OWN_VALUES = ("default_area",)
"""Keys that Firefox also has, with different values."""


def mistake_in_thunderbird(manifest: Manifest, mistake: Mistake) -> Mistake | None:
    """Returns a mistake as it applies to Thunderbird, or None if it may not apply."""
    steps = mistake.steps
    if not steps:
        return mistake
    if mistake.rule == "unknown-key":
        return _unknown_key(mistake)
    if mistake.rule == "unknown-permission":
        return _unknown_permission(manifest, mistake)
    if steps[0] in vendor_keys.KEYS or steps[0] == "theme" or steps[-1] in _OWN_VALUES:
        return None
    if steps[0] in PERMISSIONS and _permission(manifest, steps) in _permissions():
        return None
    return mistake


def _unknown_key(mistake: Mistake) -> Mistake | None:
    top, *inner = map(str, mistake.steps)
    if top in vendor_keys.KEYS or (inner and top == "theme"):
        return None
    if inner and (len(inner) > 1 or top not in vendor_keys.INNER_KEYS):
        return mistake
    names = thunderbird_names().keys
    key, where = (inner[0], quoted(top)) if inner else (top, "the manifest")
    known = names[top] if inner else names[""] | vendor_keys.KEYS
    meant = None if key in known else nearest(key, known)
    return None if meant is None else _reworded(mistake, unknown_key_message(key, where), meant)


def _unknown_permission(manifest: Manifest, mistake: Mistake) -> Mistake | None:
    text = _permission(manifest, mistake.steps)
    meant = None if text is None or text in _permissions() else nearest(text, _permissions())
    return None if meant is None else _reworded(mistake, f"unknown permission {quoted(str(text))}", meant)


def _reworded(mistake: Mistake, message: str, meant: str) -> Mistake:
    return replace(mistake.reworded(message, general=message), suggestion=meant, replacement=None, help=None)


def _permission(manifest: Manifest, steps: Steps) -> str | None:
    node = manifest.get(*steps)
    return node.value if node is not None and isinstance(node.value, str) else None


def _permissions() -> frozenset[str]:
    return thunderbird_names().permissions | vendor_keys.PERMISSIONS
