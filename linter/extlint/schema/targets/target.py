"""The schema sets of the targets, and the versions of a browser that have a member of the API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from msgspec import Struct

from extlint.schema.engine import Engine
from extlint.schema.model import NO_USER_SCHEMAS, SchemaSet, UserSchemas
from extlint.schema.targets.request import (
    BROWSERS,
    CHROME,
    EDGE,
    EDITIONS,
    FIREFOX,
    FIREFOX_ANDROID,
    LAST_WITH_VERSION_2,
    NARROWED,
    SPECIFICATION,
    Target,
    Version,
    engine_of,
    version_of,
)
from extlint_schemas import load, namespace_loaders, newest_releases, release_gaps, support, thunderbird_names


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
