"""The mistakes in `_locales`: in its files, and in the default locale."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.contexts.json_files import JsonFile, JsonKind
from extlint.extension import Extension, once
from extlint.json_text.values import JsonValue
from extlint.locales.default import KEY, has_empty_default, has_no_default, missing_messages_files
from extlint.locales.folders import locale_of
from extlint.locales.known_locales import is_read
from extlint.schema.engine import Engine
from extlint.text.wording import must_be, quoted
from extlint.validation.mistake import Mistake
from extlint.validation.validator import validator

_REFUSED = "browsers refuse to load the extension without this file"
"""Verified in Firefox 153.7 and Chromium 156, for the default locale and for each folder of a locale."""


def locale_mistakes(extension: Extension, file: JsonFile) -> Iterator[Mistake]:
    """Yields the mistakes in the manifest or a file of messages, if the target's browser may read it."""
    if file.kind is JsonKind.MANIFEST:
        yield from _in_manifest(extension)
    elif file.kind is JsonKind.MESSAGES and file.problem is None and _is_read(extension, file):
        chrome = extension.target.engine is Engine.CHROMIUM
        yield from _in_messages(extension, file, chrome)


def _in_messages(extension: Extension, file: JsonFile, chrome: bool) -> tuple[Mistake, ...]:
    """Returns the mistakes in a file of messages, which are the same for all targets of an engine."""
    key = (_in_messages, file.path, chrome)
    return once(extension.package.derived, key, lambda: (*messages_mistakes(file.value, chrome=chrome),))


def _is_read(extension: Extension, file: JsonFile) -> bool:
    """Whether the target's browser reads a file of messages. Firefox reads those of all locales."""
    return extension.target.engine is not Engine.CHROMIUM or is_read(locale_of(file), extension.target.name)


def _in_manifest(extension: Extension) -> Iterator[Mistake]:
    if has_no_default(extension):
        message = f"the manifest is missing the key {quoted(KEY)}, which a package with messages requires"
        yield Mistake("missing-key", (), message, missing=(KEY,))
    if has_empty_default(extension) and extension.target.engine is not Engine.CHROMIUM:
        message = f"{quoted(KEY)} must name a locale, because the package has messages"
        yield Mistake("invalid-value", (KEY,), message)
    for message in missing_messages_files(extension):
        yield Mistake("missing-file", (KEY,), message, help=_REFUSED)


def messages_mistakes(value: JsonValue, *, chrome: bool = False) -> Iterator[Mistake]:
    """Yields the mistakes in the value of a file of messages, as Firefox or Chrome interprets it.

    A misspelled required key of a message is one mistake, not a missing key as well.
    """
    if not isinstance(value, dict):
        from extlint.words.values import kind_of

        yield Mistake("invalid-value", (), must_be("the messages", "in an object", kind_of(value)))
        return
    from extlint.locales.entries import is_plain_entry, misspelled_keys, rejected_names, repeated_names

    other_entries = {name: entry for name, entry in value.items() if not is_plain_entry(entry)}
    unknown = {
        (mistake.steps[:-1], mistake.suggestion): mistake for mistake in misspelled_keys(other_entries)
    }
    schema = validator(f"messages/{'chrome' if chrome else 'firefox'}")
    for mistake in schema.mistakes(other_entries) if other_entries else ():
        instead = [place for key in mistake.missing if (place := (mistake.steps, key)) in unknown]
        for place in instead:
            unknown[place] = unknown[place].in_place_of(mistake)
        if not instead:
            yield mistake
    yield from unknown.values()
    yield from repeated_names(value, other_entries)
    yield from rejected_names(value, other_entries, chrome)
