"""What the stores of browsers ask of a manifest, as far as they say so.

Lengths are in Unicode code points: a text that is too long when they are counted is so however else a
store may count. The documentation of each rule says where its facts were read.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from extlint.extension import Extension
from extlint.json_text.values import JsonNode
from extlint.manifest.manifest import Manifest
from extlint.manifest.misspelled_keys import has_key
from extlint.targets.request import CHROME, EDGE, FIREFOX, FIREFOX_ANDROID


class Store(Struct, frozen=True):
    """A store by its name, and the most code points that it takes in the text of a key of the manifest.

    A text stands in the manifest itself or in messages of the default locale, for which another limit may
    hold. Nothing is known of other locales: stores have extensions with longer translations.
    """

    name: str
    in_manifest: Mapping[str, int]
    in_messages: Mapping[str, int]


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
    """The store of the target's browser; None if there is none, or if the extension is not meant for it.

    Mozilla's signs every add-on, so that each is meant for it. The others take neither manifest version 2
    nor apps, and an extension with an update address of its own is distributed elsewhere.
    """
    manifest = extension.manifest
    store = _STORES.get(extension.schemas.target)
    if store is None or store is ADD_ONS:
        return store
    updates = manifest.get("update_url")
    is_elsewhere = updates is not None and not is_of_chrome(updates)
    return None if is_elsewhere or manifest.version != 3 or manifest.get("app") is not None else store


def is_of_chrome(updates: JsonNode) -> bool:
    """Whether an update address is that of the Chrome Web Store."""
    return isinstance(updates.value, str) and _CHROME_UPDATES in updates.value


def is_finished_extension(manifest: Manifest) -> bool:
    """Whether a manifest is finished, and one of an extension, not of a theme or the like."""
    return is_finished(manifest) and not any(has_key(manifest, key) for key in _OTHER_KINDS)


def is_finished(manifest: Manifest) -> bool:
    """Whether a manifest has what every browser requires; else something else is to complete it."""
    version = manifest.get("manifest_version")
    is_filled_in = version is not None and version.value in (2, 3)
    return is_filled_in and manifest.get("name") is not None and manifest.get("version") is not None


def parent_of_missing(manifest: Manifest, *path: str) -> JsonNode | None:
    """The deepest existing object on a path at which there is nothing, or `null`.

    None if something is there, and if it is there by a wrong name or a value of another type is in the way,
    which are other mistakes.
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
