"""The mistakes in a file of messages beyond those found by its schema, and the placeholders of messages."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache

from extlint.checks.locales.catalogs import EXTENSION_ID, PREDEFINED
from extlint.schema.validation.mistake import Mistake, Reaction, Steps
from extlint.text.json.values import JsonValue
from extlint.text.nearest import nearest
from extlint.text.patterns import lazy
from extlint.text.wording import quoted, unknown_key_message

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
