"""The mistakes in `_locales` beyond those found by schemas, and the placeholders of messages.

The manifest must state the default locale if there are others, and its messages must exist.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache

from extlint.checks.locales.catalogs import EXTENSION_ID, PREDEFINED
from extlint.checks.locales.folders import (
    FOLDER,
    MESSAGES,
    LocaleFolders,
    default_locale,
    folders_of,
    is_read,
    locale_of,
    tag_of,
    target_browser,
)
from extlint.extension import Extension
from extlint.project.builds import may_be_completed
from extlint.project.contexts.json_files import JsonFile, JsonKind, json_file
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.schema.targets import CHROME, engine_of
from extlint.schema.validation.mistake import Mistake, Reaction, Steps
from extlint.schema.validation.validator import validator
from extlint.text.json.values import JsonValue
from extlint.text.nearest import nearest
from extlint.text.patterns import lazy
from extlint.text.wording import did_you_mean, must_be, quoted, unknown_key_message

PLACEHOLDERS = "placeholders"
"""The key of a message that defines placeholders."""

_NAME_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@")
_MESSAGE_KEYS = ("message", "description", PLACEHOLDERS)
_MESSAGE_KEY_SET = frozenset(_MESSAGE_KEYS)
_PLACEHOLDER_KEYS = ("content", "example")


def is_plain_entry(entry: JsonValue) -> bool:
    """Whether an entry only has a text and an optional description, as nearly all entries do."""
    if not isinstance(entry, dict) or not isinstance(entry.get("message"), str):
        return False
    return len(entry) == 1 or (len(entry) == 2 and "description" in entry)


def misspelled_keys(messages: Mapping[str, JsonValue]) -> Iterator[Mistake]:
    """Yields the misspelled keys of messages and placeholders. Other unknown keys are harmless."""
    for name, entry in messages.items():
        if isinstance(entry, dict):
            if not entry.keys() <= _MESSAGE_KEY_SET:
                yield from _misspelled((name,), entry, _MESSAGE_KEYS)
            for key, placeholder in _placeholders(entry).items() if PLACEHOLDERS in entry else ():
                if isinstance(placeholder, dict):
                    yield from _misspelled((name, PLACEHOLDERS, key), placeholder, _PLACEHOLDER_KEYS)


def _misspelled(steps: Steps, entry: Mapping[str, JsonValue], known: tuple[str, ...]) -> Iterator[Mistake]:
    for key in entry:
        near = None if key in known else _near(key, known)
        if near is not None and near not in entry:
            message = unknown_key_message(key, quoted(str(steps[-1])))
            yield Mistake("unknown-key", (*steps, key), message, at_key=True, suggestion=near)


@lru_cache(1000)
def _near(key: str, known: tuple[str, ...]) -> str | None:
    return nearest(key, known)


def repeated_names(messages: Mapping[str, JsonValue], others: Mapping[str, JsonValue]) -> Iterator[Mistake]:
    """Yields the names of messages, or of a message's placeholders, that only differ in letter case.

    `others` are the messages that are not plain.
    """
    yield from _repeated((), messages)
    for name, entry in others.items():
        if isinstance(entry, dict) and PLACEHOLDERS in entry:
            yield from _repeated((name, PLACEHOLDERS), _placeholders(entry))


def _repeated(steps: Steps, names: Collection[str]) -> Iterator[Mistake]:
    if len({*map(str.lower, names)}) == len(names):
        return
    first: dict[str, str] = {}
    for name in names:
        other = first.setdefault(name.lower(), name)
        if other != name:
            message = f"{quoted(name)} repeats {quoted(other)}: browsers ignore case here"
            yield Mistake(
                "duplicate-key",
                (*steps, name),
                message,
                at_key=True,
                related_steps=(*steps, other),
                reaction=Reaction.IGNORES,
            )


def rejected_names(
    messages: Mapping[str, JsonValue], others: Mapping[str, JsonValue], chrome: bool
) -> Iterator[Mistake]:
    """Yields the names that are useless in any browser, and with `chrome` those that Chrome rejects.

    `others` are the messages that are not plain.
    """
    predefined = PREDEFINED if chrome else {EXTENSION_ID}
    is_usual = predefined.isdisjoint(map(str.lower, messages)) and (not chrome or _are_valid_names(messages))
    for name in others if is_usual else messages:
        if not is_usual and name.lower() in predefined:
            message = f"{quoted(name)} is a message that browsers define themselves"
            yield Mistake("invalid-value", (name,), message, at_key=True)
        if chrome and not is_usual:
            yield from _invalid_names((), (name,), "message")
        entry = others.get(name)
        if isinstance(entry, dict) and PLACEHOLDERS in entry:
            yield from _invalid_names((name, PLACEHOLDERS), _placeholders(entry), "placeholder")


def _invalid_names(steps: Steps, names: Collection[str], what: str) -> Iterator[Mistake]:
    for name in () if _are_valid_names(names) else names:
        if not _are_valid_names((name,)):
            message = (
                f"{quoted(name)} is not a valid {what} name: "
                "only letters A to Z, digits, `_` and `@` are allowed"
            )
            yield Mistake("invalid-value", (*steps, name), message, at_key=True)


def _are_valid_names(names: Collection[str]) -> bool:
    """Whether all names are non-empty and consist of valid characters."""
    return "" not in names and _NAME_CHARACTERS.issuperset("".join(names))


def _placeholders(entry: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    found = entry.get(PLACEHOLDERS)
    return found if isinstance(found, dict) else {}


_PLACEHOLDER = lazy(r"\$([A-Za-z0-9_@]+)\$")

MAX_PLACEHOLDERS = 200
"""The maximum number of placeholders in a message for which names are suggested."""


def undefined_placeholders(entry: Mapping[str, JsonValue]) -> Iterator[tuple[str, str | None]]:
    """Yields the undefined placeholders in the text of a message, with the nearest defined one.

    Each is yielded once, as written. Letter case is ignored.
    """
    text = entry.get("message")
    if not isinstance(text, str) or "$" not in text:
        return
    placeholders = entry.get(PLACEHOLDERS, _misspelled_placeholders(entry))
    defined = {name.lower(): name for name in placeholders} if isinstance(placeholders, dict) else {}
    reported: set[str] = set()
    for found in _PLACEHOLDER.finditer(text):
        name = found[1]
        if name.lower() not in defined and name.lower() not in reported:
            reported.add(name.lower())
            near = nearest(name.lower(), defined) if len(defined) <= MAX_PLACEHOLDERS else None
            yield name, None if near is None else defined[near]


def _misspelled_placeholders(entry: Mapping[str, JsonValue]) -> JsonValue:
    """Returns the value of a misspelled key for placeholders; the misspelling is a separate mistake."""
    return next((value for key, value in entry.items() if nearest(key, (PLACEHOLDERS,))), None)


KEY = "default_locale"
"""The manifest key of the default locale. Chrome and Firefox reject an extension with messages without it."""

_LOCALE = lazy(r"[A-Za-z0-9]+(?:[_@-][A-Za-z0-9]+)*")


def has_no_default(extension: Extension) -> bool:
    """Whether the package has messages, but its manifest no default locale, and no build adds it."""
    manifest = extension.manifest
    if not manifest.is_object or not folders_of(extension).with_messages:
        return False
    if any(key == KEY or nearest(key, (KEY,)) is not None for key, _ in manifest.members()):
        return False
    return not may_be_completed(extension, KEY) and not _may_be_added(extension)


def _may_be_added(extension: Extension) -> bool:
    """Whether a program of the project adds the key."""
    from extlint.project.rewritten_keys import may_rewrite

    return may_rewrite(extension, KEY)


def has_empty_default(extension: Extension) -> bool:
    """Whether the package has messages, and its manifest a default locale that is null or empty."""
    found = extension.manifest.get(KEY)
    return found is not None and found.value in (None, "") and bool(folders_of(extension).with_messages)


def missing_messages_files(extension: Extension) -> Iterator[str]:
    """Yields the missing files of messages that browsers require if a default locale is stated.

    They require that of the default locale, and one in each other folder: Firefox in all, Chrome in
    those of locales that it knows. Files that a build may generate, or Git would fetch, count as existing.
    """
    stated = default_locale(extension)
    if stated is None or not extension.package.complete:
        return
    folders = folders_of(extension)
    browser = target_browser(extension)
    if not folders.without_messages and _is_satisfied(folders, stated, browser):
        return
    from extlint.project.supplied_files import has_known_origin, may_be_generated

    path = _path_of(stated)
    if has_known_origin(extension, path) or extension.package.leads_out(path):
        return
    if _LOCALE.fullmatch(stated) and not _is_satisfied(folders, stated, browser):
        yield from _without_default(extension, folders, stated)
    is_of_gecko = engine_of(browser) is Engine.GECKO
    for folder in folders.without_messages:
        is_required = folder != stated and (is_of_gecko or is_read(folder, CHROME))
        if is_required and not may_be_generated(extension, _path_of(folder)):
            yield f"the folder {quoted(f'{FOLDER}/{folder}')} has no file {quoted(MESSAGES)}"


def _path_of(locale: str) -> str:
    return f"{FOLDER}/{locale}/{MESSAGES}"


def _is_satisfied(folders: LocaleFolders, locale: str, browser: str | None) -> bool:
    """Whether a browser finds the messages of a locale, or rejects the locale itself."""
    if engine_of(browser) is Engine.CHROMIUM:
        return locale in folders.with_messages or not is_read(locale, browser)
    return folders.find(locale) is not None


def _without_default(extension: Extension, folders: LocaleFolders, locale: str) -> Iterator[str]:
    from extlint.project.supplied_files import may_be_generated

    path = _path_of(locale)
    may_come = may_be_generated(extension, path)
    message = f"the package has no file {quoted(path)}"
    other = folders.find_ignoring_case(locale)
    in_other_case = folders.with_messages[other] if other is not None else extension.package.other_case(path)
    elsewhere = None if may_come else _in_other_folder(extension.package.paths, locale)
    if in_other_case is not None:
        is_other_case = in_other_case.casefold() == path.casefold()
        differs = ", which differs in letter case" if is_other_case else ""
        yield f"{message}, only {quoted(in_other_case)}{differs}"
    elif elsewhere is not None:
        yield f"{message}, only {quoted(elsewhere)}"
    elif tag_of(locale) not in folders.sources:
        near = nearest(locale, folders.with_messages) or _related(locale, folders)
        if near is not None:
            yield message + did_you_mean(near)
        elif not may_come:
            yield message if folders.only_file is None else f"{message}, only {quoted(folders.only_file)}"


def _related(locale: str, folders: LocaleFolders) -> str | None:
    """Returns the only locale of the same language in the package, or None."""
    language = tag_of(locale).partition("-")[0]
    same = [each for each in folders.with_messages if tag_of(each).partition("-")[0] == language]
    return same[0] if len(same) == 1 else None


def _in_other_folder(paths: Iterable[str], locale: str) -> str | None:
    """Returns the messages of a locale in a folder that misspells `_locales` (`locales`), or None."""
    end = f"/{locale}/{MESSAGES}"
    tops = (path.removesuffix(end) for path in paths if path.endswith(end))
    return next((top + end for top in tops if nearest(top, (FOLDER,)) is not None), None)


_REFUSED = "browsers refuse to load the extension without this file"
"""Verified in Firefox 153.7 and Chromium 156, for the default locale and for each folder of a locale."""

_NOT_FOUND = "without which Safari finds no message"
"""WebKit's `WebExtensionLocalization.cpp` loads no messages then, and `WebExtension.cpp` records no error."""


