"""The messages of a package, as far as an editor shows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from extlint.checks.locales.entries import PLACEHOLDERS
from extlint.checks.locales.folders import FOLDER, LocaleFolders
from extlint.checks.locales.message_references import references
from extlint.project.contexts.json_files import JsonFile, JsonKind
from extlint.services.editor.documents.document import Document, is_messages
from extlint.services.editor.documents.named import Name, Target
from extlint.text.json.values import JsonValue
from extlint.text.patterns import lazy

MAX_CACHED_FILES = 64
"""The maximum number of files of messages that are cached, by their texts."""

_FALLBACK = "en"
_PLACEHOLDER = lazy(r"\$([A-Za-z0-9_@]+)\$")


def default_messages(document: Document) -> str | None:
    """Returns the file of messages of the default locale, or of the likeliest if the manifest names none."""
    folders = LocaleFolders(path for path in document.package.paths if path.startswith(f"{FOLDER}/"))
    stated = document.manifest.get("default_locale")
    locale = stated.value if stated is not None and isinstance(stated.value, str) else _FALLBACK
    found = folders.find(locale) or folders.find_ignoring_case(locale)
    if found is None:
        return next(iter(folders.with_messages.values()), None)
    return folders.with_messages[found]


def message_files(document: Document) -> Iterator[str]:
    """Yields the files of messages, that of the default locale first."""
    default = default_messages(document)
    if default is not None:
        yield default
    yield from (path for path in document.package.paths if is_messages(path) and path != default)


def messages_in(document: Document, path: str) -> Mapping[str, JsonValue]:
    """Returns the entries of a file of messages by name; empty in the middle of an edit."""
    value = json_file(document, path).value
    return value if isinstance(value, dict) else {}


def json_file(document: Document, path: str) -> JsonFile:
    """Returns a file of messages with its positions."""
    return _parsed(document.read(path))


@lru_cache(MAX_CACHED_FILES)
def _parsed(data: bytes) -> JsonFile:
    return JsonFile("", data, JsonKind.MESSAGES)


def text_of(entry: JsonValue) -> str:
    """Returns the text of a message, or an empty string."""
    text = entry.get("message") if isinstance(entry, dict) else None
    return text if isinstance(text, str) else ""


def targets_of_message(document: Document, name: str) -> tuple[Target, ...]:
    """Returns the entries of a message in all locales, that of the default one first. Case is ignored."""
    return tuple(
        Target(path, (written,))
        for path in message_files(document)
        for written in messages_in(document, path)
        if written.lower() == name.lower()
    )


def reference_at(document: Document, at: int) -> Iterator[Name]:
    """Yields the message that `__MSG_name__` around an offset names."""
    start = max(document.data.rfind(b"\n", 0, at), 0)
    end = document.data.find(b"\n", at)
    # In Latin-1, each byte is one character, so offsets are byte offsets.
    line = document.data[start : len(document.data) if end < 0 else end].decode("latin-1")
    for found in references(line):
        if start + found.start() <= at <= start + found.end():
            span = start + found.start(), start + found.end()
            yield Name(span, targets_of_message(document, found[1]))


def names_in_messages(document: Document, at: int) -> Iterator[Name]:
    """Yields the name at an offset of a file of messages: a placeholder, or a message in other files."""
    root = document.json.root
    for name, member in () if root is None else root.members():
        if member.key[0] <= at < member.key[1]:
            span = member.key[0] + 1, member.key[1] - 1
            others = [each for each in targets_of_message(document, name) if each.path != document.path]
            yield Name(span, tuple(others))
        text = member.node.get("message")
        if text is None or not text.span[0] < at < text.span[1]:
            continue
        defined = member.node.get(PLACEHOLDERS)
        keys = {key.lower(): key for key, _ in (() if defined is None else defined.members())}
        written = document.data[slice(*text.span)].decode("latin-1")
        for found in _PLACEHOLDER.finditer(written):
            span = text.span[0] + found.start(), text.span[0] + found.end()
            key = keys.get(found[1].lower())
            if span[0] <= at <= span[1] and key is not None:
                yield Name(span, (Target(document.path, (name, PLACEHOLDERS, key)),))
