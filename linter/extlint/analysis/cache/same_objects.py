"""Results that are reused from one check to the next for the same objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from extlint.analysis.cache.store import ObjectStore, Store

BYTES_OF_RESULT = 1_000
"""The assumed size of a result, which is not encoded."""

ResultT = TypeVar("ResultT")


def get_or_compute_for_objects(
    store: Store | None, key: Sequence[str], inputs: tuple[object, ...], compute: Callable[[], ResultT]
) -> ResultT:
    """Returns the result of `compute`, which may depend only on `key` and `inputs`.

    It is stored only in memory, and reused for the same inputs: strings and numbers may be equal, anything
    else has to be the same object. Results about scripts remain the same objects while scripts are unchanged.
    """
    if not isinstance(store, ObjectStore):
        return compute()
    place = "\0".join(key).encode("utf-8", "surrogatepass")
    known: tuple[tuple[object, ...], ResultT] | None = store.get_object(place)
    if known is not None and len(known[0]) == len(inputs) and all(map(_is_same, known[0], inputs)):
        return known[1]
    found = compute()
    store.put_object(place, (inputs, found), BYTES_OF_RESULT)
    return found


def _is_same(one: object, other: object) -> bool:
    return one is other or (type(one) is type(other) and isinstance(one, str | int) and one == other)
