"""The versions of a browser that a manifest supports."""

from __future__ import annotations

from collections.abc import Iterable

from extlint.manifest.manifest import Manifest
from extlint.schema.engine import Engine
from extlint.schema.targets.request import Target, version_of

_ANDROID = ("browser_specific_settings", "gecko_android")
_GECKO = (("browser_specific_settings", "gecko"), ("applications", "gecko"))


def with_supported_versions(target: Target, manifest: Manifest) -> Target:
    """Returns the target with the versions that the manifest states, unless the user states them.

    Firefox reads `strict_min_version` and `strict_max_version`, on Android those of `gecko_android`
    first; Chrome and Edge read `minimum_chrome_version`. In `strict_max_version` a `*` means any number.
    """
    match target.engine:
        case Engine.GECKO:
            places = (_ANDROID, *_GECKO) if target.is_for_android else _GECKO
            lowest = _stated(manifest, places, "strict_min_version")
            highest = _stated(manifest, places, "strict_max_version")
        case Engine.CHROMIUM:
            lowest, highest = _text(manifest, "minimum_chrome_version"), None
        case _:
            return target
    return Target(target.name, target.minimum or version_of(lowest), target.maximum or version_of(highest))


def _stated(manifest: Manifest, places: Iterable[tuple[str, ...]], key: str) -> str | None:
    return next((text for place in places if (text := _text(manifest, *place, key)) is not None), None)


def _text(manifest: Manifest, *path: str) -> str | None:
    found = manifest.get(*path)
    return found.value if found is not None and isinstance(found.value, str) else None
