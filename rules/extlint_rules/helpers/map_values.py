"""Finds fields that are read from an object with a value for each key, and that only its values have.

    storage.onChanged.addListener((changes) => show(changes.newValue));

The listener gets an object with a change for each key: `changes.color.newValue`.
"""

from __future__ import annotations

from msgspec.structs import replace

from extlint.analysis.facts.script_facts import FieldRead
from extlint.analysis.facts.values import OBJECT_MEMBERS
from extlint.checks.calls.types import fields_of, is_map, possible_types
from extlint.extension import Extension
from extlint.schema.types import NullType, ObjectType

_ANY_KEY = "key"


def is_field_of_values(extension: Extension, read: FieldRead) -> bool:
    """Whether an object has nothing but a value for each key, and each value has the field that is read."""
    types = [each for each in possible_types(extension, read.of) if not isinstance(each.type, NullType)]
    if not types or read.name in OBJECT_MEMBERS:
        return False
    if not all(isinstance(each.type, ObjectType) and is_map(each.type, _ANY_KEY) for each in types):
        return False
    values = possible_types(extension, replace(read.of, steps=(*read.of.steps, _ANY_KEY)))
    return bool(values) and all(
        isinstance(each.type, ObjectType) and read.name in (fields_of(extension, each) or ())
        for each in values
    )
