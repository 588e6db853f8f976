"""The manifests that builds make, and the commands with which a project runs WXT and Plasmo.

To WXT and Plasmo, a file named `background.ts` is the background, and `popup/index.html` the popup. The
manifest that `made_files` returns names the entry points of the project, and has the keys that the project
writes as plain data. Rules that depend on keys that a build may add are not run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from msgspec import Struct

from extlint.package.discovery.framework_entries import entry_points_of_plasmo, entry_points_of_wxt
from extlint.package.discovery.made_manifest import (
    Read,
    change_for_firefox,
    files_of,
    is_listed,
    text_of,
    without_comments,
)
from extlint.package.discovery.merged_manifest import (
    WrittenKeys,
    entry_points_in,
    is_manifest_module,
    merged_manifest,
    module_with_entry_points,
)
from extlint.package.discovery.written_keys import (
    default_version_for_firefox,
    has_default_version,
    keys_in_configuration,
    keys_in_module,
    keys_in_package,
)
from extlint.package.files import MANIFEST, Made
from extlint.package.suffixes import IMPLIED
from extlint.package.surroundings import PACKAGE_JSON, is_readme
from extlint.text.json.object_literal import COMPUTED
from extlint.text.json.values import JsonValue
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
FIREFOX, FIREFOX_MANIFEST = "firefox", "manifest.firefox.json"
"""Firefox in commands, and the manifest for it if a project is built for other browsers as well."""

_FIREFOX = frozenset({FIREFOX, "gecko"})
_GECKO = lazy(r"\bgecko\b")
_DOCUMENTED = lazy(
    r"\b(?:build|dev|package|start|zip)[:-]firefox\b|-(?:b|-browser)[ =]firefox\b|about:debugging"
)
"""Words of a README that says how to build an extension for Firefox, or to load it there."""


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


CONFIGURATIONS = tuple(f"wxt.config{each}" for each in IMPLIED)
"""The files that may configure WXT."""

_OLD_VERSION = 2
_STORAGE = "@plasmohq/storage"
"""The package for which Plasmo requests the permission of the same name."""

_SIGN = lazy(
    r"wxt\.config\.|(?:src/)?(?:entrypoints/"
    r"|(?:background|contents?|devtools|newtab|options|popup|sandbox|sidepanel)[./])"
)
"""The start of the path of a file without which a project is not one of WXT or Plasmo."""


def may_be_entry_point(path: str) -> bool:
    """Whether a file in a project may be an entry point, or name some, according to its path."""
    return _SIGN.match(path) is not None or is_manifest_module(path)


def framework_of(paths: Collection[str], read: Read) -> str | None:
    """Returns the name of the framework that makes the manifest of a project from the names of its files."""
    if any(each in paths for each in CONFIGURATIONS):
        return WXT
    if PACKAGE_JSON not in paths or not any(map(_SIGN.match, paths)):
        return None
    named = {name for key in ("dependencies", "devDependencies") for name in package_table(read, key)}
    return next((each for each in (WXT, PLASMO) if each.lower() in named), None)


class FirefoxBuild(Struct, frozen=True):
    """The manifest version of a project's builds for Firefox. It `is_only` without builds for others."""

    version: int
    is_only: bool


def firefox_build(paths: Collection[str], read: Read) -> FirefoxBuild | None:
    """Returns how a project is built for Firefox, or None if it is not, or the version is not certain.

    New projects have commands for Firefox next to those for Chrome. These count only if the project also has
    settings for Firefox, or its README says how to build for it. Builds of Plasmo count only in Manifest V3.
    """
    framework = framework_of(paths, read)
    commands = [] if framework is None else [*_commands_of_project(framework, read)]
    own = [each for each in commands if each.is_for_firefox]
    if framework is None or not own:
        return None
    config = _config(paths) if framework == WXT else None
    default = default_version_for_firefox(config, read) if framework == WXT else None
    versions = {default if each.version is None else int(each.version[-1]) for each in own}
    version = versions.pop() if len(versions) == 1 else None
    if version is None or (framework == PLASMO and version == _OLD_VERSION):
        return None
    is_only = len(own) == len(commands)
    written = text_of(read, PACKAGE_JSON if config is None else config)
    is_meant = is_only or _GECKO.search(without_comments(written)) or _documents_firefox(paths, read)
    return FirefoxBuild(version, is_only) if is_meant else None


