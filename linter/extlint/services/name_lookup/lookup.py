"""Looks up a name in the APIs, manifests and permissions of targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from extlint.linting.configuration.usage_error import UsageError
from extlint_schemas import TARGETS

if TYPE_CHECKING:
    from extlint.schema.model import SchemaSet, UserSchemas
    from extlint.services.api_lookup.entry import Entry
    from extlint.services.api_lookup.manifest_keys import ManifestKey
    from extlint.services.permissions.lookup import KnownPermission

REFERENCE, *BROWSERS = TARGETS
DEFAULT_EDITOR_TARGETS = ("chrome", "firefox")
"""The targets of a JSON Schema for editors if none is named."""


class LookupResult(Struct, frozen=True):
    """The meanings of a name: members and types of the API, a key of the manifest, a permission."""

    entries: tuple[Entry, ...]
    key: ManifestKey | None
    permission: KnownPermission | None


def all_namespaces(schema_sets: Sequence[SchemaSet]) -> LookupResult:
    """Returns the namespaces of all targets."""
    from extlint.services.api_lookup.lookup import namespace_entries

    return LookupResult(tuple(entry for each in schema_sets for entry in namespace_entries(each)), None, None)


def find_name(
    schema_sets: Sequence[SchemaSet], targets: Sequence[str], added: UserSchemas, name: str
) -> LookupResult:
    """Returns the meanings of a name. Raises UsageError, with similar names, if it has none."""
    from extlint.schema.targets.request import BROWSERS as WITH_FACTS
    from extlint.schema.targets.target import beyond_reference
    from extlint.services.api_lookup.lookup import find_entries
    from extlint.services.api_lookup.manifest_keys import find_key, known_keys
    from extlint.services.permissions.lookup import find_permission

    browsers = [each for each in targets or BROWSERS if each != REFERENCE]
    key, permission = find_key(name, browsers), find_permission(name, browsers)
    other_sets = (
        [beyond_reference(each, added) for each in WITH_FACTS] if schema_sets[0].is_specification else []
    )
    entries = tuple(entry for each in schema_sets for entry in find_entries(each, name))
    entries = entries or tuple(entry for each in other_sets for entry in find_entries(each, name))
    if not entries and key is None and permission is None:
        from extlint.services.api_lookup.unknown import unknown_name
        from extlint.services.permissions.lookup import known_permissions

        keys = (*known_keys(browsers), *known_permissions(browsers))
        raise UsageError(unknown_name(schema_sets[0], (*schema_sets[1:], *other_sets), name, keys))
    return LookupResult(entries, key, permission)


def result_as_json(schema_sets: Sequence[SchemaSet], found: LookupResult) -> str:
    """Returns the JSON of `extlint schema`."""
    import json

    from msgspec import to_builtins

    answer = {
        "version": 1,
        "target": schema_sets[0].target,
        "targets": [each.target for each in schema_sets],
        "entries": to_builtins(found.entries),
        "manifest_key": to_builtins(found.key),
        "permission": to_builtins(found.permission),
    }
    return json.dumps(answer, indent=2) + "\n"
