"""The manifest and the other files that a framework makes for the entry points of a project."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from posixpath import dirname, relpath, splitext
from typing import Any

from msgspec import Struct

from extlint.package.files import UnreadableError
from extlint.package.suffixes import is_page
from extlint.text.json.object_literal import read_object_at
from extlint.text.patterns import lazy

Read = Callable[[str], bytes]

_COMMENT = lazy(r"(?m)^[ \t]*+(?://|/?\*).*$")
_SETTINGS = lazy(
    r"\b(?:define(?:Background|ContentScript)\s*+(?:<[^>]{0,200}>)?\s*+\(|config\b[^={;]{0,200}=)\s*+(?=\{)"
)
"""The code before the settings of a script: for WXT, the object with its function `main`."""

_MAX_SETTINGS = 20_000
"""The length in characters of the settings that are read."""

_EVERYWHERE = "<all_urls>"
_RUN_AT = ("run_at", "runAt")
_MADE_FOLDER = ".plasmo"
_MAIN = f"{_MADE_FOLDER}/static/background/index.ts"
"""The background that Plasmo makes for the handlers of messages."""

_SIDE_PANEL, _SANDBOX = "sidepanel", "sandbox"
_UNKNOWN = "const it = JSON.parse(port.name);"
"""Code for the arguments of handlers, which are not known."""

_PAGES: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "bookmarks": (("chrome_url_overrides", "bookmarks"),),
    "devtools": (("devtools_page",),),
    "history": (("chrome_url_overrides", "history"),),
    "newtab": (("chrome_url_overrides", "newtab"),),
    "options": (("options_ui", "page"),),
    "popup": (("action", "default_popup"),),
    _SIDE_PANEL: (("side_panel", "default_path"), ("sidebar_action", "default_panel")),
}
"""The keys in the manifest for each page, by the name of its entry point."""


class EntryPoints(Struct, frozen=True):
    """The entry points of a project. A page may be a script, for which the framework makes one.

    Pages are by name: `popup`, `notes.sidepanel`, `tabs/welcome`. `handlers` are modules that the framework
    adds to the background, and whose functions run for each message.
    """

    background: str | None
    content_scripts: tuple[str, ...]
    pages: Mapping[str, str]
    handlers: tuple[str, ...] = ()


def is_listed(name: str) -> bool:
    """Whether the manifest names the page that is an entry point with a name."""
    kind = name.rpartition(".")[2]
    return name in _PAGES or kind in (_SIDE_PANEL, _SANDBOX)


def files_of(
    found: EntryPoints, paths: Collection[str], read: Read
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Returns the keys of the manifest, and by path the pages of scripts and the background of handlers."""
    made: dict[str, bytes] = {}
    pages: dict[str, str] = {}
    for name, path in found.pages.items():
        page = pages[name] = _page_of(path, paths)
        if page != path:
            source = relpath(path, dirname(page) or ".")
            made[page] = f'<!doctype html><script type="module" src="{source}"></script>'.encode()
    background = found.background
    if found.handlers:
        background, made[_MAIN] = _MAIN, _background(found).encode()
    keys: dict[str, Any] = {}
    if background is not None:
        keys["background"] = {"service_worker": background, "type": "module"}
    if found.content_scripts:
        scripts = sorted(found.content_scripts)
        settings = {path: _settings(text_of(read, path)) for path in scripts}
        keys["content_scripts"] = [_content_script(path, each) for path, each in settings.items()]
        hosts = [_matches(each) for each in settings.values() if each.get("registration") == "runtime"]
        if hosts:
            keys["host_permissions"] = sorted({each for matches in hosts for each in matches})
    for name in sorted(pages, key=lambda name: (name not in _PAGES, name)):
        _add_page(keys, name, pages[name])
    if "side_panel" in keys:
        keys["permissions"] = ["sidePanel"]
    return keys, made


def change_for_firefox(keys: dict[str, Any], read: Read, version: int) -> None:
    """Changes the keys of a manifest to those that frameworks make for Firefox.

    These have no sandbox, which WXT leaves out if it builds for Firefox in Manifest V3 as well. A background
    of WXT says whether it is persistent, which counts in Manifest V2.
    """
    if "background" in keys:
        background = keys["background"]
        path = background["service_worker"]
        keys["background"] = {"scripts": [path], "type": background["type"]}
        is_persistent = _settings(text_of(read, path)).get("persistent")
        if version == 2 and isinstance(is_persistent, bool):
            keys["background"]["persistent"] = is_persistent
    if keys.pop("side_panel", None) is not None:
        del keys["permissions"]
    keys.pop("sandbox", None)


def text_of(read: Read, path: str) -> str:
    """Returns the text of a file, or no text if it is unreadable."""
    try:
        return read(path).decode("utf-8", "replace")
    except UnreadableError:
        return ""


def without_comments(text: str) -> str:
    """Returns a script without the lines that are comments."""
    return _COMMENT.sub("", text)


def _page_of(path: str, paths: Collection[str]) -> str:
    """Returns the page that shows a script, outside of the sources if these have one of this name."""
    page = path if is_page(path) else f"{splitext(path)[0]}.html"
    return f"{_MADE_FOLDER}/{page}" if page != path and page in paths else page


def _background(found: EntryPoints) -> str:
    """Returns a script that loads the background and the handlers, which something calls later."""
    names = [f"handler{at}" for at in range(len(found.handlers))]
    folder = dirname(_MAIN)
    lines = [] if found.background is None else [f'import "{relpath(found.background, folder)}";']
    lines += (
        f'import {name} from "{relpath(path, folder)}";'
        for name, path in zip(names, found.handlers, strict=True)
    )
    calls = " ".join((_UNKNOWN, *(f"{name}(it, it);" for name in names)))
    return "\n".join((*lines, f"chrome.runtime.onConnect.addListener((port) => {{ {calls} }});"))


def _add_page(keys: dict[str, Any], name: str, page: str) -> None:
    """Adds a page to a manifest. Only code opens a page without a key of its own, so web pages may, too."""
    kind = name.rpartition(".")[2]
    if kind == _SANDBOX or name.startswith("sandboxes/"):
        keys.setdefault("sandbox", {"pages": []})["pages"].append(page)
        return
    if name in _PAGES or (kind == _SIDE_PANEL and "side_panel" not in keys):
        for *outer, key in _PAGES[kind]:
            inner = keys
            for each in outer:
                inner = inner.setdefault(each, {})
            inner[key] = page
        return
    if "web_accessible_resources" not in keys:
        keys["web_accessible_resources"] = [{"resources": [], "matches": [_EVERYWHERE]}]
    keys["web_accessible_resources"][0]["resources"].append(page)


def _settings(text: str) -> Mapping[str, Any]:
    """Returns the settings in an entry point, as far as they are plain data."""
    text = without_comments(text)
    before = _SETTINGS.search(text)
    return {} if before is None else read_object_at(text[: before.end() + _MAX_SETTINGS], before.end())


def _content_script(path: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"matches": _matches(settings), "js": [path]}
    run_at = next((settings[key] for key in _RUN_AT if isinstance(settings.get(key), str)), None)
    if run_at is not None:
        found["run_at"] = run_at
    if settings.get("world") == "MAIN":
        found["world"] = "MAIN"
    return found


def _matches(settings: Mapping[str, Any]) -> list[str]:
    return [*_strings(settings.get("matches"))] or [_EVERYWHERE]


def _strings(value: object) -> Iterator[str]:
    return (each for each in value if isinstance(each, str)) if isinstance(value, list) else iter(())
