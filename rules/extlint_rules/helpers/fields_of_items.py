"""Finds fields that a script reads from an API array, although they belong to its items."""

from __future__ import annotations

from msgspec.structs import replace

from extlint.analysis.facts.script_facts import FieldRead
from extlint.checks.calls.types import ARRAY_MEMBERS, ITEM, PossibleType, fields_of, possible_types
from extlint.extension import Extension
from extlint.schema.types import ArrayType, NullType


def item_types_of(extension: Extension, read: FieldRead) -> tuple[PossibleType, ...]:
    """Returns the types of the items if the value certainly is an array, and every item may have the field.

    Empty otherwise. A result that is an array in one browser may be an object in another.
    """
    types = [each for each in possible_types(extension, read.of) if not isinstance(each.type, NullType)]
    if not types or read.name in ARRAY_MEMBERS or not all(isinstance(each.type, ArrayType) for each in types):
        return ()
    items = possible_types(extension, replace(read.of, steps=(*read.of.steps, ITEM)))
    return items if items and all(read.name in (fields_of(extension, each) or ()) for each in items) else ()
