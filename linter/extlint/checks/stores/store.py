"""The documented requirements of browser stores for a manifest.

Lengths are in Unicode code points: a text that is too long when they are counted is so however else a
store may count. The documentation of each rule cites the source of its facts.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from extlint.extension import Extension
from extlint.manifest.manifest import Manifest
from extlint.manifest.misspelled_keys import has_key
from extlint.schema.targets.request import CHROME, EDGE, FIREFOX, FIREFOX_ANDROID
from extlint.text.json.values import JsonNode


class Store(Struct, frozen=True):
    """A store by its name, and the most code points that it accepts in the text of a manifest key.

    A text is either in the manifest itself or in messages of the default locale, which may have another
    limit. Limits for other locales are unknown: stores have extensions with longer translations.
    """

    name: str
    manifest_limits: Mapping[str, int]
    message_limits: Mapping[str, int]


ADD_ONS = Store("addons.mozilla.org", {"name": 45, "description": 250}, {"name": 50, "description": 250})
CHROME_STORE = Store(
    "the Chrome Web Store", {"name": 75, "description": 132}, {"name": 75, "description": 132}
)
EDGE_STORE = Store("Microsoft Edge Add-ons", {"name": 45}, {"name": 45})

SETTINGS = "browser_specific_settings"
GECKO = (SETTINGS, "gecko")
DATA_COLLECTION = (*GECKO, "data_collection_permissions")

_CHROME_UPDATES = "://clients2.google.com/service/update2/crx"
_STORES = {FIREFOX: ADD_ONS, FIREFOX_ANDROID: ADD_ONS, CHROME: CHROME_STORE, EDGE: EDGE_STORE}
_OTHER_KINDS = ("theme", "dictionaries", "langpack_id", "export", "app")


def store_of(extension: Extension) -> Store | None:
    """Returns the store of the target's browser, or None if the extension is not meant for one.

    Mozilla's store signs every add-on, so each is meant for it. The others accept neither Manifest V2
    nor apps, and an extension with its own update address is distributed elsewhere.
    """
    manifest = extension.manifest
    store = _STORES.get(extension.schemas.target)
    if store is None or store is ADD_ONS:
        return store
    updates = manifest.get("update_url")
    is_elsewhere = updates is not None and not is_chrome_web_store_address(updates)
    return None if is_elsewhere or manifest.version != 3 or manifest.get("app") is not None else store


def is_chrome_web_store_address(updates: JsonNode) -> bool:
    """Whether an update address is that of the Chrome Web Store."""
    return isinstance(updates.value, str) and _CHROME_UPDATES in updates.value


def is_finished_extension(manifest: Manifest) -> bool:
    """Whether a manifest is finished, and describes an extension, not a theme or the like."""
    return is_finished(manifest) and not any(has_key(manifest, key) for key in _OTHER_KINDS)


def is_finished(manifest: Manifest) -> bool:
    """Whether a manifest has the keys that every browser requires; if not, a build should complete it."""
    version = manifest.get("manifest_version")
    is_filled_in = version is not None and version.value in (2, 3)
    return is_filled_in and manifest.get("name") is not None and manifest.get("version") is not None


def parent_of_missing(manifest: Manifest, *path: str) -> JsonNode | None:
    """Returns the deepest existing object on the path to a missing or `null` value.

    Returns None if the value exists.

    Also returns None for a value under a wrong name, or if a value of another type is in the way:
    these are other mistakes.
    """
    found = None
    if manifest.get(*path) is None and has_key(manifest, *path):
        return None
    for length in range(len(path) + 1):
        node = manifest.get(*path[:length])
        if node is None or node.value is None:
            return found
        if not isinstance(node.value, Mapping):
            return None
        found = node
    return None
