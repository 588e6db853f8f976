"""The types of a browser's facts, by their full names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from extlint_facts.ordering import Node

Types = dict[str, Node]
"""Types by their full name, `extensionTypes.RunAt`. References in them are full names too."""


def types_of(files: Mapping[str, str], browser: str) -> Types:
    """Returns the types of a browser's namespaces, from the texts of its facts."""
    found: Types = {}
    for path, text in files.items():
        folder, _, name = path.partition("/")
        if folder != browser or name == "index.json":
            continue
        for namespace in json.loads(text)["namespaces"]:
            where = namespace["namespace"]
            for each in namespace.get("types", ()):
                found[f"{where}.{each['id']}"] = qualify_references(each, where)
    return found


def qualify_references(node: Any, namespace: str) -> Any:
    """Returns a node whose references include the namespace."""
    if isinstance(node, list):
        return [qualify_references(each, namespace) for each in node]
    if not isinstance(node, dict):
        return node
    changed = {key: qualify_references(value, namespace) for key, value in node.items()}
    if isinstance(node.get("$ref"), str) and "." not in node["$ref"]:
        changed["$ref"] = f"{namespace}.{node['$ref']}"
    return changed
