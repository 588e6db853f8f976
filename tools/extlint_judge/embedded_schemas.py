"""Reads the schemas by which Chromium itself checks arguments, from its executable.

They are embedded as JSON texts, one for each namespace, including undocumented parts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.json import decode, encode

from extlint_judge.browsers.chromium import chromium
from extlint_judge.browsers.processes import BrowserError

Node: TypeAlias = dict[str, Any]

_DOCUMENT = re.compile(rb'\{"[^\0]{0,200}?"?namespace":"[^\0]*')
_PLAIN = (
    *("name", "id", "type", "$ref", "optional", "isInstanceOf", "serializableFunction", "preserveNull"),
    *("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"),
)
_NODES = ("items", "additionalProperties", "returns", "returns_async")
_LISTS = ("choices", "parameters", "extraParameters", "filters", "functions", "events")
_PARTS = ("types", "functions", "events")


class EmbeddedSchemas(Struct, frozen=True):
    """The namespaces of one browser's own schemas: names, types and numbers, without descriptions."""

    browser: str
    version: str
    namespaces: tuple[Node, ...]


def embedded_schemas_of(
    command: str, version: str, requested: frozenset[str], folder: Path
) -> EmbeddedSchemas:
    """Returns the wanted namespaces that Chromium has. Raises BrowserError."""
    found = find_namespaces(executable(command, folder).read_bytes())
    return EmbeddedSchemas(
        "chromium", version, tuple(found[name] for name in sorted(requested & found.keys()))
    )


def executable(command: str, folder: Path) -> Path:
    """Returns the file of the running program, which Debian's command starts by a script.

    Raises BrowserError.
    """
    with chromium(command, folder) as connection:
        line: str = connection.send("SystemInfo.getInfo")["commandLine"]
    path = Path(line.partition(" --")[0])
    if not path.is_file():
        raise BrowserError(f"{path} is not the file of Chromium")
    return path


def find_namespaces(data: bytes) -> dict[str, Node]:
    """Returns the namespaces in an executable, by name. Raises BrowserError if it contains none."""
    found: dict[str, Node] = {}
    for match in _DOCUMENT.finditer(data):
        try:
            document = json.loads(match.group())
        except ValueError:
            continue
        found[document["namespace"]] = _namespace(document)
    if not found:
        raise BrowserError("the executable has no schemas")
    return found


def _namespace(document: Mapping[str, Any]) -> Node:
    parts = {key: [_node(each) for each in document.get(key) or ()] for key in _PARTS}
    return {"namespace": document["namespace"], **{key: each for key, each in parts.items() if each}}


def _node(node: Mapping[str, Any]) -> Node:
    found = {key: node[key] for key in _PLAIN if key in node}
    if "enum" in node:
        found["enum"] = [each["name"] if isinstance(each, dict) else each for each in node["enum"]]
    found |= {key: _node(node[key]) for key in _NODES if isinstance(node.get(key), dict)}
    found |= {key: [_node(each) for each in node[key]] for key in _LISTS if key in node}
    if "properties" in node:
        found["properties"] = {name: _property(each) for name, each in node["properties"].items()}
    return found


def _property(node: Mapping[str, Any]) -> Node:
    return {key: each for key, each in _node(node).items() if key != "name"}


def to_text(schemas: EmbeddedSchemas) -> str:
    """Returns a JSON document with a line for each type, function and event."""
    head = f'{{"browser": "{schemas.browser}", "version": "{schemas.version}", "namespaces": ['
    return "\n".join((head, ",\n".join(map(_namespace_text, schemas.namespaces)), "]}", ""))


def _namespace_text(namespace: Node) -> str:
    lists = [
        f'"{key}": [\n' + ",\n".join(encode(each).decode() for each in namespace[key]) + "\n]"
        for key in _PARTS
        if key in namespace
    ]
    return "{" + ", ".join((f'"namespace": "{namespace["namespace"]}"', *lists)) + "}"


def read(path: Path) -> EmbeddedSchemas:
    """Returns the schemas that `to_text` wrote. Raises msgspec.ValidationError for an invalid file."""
    return decode(path.read_bytes(), type=EmbeddedSchemas)


def differences(before: EmbeddedSchemas, after: EmbeddedSchemas) -> Iterator[str]:
    """Yields a line for each added, removed or changed part, by path."""
    old, new = _by_path(before), _by_path(after)
    for path in sorted({*old, *new}):
        if path not in new:
            yield f"{path} is gone"
        elif path not in old:
            yield f"{path} is new"
        elif old[path] != new[path]:
            yield f"{path} is another: {encode(old[path]).decode()}, now {encode(new[path]).decode()}"


def _by_path(schemas: EmbeddedSchemas) -> dict[str, Node]:
    return {
        f"{namespace['namespace']} {key} {each.get('id') or each['name']}": each
        for namespace in schemas.namespaces
        for key in _PARTS
        for each in namespace.get(key, ())
    }
