"""Manifest keys that a browser added in a version after the oldest that the extension supports."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from extlint.extension import Extension
from extlint.schema.targets.request import Version, browser_name, version_of, version_text
from extlint.schema.targets.supported_versions import oldest_with_extensions
from extlint.schema.validation.mistake import Mistake, Reaction, Steps
from extlint.text.json.values import JsonValue
from extlint.text.wording import quoted
from extlint_schemas import support

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

_OLDER_EQUIVALENTS = {"optional_host_permissions": "optional_permissions", "options_page": "options_ui"}
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
                if own in _OPTIONAL or key in _OPTIONAL_ANYWHERE or _has_older_equivalent(value, own):
                    continue
                added = _version_added(own, target.name, version)
                if added is None or added <= oldest:
                    waiting.append((inner, (*steps, key), own))
                elif (*steps, key) not in ignored:
                    yield _too_new(own, (*steps, key), target.name, added, oldest)


def _has_older_equivalent(manifest: Mapping[str, JsonValue], key: str) -> bool:
    older = _OLDER_EQUIVALENTS.get(key)
    if older is None or older not in manifest:
        return False
    own, known = manifest[key], manifest[older]
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