def _documents_firefox(paths: Collection[str], read: Read) -> bool:
    """Whether a README of a project says how to build it for Firefox, or to load it there."""
    return any(_DOCUMENTED.search(text_of(read, each)) for each in paths if is_readme(each))


def keeps_background(paths: Collection[str], read: Read) -> bool | None:
    """Whether a project certainly has the background that its framework makes by default in Manifest V3.

    Returns None without a framework.
    """
    framework = framework_of(paths, read)
    if framework is None:
        return None
    if builds_in_version_2(framework, read):
        return False
    if framework == PLASMO:
        written = keys_in_package(read, is_for_firefox=False)
        keys = () if written is None else written.root.members()
        return written is not None and all(key not in ("background", COMPUTED) for key, _ in keys)
    config = _config(paths)
    return config is None or has_default_version(config, paths, read)


def made_files(paths: Collection[str], read: Read) -> Made:
    """Returns the manifests and other files that a framework makes for a project.

    A project that is also built for Firefox has another manifest for it. `read` returns the bytes of a file,
    or raises UnreadableError. Empty if the files have no entry points.
    """
    listed = frozenset(paths)
    framework = framework_of(listed, read)
    if framework is None:
        path = module_with_entry_points(listed, read)
        if path is None:
            return Made({})
        written, keys = keys_in_module(path, read), entry_points_in(path, read)
        if written is not None:
            keys = {key: each for key, each in keys.items() if written.root.get(key) is None}
        return _made({}, keys, written)
    build = firefox_build(listed, read)
    if build is not None and build.is_only:
        return _made_by(framework, listed, read, build)
    made = _made_by(framework, listed, read, None, is_only=build is None)
    other = None if build is None else _made_by(framework, listed, read, build)
    if other is None or not other.files or not made.files:
        return made
    manifest, places = other.files[MANIFEST], other.key_places.get(MANIFEST)
    return Made(
        {**other.files, **made.files, FIREFOX_MANIFEST: manifest},
        {**made.key_places, **({} if places is None else {FIREFOX_MANIFEST: places})},
        (MANIFEST, FIREFOX_MANIFEST),
    )


def _made_by(
    framework: str, paths: frozenset[str], read: Read, build: FirefoxBuild | None, *, is_only: bool = True
) -> Made:
    """Returns what a framework makes for Firefox, or for Chrome and any other browser without a `build`.

    If it `is_only`, the manifest may also be that for Firefox.
    """
    config = _config(paths) if framework == WXT else None
    if framework == WXT:
        found = entry_points_of_wxt(paths, read, config, BY_DEFAULT if build is None else FIREFOX)
    else:
        found = entry_points_of_plasmo(paths)
    if not (found.background or found.content_scripts or found.handlers or any(map(is_listed, found.pages))):
        return Made({})
    keys, files = files_of(found, paths, read)
    if build is not None:
        change_for_firefox(keys, read, build.version)
    if framework == PLASMO:
        keys.setdefault("action", {})
        requested = [*keys.get("permissions", ()), *_requested_by_plasmo(keys, read)]
        if requested:
            keys["permissions"] = requested
        return _made(files, keys, keys_in_package(read, is_for_firefox=build is not None))
    version = None if build is None else build.version
    written = None if config is None else keys_in_configuration(config, paths, read, version)
    background = keys.get("background")
    is_shared = written is not None and written.is_of_version_3 and is_only and build is None
    if is_shared and background is not None:
        background["scripts"] = [background["service_worker"]]
    return _made(files, keys, written, version)


def _requested_by_plasmo(keys: Mapping[str, Any], read: Read) -> Iterator[str]:
    """Yields the permissions that Plasmo adds for a library and for content scripts in the world of pages."""
    if _STORAGE in package_table(read, "dependencies"):
        yield "storage"
    if any(each.get("world") == "MAIN" for each in keys.get("content_scripts", ())):
        yield "scripting"


def _made(
    files: Mapping[str, bytes],
    keys: Mapping[str, JsonValue],
    written: WrittenKeys | None,
    version: int | None = None,
) -> Made:
    manifest, places = merged_manifest(keys, written, in_version_2=version == _OLD_VERSION)
    return Made({**files, MANIFEST: manifest}, {} if places is None else {MANIFEST: places})


def _config(paths: Collection[str]) -> str | None:
    """Returns the path of the configuration of WXT, or None."""
    return next((each for each in CONFIGURATIONS if each in paths), None)
