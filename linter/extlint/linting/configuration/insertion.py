"""Inserts into a configuration, and preserves the rest of its text: entries, or all of its content."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from extlint.linting.configuration.source import Places, Source
from extlint.linting.configuration.toml import toml_key, toml_value
from extlint.package.files import UnreadableError
from extlint.text.json.reader import read_json
from extlint.text.json.strict_reader import JsonPlaces
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

_LINE_END = lazy(rb"\r\n|\n|\r")
_INDENT = lazy(rb"\A\s*\{[ \t]*(\r\n|\n|\r)([ \t]+)\"")


def with_table(data: bytes, text: str) -> bytes:
    """Returns a TOML file with further tables at its end, after an empty line."""
    end = line_end(data)
    gap = b"" if not data or data.endswith(end * 2) else end if data.endswith(end) else end * 2
    return data + gap + text.encode().replace(b"\n", end)


def with_member(data: bytes, name: str, value: Any, file: str) -> bytes:
    """Returns a JSON file whose object has one more member, the last; in its own indentation.

    Raises UnreadableError, which names the file as `file`, if it is not an object.
    """
    document = read_json(data, strict=True)
    if document.root is None or not isinstance(document.root.value, dict):
        raise UnreadableError(f"{file} is not a JSON object")
    members = list(document.root.members())
    start = document.root.span[0]
    found = _INDENT.search(data.removeprefix(b"\xef\xbb\xbf"))
    end, indent = (
        (found[1].decode(), found[2].decode()) if found is not None else (line_end(data).decode(), None)
    )
    if not members:
        text = json.dumps({name: value}, indent=2, ensure_ascii=False)
        return data[:start] + text.replace("\n", end).encode() + data[document.root.span[1] :]
    last = members[-1][1].node.span[1]
    if indent is None:
        text = f", {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
    else:
        inner = json.dumps(value, indent=indent, ensure_ascii=False).replace("\n", f"\n{indent}")
        text = f",\n{indent}{json.dumps(name)}: {inner}"
    return data[:last] + text.replace("\n", end).encode() + data[last:]


def line_end(data: bytes) -> bytes:
    """Returns the first line end; LF if the data has no line end."""
    found = _LINE_END.search(data)
    return b"\n" if found is None else found[0]


KEY = "per-file-ignores"

_HEAD = lazy(rb"[ \t]*\][^\r\n]*")
_REST_OF_LINE = lazy(rb"[^\r\n]*(?:\r\n|\n|\r)?")
_MARK = b"\xef\xbb\xbf"


def with_ignores(source: Source, data: bytes, ignores: Mapping[str, Sequence[str]], reason: str) -> bytes:
    """Returns a text of a configuration in which these patterns have these rules.

    In TOML, a comment gives the reason. Raises UnreadableError if the entries cannot be added.
    """
    before = source.form.table_in(source.parse(data)) if data.strip() else None
    table: dict[str, Any] = before if isinstance(before, dict) else {}
    present = table.get(KEY)
    expected = {**table, KEY: {**(present or {}), **{name: list(rules) for name, rules in ignores.items()}}}
    mark = _MARK if data.startswith(_MARK) else b""
    text = data.removeprefix(_MARK)
    if source.form.name == "package.json":
        new = _in_json(text, expected, source)
    else:
        new = _in_toml(text, present, ignores, reason, source)
    new = mark + new
    if source.form.table_in(source.parse(new)) != expected:
        raise UnreadableError(f"{KEY} cannot be added to {source.display_path}")
    return new


def _in_json(text: bytes, expected: Mapping[str, Any], source: Source) -> bytes:
    """Returns the text of a JSON file with a new object as the configuration."""
    (key,) = source.form.keys
    span = JsonPlaces(text).value(source.form.keys)
    if span is None:
        return with_member(text, key, expected, source.display_path)
    indent = _INDENT.search(text)
    if indent is None:
        value = json.dumps(expected, ensure_ascii=False)
    else:
        inner = indent[2].decode()
        value = json.dumps(expected, indent=inner, ensure_ascii=False).replace("\n", f"\n{inner}")
    return _replaced(text, span, value.encode().replace(b"\n", line_end(text)))


def _in_toml(
    text: bytes,
    present: Mapping[str, object] | None,
    ignores: Mapping[str, Sequence[str]],
    reason: str,
    source: Source,
) -> bytes:
    """Returns the text of a TOML file with new values of entries, and with further entries."""
    table = (*source.form.keys, KEY)
    if present is None:
        return with_table(text, f"[{'.'.join(table)}]\n{_entries(ignores, reason)}")
    added = {name: rules for name, rules in ignores.items() if name not in present}
    places = source.form.places(text)
    edits = [
        (span, toml_value(rules).encode())
        for name, rules in ignores.items()
        if name in present and (span := places.value((*table, name))) is not None
    ]
    if added:
        edits.append(_addition(text, places, table, present, added, reason))
    for span, new in sorted(edits, reverse=True):
        text = _replaced(text, span, new)
    return text


def _addition(
    text: bytes,
    places: Places,
    table: tuple[str, ...],
    present: Mapping[str, object],
    added: Mapping[str, Sequence[str]],
    reason: str,
) -> tuple[ByteSpan, bytes]:
    """Returns the place of further entries of an existing table, and their text."""
    start, end = places.value(table) or (0, 0)
    values = [span[1] for name in present if (span := places.value((*table, name))) is not None]
    if text[start : start + 1] == b"{":
        place = max(values, default=start + 1)
        entries = ", ".join(f"{toml_key(name)} = {toml_value(rules)}" for name, rules in added.items())
        return (place, place), (f", {entries}" if values else entries).encode()
    is_table = _HEAD.match(text, end) is not None
    found = _REST_OF_LINE.match(text, max(values, default=end)) if is_table else None
    place = len(text) if found is None else found.end()
    new_line = line_end(text)
    gap = b"" if text[:place].endswith((b"\n", b"\r")) else new_line
    return (place, place), gap + _entries(added, reason).encode().replace(b"\n", new_line)


def _entries(added: Mapping[str, Sequence[str]], reason: str) -> str:
    lines = (f"{toml_key(name)} = {toml_value(rules)}\n" for name, rules in added.items())
    return f"# {reason}\n{''.join(lines)}"


def _replaced(text: bytes, span: ByteSpan, new: bytes) -> bytes:
    return text[: span[0]] + new + text[span[1] :]
