"""Detects targets by the manifest keys that only some browsers support.

Firefox reads its settings, and only browsers based on Chromium read the keys below: the schemas of Firefox
omit or ignore them, and the public compatibility data has none of them for Safari.
"""

from __future__ import annotations

from extlint.manifest.manifest import Manifest
from extlint.manifest.misspelled_keys import has_key
from extlint.manifest.vendor_keys import vendors_in
from extlint.schema.targets.request import CHROME, FIREFOX, FIREFOX_ANDROID, browser_name
from extlint.text.wording import quoted

CHROMIUM_KEYS = (
    *("minimum_chrome_version", "side_panel", "key", "oauth2", "tts_engine", "file_browser_handlers"),
    *("file_handlers", "file_system_provider_capabilities", "input_components", "export", "import"),
    *("requirements", "cross_origin_embedder_policy", "cross_origin_opener_policy", "trial_tokens", "app"),
)
"""The manifest keys that only browsers based on Chromium read."""

SETTINGS = "browser_specific_settings"
CHROME_UPDATES = "://clients2.google.com/service/update2/crx"
"""A part of the update address of the Chrome Web Store."""

_ORDER = (FIREFOX, FIREFOX_ANDROID, CHROME)
_VENDORS = {
    FIREFOX: frozenset({"firefox", "gecko"}),
    CHROME: frozenset({"chrome", "chromium", "brave", "edge", "opera"}),
}
"""For each target, the browsers in the prefixes of keys that a build selects: `__firefox__background`."""


def markers_in(manifest: Manifest, *, is_for_safari: bool = False) -> dict[str, str]:
    """Returns the targets that a manifest is written for, each with a clause that gives the reason.

    Safari also runs service workers: if the manifest is for it, they do not indicate Chrome.
    """
    background = _background_markers(manifest, is_for_safari=is_for_safari)
    found = {**_chrome_markers(manifest), **background, **_firefox_markers(manifest)}
    if manifest.has_vendor_keys and manifest.document.root is not None:
        vendors = vendors_in(manifest.document.root)
        for target, names in _VENDORS.items():
            if names & vendors:
                found.setdefault(target, f"the manifest has keys only for {browser_name(target)}")
    return {target: found[target] for target in _ORDER if target in found}


def has_background_of_firefox(manifest: Manifest) -> bool:
    """Whether a manifest has a background that Firefox runs."""
    return _background_of_firefox(manifest) is not None


def has_no_firefox_background(manifest: Manifest) -> bool:
    """Whether Firefox does not run the background of a manifest: a service worker and nothing else."""
    return _has_value(manifest, "background", "service_worker") and _background_of_firefox(manifest) is None


def _background_of_firefox(manifest: Manifest) -> str | None:
    return next((each for each in ("scripts", "page") if has_key(manifest, "background", each)), None)


def _background_markers(manifest: Manifest, *, is_for_safari: bool) -> dict[str, str]:
    if not _has_value(manifest, "background", "service_worker"):
        return {}
    other = _background_of_firefox(manifest)
    if other is None:
        return {} if is_for_safari else {CHROME: "the background is a service worker"}
    both = f"the background has a service worker and {'a page' if other == 'page' else 'scripts'}"
    return {FIREFOX: both, CHROME: both}


def _firefox_markers(manifest: Manifest) -> dict[str, str]:
    reason = "the manifest has settings for Firefox"
    if _has_value(manifest, SETTINGS, "gecko_android"):
        also = (
            f"{reason} and Firefox for Android"
            if _has_value(manifest, SETTINGS, "gecko")
            else f"{reason} for Android"
        )
        return {FIREFOX: also, FIREFOX_ANDROID: also}
    return {FIREFOX: reason} if has_key(manifest, SETTINGS, "gecko") else {}


def _chrome_markers(manifest: Manifest) -> dict[str, str]:
    key = next((each for each in CHROMIUM_KEYS if _has_value(manifest, each)), None)
    if key is not None:
        return {CHROME: f"the manifest has {quoted(key)}"}
    updates = manifest.get("update_url")
    if updates is not None and isinstance(updates.value, str) and CHROME_UPDATES in updates.value:
        return {CHROME: "the update address is that of the Chrome Web Store"}
    return {}


def _has_value(manifest: Manifest, *path: str) -> bool:
    node = manifest.get(*path)
    return node is not None and node.value is not None
