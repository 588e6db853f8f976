"""What a user asks an extension to be checked against: `firefox`, `chrome>=120`."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from extlint.text.patterns import lazy

Version: TypeAlias = tuple[int, ...]
"""The parts of a browser's version, zeros at the end left out: `115.0` is `(115,)`."""

_NAMES = {
    "chrome": "Chrome",
    "edge": "Edge",
    "firefox": "Firefox",
    "firefox_android": "Firefox for Android",
    "opera": "Opera",
    "safari": "Safari",
    "safari_ios": "Safari on iOS",
}

_SPEC = lazy(r"([a-z_]+)\s*(?:(>=)\s*(\d+(?:\.\d+)*))?(?:\s*(<=)\s*(\d+(?:\.\d+)*))?")
_VERSION = lazy(r"\d+(?:\.\d+)*")


class Target(Struct, frozen=True):
    """A target by its name, and the versions that count, both included; None where nobody says."""

    name: str
    minimum: Version | None = None
    maximum: Version | None = None


def target_of(text: str) -> Target | None:
    """The target that a text means; None if it is not of the form NAME, NAME>=VERSION, NAME<=VERSION."""
    found = _SPEC.fullmatch(text.strip())
    if found is None:
        return None
    return Target(found[1], version_of(found[3]), version_of(found[5]))


def version_of(text: str | None) -> Version | None:
    """The numbers a version begins with, `109` in `109.0a1` and `115` in `115.*`; None if there are none."""
    found = None if text is None else _VERSION.match(text)
    if found is None:
        return None
    parts = [int(each[:9]) for each in found[0].split(".")]
    while len(parts) > 1 and parts[-1] == 0:
        parts.pop()
    return tuple(parts)


def shown_browser(name: str) -> str:
    """A browser as people write it, by the name that targets and compatibility data have for it."""
    return _NAMES.get(name, name)


def shown(version: Version) -> str:
    """A version as people write it."""
    return ".".join(map(str, version))
