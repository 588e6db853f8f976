"""The targets: as users write them (`firefox`, `chrome>=120`), and the schemas of each.

Only this module knows the names of targets and the properties of each: other modules use a `Target`, or
`engine_of`, `base_of` and the tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TypeAlias

from msgspec import Struct

from extlint.schema.engine import Engine
from extlint.schema.model import NO_USER_SCHEMAS, SchemaSet, UserSchemas
from extlint.text.patterns import lazy
from extlint_schemas import load, namespace_loaders, newest_releases, release_gaps, support, thunderbird_names

Version: TypeAlias = tuple[int, ...]
"""The parts of a browser's version, without trailing zeros: `115.0` is `(115,)`."""


SPECIFICATION = "reference"
"""The target that is the specification, and not a browser."""

FIREFOX = "firefox"
FIREFOX_ANDROID = "firefox_android"
CHROME = "chrome"
EDGE = "edge"
SAFARI = "safari"

_NAMES = {
    CHROME: "Chrome",
    EDGE: "Edge",
    FIREFOX: "Firefox",
    FIREFOX_ANDROID: "Firefox for Android",
    "opera": "Opera",
    SAFARI: "Safari",
    "safari_ios": "Safari on iOS",
}

BROWSERS = (FIREFOX, CHROME)
"""The targets that are browsers with facts of their own."""

FACTS_OF: Mapping[Engine, str] = {Engine.GECKO: FIREFOX, Engine.CHROMIUM: CHROME}
"""The browser whose facts apply to all browsers with the same engine."""

EDITIONS: Mapping[str, str] = {EDGE: CHROME, FIREFOX_ANDROID: FIREFOX}
"""The targets that are another edition of a browser, and that browser."""

NARROWED: Mapping[str, str] = {**EDITIONS, SAFARI: CHROME}
"""Browsers that use another one's facts, minus the features that the compatibility data report as missing.

What differs is in schemas of their own. By WebKit's source, Safari's `runtime.PlatformOs` has `ios`, its
ports have an `error`, and it has `scripting` and `storage.session` in both manifest versions.
"""

LAST_WITH_VERSION_2 = (138,)
"""The last Chrome that loads Manifest V2 for any user, according to Chrome's documentation."""

_ENGINES = {FIREFOX: Engine.GECKO, CHROME: Engine.CHROMIUM, SAFARI: Engine.WEBKIT}

_SPEC = lazy(r"([a-z_]+)\s*(?:(>=)\s*(\d+(?:\.\d+)*))?(?:\s*(<=)\s*(\d+(?:\.\d+)*))?")
_VERSION = lazy(r"\d+(?:\.\d+)*")


class Target(Struct, frozen=True):
    """A target: its name, and the range of versions, both ends inclusive and None by default."""

    name: str
    minimum: Version | None = None
    maximum: Version | None = None

    @property
    def text(self) -> str:
        """The target as a user writes it."""
        bounds = ((">=", self.minimum), ("<=", self.maximum))
        return self.name + "".join(f"{sign}{'.'.join(map(str, each))}" for sign, each in bounds if each)

    @property
    def is_specification(self) -> bool:
        """Whether it is the specification, and not a browser."""
        return self.name == SPECIFICATION

    @property
    def is_for_android(self) -> bool:
        """Whether it is the edition of a browser for Android."""
        return self.name == FIREFOX_ANDROID

    @property
    def engine(self) -> Engine | None:
        """The engine of the browser, or None for the specification."""
        return engine_of(self.name)


def engine_of(target: str | None) -> Engine | None:
    """Returns the engine of the browser with this name, or None if it is not a browser."""
    return _ENGINES.get(EDITIONS.get(target, target)) if target is not None else None


def base_of(target: str) -> str:
    """Returns the browser of an edition: Chrome for Edge, Firefox for Firefox for Android."""
    return EDITIONS.get(target, target)


def editions_of(browser: str) -> frozenset[str]:
    """Returns the targets that are a browser or another edition of it: `chrome` and `edge` for Chrome."""
    return frozenset({browser, *(target for target, base in EDITIONS.items() if base == browser)})


def target_of(text: str) -> Target | None:
    """Returns the target that a text means, or None if it is not NAME, NAME>=VERSION or NAME<=VERSION."""
    found = _SPEC.fullmatch(text.strip())
    if found is None:
        return None
    return Target(found[1], version_of(found[3]), version_of(found[5]))


def version_of(text: str | None) -> Version | None:
    """Returns the numbers that a version starts with, `109` in `109.0a1` and `115` in `115.*`.

    Returns None without numbers.
    """
    found = None if text is None else _VERSION.match(text)
    if found is None:
        return None
    parts = [int(each[:9]) for each in found[0].split(".")]
    while len(parts) > 1 and parts[-1] == 0:
        parts.pop()
    return tuple(parts)


def browser_name(name: str) -> str:
    """Returns the display name of a browser, given its name in targets and compatibility data."""
    return _NAMES.get(name, name)


def version_text(version: Version) -> str:
    """Returns a version as text."""
    return ".".join(map(str, version))


