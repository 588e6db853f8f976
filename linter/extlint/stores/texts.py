"""The texts that people see for a key of the manifest, in each locale, and those that are too long."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from extlint.extension import Extension, once_per_extension
from extlint.finding import Finding, Related
from extlint.json_files import JsonFile, json_files
from extlint.manifest.json_places import Step
from extlint.patterns import lazy
from extlint.rule import Rule
from extlint.stores.store import store_of
from extlint.wording import quoted

MOST_MESSAGES = 10
"""A text that is made of so many messages is not looked at."""

_MESSAGE = lazy(r"__MSG_([A-Za-z0-9@_]+?)__")
_LOCALE_FILE = lazy(r"_locales/([a-z]{2,3}(?:_[A-Za-z0-9]+)*)/messages\.json")


class ShownText(Struct, frozen=True):
    """How long a text is, in code points without white space around it, and where it stands.

    In a locale file it stands at the longest of the messages of which it is made.
    """

    length: int
    file: JsonFile
    steps: Sequence[Step]
    is_localized: bool


def too_long(extension: Extension, rule: Rule, key: str) -> Iterator[Finding]:
    """The findings of a rule about texts of a key that are longer than the target's store takes."""
    store = store_of(extension)
    manifest = extension.manifest
    if store is None or key not in store.in_manifest:
        return
    for text in shown_texts(extension, key):
        limit = (store.in_locales if text.is_localized else store.in_manifest)[key]
        named = manifest.get(key)
        if text.length > limit and named is not None:
            there = Related(manifest.path, manifest.span(named.span), "the manifest names this message")
            yield rule.at(
                text.file.path,
                text.file.place(text.steps),
                f"{quoted(key)} has {text.length} characters; {store.name} takes at most {limit}",
                related=(there,) if text.is_localized else (),
            )


def shown_texts(extension: Extension, key: str) -> Iterator[ShownText]:
    """The text of a key, or one for each locale that has a message of it.

    A message with a `$` is passed over: something else may be put there.
    """
    manifest, *_ = json_files(extension)
    text = manifest.value.get(key) if isinstance(manifest.value, dict) else None
    if not isinstance(text, str):
        return
    parts = _MESSAGE.split(text, MOST_MESSAGES)
    if len(parts) == 1:
        yield ShownText(len(text.strip()), manifest, (key,), is_localized=False)
    elif len(parts) <= 2 * MOST_MESSAGES:
        for locale in _locales(extension):
            found = _shown_in(extension, locale, parts)
            if found is not None:
                yield found


def _shown_in(extension: Extension, locale: str, parts: Sequence[str]) -> ShownText | None:
    """The text in a locale; `parts` are pieces of text and names of messages, in turn."""
    locales = _locales(extension)
    default = extension.manifest.get("default_locale")
    chain = [locale, locale.partition("_")[0]]
    if default is not None and isinstance(default.value, str):
        chain.append(default.value)
    texts = list(parts)
    own: list[tuple[int, str]] = []
    for at in range(1, len(parts), 2):
        found = ((each, _message(locales[each], parts[at])) for each in chain if each in locales)
        where, message = next(((each, known) for each, known in found if known is not None), (locale, None))
        if message is None or "$" in message.text:
            return None
        texts[at] = message.text
        if where == locale:
            own.append((len(message.text), message.name))
    if not own:
        return None
    steps = (max(own)[1], "message")
    return ShownText(len("".join(texts).strip()), locales[locale], steps, is_localized=True)


class _Message(Struct, frozen=True):
    """A message by the name that it has in the file."""

    name: str
    text: str


def _message(file: JsonFile, name: str) -> _Message | None:
    """A message of a locale file. Letter case does not count in names of messages."""
    if not isinstance(file.value, dict):
        return None
    names = (name,) if name in file.value else file.value
    own = next((each for each in names if each.lower() == name.lower()), None)
    found = None if own is None else file.value[own]
    text = found.get("message") if isinstance(found, dict) else None
    return _Message(own, text) if own is not None and isinstance(text, str) else None


@once_per_extension
def _locales(extension: Extension) -> Mapping[str, JsonFile]:
    """The locale files by the names of their locales."""
    matches = ((_LOCALE_FILE.fullmatch(file.path), file) for file in json_files(extension))
    return {name[1]: file for name, file in matches if name is not None}
