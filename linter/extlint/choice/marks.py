"""What in a manifest says for which browsers it is written.

Firefox reads its settings, and browsers made of Chromium alone read the keys below: the schemas of Firefox
lack them or let them stand unread, and the public compatibility data know of none of them in Safari.
"""

from __future__ import annotations

from extlint.manifest.manifest import Manifest
from extlint.manifest.meant_keys import is_written
from extlint.manifest_values import thunderbird
from extlint.patterns import lazy
from extlint.wording import quoted

CHROMIUM_ALONE = (
    *("minimum_chrome_version", "side_panel", "key", "oauth2", "tts_engine", "file_browser_handlers"),
    *("file_handlers", "file_system_provider_capabilities", "input_components", "export", "import"),
    *("requirements", "cross_origin_embedder_policy", "cross_origin_opener_policy", "trial_tokens", "app"),
)
"""The keys of a manifest that only browsers made of Chromium read."""

SETTINGS = "browser_specific_settings"
CHROME_UPDATES = "://clients2.google.com/service/update2/crx"
"""A part of the update address of the Chrome Web Store."""

_OF_A_BUILD = lazy(r"\{\{|__[\w|]+?__\w")
"""A key that a build takes for one of its browsers: `{{chrome}}.permissions`, `__firefox__background`."""

_OBJECTS_OF_A_BUILD = ((), ("background",))


def marks(manifest: Manifest) -> dict[str, str]:
    """The targets that a manifest is written for, each with a clause that says why.

    None for a template, of which a build makes several manifests, and for one of Thunderbird, which has the
    settings of Firefox and another API.
    """
    if _is_template(manifest) or _is_of_thunderbird(manifest):
        return {}
    found = _of_firefox(manifest)
    if _has(manifest, "background", "service_worker"):
        other = next((each for each in ("scripts", "page") if is_written(manifest, "background", each)), None)
        if other is None:
            found["chrome"] = "the background is a service worker"
        else:
            both = f"the background has a service worker and {'a page' if other == 'page' else 'scripts'}"
            found = {"firefox": both, **found, "chrome": both}
    if "chrome" not in found:
        found.update(_of_chrome(manifest))
    return found


def _of_firefox(manifest: Manifest) -> dict[str, str]:
    reason = "the manifest has settings for Firefox"
    if _has(manifest, SETTINGS, "gecko_android"):
        also = (
            f"{reason} and Firefox for Android"
            if _has(manifest, SETTINGS, "gecko")
            else f"{reason} for Android"
        )
        return {"firefox": also, "firefox_android": also}
    return {"firefox": reason} if is_written(manifest, SETTINGS, "gecko") else {}


def _of_chrome(manifest: Manifest) -> dict[str, str]:
    key = next((each for each in CHROMIUM_ALONE if _has(manifest, each)), None)
    if key is not None:
        return {"chrome": f"the manifest has {quoted(key)}"}
    updates = manifest.get("update_url")
    if updates is not None and isinstance(updates.value, str) and CHROME_UPDATES in updates.value:
        return {"chrome": "the update address is that of the Chrome Web Store"}
    return {}


def _has(manifest: Manifest, *path: str) -> bool:
    node = manifest.get(*path)
    return node is not None and node.value is not None


def _is_template(manifest: Manifest) -> bool:
    return any(_OF_A_BUILD.match(key) for path in _OBJECTS_OF_A_BUILD for key, _ in manifest.members(*path))


def _is_of_thunderbird(manifest: Manifest) -> bool:
    return any(_has(manifest, key) for key in thunderbird.KEYS) or not (
        thunderbird.PERMISSIONS.isdisjoint(manifest.permissions)
    )