@cache
def schema_set(target: str, user_schemas: UserSchemas = NO_USER_SCHEMAS) -> SchemaSet:
    """Returns the namespaces of a target, with the additions of a user.

    User schemas add no namespaces to the reference target: for those that it does not describe, it uses
    the schemas of the browsers. Raises KeyError if the target does not exist.
    """
    if target in NARROWED:
        base = NARROWED[target]
        return SchemaSet(
            target,
            [*load(target), *user_schemas.parts],
            engine=engine_of(base),
            stored=namespace_loaders(base),
            is_complete=target in EDITIONS,
            is_narrowed=True,
            user_schemas=user_schemas,
        )
    if target in BROWSERS:
        return SchemaSet(
            target,
            user_schemas.parts,
            engine=engine_of(target),
            stored=namespace_loaders(target),
            user_schemas=user_schemas,
        )
    own = load(target)
    names = {part["namespace"] for part in own}
    added = (part for part in user_schemas.parts if part["namespace"] in names)
    return SchemaSet(target, [*own, *added], user_schemas=user_schemas)


@cache
def beyond_reference(browser: str, user_schemas: UserSchemas = NO_USER_SCHEMAS) -> SchemaSet:
    """Returns the namespaces of a browser, and of a user, that the reference target does not describe."""
    own = schema_set(SPECIFICATION).names
    additional_loaders = {name: read for name, read in namespace_loaders(browser).items() if name not in own}
    added = (part for part in user_schemas.parts if part["namespace"] not in own)
    return SchemaSet(
        browser,
        added,
        engine=engine_of(browser),
        stored=additional_loaders,
        is_complete=False,
        user_schemas=user_schemas,
    )


@cache
def schema_set_of_thunderbird(target: str, user_schemas: UserSchemas = NO_USER_SCHEMAS) -> SchemaSet:
    """Returns the namespaces of Thunderbird, for the target that is checked in its place.

    Those that it shares with Firefox are Firefox's. Of those that it implements itself, only the names of the
    members are known, in some versions.
    """
    known = thunderbird_names()
    parts = [
        {"namespace": name, "properties": {each: {"type": "any"} for each in members}}
        for name, members in known.namespaces.items()
    ]
    return SchemaSet(
        target,
        [*parts, *user_schemas.parts],
        engine=Engine.GECKO,
        stored={name: read for name, read in namespace_loaders(FIREFOX).items() if name not in known.own},
        is_complete=False,
        may_have_more=True,
        user_schemas=user_schemas,
    )


_FIRST: Mapping[int, Mapping[str, Version]] = {
    2: {CHROME: (18,), EDGE: (79,), FIREFOX: (48,), FIREFOX_ANDROID: (48,)},
    3: {CHROME: (88,), EDGE: (88,), FIREFOX: (109,), FIREFOX_ANDROID: (109,)},
}
"""The first version of a browser that runs extensions of a manifest version; manifests name older ones, too.

`minimum_chrome_version` may name one that Edge never had, and `strict_min_version` was commonly 42 or 45
when extensions were experimental in Firefox. Sources: Chrome's documentation of `manifest_version`, and
`manifest_version` in the `compat` files.
"""


def browsers_that_load(manifest_version: int) -> tuple[Target, ...]:
    """Returns the browsers that have facts of their own, in the versions that load a manifest version."""
    chrome = Target(CHROME, maximum=None if manifest_version >= 3 else LAST_WITH_VERSION_2)
    return (chrome, Target(FIREFOX))


def first_with_manifest(browser: str, manifest_version: int) -> Version | None:
    """Returns the first version of a browser that loads a manifest version, or None if it is unknown."""
    return _FIRST.get(manifest_version, {}).get(browser)


def newest_release(browser: str) -> int | None:
    """Returns the newest major version of a browser that is released or planned, or None if unknown."""
    found = newest_releases().get(browser)
    return None if found is None else int(found)


def newer_than_facts(targets: Iterable[Target]) -> tuple[tuple[str, int], ...]:
    """Returns the targets whose oldest version is newer than the facts, each with its major version."""
    return tuple(
        (each.name, each.minimum[0])
        for each in targets
        if each.minimum and each.minimum[0] > (newest_release(each.name) or each.minimum[0])
    )


def oldest_with_extensions(browser: str, oldest: Version, manifest_version: int) -> Version:
    """Returns the oldest release of a browser that runs an extension, among the versions it allows.

    Browsers skip versions: after Firefox for Android 68 came 79.
    """
    least = max(oldest, _FIRST.get(manifest_version, {}).get(browser, oldest))
    gaps = ((version_of(first) or (), version_of(after) or ()) for first, after in release_gaps(browser))
    return next((after for first, after in gaps if first <= least < after), least)


class Support(Struct, frozen=True):
    """The first version of a browser that has a feature, and the first that no longer has it.

    Without a version known to have it, `added` has the value None.
    """

    added: Version | None
    removed: Version | None = None


def support_of(api: str, browser: str, manifest_version: int) -> Support | None:
    """Returns the versions of a browser that have a member (`tabs.query`), or None if they are unknown.

    Source: the `compat` files of the schemas.
    """
    found = support(api.partition(".")[0], manifest_version).get(api, {}).get(browser)
    if found is None or found is True:
        return None
    if found is False:
        return Support(None)
    versions = [version_of(each) for each in found]
    if versions[0] is None:
        return None
    return Support(versions[0], versions[1] if len(versions) > 1 else None)
