"""The texts that people see for a key of the manifest, and those that are too long for a store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct

from extlint.extension import Extension
from extlint.finding import Finding, Related
from extlint.json_files import JsonFile, json_files
from extlint.locales.catalogs import Catalog, messages_of
from extlint.locales.references import references
from extlint.manifest.json_places import Step
from extlint.rule import Rule
from extlint.stores.store import store_of
from extlint.wording import quoted

MOST_MESSAGES = 10
"""A text that is made of more messages is not looked at."""


class ShownText(Struct, frozen=True):
    """How long a text is, in code points without white space around it, and where it stands.

    A text that is made of messages stands at the longest of them.
    """

    length: int
    file: JsonFile
    steps: Sequence[Step]
    is_message: bool


def too_long(extension: Extension, rule: Rule, key: str) -> Iterator[Finding]:
    """The finding of a rule, if the text of a key is longer than the target's store takes."""
    store = store_of(extension)
    text = shown_text(extension, key) if store is not None and key in store.in_manifest else None
    if store is None or text is None:
        return
    limit = (store.in_messages if text.is_message else store.in_manifest)[key]
    if text.length > limit:
        manifest, *_ = json_files(extension)
        named = Related(manifest.path, manifest.place((key,)), "the manifest names this message")
        yield rule.at(
            text.file.path,
            text.file.place(text.steps),
            f"{quoted(key)} has {text.length} characters; {store.name} takes at most {limit}",
            related=(named,) if text.is_message else (),
        )


def shown_text(extension: Extension, key: str) -> ShownText | None:
    """The text of a key, with the messages of the default locale; None if it is not certain.

    It is not with a `$` in a message, where something else may be put.
    """
    manifest, *_ = json_files(extension)
    text = manifest.value.get(key) if isinstance(manifest.value, dict) else None
    if not isinstance(text, str):
        return None
    found = list(islice(references(text), MOST_MESSAGES + 1))
    if not found:
        return ShownText(len(text.strip()), manifest, (key,), is_message=False)
    messages = messages_of(extension)
    if messages is None or len(found) > MOST_MESSAGES:
        return None
    shown, longest = text, ("", "")
    for each in reversed(found):
        message = _message(messages.default, each[1])
        if message is None or "$" in message[1]:
            return None
        shown = shown[: each.start()] + message[1] + shown[each.end() :]
        longest = max(longest, message, key=lambda known: len(known[1]))
    steps = (longest[0], "message")
    return ShownText(len(shown.strip()), messages.default.file, steps, is_message=True)


def _message(catalog: Catalog, name: str) -> tuple[str, str] | None:
    """A message of a catalog: its name as it is written there, and its text."""
    written = catalog.names.get(name.lower())
    entries = catalog.file.value
    entry = entries[written] if written is not None and isinstance(entries, dict) else None
    text = entry.get("message") if isinstance(entry, dict) else None
    return (written, text) if written is not None and isinstance(text, str) else None
