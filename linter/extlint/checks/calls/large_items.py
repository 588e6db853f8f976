"""Finds items that are certainly too large for the synchronized storage.

Chromium 156 and Firefox 153 refuse an item whose key and JSON text have more than 8,192 bytes together.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.values import ArrayValue, Kind, Literal, ObjectValue, Value, options_of
from extlint.schema.matching.call import CallProblem
from extlint.text.wording import quoted

MAX_ITEM_BYTES = 8192
"""The length of the key and the JSON text of an item above which `storage.sync` refuses it."""


def large_items(argument: Value) -> Iterator[CallProblem]:
    """Yields the items in an object that are certainly larger than `storage.sync` accepts."""
    fields = argument.fields if isinstance(argument, ObjectValue) else {}
    for key, field in fields.items():
        size = len(key) + _min_size(field.value)
        if size > MAX_ITEM_BYTES and not field.maybe_absent:
            yield CallProblem(
                "invalid-argument",
                field.value.span,
                f"{quoted(key)} has more than {MAX_ITEM_BYTES:,} bytes, too many for `storage.sync`",
                "accepts only small items",
                "use `storage.local`, or several keys",
            )


def _min_size(value: Value) -> int:
    """Returns the length that the JSON text of a value has at least, in characters."""
    match value:
        case Literal(kind=Kind.STRING):
            return len(str(value.value)) + 2
        case ArrayValue(items=items):
            return sum(_min_size(each) + 1 for each in items)
        case ObjectValue(fields=fields):
            certain = ((key, each.value) for key, each in fields.items() if not each.maybe_absent)
            return sum(len(key) + 4 + _min_size(each) for key, each in certain if not _is_undefined(each))
    return 0


def _is_undefined(value: Value) -> bool:
    return any(isinstance(each, Literal) and each.kind is Kind.UNDEFINED for each in options_of(value))
