"""The schema of an edition of a browser, as a patch of that browser's schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from extlint_facts.manifests.json_schema import Json
from extlint_schemas.merge_patch import merge_patch


def edition(name: str, base: Json, schema: Json) -> Json:
    """Returns the stored form of a schema: its base's name, and a JSON Merge Patch if they differ.

    `name` is the name of the base. An edition has no title of its own. Raises ValueError if no patch converts
    the schema of its base.
    """
    titled = {**schema, "title": base["title"]}
    patch = patch_between(base, titled)
    return {"$comment": schema["$comment"], "base": name, **({"patch": patch} if patch else {})}


def patch_between(before: Json, after: Json) -> Json:
    """Returns the JSON Merge Patch (RFC 7396) that turns one JSON object into another.

    Raises ValueError if none exists: a patch cannot set a value to null, or change the order of keys.
    """
    patch = _differences(before, after)
    if json.dumps(merge_patch(before, patch)) != json.dumps(after):
        raise ValueError("no JSON Merge Patch makes one of the other")
    return patch


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Json:
    patch: Json = {key: None for key in before if key not in after}
    for key, value in after.items():
        if key not in before:
            patch[key] = value
        elif isinstance(value, dict) and isinstance(before[key], dict):
            patch |= {key: inner} if (inner := _differences(before[key], value)) else {}
        elif value != before[key]:
            patch[key] = value
    return patch
