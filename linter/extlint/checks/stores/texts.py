"""Finds the texts that users see for a manifest key, and those that are too long for a store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct

from extlint.checks.locales.catalogs import Catalog, messages_of, references
from extlint.checks.stores.store import store_of
from extlint.extension import Extension
from extlint.finding import Finding, Related
from extlint.project.contexts.json_files import JsonFile, manifest_file
from extlint.rule import Rule
from extlint.text.json.values import Step
from extlint.text.wording import quoted

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