def locale_mistakes(extension: Extension, file: JsonFile) -> Iterator[Mistake]:
    """Yields the mistakes in the manifest or a file of messages, if the target's browser may read it."""
    if file.kind is JsonKind.MANIFEST:
        yield from _in_manifest(extension)
    elif file.kind is JsonKind.MESSAGES and file.problem is None and _is_read(extension, file):
        chrome = extension.target.engine is Engine.CHROMIUM
        yield from _in_messages(extension, file.path, chrome)


@query(is_of_package=True)
def _in_messages(extension: Extension, path: str, chrome: bool) -> tuple[Mistake, ...]:
    """Returns the mistakes in a file of messages, which are the same for all targets of an engine."""
    file = json_file(extension, path, JsonKind.MESSAGES)
    return () if file is None else tuple(messages_mistakes(file.value, chrome=chrome))


def _is_read(extension: Extension, file: JsonFile) -> bool:
    """Whether the target's browser reads a file of messages. Firefox reads those of all locales."""
    return extension.target.engine is not Engine.CHROMIUM or is_read(locale_of(file), extension.target.name)


def _in_manifest(extension: Extension) -> Iterator[Mistake]:
    if has_no_default(extension):
        is_refused = extension.target.engine is not Engine.WEBKIT
        effect = "which a package with messages requires" if is_refused else _NOT_FOUND
        message = f"the manifest is missing the key {quoted(KEY)}, {effect}"
        reaction = None if is_refused else Reaction.IGNORES
        yield Mistake("missing-key", (), message, missing=(KEY,), reaction=reaction)
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
        from extlint.schema.words.values import kind_of

        yield Mistake("invalid-value", (), must_be("the messages", "in an object", kind_of(value)))
        return
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
