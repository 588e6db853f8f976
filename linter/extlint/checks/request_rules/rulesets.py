"""Finds the mistakes about rule files in a manifest whose keys are valid individually."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from extlint.manifest.manifest import PERMISSIONS
from extlint.schema.validation.mistake import Mistake
from extlint.text.json.values import JsonValue
from extlint.text.nearest import nearest
from extlint.text.wording import listed, quoted

MAX_ENABLED = 50
"""Rule files that can be enabled initially. Verified in Firefox 153 and Chromium 156."""

_MAX_NAMES = 1_000
"""Keys, and permissions, that are compared with the correct names."""

_KEY = "declarative_net_request"
_PERMISSIONS = ("declarativeNetRequest", "declarativeNetRequestWithHostAccess")


def ruleset_mistakes(manifest: Mapping[str, JsonValue]) -> Iterator[Mistake]:
    """Yields the mistakes in `declarative_net_request` for Firefox and Chrome, as verified in both."""
    key = manifest.get(_KEY)
    listed_files = key.get("rule_resources") if isinstance(key, dict) else None
    if not isinstance(listed_files, list) or not listed_files:
        return
    if not any(each in _requested(manifest) for each in _PERMISSIONS) and not _is_misspelled(manifest):
        names = listed([quoted(each) for each in _PERMISSIONS], "or")
        yield Mistake(
            "missing-permission",
            (_KEY,),
            f"{quoted(_KEY)} requires one of the permissions {names}, and the manifest requests neither",
            at_key=True,
            help=f'add "{_PERMISSIONS[0]}" to "permissions"',
        )
    firsts: dict[str, int] = {}
    enabled = 0
    for index, each in enumerate(listed_files):
        if not isinstance(each, dict):
            continue
        steps = (_KEY, "rule_resources", index)
        name = each.get("id")
        if isinstance(name, str) and (first := firsts.setdefault(name, index)) != index:
            message = f"an earlier rule file also has the id {quoted(name)}"
            related_steps = (_KEY, "rule_resources", first, "id")
            yield Mistake("invalid-value", (*steps, "id"), message, related_steps=related_steps)
        enabled += each.get("enabled") is True
        if each.get("enabled") is True and enabled == MAX_ENABLED + 1:
            message = f"browsers enable at most {MAX_ENABLED} rule files"
            yield Mistake("invalid-value", (*steps, "enabled"), message)


def _requested(manifest: Mapping[str, JsonValue]) -> Iterator[JsonValue]:
    for key in PERMISSIONS:
        found = manifest.get(key)
        yield from found if isinstance(found, list) else ()


def _is_misspelled(manifest: Mapping[str, JsonValue]) -> bool:
    """Whether the permission, or the list of permissions, has a misspelled name, which other rules report."""
    if "permissions" not in manifest and any(
        nearest(key, PERMISSIONS) for key in islice(manifest, _MAX_NAMES)
    ):
        return True
    names = (each for each in _requested(manifest) if isinstance(each, str))
    return any(nearest(name, _PERMISSIONS) is not None for name in islice(names, _MAX_NAMES))
