"""Manifests that try names: the permissions of every browser and the namespaces of the API, and keys.

The keys are those of every browser, and some that are comments for humans.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.checks.manifest_values.known_keys import TARGETS
from extlint.manifest import vendor_keys
from extlint.manifest.manifest import PERMISSIONS
from extlint.schema.validation.browser_differences import VERSIONS
from extlint.schema.validation.schema_path import keys_of, subschemas
from extlint_judge.manifests.probes import Json, Probe
from extlint_schemas import json_schema, known_namespaces

COMMENTS = ("$comment", "_comment", "__firefox__name", "//", "#", "x-comment")
"""Keys that people and builds add as comments."""


def name_probes(target: str, version: int) -> Iterator[Probe]:
    """Yields each browser's permissions and namespaces in both lists, and other browsers' top-level keys."""
    for key in PERMISSIONS:
        for name in sorted({*_permissions(), *known_namespaces(), *vendor_keys.PERMISSIONS}):
            yield Probe(f"{key}[]", name, {**_minimal_manifest(version), key: [name]})
    own = {*keys_of(json_schema(f"manifests/{target}_{version}"), ())}
    for key in sorted({*_keys(), *vendor_keys.KEYS} - own):
        yield Probe(key, "another browser's key", {**_minimal_manifest(version), key: {}})
    for key in COMMENTS:
        yield Probe(key, "a comment", {**_minimal_manifest(version), key: "judge"})


def _minimal_manifest(version: int) -> dict[str, Json]:
    return {"manifest_version": version, "name": "judge", "version": "1.0"}


def _permissions() -> Iterator[str]:
    for target in TARGETS:
        for version in VERSIONS:
            schema = json_schema(f"manifests/{target}_{version}")
            lists = (inner for key in PERMISSIONS for inner in subschemas(schema, schema, key))
            for item in (item for each in lists for item in subschemas(schema, each, 0)):
                yield from (name for choice in item.get("anyOf", ()) for name in choice.get("enum", ()))


def _keys() -> Iterator[str]:
    for target in TARGETS:
        for version in VERSIONS:
            yield from keys_of(json_schema(f"manifests/{target}_{version}"), ())
