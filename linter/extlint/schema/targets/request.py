"""Parses targets as users write them: `firefox`, `chrome>=120`.

Only this module knows the names of targets and the properties of each: other modules use a `Target`, or
`engine_of`, `base_of` and the tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from extlint.schema.engine import Engine
from extlint.text.patterns import lazy

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
