"""Queries the globals in each kind of context of a real browser."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from extlint.analysis.facts.context import ContextKind
from extlint_judge.browsers.chromium import chromium, load_extension
from extlint_judge.browsers.firefox import OPEN, firefox, install, open_page
from extlint_judge.browsers.http_server import Server, serving
from extlint_judge.extensions import ID, write_files
from extlint_schemas import AbsentGlobals

WAIT = 20.0
"""The timeout in seconds for the globals of a context."""

_LISTING = Path(__file__).with_name("listing.js")

_KINDS = {
    "firefox": (
        ContextKind.BACKGROUND,
        ContextKind.CONTENT_SCRIPT,
        ContextKind.MAIN_WORLD,
        ContextKind.EXTENSION_PAGE,
        ContextKind.WORKER,
    ),
    "chromium": (
        ContextKind.SERVICE_WORKER,
        ContextKind.CONTENT_SCRIPT,
        ContextKind.MAIN_WORLD,
        ContextKind.EXTENSION_PAGE,
        ContextKind.SANDBOX,
        ContextKind.OFFSCREEN,
        ContextKind.WORKER,
    ),
}


IGNORED = frozenset({"LanguageModelParams", "SharedArrayBuffer", "browser", "chrome", "listed", "tell"})
"""Globals that depend on the headers of a page, the extension API, and those added by the probe itself."""


class ContextGlobals(Struct, frozen=True):
    """The globals of a context, and those of them that are null. `navigator.x` is a member of one."""

    present: frozenset[str]
    empty: frozenset[str]


def observe(browser: str, command: str, folder: Path) -> dict[ContextKind, ContextGlobals]:
    """Returns the globals of each kind of context that a browser has. Raises BrowserError."""
    with serving() as server:
        where = folder / "extension"
        write_files(_files(browser, server), where)
        observe_browser = _observe_chromium if browser == "chromium" else _observe_firefox
        return observe_browser(command, folder, where, server)


def _files(browser: str, server: Server) -> dict[str, str]:
    """Returns the files of an extension in which each context posts its globals."""
    listing = _LISTING.read_text(encoding="utf-8")

    def posting_script(context: ContextKind) -> str:
        return f"{listing}tell({json.dumps(server.address('/'))}, {json.dumps(context.value)});\n"

    is_chromium = browser == "chromium"
    background = ContextKind.SERVICE_WORKER if is_chromium else ContextKind.BACKGROUND
    matched = {"matches": ["http://127.0.0.1/*"], "run_at": "document_idle"}
    manifest: dict[str, Any] = {
        "manifest_version": 3,
        "name": "judge",
        "version": "1",
        "host_permissions": ["http://127.0.0.1/*"],
        "content_scripts": [
            {**matched, "js": ["content.js"]},
            {**matched, "js": ["main.js"], "world": "MAIN"},
        ],
    }
    opening = ""
    if is_chromium:
        manifest["permissions"] = ["offscreen"]
        manifest["background"] = {"service_worker": "background.js"}
        manifest["sandbox"] = {"pages": ["sandbox.html"]}
        offscreen = '{ url: "offscreen.html", reasons: ["DOM_PARSER"], justification: "judge" }'
        opening = f"chrome.offscreen.createDocument({offscreen});\n"
    else:
        manifest["browser_specific_settings"] = {"gecko": {"id": ID}}
        manifest["background"] = {"scripts": ["background.js"]}
    pages = {
        "page": posting_script(ContextKind.EXTENSION_PAGE) + 'new Worker("worker.js");\n',
        "sandbox": posting_script(ContextKind.SANDBOX),
        "offscreen": posting_script(ContextKind.OFFSCREEN),
    }
    return {
        "manifest.json": json.dumps(manifest),
        "background.js": posting_script(background) + opening,
        "content.js": posting_script(ContextKind.CONTENT_SCRIPT),
        "main.js": posting_script(ContextKind.MAIN_WORLD),
        "worker.js": posting_script(ContextKind.WORKER),
        **{f"{name}.html": f"<!doctype html><script src='{name}.js'></script>" for name in pages},
        **{f"{name}.js": script for name, script in pages.items()},
    }


def _observe_chromium(
    command: str, folder: Path, where: Path, server: Server
) -> dict[ContextKind, ContextGlobals]:
    with chromium(command, folder) as connection:
        origin = f"chrome-extension://{load_extension(connection, where)}"
        for address in (f"{origin}/page.html", f"{origin}/sandbox.html", server.page):
            connection.send("Target.createTarget", url=address)
        return _received("chromium", server)


def _observe_firefox(
    command: str, folder: Path, where: Path, server: Server
) -> dict[ContextKind, ContextGlobals]:
    with firefox(command, folder) as marionette:
        install(marionette, where)
        open_page(marionette, "page.html")
        marionette.script(OPEN, server.page)
        return _received("firefox", server)


def _received(browser: str, server: Server) -> dict[ContextKind, ContextGlobals]:
    reports = server.receive_from((each.value for each in _KINDS[browser]), timeout=WAIT)
    return {
        ContextKind(name): ContextGlobals(frozenset(listed["there"]), frozenset(listed["empty"]))
        for name, listed in reports.items()
    }


def missing_globals(observed: Mapping[ContextKind, ContextGlobals]) -> dict[str, AbsentGlobals]:
    """Returns, for each kind of context, the globals that others have and it does not."""
    usable = {kind: each.present - each.empty for kind, each in observed.items()}
    everywhere = frozenset[str]().union(*usable.values()) - IGNORED
    found: dict[str, AbsentGlobals] = {}
    for kind in sorted(observed, key=lambda each: each.value):
        names = everywhere - usable[kind]
        without_parts = {each for each in names if "." not in each or each.partition(".")[0] not in names}
        empty = observed[kind].empty & without_parts
        found[kind.value] = AbsentGlobals(frozenset(without_parts - empty), empty)
    return found
