"""The commands with which the scripts of a project run WXT and Plasmo, and their browsers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from extlint.package.discovery.made_manifest import Read, text_of
from extlint.package.surroundings import PACKAGE_JSON
from extlint.text.patterns import lazy

WXT, PLASMO = "WXT", "Plasmo"
BY_DEFAULT = "chrome"
"""The browser that both build for if a command names none."""

_COMMANDS: Mapping[str, re.Pattern[str]] = {
    WXT: lazy(r"(?<![\w./@-])wxt +(?:build|zip)\b([^&|;\n]*)"),
    PLASMO: lazy(r"(?<![\w./@-])plasmo +build\b([^&|;\n]*)"),
}
_BROWSER = lazy(r"(?:^| )(?:-b|--browser)(?: +|=)([\w-]+)")
_VERSION = lazy(r"(?:^| )--(mv[23])(?= |$)")
_TARGET = lazy(r"(?:^| )--target=(\w+)-(mv[23])(?= |$)")
_FIREFOX = frozenset({"firefox", "gecko"})


class BuildCommand(Struct, frozen=True):
    """A command that builds. It may name a browser, and a version such as `mv3`."""

    browser: str | None
    version: str | None

    @property
    def is_for_firefox(self) -> bool:
        """Whether the command names Firefox."""
        return self.browser in _FIREFOX


def build_commands(framework: str, script: str) -> Iterator[BuildCommand]:
    """Yields the commands in a script of `package.json` that build with a framework."""
    pattern = _COMMANDS.get(framework)
    for found in () if pattern is None else pattern.finditer(script):
        target = _TARGET.search(found[1]) if framework == PLASMO else None
        if target is not None:
            yield BuildCommand(target[1], target[2])
            continue
        options = () if framework == PLASMO else (_BROWSER.search(found[1]), _VERSION.search(found[1]))
        yield BuildCommand(*(None if each is None else each[1] for each in options or (None, None)))


def builds_only_for_firefox(framework: str, read: Read, *, is_of_version_3: bool = False) -> bool:
    """Whether all builds that a project has are in Manifest V3 for Firefox.

    WXT builds for Firefox in Manifest V2, unless a command or the configuration names the other version.
    """
    found = [*_commands_of_project(framework, read)]
    default = "mv3" if is_of_version_3 else "mv2"
    return bool(found) and all(each.is_for_firefox and (each.version or default) == "mv3" for each in found)


def builds_in_version_2(framework: str, read: Read) -> bool:
    """Whether a build of a project for another browser than Firefox is in Manifest V2."""
    return any(
        each.version == "mv2" and not each.is_for_firefox for each in _commands_of_project(framework, read)
    )


def _commands_of_project(framework: str, read: Read) -> Iterator[BuildCommand]:
    """Yields the commands in `package.json` that build with a framework."""
    for script in package_table(read, "scripts").values():
        if isinstance(script, str):
            yield from build_commands(framework, script)


def package_table(read: Read, table: str) -> Mapping[str, object]:
    """Returns a table of `package.json`, such as the packages that a project depends on."""
    try:
        keys = json.loads(text_of(read, PACKAGE_JSON))
    except ValueError:
        return {}
    found = keys.get(table) if isinstance(keys, dict) else None
    return found if isinstance(found, dict) else {}
