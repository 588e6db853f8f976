"""The undocumented fields of real objects: `objects.json`, which `extlint_judge objects` writes.

Firefox does not check the values that it passes to scripts against its schemas, so objects that were never
observed there may have more fields. Chromium generates its objects from the same files as its documentation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from extlint_facts.corrections.rows import report_stale
from extlint_facts.ordering import Node
from extlint_facts.results import ResultTypes
from extlint_facts.serialization import to_text

FILE = Path(__file__).with_name("objects.json")

UNCHECKED = frozenset({"firefox"})
"""The browsers that do not check their results."""


class RecordedObjects(Struct, frozen=True, forbid_unknown_fields=True):
    """The observations of one browser: `seen` has the addresses of the types that were observed.

    `fields` are the fields that objects had beyond the facts, by the addresses of the types: `tabs.Tab`,
    `menus.onShown.info`. `command` repeats the observation.
    """

    browser: str
    version: str
    command: str
    seen: list[str] = []
    fields: dict[str, dict[str, Node]] = {}

    def source(self) -> dict[str, str]:
        """Returns the source that a file of facts names."""
        return {"browser": self.browser, "version": self.version}


def load(path: Path = FILE) -> list[RecordedObjects]:
    """Returns the observations, one row for each browser."""
    return msgspec.json.decode(path.read_bytes(), type=list[RecordedObjects])


def write(found: Iterable[RecordedObjects], path: Path = FILE) -> None:
    """Writes the observations, in canonical order."""
    listed = [msgspec.to_builtins(each) for each in sorted(found, key=lambda each: each.browser)]
    path.write_text(to_text(listed), encoding="utf-8")


def merge(
    row: RecordedObjects, seen: Iterable[str], fields: Mapping[str, Mapping[str, Node]]
) -> RecordedObjects:
    """Returns a row with further observations added. Existing entries do not change."""
    every = {
        at: dict(sorted({**fields.get(at, {}), **row.fields.get(at, {})}.items()))
        for at in sorted({*fields, *row.fields})
    }
    return msgspec.structs.replace(row, seen=sorted({*row.seen, *seen}), fields=every)


def complete_results(namespaces: Iterable[Node], browser: str, found: Iterable[RecordedObjects]) -> None:
    """Adds the observed fields to objects, and marks those that may have more.

    Raises StaleCorrectionError for an observation that is no longer required.
    """
    objects = ResultTypes(namespaces).objects()
    mine = [row for row in found if row.browser == browser]
    for row in mine:
        for at in sorted({*row.seen, *row.fields} - objects.keys()):
            report_stale(f"recorded/objects.json: nothing in {browser} gives a {at}")
        for at, fields in row.fields.items():
            for node in objects.get(at, ()):
                if known := sorted(fields.keys() & node["properties"].keys()):
                    report_stale(
                        f"recorded/objects.json: {at} in {browser} has {', '.join(known)} without it"
                    )
                node["properties"] = node["properties"] | fields
    if browser in UNCHECKED:
        for at in objects.keys() - {at for row in mine for at in row.seen}:
            for node in objects[at]:
                node["unseen"] = True
