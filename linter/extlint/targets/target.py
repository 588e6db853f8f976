"""The targets: whose API an extension is checked against."""

from __future__ import annotations

from functools import cache

from extlint.schema.model import NOTHING_GIVEN, Browser, Given, SchemaSet
from extlint_schemas import load, stored, thunderbird_names

BROWSERS: dict[str, Browser] = {"firefox": "firefox", "chrome": "chromium"}
"""The targets that are browsers with facts of their own, with whose rules hold there."""

FACTS_OF: dict[str, str] = {browser: target for target, browser in BROWSERS.items()}
"""The target with the facts that all browsers with the same rules go by."""

_EDITIONS = {"edge": "chrome", "firefox_android": "firefox"}

NARROWED = {**_EDITIONS, "safari": "chrome"}
"""Browsers that go by another one's facts, but for what the compatibility data say they lack.

Types that differ are in schemas of their own: Safari's `runtime.PlatformOs` has `ios`, by WebKit's source.
"""


def base_of(target: str) -> str:
    """The browser of which a target is another edition: Chrome for Edge, Firefox for Firefox for Android."""
    return _EDITIONS.get(target, target)


def editions_of(browser: str) -> frozenset[str]:
    """The targets that are a browser or another edition of it: `chrome` and `edge` for Chrome."""
    return frozenset({browser, *(target for target, base in _EDITIONS.items() if base == browser)})


@cache
def schema_set(target: str, given: Given = NOTHING_GIVEN) -> SchemaSet:
    """The namespaces of a target, and what a user adds to them.

    The reference target has no more namespaces for that: of those that it does not describe it says
    what the browsers do. Raises KeyError for a target that does not exist.
    """
    if target in NARROWED:
        base = NARROWED[target]
        return SchemaSet(
            target,
            [*load(target), *given.parts],
            browser=BROWSERS[base],
            stored=stored(base),
            is_whole=target != "safari",
            is_narrowed=True,
            given=given,
        )
    if target in BROWSERS:
        return SchemaSet(target, given.parts, browser=BROWSERS[target], stored=stored(target), given=given)
    own = load(target)
    names = {part["namespace"] for part in own}
    added = (part for part in given.parts if part["namespace"] in names)
    return SchemaSet(target, [*own, *added], given=given)


@cache
def beyond_reference(browser: str, given: Given = NOTHING_GIVEN) -> SchemaSet:
    """The namespaces of a browser, and of a user, that the reference target does not describe."""
    own = schema_set("reference").names
    others = {name: read for name, read in stored(browser).items() if name not in own}
    added = (part for part in given.parts if part["namespace"] not in own)
    return SchemaSet(browser, added, browser=BROWSERS[browser], stored=others, is_whole=False, given=given)


@cache
def schema_set_of_thunderbird(target: str, given: Given = NOTHING_GIVEN) -> SchemaSet:
    """The namespaces of Thunderbird, for a target that it is checked instead of.

    Those that it shares with Firefox are Firefox's. Of those that it implements itself only the names of
    members are known, in some versions.
    """
    known = thunderbird_names()
    parts = [
        {"namespace": name, "properties": {each: {"type": "any"} for each in members}}
        for name, members in known.namespaces.items()
    ]
    return SchemaSet(
        target,
        [*parts, *given.parts],
        browser=BROWSERS["firefox"],
        stored={name: read for name, read in stored("firefox").items() if name not in known.own},
        is_whole=False,
        may_have_more=True,
        given=given,
    )
