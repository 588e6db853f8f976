"""Converts mistakes that browsers find in a Thunderbird add-on's manifest to those that are reported.

Thunderbird reads the same keys as Firefox, and has keys, permissions and values of its own, whose names are
known in some versions. So only near misses are reported among names that browsers do not know.
"""

from __future__ import annotations

from msgspec.structs import replace

from extlint.manifest import thunderbird_keys
from extlint.manifest.manifest import PERMISSIONS, Manifest
from extlint.schema.validation.mistake import Mistake, Steps
from extlint.text.nearest import nearest
from extlint.text.wording import quoted, unknown_key_message
from extlint_schemas import thunderbird_names

_OWN_VALUES = ("default_area",)
"""Keys that Firefox also has, with different values."""


def mistake_in_thunderbird(manifest: Manifest, mistake: Mistake) -> Mistake | None:
    """Returns a mistake as it applies to Thunderbird, or None if it may not apply."""
    steps = mistake.steps
    if not steps:
        return mistake
    if mistake.rule == "unknown-key":
        return _unknown_key(mistake)
    if mistake.rule == "unknown-permission":
        return _unknown_permission(manifest, mistake)
    if steps[0] in thunderbird_keys.KEYS or steps[0] == "theme" or steps[-1] in _OWN_VALUES:
        return None
    if steps[0] in PERMISSIONS and _permission(manifest, steps) in _permissions():
        return None
    return mistake


def _unknown_key(mistake: Mistake) -> Mistake | None:
    top, *inner = map(str, mistake.steps)
    if top in thunderbird_keys.KEYS or (inner and top == "theme"):
        return None
    if inner and (len(inner) > 1 or top not in thunderbird_keys.INNER_KEYS):
        return mistake
    names = thunderbird_names().keys
    key, where = (inner[0], quoted(top)) if inner else (top, "the manifest")
    known = names[top] if inner else names[""] | thunderbird_keys.KEYS
    meant = None if key in known else nearest(key, known)
    return None if meant is None else _reworded(mistake, unknown_key_message(key, where), meant)


def _unknown_permission(manifest: Manifest, mistake: Mistake) -> Mistake | None:
    text = _permission(manifest, mistake.steps)
    meant = None if text is None or text in _permissions() else nearest(text, _permissions())
    return None if meant is None else _reworded(mistake, f"unknown permission {quoted(str(text))}", meant)


def _reworded(mistake: Mistake, message: str, meant: str) -> Mistake:
    return replace(mistake.reworded(message, general=message), suggestion=meant, replacement=None, help=None)


def _permission(manifest: Manifest, steps: Steps) -> str | None:
    node = manifest.get(*steps)
    return node.value if node is not None and isinstance(node.value, str) else None


def _permissions() -> frozenset[str]:
    return thunderbird_names().permissions | thunderbird_keys.PERMISSIONS
