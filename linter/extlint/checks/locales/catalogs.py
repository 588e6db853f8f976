"""The messages of a package, by locale."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from extlint.checks.locales.folders import FOLDER, MESSAGES, default_locale, folders_of, locale_of
from extlint.extension import Extension
from extlint.project.builds import is_build_source
from extlint.project.contexts.json_files import JsonFile, JsonKind, json_files
from extlint.queries.query import cached_method, query
from extlint.text.json.values import JsonValue
from extlint.text.nearest import nearest
from extlint.text.patterns import lazy

EXTENSION_ID = "@@extension_id"
PREDEFINED = frozenset(
    {
        EXTENSION_ID,
        "@@ui_locale",
        "@@bidi_dir",
        "@@bidi_reversed_dir",
        "@@bidi_start_edge",
        "@@bidi_end_edge",
    }
)
"""The messages that browsers define. https://developer.chrome.com/docs/extensions/reference/api/i18n"""

_WHOLE = lazy(r"__MSG_(.+)__")

MAX_COMPARISONS = 300_000
"""The maximum number of comparisons in searches for the nearest name; beyond, no name is suggested."""


class Catalog(Struct, frozen=True):
    """The messages of one locale: each name as written, by the name in lower case."""

    locale: str
    file: JsonFile
    names: Mapping[str, str]


class Messages:
    """Every message that browsers may show, in any language.

    `default` is the catalog of the default locale. It is the relevant one: browsers use its messages in
    languages that the package does not have, and for messages that are missing in a language.
    """

    def __init__(
        self, default: Catalog, others: Iterable[Catalog], parents: Iterable[Catalog], parts: Iterable[str]
    ) -> None:
        """`parts` are the names, in lower case, of messages that a build adds to the default catalog."""
        self.default = default
        self.others = tuple(others)
        self._known = PREDEFINED.union(default.names, parts, *(each.names for each in parents))
        self._comparisons = 0

    def has(self, name: str) -> bool:
        """Whether the default locale, or the browser itself, has a message. Letter case is ignored."""
        return name.lower() in self._known

    def text_of(self, reference: str) -> str | None:
        """Returns the text of the message that a whole value refers to, `__MSG_name__`, or None."""
        whole = _WHOLE.fullmatch(reference)
        name = None if whole is None else self.default.names.get(whole[1].lower())
        entries = self.default.file.value
        entry = entries.get(name) if isinstance(entries, dict) and name is not None else None
        text = entry.get("message") if isinstance(entry, dict) else None
        return text if isinstance(text, str) else None

    def locales_with(self, name: str) -> tuple[str, ...]:
        """Returns the other locales that have a message."""
        return tuple(each.locale for each in self.others if name.lower() in each.names)

    @cached_method
    def nearest(self, name: str) -> str | None:
        """Returns the message whose name another name misspells, or None."""
        self._comparisons += len(self._known)
        near = nearest(name.lower(), self._known) if self._comparisons <= MAX_COMPARISONS else None
        if (whole := _WHOLE.fullmatch(name)) is not None and self.has(whole[1]):
            near = whole[1].lower()
        return near if near is None else self.default.names.get(near, near)


@query
def messages_of(extension: Extension) -> Messages | None:
    """Returns the messages of an extension, or None if those of the default locale are unknown.

    They are unknown if the package is not complete or the file cannot be read.
    """
    stated = default_locale(extension)
    locale = None if stated is None else folders_of(extension).find(stated)
    if locale is None or not extension.package.complete:
        return None
    catalogs = {each.locale: each for each in _catalogs(extension)}
    default = catalogs.pop(locale, None)
    if default is None:
        return None
    parents = [
        each for each in catalogs.values() if locale.startswith((f"{each.locale}_", f"{each.locale}-"))
    ]
    return Messages(default, catalogs.values(), parents, _names_in_parts(extension, locale))


def _names_in_parts(extension: Extension, locale: str) -> Iterator[str]:
    """Yields the lower-case names of messages in other files of a locale's folder that a build may merge.

    Browsers only read `messages.json` there.
    """
    folder = f"{FOLDER}/{locale}/"
    parts = [path for path in extension.package.paths if path.startswith(folder) and path.endswith(".json")]
    parts = [path for path in parts if path != folder + MESSAGES]
    for path in parts if parts and is_build_source(extension) else ():
        entries = JsonFile(path, extension.package.read(path), JsonKind.MESSAGES).value
        for name, entry in entries.items() if isinstance(entries, dict) else ():
            if isinstance(entry, dict) and isinstance(entry.get("message"), str):
                yield name.lower()


@query(is_of_package=True)
def _catalogs(extension: Extension) -> Sequence[Catalog]:
    return [
        Catalog(locale_of(file), file, {name.lower(): name for name in entries})
        for file, entries in messages_files(extension)
    ]


def messages_files(extension: Extension) -> Iterator[tuple[JsonFile, Mapping[str, JsonValue]]]:
    """Yields the files of messages that contain an object, each with its messages by name."""
    for file in json_files(extension):
        if file.kind is JsonKind.MESSAGES and isinstance(value := file.value, dict):
            yield file, value
