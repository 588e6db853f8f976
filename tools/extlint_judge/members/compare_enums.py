"""Compares the constants of a browser's enumerations with the values in the facts."""

from __future__ import annotations

from extlint.checks.api.schema_path import constants
from extlint.schema.model import SchemaSet
from extlint_judge.browsers.processes import ENGINES
from extlint_judge.differences import Comparison, Difference
from extlint_judge.members.record import Record

ENUM = "enum:"


def compare(record: Record, schemas: SchemaSet) -> Comparison:
    """Compares each constant, once for each manifest version in which the browser showed the enumeration."""
    result = Comparison(0, [])
    shown = {
        (path, _version(place.manifest), kind.removeprefix(ENUM))
        for place in record.places
        for path, kind in place.members.items()
        if kind.startswith(ENUM)
    }
    for path, version, names in sorted(shown):
        namespace, _, name = path.rpartition(".")
        owner = schemas.namespace(namespace) if namespace else None
        kind = None if owner is None else owner.type(name)
        if kind is None:
            continue
        browser = frozenset(names.split("|"))
        facts = frozenset(constants(kind, ENGINES[record.browser], version))
        result.number += len(browser | facts)
        for each in sorted(browser ^ facts):
            presence = ("there", "absent") if each in browser else ("absent", "there")
            where = f"manifest version {version}"
            result.different.append(Difference(f"{path}.{each}", where, *presence))
    return result


def _version(manifest: dict[str, object]) -> int:
    return 3 if manifest.get("manifest_version") == 3 else 2
