"""Which targets know a key of the manifest, or a permission."""

from __future__ import annotations

from functools import lru_cache

from extlint.validation.mistake import Steps
from extlint.validation.schema_keys import below, knows
from extlint_schemas import json_schema

VERSIONS = (2, 3)
_KEPT = 4096
TARGETS = ("firefox", "chrome", "edge", "safari", "firefox_android")
"""The targets with a manifest of their own, the best known first."""


@lru_cache(_KEPT)
def knowing(steps: Steps) -> tuple[str, ...]:
    """The targets that know the key at the end of a path, in any manifest version."""
    return tuple(
        target
        for target in TARGETS
        if any(knows(json_schema(f"manifests/{target}_{version}"), steps) for version in VERSIONS)
    )


@lru_cache(_KEPT)
def having(permission: str, key: str) -> tuple[str, ...]:
    """The targets whose list of permissions under a key takes a permission, in any manifest version."""
    return tuple(
        target
        for target in TARGETS
        if any(permission in _listed(f"manifests/{target}_{version}", key) for version in VERSIONS)
    )


def _listed(name: str, key: str) -> frozenset[str]:
    """The permissions that a schema's list under a key takes."""
    schema = json_schema(name)
    lists = below(schema, schema, key)
    items = (item for each in lists for item in below(schema, each, 0))
    choices = (choice for item in items for choice in item.get("anyOf", ()))
    return frozenset(text for choice in choices for text in choice.get("enum", ()))
