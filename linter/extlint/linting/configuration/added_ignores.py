"""Adds entries of `per-file-ignores` to a configuration, and preserves the rest of its text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from extlint.linting.configuration.insertion import line_end, with_member, with_table
from extlint.linting.configuration.source import Places, Source
from extlint.linting.configuration.toml_text import toml_key, toml_value
from extlint.package.files import UnreadableError
from extlint.text.json.positions import JsonPlaces
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

KEY = "per-file-ignores"

_HEAD = lazy(rb"[ \t]*\][^\r\n]*")
_REST_OF_LINE = lazy(rb"[^\r\n]*(?:\r\n|\n|\r)?")
_INDENT = lazy(rb"\A\s*\{[ \t]*(?:\r\n|\n|\r)([ \t]+)\"")
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
        inner = indent[1].decode()
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
