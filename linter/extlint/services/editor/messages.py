"""The messages of a package, as far as an editor shows and offers them, with their placeholders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from extlint.checks.locales.catalogs import EXTENSION_ID, PREDEFINED, references
from extlint.checks.locales.folders import FOLDER, LocaleFolders
from extlint.checks.locales.mistakes import PLACEHOLDERS
from extlint.project.contexts.json_files import JsonFile, JsonKind
from extlint.services.editor.documents.document import Document, Role, is_messages
from extlint.services.editor.documents.text_cursor import Completion, Name, Target
from extlint.text.json.values import JsonValue
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

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


MAX_DETAIL = 100
"""The maximum number of characters of a text next to a name."""

_PREFIX = b"__MSG_"
_REFERENCE_START = lazy(rb"__(?:MSG_(?:[A-Za-z0-9_@]*[A-Za-z0-9@])?|MSG|MS|M)?\Z")
_REFERENCE_END = lazy(rb"[A-Za-z0-9@]*+(?:_[A-Za-z0-9@]+)*+(?:__)?")
_PLACEHOLDER_START = lazy(r"\$[A-Za-z0-9_@]*\Z")
_PLACEHOLDER_END = lazy(r"[A-Za-z0-9_@]*\$?")
_ANY_PLACEHOLDER = lazy(r"\$(?:[A-Za-z0-9_@]+\$|\$+|[1-9])")
_MARKUP = lazy(r"([\\`*_{}\[\]<>#|~&])")
_MAX_NAME_BYTES = 200
_KEYS = {
    "message": "the text of the message",
    "description": "an explanation for translators",
    PLACEHOLDERS: "the placeholders in the text",
}
_PLACEHOLDER_KEYS = {"content": "the text, or an argument: $1", "example": "an example for translators"}


def message_items(
    document: Document, span: ByteSpan, *, as_reference: bool = False, with_predefined: bool = True
) -> Iterator[Completion]:
    """Yields the messages that may replace a byte range, by name or in the form `__MSG_name__`."""
    start, end = document.index.span(*span)
    default = default_messages(document)
    if start.line != end.line:
        return
    for name, entry in messages_in(document, default).items() if default is not None else ():
        written = f"__MSG_{name}__" if as_reference else name
        detail = one_line(text_of(entry))
        yield Completion(written, "message", detail, _description(entry), start, end, written)
    for name in sorted(PREDEFINED) if with_predefined else ():
        written = f"__MSG_{name}__" if as_reference else name
        detail = "defined by the browser"
        yield Completion(written, "message", detail, "", start, end, written, sort=f"~{name}")


def reference_items(document: Document, at: int) -> Iterator[Completion]:
    """Yields the messages for `__MSG_` before a byte offset, in a manifest, a page or a style sheet."""
    data, role = document.data, document.role
    found = _REFERENCE_START.search(data, max(0, at - _MAX_NAME_BYTES), at)
    if found is None or role not in (Role.MANIFEST, Role.PAGE, Role.STYLE):
        return
    is_certain = found[0].startswith(_PREFIX)
    if role is Role.MANIFEST:
        place = document.place_in_json(at)
        if place is None or place.at_key or place.token is None or place.token.kind != "string":
            return
    elif not is_certain or (role is Role.STYLE and is_in_comment(data, at)):
        return
    rest = _REFERENCE_END.match(data, at) if is_certain else None
    span = found.start(), at if rest is None else rest.end()
    for each in message_items(document, span, as_reference=True, with_predefined=role is not Role.MANIFEST):
        if role is Role.STYLE or EXTENSION_ID not in each.label:
            yield each


def is_in_comment(data: bytes, at: int) -> bool:
    """Whether an offset of a style sheet is in a comment."""
    return data.rfind(b"/*", 0, at) > data.rfind(b"*/", 0, at)


def placeholder_items(document: Document, at: int) -> Iterator[Completion]:
    """Yields the placeholders of a message for a `$` before a byte offset of its text."""
    place = document.place_in_json(at)
    if place is None or place.at_key or place.token is None or place.value_steps[1:] != ("message",):
        return
    text, base = place.token.text, place.token.start
    found = _PLACEHOLDER_START.search(text, 0, at - base)
    if found is None or any(
        each.start() < found.start() < each.end() <= at - base for each in _ANY_PLACEHOLDER.finditer(text)
    ):
        return
    rest = _PLACEHOLDER_END.match(text, at - base)
    start, end = document.index.span(base + found.start(), at if rest is None else base + rest.end())
    defined = place.container.member(PLACEHOLDERS)
    plain = None if defined is None else defined.plain
    for name, entry in plain.items() if isinstance(plain, dict) else ():
        content, example = _text(entry, "content"), _text(entry, "example")
        written = f"${name.upper()}$"
        shown = _as_markdown(f"For example: {example}") if example else ""
        yield Completion(written, "placeholder", one_line(content), shown, start, end, written)


def key_items(document: Document, at: int) -> Iterator[Completion]:
    """Yields the keys that fit at a byte offset of a file of messages, with the texts of the default locale.

    Messages that the locale has are left out. A key without a value gets the beginning of one.
    """
    place = document.place_in_json(at)
    if place is None or not place.at_key:
        return
    token, member = place.token, place.member
    span = (at, at) if token is None else (token.start, token.end)
    start, end = document.index.span(*span)
    has_value = member is not None and member.colon is not None
    known = {each.lower() for each in place.container.keys} - {"" if token is None else token.content.lower()}
    default = default_messages(document) if not place.steps else None
    entries = {} if default in (None, document.path) else messages_in(document, default or "")
    offered = {name: (one_line(text_of(entry)), _description(entry)) for name, entry in entries.items()}
    if place.steps:
        is_placeholder = place.steps[1:2] == (PLACEHOLDERS,) and len(place.steps) == 3
        keys = _KEYS if len(place.steps) == 1 else _PLACEHOLDER_KEYS if is_placeholder else {}
        offered = {key: (description, "") for key, description in keys.items()}
    for name, (detail, documentation) in offered.items():
        if name.lower() not in known:
            value = '{"message": ""}' if not place.steps else "{}" if name == PLACEHOLDERS else '""'
            yield Completion(
                name,
                "key",
                detail,
                documentation,
                start,
                end,
                f'"{name}"' if has_value else f'"{name}": {value}',
            )


def one_line(text: str) -> str:
    """Returns the beginning of a text on one line."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_DETAIL else f"{line[: MAX_DETAIL - 1]}…"


def _text(entry: JsonValue, key: str) -> str:
    found = entry.get(key) if isinstance(entry, dict) else None
    return found.encode("latin-1", "replace").decode("utf-8", "replace") if isinstance(found, str) else ""


def _description(entry: JsonValue) -> str:
    found = entry.get("description") if isinstance(entry, dict) else None
    return _as_markdown(found) if isinstance(found, str) else ""


def _as_markdown(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text)
