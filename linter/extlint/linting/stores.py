"""The documented requirements of browser stores, and the texts of a manifest that are too long for them.

Lengths are in Unicode code points: a text that is too long when they are counted is so however else a
store may count. The documentation of each rule cites the source of its facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from msgspec import Struct

from extlint.checks.locales.catalogs import Catalog, messages_of, references
from extlint.extension import Extension
from extlint.finding import Finding, Related
from extlint.manifest.manifest import Manifest, has_key
from extlint.project.contexts.json_files import JsonFile, manifest_file
from extlint.rule import Rule
from extlint.schema.targets import CHROME, EDGE, FIREFOX, FIREFOX_ANDROID
from extlint.text.json.values import JsonNode, Step
from extlint.text.wording import quoted


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


MAX_MESSAGES = 10
"""The maximum number of messages in a text; texts made of more are not checked."""


class ShownText(Struct, frozen=True):
    """The text of a manifest key, without surrounding white space, and its location.

    A text made of messages is located at the longest of them, and `referrer` is the manifest key that refers
    to it.
    """

    text: str
    file: JsonFile
    steps: Sequence[Step]
    referrer: tuple[JsonFile, str] | None = None

    def finding(
        self, rule: Rule, message: str, general: str | None = None, reason: str | None = None
    ) -> Finding:
        """Returns a finding at the text."""
        related: tuple[Related, ...] = ()
        if self.referrer is not None:
            manifest, key = self.referrer
            place = manifest.span_at((key,))
            related = (Related(manifest.path, place, "the manifest names this message"),)
        return rule.at(
            self.file.path,
            self.file.span_at(self.steps),
            message,
            related=related,
            general=general,
            reason=reason,
        )


def check_length(extension: Extension, rule: Rule, key: str) -> Iterator[Finding]:
    """Yields a finding of the rule if the text of a key is longer than the target's store accepts."""
    store = store_of(extension)
    if store is None or key not in store.manifest_limits:
        return
    shown = shown_text(extension, key)
    if shown is None:
        return
    limit = (store.manifest_limits if shown.referrer is None else store.message_limits)[key]
    length = len(shown.text)
    if length > limit:
        has, most = f"{quoted(key)} has {length} characters", f"{store.name} accepts at most {limit}"
        yield shown.finding(rule, f"{has}; {most}", f"{has}, more than stores accept", most)


def shown_text(extension: Extension, key: str) -> ShownText | None:
    """Returns the text of a key, with the messages of the default locale, or None if it is uncertain.

    It is uncertain if a message contains a `$`, which may be a placeholder.
    """
    manifest = manifest_file(extension)
    text = manifest.value.get(key) if isinstance(manifest.value, dict) else None
    if not isinstance(text, str):
        return None
    found = list(islice(references(text), MAX_MESSAGES + 1))
    if not found:
        return ShownText(text.strip(), manifest, (key,))
    messages = messages_of(extension)
    if messages is None or len(found) > MAX_MESSAGES:
        return None
    longest = ("", "")
    for each in reversed(found):
        message = _message(messages.default, each[1])
        if message is None or "$" in message[1]:
            return None
        text = text[: each.start()] + message[1] + text[each.end() :]
        longest = max(longest, message, key=lambda known: len(known[1]))
    return ShownText(text.strip(), messages.default.file, (longest[0], "message"), (manifest, key))


def _message(catalog: Catalog, name: str) -> tuple[str, str] | None:
    """Returns a message of a catalog: its name as written there, and its text."""
    written = catalog.names.get(name.lower())
    entries = catalog.file.value
    entry = entries[written] if written is not None and isinstance(entries, dict) else None
    text = entry.get("message") if isinstance(entry, dict) else None
    return (written, text) if written is not None and isinstance(text, str) else None
