"""Serializes facts as JSON with readable diffs, and the same bytes for the same facts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from extlint_facts.ordering import Node, ordered
from extlint_facts.permission_index import members_by_permission

WIDTH = 160
"""The width in characters beyond which a value is written with one line for each of its parts."""


def to_text(document: Any) -> str:
    """Returns the text of a JSON document, ending with a line break."""
    return _layout(document, "") + "\n"


def _layout(value: Any, indent: str) -> str:
    whole = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if len(indent) + len(whole) <= WIDTH or not isinstance(value, dict | list) or not value:
        return whole
    inner = indent + " "
    if isinstance(value, list):
        parts: Iterable[str] = (_layout(each, inner) for each in value)
        opening, closing = "[", "]"
    else:
        parts = (f"{json.dumps(key, ensure_ascii=False)}:{_layout(value[key], inner)}" for key in value)
        opening, closing = "{", "}"
    return f"{opening}\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}{closing}"


def namespace_files(
    folder: str,
    namespaces: Iterable[Node],
    index: Mapping[str, Any],
) -> dict[str, str]:
    """Returns the files of one browser, by their paths in the schemas package.

    There is one for each top-level namespace, with the nested ones in it, and `index.json`, which lists
    the file of each namespace, the members that require each permission, and the entries of `index`.
    """
    grouped: dict[str, list[Node]] = {}
    listed = sorted(namespaces, key=lambda each: str(each["namespace"]))
    for namespace in listed:
        top = namespace["namespace"].partition(".")[0]
        grouped.setdefault(f"{top}.json", []).append(ordered(namespace))
    places = {each["namespace"]: name for name, group in grouped.items() for each in group}
    files = {f"{folder}/{name}": to_text({"namespaces": group}) for name, group in grouped.items()}
    files[f"{folder}/index.json"] = to_text(
        {
            "namespaces": places,
            "needing": members_by_permission(listed),
            **index,
        }
    )
    return files
