"""Inserts a configuration into a file that has other content."""

from __future__ import annotations

import json
from typing import Any

from extlint.package.files import UnreadableError
from extlint.text.json.reader import read_json
from extlint.text.patterns import lazy

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
