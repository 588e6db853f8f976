"""JSON Merge Patch (RFC 7396): what to change in a JSON object to make another one of it."""

from __future__ import annotations

from typing import Any


def merge_patch(target: Any, patch: Any) -> Any:
    """The value that a patch makes of another one, which stays as it is.

    A null takes a key away, an object changes the value of its key in the same way, and anything else
    replaces it. The keys keep their order, and new ones come last.
    """
    if not isinstance(patch, dict):
        return patch
    made = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            made.pop(key, None)
        else:
            made[key] = merge_patch(made.get(key), value)
    return made
