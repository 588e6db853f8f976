"""What real objects have that no package says: `objects.json`, which `extlint_judge objects` writes.

Firefox checks nothing that it gives to scripts against its schemas, so what was never seen there may have
fields that these lack. Chromium makes its objects from the same files as its documentation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from extlint_facts.corrections.rows import StaleCorrectionError
from extlint_facts.ordering import Node
from extlint_facts.results import ResultTypes
from extlint_facts.serialization import to_text

FILE = Path(__file__).with_name("objects.json")

UNCHECKED = frozenset({"firefox"})
"""The browsers whose results nothing checks."""


class RecordedObjects(Struct, frozen=True, forbid_unknown_fields=True):
    """What was seen in one browser: `seen` are the addresses of types of which there was an object.

    `fields` are those that objects had beyond the facts, by the addresses of the types: `tabs.Tab`,
    `menus.onShown.info`. `command` asks the browser again.
    """

    browser: str
    version: str
    command: str
    seen: list[str] = []
    fields: dict[str, dict[str, Node]] = {}

    def source(self) -> dict[str, str]:
        """What a file of facts says of where it is from."""
        return {"browser": self.browser, "version": self.version}


def load(path: Path = FILE) -> list[RecordedObjects]:
    """What was seen, a row for each browser."""
    return msgspec.json.decode(path.read_bytes(), type=list[RecordedObjects])


def write(found: Iterable[RecordedObjects], path: Path = FILE) -> None:
    """Writes what was seen, in one order."""
    listed = [msgspec.to_builtins(each) for each in sorted(found, key=lambda each: each.browser)]
    path.write_text(to_text(listed), encoding="utf-8")


def merged(
    row: RecordedObjects, seen: Iterable[str], fields: Mapping[str, Mapping[str, Node]]
) -> RecordedObjects:
    """A row with more that was seen. What stands there already stays as it is."""
    every = {
        at: dict(sorted({**fields.get(at, {}), **row.fields.get(at, {})}.items()))
        for at in sorted({*fields, *row.fields})
    }
    return msgspec.structs.replace(row, seen=sorted({*row.seen, *seen}), fields=every)


def complete_results(namespaces: Iterable[Node], browser: str, found: Iterable[RecordedObjects]) -> None:
    """Gives objects the fields that were seen, and marks those that may have more.

    Raises StaleCorrectionError for what is not needed any more.
    """
    objects = ResultTypes(namespaces).objects()
    mine = [row for row in found if row.browser == browser]
    for row in mine:
        for at in {*row.seen, *row.fields} - objects.keys():
            raise StaleCorrectionError(f"recorded/objects.json: nothing in {browser} gives a {at}")
        for at, fields in row.fields.items():
            for node in objects[at]:
                if known := sorted(fields.keys() & node["properties"].keys()):
                    raise StaleCorrectionError(
                        f"recorded/objects.json: {at} in {browser} has {', '.join(known)} without it"
                    )
                node["properties"] = node["properties"] | fields
    if browser in UNCHECKED:
        for at in objects.keys() - {at for row in mine for at in row.seen}:
            for node in objects[at]:
                node["unseen"] = True
