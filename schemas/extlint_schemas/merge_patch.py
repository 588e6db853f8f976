"""JSON Merge Patch (RFC 7396): changes that turn a JSON object into another one."""

from __future__ import annotations

from typing import Any


def merge_patch(target: Any, patch: Any) -> Any:
    """Returns a patched copy of a value.

    A null removes a key, an object changes the value of its key in the same way, and any other value
    replaces it. The keys keep their order, and new ones come last.
    """
    if not isinstance(patch, dict):
        return patch
    patched = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            patched.pop(key, None)
        else:
            patched[key] = merge_patch(patched.get(key), value)
    return patched
