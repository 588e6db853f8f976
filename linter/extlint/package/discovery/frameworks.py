"""The manifests that builds make, and the commands with which a project runs WXT and Plasmo.

To WXT and Plasmo, a file named `background.ts` is the background, and `popup/index.html` the popup. The
manifest that `made_files` returns names the entry points of the project, and has the keys that the project
writes as plain data. Rules that depend on keys that a build may add are not run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from posixpath import basename, dirname, splitext
from typing import Any

from msgspec import Struct

from extlint.package.discovery.made_manifest import (
    EntryPoints,
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
from extlint.package.suffixes import IMPLIED, is_page
from extlint.package.surroundings import PACKAGE_JSON
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


def version_for_firefox(framework: str, read: Read, default: int | None) -> int | None:
    """Returns the manifest version of the builds that a project has, if all are for Firefox, or None.

    `default` is the version of a command that names none, if it is known.
    """
    found = [*_commands_of_project(framework, read)]
    versions = {default if each.version is None else int(each.version[-1]) for each in found}
    return versions.pop() if all(each.is_for_firefox for each in found) and len(versions) == 1 else None


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

_FOLDER = lazy(r"\b(srcDir|entrypointsDir)\s*:\s*[\"']([\w./-]+)[\"']")
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
    """The framework of a project that has builds, all of them for Firefox, and the manifest version."""

    framework: str
    version: int


def firefox_build(paths: Collection[str], read: Read) -> FirefoxBuild | None:
    """Returns how a project is built, if that is only for Firefox, and for Plasmo in Manifest V3."""
    framework = framework_of(paths, read)
    if framework is None:
        return None
    config = _config(paths) if framework == WXT else None
    default = default_version_for_firefox(config, read) if framework == WXT else None
    version = version_for_firefox(framework, read, default)
    is_supported = version is not None and (framework == WXT or version != _OLD_VERSION)
    return FirefoxBuild(framework, version) if version is not None and is_supported else None


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
    """Returns the manifest and other files that a framework makes for a project.

    `read` returns the bytes of a file, or raises UnreadableError. Empty if the files have no entry points.
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
    found = _of_wxt(listed, read) if framework == WXT else _of_plasmo(listed)
    if not (found.background or found.content_scripts or found.handlers or any(map(is_listed, found.pages))):
        return Made({})
    keys, files = files_of(found, listed, read)
    for_firefox = firefox_build(listed, read)
    if for_firefox is not None:
        change_for_firefox(keys)
    if framework == PLASMO:
        keys.setdefault("action", {})
        requested = [*keys.get("permissions", ()), *_requested_by_plasmo(keys, read)]
        if requested:
            keys["permissions"] = requested
        return _made(files, keys, keys_in_package(read, is_for_firefox=for_firefox is not None))
    config = _config(listed)
    version = None if for_firefox is None else for_firefox.version
    written = None if config is None else keys_in_configuration(config, listed, read, version)
    background = keys.get("background")
    if written is not None and written.is_of_version_3 and background is not None and for_firefox is None:
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
    return Made({**files, MANIFEST: manifest}, places)


def _config(paths: Collection[str]) -> str | None:
    """Returns the path of the configuration of WXT, or None."""
    return next((each for each in CONFIGURATIONS if each in paths), None)


def folders_of_wxt(text: str) -> dict[str, str]:
    """Returns the folders that a configuration of WXT names, by its keys."""
    return {key: name.strip("./") for key, name in _FOLDER.findall(text)}


def _of_wxt(paths: frozenset[str], read: Read) -> EntryPoints:
    """Returns the entry points of a project of WXT: the files and folders in `entrypoints`."""
    config = _config(paths)
    text = "" if config is None else without_comments(text_of(read, config))
    folders = folders_of_wxt(text)
    inner = f"{folders.get('srcDir', '')}/{folders.get('entrypointsDir', 'entrypoints')}/".lstrip("/")
    entries = dict(_entries(paths, inner))
    scripts = {name: path for name, path in entries.items() if not is_page(path)}
    return EntryPoints(
        scripts.get("background"),
        tuple(path for name, path in scripts.items() if name.rpartition(".")[2] == "content"),
        {name: path for name, path in entries.items() if is_page(path)},
    )


def _of_plasmo(paths: frozenset[str]) -> EntryPoints:
    """Returns the entry points of a project of Plasmo: files at its top or in `src`.

    A name with a dot is that of a file for another browser or mode, or of a test. A page is the template of
    one that shows the script of the same name.
    """
    inner = "src/" if any(path.startswith("src/") for path in paths) else ""
    found = {
        f"{folder}{name}": path
        for folder in ("", "contents/", "sandboxes/", "tabs/")
        for name, path in reversed([*_entries(paths, f"{inner}{folder}")])
        if "." not in name
    }
    scripts = {name: path for name, path in found.items() if not is_page(path)}
    folders = tuple(f"{inner}background/{each}/" for each in ("messages", "ports"))
    return EntryPoints(
        scripts.get("background"),
        tuple(path for name, path in scripts.items() if name == "content" or name.startswith("contents/")),
        {
            name: path
            for name, path in found.items()
            if is_listed(name) or (name.startswith(("sandboxes/", "tabs/")) and not _is_index(path))
        },
        tuple(sorted(path for path in paths if path.startswith(folders) and path.endswith(".ts"))),
    )


def _entries(paths: frozenset[str], folder: str) -> Iterator[tuple[str, str]]:
    """Yields the names of the scripts and pages in a folder, or of those named `index` in folders there.

    A page comes after a script of the same name.
    """
    for path in sorted(paths, key=lambda path: (is_page(path), path)):
        if path.startswith(folder) and path.endswith((*IMPLIED, ".html")):
            inner = path[len(folder) :]
            if "/" not in inner:
                yield splitext(inner)[0], path
            elif _is_index(path) and "/" not in dirname(inner):
                yield dirname(inner), path


def _is_index(path: str) -> bool:
    return splitext(basename(path))[0] == "index"
