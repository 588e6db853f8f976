"""The targets that know a key of the manifest, or a permission, and the versions that added it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache

from extlint.extension import Extension
from extlint.manifest.manifest import PERMISSIONS
from extlint.schema.targets import (
    CHROME,
    EDGE,
    FIREFOX,
    FIREFOX_ANDROID,
    SAFARI,
    Version,
    browser_name,
    oldest_with_extensions,
    version_of,
    version_text,
)
from extlint.schema.validation.browser_differences import VERSIONS
from extlint.schema.validation.mistake import Mistake, Reaction, Steps
from extlint.schema.validation.schema_path import Schema, audience_of_key, is_known_key, subschemas
from extlint.text.json.values import JsonValue
from extlint.text.wording import quoted
from extlint_schemas import json_schema, support

_MAX_CACHED = 4096
APPS = "Chrome apps"
"""The only packages for which some keys and permissions of Chrome exist."""

TARGETS = (FIREFOX, CHROME, EDGE, SAFARI, FIREFOX_ANDROID)
"""The targets with a manifest of their own, the best known first."""


@lru_cache(_MAX_CACHED)
def targets_with_key(steps: Steps) -> tuple[str, ...]:
    """Returns the targets that know the key at the end of a path, in any manifest version."""
    return tuple(
        target
        for target in TARGETS
        if any(is_known_key(json_schema(f"manifests/{target}_{version}"), steps) for version in VERSIONS)
    )


def confirmed_targets_with_key(steps: Sequence[str | int], targets: Sequence[str]) -> list[str]:
    """Returns those of some targets that have a key according to their own facts or public data.

    Safari's schema has all keys of Chrome that browser-compat-data does not deny, so they are not reported.
    A key that browser-compat-data does not list is like the key that contains it.
    """
    names = [each for each in steps if isinstance(each, str)]
    paths = (".".join(names[:length]) for length in range(len(names), 0, -1))
    data = next((found for each in paths if (found := support("manifest").get(each))), {})
    return [each for each in targets if each != SAFARI or isinstance(data.get(SAFARI), list)]


def audience_in_every_target(steps: Steps, targets: Sequence[str]) -> str | None:
    """Returns the only packages (`Chrome apps`) that may have a key in all of some targets, or None."""
    schemas = [json_schema(f"manifests/{each}_{VERSIONS[-1]}") for each in targets if each in TARGETS]
    found = {audience_of_key(schema, steps) for schema in schemas}
    return found.pop() if len(found) == 1 else None


@lru_cache(_MAX_CACHED)
def targets_with_permission(permission: str, key: str) -> tuple[str, ...]:
    """Returns the targets whose list under a key accepts a permission, in any manifest version."""
    return tuple(
        target
        for target in TARGETS
        if any(permission in permissions_of(f"manifests/{target}_{version}", key) for version in VERSIONS)
    )


@cache
def all_permissions() -> frozenset[str]:
    """Returns the permissions that any target knows, in any manifest version and kind of program."""
    return frozenset(
        text
        for target in TARGETS
        for version in VERSIONS
        for key in PERMISSIONS
        for choice in _choices(f"manifests/{target}_{version}", key)
        for text in choice.get("enum", ())
    )


def permissions_of(name: str, key: str) -> frozenset[str]:
    """Returns the permissions that the list under a key accepts in a schema: `manifests/chrome_3`."""
    choices = (each for each in _choices(name, key) if "x-only-in" not in each and not _is_for_apps(each))
    return frozenset(text for choice in choices for text in choice.get("enum", ()))


def is_permission_of_apps(permission: str) -> bool:
    """Whether a permission exists only for Chrome apps, and so for no extension."""
    return any(
        permission in choice.get("enum", ())
        for choice in _choices(f"manifests/{CHROME}_{VERSIONS[-1]}", "permissions")
        if _is_for_apps(choice)
    )


def _is_for_apps(choice: Schema) -> bool:
    return choice.get("x-only-for") == APPS


def _choices(name: str, key: str) -> Iterator[Schema]:
    schema = json_schema(name)
    for each in subschemas(schema, schema, key):
        for item in subschemas(schema, each, 0):
            yield from item.get("anyOf", ())


_OPTIONAL = frozenset(
    {
        "author",
        "background.preferred_environment",
        "browser_specific_settings",
        "developer",
        "homepage_url",
        "incognito",
        "minimum_chrome_version",
        "permissions",
        "optional_permissions",
        "short_name",
        "user_scripts",
        "version_name",
    }
)
"""Keys without which an extension works the same, or whose API is reported at its uses."""

_OLDER_EQUIVALENTS = {
    "optional_host_permissions": "optional_permissions",
    "options_page": "options_ui",
    "options_ui": "options_page",
    "tab_background_text": "textcolor",
    "theme_frame": "headerURL",
}
"""Keys whose function older versions of a browser provide by another key, if it has the same items."""

_OPTIONAL_ANYWHERE = frozenset(
    {"browser_style", "default_area", "icon_variants", "open_at_install", "theme_icons"}
)


def newer_keys(extension: Extension, ignored: Collection[Steps]) -> Iterator[Mistake]:
    """Yields the outermost keys that the oldest supported versions of the browser ignore.

    `ignored` are the keys and values that every version ignores in this manifest: they are reported for that.
    """
    target, version = extension.target, extension.manifest_version
    if target.minimum is None or target.is_specification:
        return
    oldest = oldest_with_extensions(target.name, target.minimum, version)
    waiting: list[tuple[JsonValue, Steps, str]] = [(extension.manifest.plain, (), "")]
    while waiting:
        value, steps, path = waiting.pop()
        if steps in ignored:
            continue
        if isinstance(value, list):
            waiting += [(each, (*steps, at), path) for at, each in enumerate(value)]
        elif isinstance(value, dict):
            for key, inner in value.items():
                own = f"{path}.{key}" if path else key
                if own in _OPTIONAL or key in _OPTIONAL_ANYWHERE or _has_older_equivalent(value, key):
                    continue
                added = _version_added(own, target.name, version)
                if added is None or added <= oldest:
                    waiting.append((inner, (*steps, key), own))
                elif (*steps, key) not in ignored:
                    yield _too_new(own, (*steps, key), target.name, added, oldest)


def _has_older_equivalent(keys: Mapping[str, JsonValue], key: str) -> bool:
    older = _OLDER_EQUIVALENTS.get(key)
    if older is None or older not in keys:
        return False
    own, known = keys[key], keys[older]
    return not isinstance(own, list) or (isinstance(known, list) and all(each in known for each in own))


def _version_added(path: str, browser: str, manifest_version: int) -> Version | None:
    """Returns the version that added a key, or None if that is unknown or no version has it.

    Source: the `compat` files of the schemas.
    """
    found = support("manifest", manifest_version).get(path, {}).get(browser)
    return version_of(found[0]) if isinstance(found, list) else None


def _too_new(path: str, steps: Steps, browser: str, added: Version, oldest: Version) -> Mistake:
    name, came = browser_name(browser), version_text(added)
    return Mistake(
        "too-new-api",
        steps,
        f"{quoted(path)} was added in {name} {came}, "
        f"but the extension also runs in {name} {version_text(oldest)}",
        at_key=True,
        help=f"older versions ignore it: require {name} {came}, or do without it",
        reaction=Reaction.IGNORES,
        general=f"{quoted(path)} was added after the oldest browser versions that the extension supports",
        reason=f"it was added in version {came}, but the extension also runs in {version_text(oldest)}",
    )
