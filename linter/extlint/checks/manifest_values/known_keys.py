"""The targets that know a key of the manifest, or a permission."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from extlint.checks.manifest_values.browser_view import VERSIONS
from extlint.manifest.manifest import PERMISSIONS
from extlint.schema.targets.request import CHROME, EDGE, FIREFOX, FIREFOX_ANDROID, SAFARI
from extlint.schema.validation.mistake import Steps
from extlint.schema.validation.schema_keys import Schema, audience_of_key, is_known_key, subschemas
from extlint_schemas import json_schema, support

_MAX_CACHED = 4096
APPS = "Chrome apps"
"""The only packages for which some keys and permissions of Chrome exist."""

TARGETS = (FIREFOX, CHROME, EDGE, SAFARI, FIREFOX_ANDROID)
"""The targets with a manifest of their own, the best known first."""


@lru_cache(_MAX_CACHED)
def targets_with_key(steps: Steps) -> tuple[str, ...]:
    """Returns the targets that know the key at the end of a path, in any manifest version."""
    return tuple(
        target
        for target in TARGETS
        if any(is_known_key(json_schema(f"manifests/{target}_{version}"), steps) for version in VERSIONS)
    )


def confirmed_targets_with_key(steps: Sequence[str | int], targets: Sequence[str]) -> list[str]:
    """Returns those of some targets that have a key according to their own facts or public data.

    Safari's schema has all keys of Chrome that browser-compat-data does not deny, so they are not reported.
    A key that browser-compat-data does not list is like the key that contains it.
    """
    names = [each for each in steps if isinstance(each, str)]
    paths = (".".join(names[:length]) for length in range(len(names), 0, -1))
    data = next((found for each in paths if (found := support("manifest").get(each))), {})
    return [each for each in targets if each != SAFARI or isinstance(data.get(SAFARI), list)]


def audience_in_every_target(steps: Steps, targets: Sequence[str]) -> str | None:
    """Returns the only packages (`Chrome apps`) that may have a key in all of some targets, or None."""
    schemas = [json_schema(f"manifests/{each}_{VERSIONS[-1]}") for each in targets if each in TARGETS]
    found = {audience_of_key(schema, steps) for schema in schemas}
    return found.pop() if len(found) == 1 else None


@lru_cache(_MAX_CACHED)
def targets_with_permission(permission: str, key: str) -> tuple[str, ...]:
    """Returns the targets whose list under a key accepts a permission, in any manifest version."""
    return tuple(
        target
        for target in TARGETS
        if any(permission in permissions_of(f"manifests/{target}_{version}", key) for version in VERSIONS)
    )


@cache
def all_permissions() -> frozenset[str]:
    """Returns the permissions that any target knows, in any manifest version and kind of program."""
    return frozenset(
        text
        for target in TARGETS
        for version in VERSIONS
        for key in PERMISSIONS
        for choice in _choices(f"manifests/{target}_{version}", key)
        for text in choice.get("enum", ())
    )


def permissions_of(name: str, key: str) -> frozenset[str]:
    """Returns the permissions that the list under a key accepts in a schema: `manifests/chrome_3`."""
    choices = (each for each in _choices(name, key) if "x-only-in" not in each and not _is_for_apps(each))
    return frozenset(text for choice in choices for text in choice.get("enum", ()))


def is_permission_of_apps(permission: str) -> bool:
    """Whether a permission exists only for Chrome apps, and so for no extension."""
    return any(
        permission in choice.get("enum", ())
        for choice in _choices(f"manifests/{CHROME}_{VERSIONS[-1]}", "permissions")
        if _is_for_apps(choice)
    )


def _is_for_apps(choice: Schema) -> bool:
    return choice.get("x-only-for") == APPS


def _choices(name: str, key: str) -> Iterator[Schema]:
    schema = json_schema(name)
    for each in subschemas(schema, schema, key):
        for item in subschemas(schema, each, 0):
            yield from item.get("anyOf", ())
