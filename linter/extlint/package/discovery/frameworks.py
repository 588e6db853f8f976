"""The manifests that builds make: WXT and Plasmo from the names of files, others from a module.

To WXT and Plasmo, a file named `background.ts` is the background, and `popup/index.html` the popup. Builds
with CRXJS and the like have the manifest as an object literal, in `manifest.config.ts` or a similar file. The
manifest that `made_files` returns only names the entry points of the project, as the build may add to all
other keys. Rules that depend on those are not run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from posixpath import basename, dirname, splitext
from typing import Any

from msgspec import Struct

from extlint.package.files import MANIFEST, UnreadableError
from extlint.package.suffixes import IMPLIED, is_page
from extlint.package.surroundings import PACKAGE_JSON
from extlint.text.object_literal import read_object_with
from extlint.text.patterns import lazy

Read = Callable[[str], bytes]

_CONFIG = "wxt.config"
_FOLDER = lazy(r"\b(srcDir|entrypointsDir)\s*:\s*[\"']([\w./-]+)[\"']")
_SETTINGS = lazy(r"\b(defineContentScript\b[^{;]{0,200}|config\b[^={;]{0,200}=\s*+)\{")
_MAIN = lazy(r"\bmain\b")
_MAX_SETTINGS = 5_000
"""The length in characters of the settings of a content script that are read."""

_COMMENT = lazy(r"(?m)^[ \t]*+//.*$|/\*(?:[^*]|\*(?!/))*+\*/")
_MATCHES = lazy(r"\bmatches\s*+:\s*+\[([^\]]*+)\]")
_ONLY_TEXTS = lazy(r"(?:\s*+(?:\"[^\"\n]*+\"|'[^'\n]*+')\s*+,?+)++\s*+")
_TEXT = lazy(r"\"([^\"\n]*)\"|'([^'\n]*)'")
_WORLD = lazy(r"\bworld\s*:\s*[\"']MAIN[\"']")
_RUN_AT = lazy(r"\brun(?:_at|At)\s*:\s*[\"'](document_\w+)[\"']")
_MODULE = lazy(r"(?:[\w-]+/){0,2}manifest(?:\.config)?\.[cm]?[jt]s")
_MAX_MODULE = 200_000
"""The length in characters of a module with a manifest that is read."""

_VERSION = "manifest_version"
_PAGE_KEYS = (
    "devtools_page",
    "options_page",
    *("action", "chrome_url_overrides", "options_ui", "sandbox", "side_panel"),
)
_SCRIPT_KEYS = ("background", "content_scripts")
_EVERYWHERE = "<all_urls>"

_PAGES: Mapping[str, tuple[str, ...]] = {
    "bookmarks": ("chrome_url_overrides", "bookmarks"),
    "devtools": ("devtools_page",),
    "history": ("chrome_url_overrides", "history"),
    "newtab": ("chrome_url_overrides", "newtab"),
    "options": ("options_ui", "page"),
    "popup": ("action", "default_popup"),
    "sidepanel": ("side_panel", "default_path"),
}
"""The key in the manifest for each page, by the name of its entry point."""


class _EntryPoints(Struct, frozen=True):
    """The entry points of a project. A page may be a script, for which the framework makes one."""

    background: str | None
    content_scripts: tuple[str, ...]
    pages: Mapping[str, str]


def made_files(paths: Collection[str], read: Read) -> Mapping[str, bytes]:
    """Returns the manifest, and the pages of scripts, that a framework makes from files, by path.

    `read` returns the bytes of a file, or raises UnreadableError. Empty if the files have no entry points.
    """
    listed = frozenset(paths)
    found = _of_wxt(listed, read) or _of_plasmo(listed, read)
    if found is None:
        keys = _of_module(listed, read)
        return {} if keys is None else {MANIFEST: json.dumps(keys, indent=2).encode()}
    pages = {
        name: path if is_page(path) else f"{splitext(path)[0]}.html" for name, path in found.pages.items()
    }
    made = {
        pages[name]: f'<!doctype html><script type="module" src="{basename(path)}"></script>'.encode()
        for name, path in found.pages.items()
        if pages[name] not in listed
    }
    keys = _manifest(found, pages, lambda path: _text(read, path))
    return made | {MANIFEST: json.dumps(keys, indent=2).encode()}


def _manifest(found: _EntryPoints, pages: Mapping[str, str], text: Callable[[str], str]) -> dict[str, Any]:
    keys: dict[str, Any] = {"manifest_version": 3, "name": "extension", "version": "1.0"}
    if found.background is not None:
        keys["background"] = {"service_worker": found.background, "type": "module"}
    if found.content_scripts:
        keys["content_scripts"] = [_content_script(path, text(path)) for path in found.content_scripts]
    for name, path in pages.items():
        *outer, key = _PAGES[name]
        inner = keys
        for each in outer:
            inner = inner.setdefault(each, {})
        inner[key] = path
    return keys


def _content_script(path: str, text: str) -> dict[str, Any]:
    settings = _settings_of(_COMMENT.sub("", text))
    listed, run_at = _MATCHES.search(settings), _RUN_AT.search(settings)
    is_known = listed is not None and _ONLY_TEXTS.fullmatch(listed[1])
    matches = [each[1] or each[2] for each in _TEXT.finditer(listed[1])] if listed and is_known else []
    found: dict[str, Any] = {"matches": matches or [_EVERYWHERE], "js": [path]}
    if run_at is not None:
        found["run_at"] = run_at[1]
    if _WORLD.search(settings):
        found["world"] = "MAIN"
    return found


def _settings_of(text: str) -> str:
    """Returns the settings of a content script: for WXT, those before its function `main`."""
    start = _SETTINGS.search(text)
    if start is None:
        return ""
    settings = text[start.end() : start.end() + _MAX_SETTINGS]
    if start[1].startswith("config"):
        return settings.partition("}")[0]
    end = _MAIN.search(settings)
    return settings if end is None else settings[: end.start()]


def _wxt_config(paths: Collection[str]) -> str | None:
    return next((f"{_CONFIG}{each}" for each in IMPLIED if f"{_CONFIG}{each}" in paths), None)


def _depends_on(name: str, paths: Collection[str], read: Read) -> bool:
    if PACKAGE_JSON not in paths:
        return False
    try:
        keys = json.loads(_text(read, PACKAGE_JSON))
    except ValueError:
        return False
    parts = (keys.get(key) for key in ("dependencies", "devDependencies")) if isinstance(keys, dict) else ()
    return any(isinstance(each, dict) and name in each for each in parts)


def _of_wxt(paths: frozenset[str], read: Read) -> _EntryPoints | None:
    """Returns the entry points of a project of WXT: the files and folders in `entrypoints`."""
    if not _depends_on("wxt", paths, read):
        return None
    config = _wxt_config(paths)
    folders = dict(_FOLDER.findall("" if config is None else _text(read, config)))
    source = folders.get("srcDir", "").strip("./")
    inner = f"{source}/{folders.get('entrypointsDir', 'entrypoints').strip('./')}/".lstrip("/")
    entries = dict(_entries(paths, inner))
    return _found(
        entries,
        [path for name, path in entries.items() if name == "content" or name.endswith(".content")],
        {name: path for name, path in entries.items() if name in _PAGES and is_page(path)},
    )


def _of_plasmo(paths: frozenset[str], read: Read) -> _EntryPoints | None:
    """Returns the entry points of a project of Plasmo: files at its top or in `src`."""
    if not _depends_on("plasmo", paths, read):
        return None
    inner = "src/" if any(path.startswith("src/") for path in paths) else ""
    entries = dict(_entries(paths, inner))
    contents = [path for _, path in _entries(paths, f"{inner}contents/") if not is_page(path)]
    own = [path for name, path in entries.items() if name == "content" and not is_page(path)]
    return _found(
        entries, [*own, *contents], {name: path for name, path in entries.items() if name in _PAGES}
    )


def _of_module(paths: frozenset[str], read: Read) -> dict[str, Any] | None:
    """Returns the keys for entry points that a module has, if any file exists that they name."""
    modules = (path for path in paths if _MODULE.fullmatch(path))
    for path in sorted(modules, key=lambda path: (path.count("/"), path)):
        found = read_object_with(_text(read, path)[:_MAX_MODULE], _VERSION)
        keys = {key: value for key, value in (found or {}).items() if key in (*_SCRIPT_KEYS, *_PAGE_KEYS)}
        if any(name.removeprefix("./").lstrip("/") in paths for name in _texts(keys)):
            return {_VERSION: (found or {}).get(_VERSION, 3), "name": "extension", "version": "1.0"} | keys
    return None


def _texts(value: object) -> Iterator[str]:
    """Yields the texts in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def _found(
    entries: Mapping[str, str], content_scripts: list[str], pages: Mapping[str, str]
) -> _EntryPoints | None:
    background = entries.get("background")
    if background is None and not content_scripts and not pages:
        return None
    return _EntryPoints(background, (*sorted(content_scripts),), pages)


def _entries(paths: frozenset[str], folder: str) -> Iterator[tuple[str, str]]:
    """Yields the names of the scripts and pages in a folder, or of those named `index` in folders there.

    A page comes after a script of the same name.
    """
    for path in sorted(paths, key=lambda path: (is_page(path), path)):
        if path.startswith(folder) and path.endswith((*IMPLIED, ".html")):
            inner = path[len(folder) :]
            stem = splitext(inner)[0]
            if "/" not in inner:
                yield stem, path
            elif basename(stem) == "index" and "/" not in dirname(inner):
                yield dirname(inner), path


def _text(read: Read, path: str) -> str:
    try:
        return read(path).decode("utf-8", "replace")
    except UnreadableError:
        return ""
