"""Compares the constants of enumerations that a browser showed with the values that the facts have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from differences import Compared, Difference
from extlint.schema.model import SchemaSet
from extlint.schema.types import ChoicesType, StringType, Type
from record import Record

ENUM = "enum:"

_HUMP = re.compile(r"([a-z])([A-Z])")
_NO_LETTER = re.compile(r"[^A-Z0-9.]")


def compared(record: Record, schemas: SchemaSet) -> Compared:
    """Each constant, once for each manifest version in which the browser showed the enumeration."""
    result = Compared(0, [])
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
        facts = frozenset(constant(value, record.browser) for value in _values(kind, version))
        result.number += len(browser | facts)
        for each in sorted(browser ^ facts):
            says = ("there", "absent") if each in browser else ("absent", "there")
            where = f"manifest version {version}"
            result.different.append(Difference(f"{path}.{each}", where, *says))
    return result


def constant(value: str, browser: str) -> str:
    """The name of the constant for a value: `in_progress` or `inProgress` is `IN_PROGRESS` in Chromium."""
    if browser == "firefox":
        return value.upper()
    return _NO_LETTER.sub("_", _HUMP.sub(r"\1_\2", value).upper())


def _version(manifest: dict[str, object]) -> int:
    return 3 if manifest.get("manifest_version") == 3 else 2


def _values(kind: Type, version: int) -> Iterator[str]:
    if isinstance(kind, StringType):
        yield from kind.enum or ()
    elif isinstance(kind, ChoicesType):
        for choice in kind.choices:
            if version in choice.versions:
                yield from _values(choice.type, version)
