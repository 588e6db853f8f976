"""Asks Firefox which members extensions have."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from queue import Empty

from extlint.script.facts.context import ContextKind
from extlint_judge.asking import ANSWERS_TO, asked
from extlint_judge.browsers import BrowserError, running
from extlint_judge.calls import Call
from extlint_judge.extensions import ID, Case, described, files_of, write_files
from extlint_judge.marionette import Marionette
from extlint_judge.record import Answer, Place
from extlint_judge.server import Server, serving

WAIT = 8.0
"""So many seconds a context has to tell what it has."""

PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "devtools.toolbox.host": "window",
    "extensions.geckoProfiler.acceptedExtensionIds": ID,
    "extensions.systemAddon.update.enabled": False,
    "extensions.update.enabled": False,
    "marionette.port": 0,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.type": 1,
    "toolkit.telemetry.enabled": False,
}
"""Nothing but this machine is spoken to: the proxy for all else does not exist."""

SCHEMAS = Path(__file__).with_name("firefox_schemas.js").read_text(encoding="utf-8")

OPEN = """
const [address] = args;
const { gBrowser } = Services.wm.getMostRecentBrowserWindow("navigator:browser");
const triggeringPrincipal = Services.scriptSecurityManager.getSystemPrincipal();
gBrowser.selectedTab = gBrowser.addTab(address, { triggeringPrincipal });
"""

CLOSE = """
const { gBrowser } = Services.wm.getMostRecentBrowserWindow("navigator:browser");
while (gBrowser.tabs.length > 1) gBrowser.removeTab(gBrowser.tabs[1], { animate: false });
"""

GRANT = """
const { ExtensionPermissions } = ChromeUtils.importESModule(
  "resource://gre/modules/ExtensionPermissions.sys.mjs"
);
await ExtensionPermissions.add(args[0], { permissions: args[1], origins: [], data_collection: [] });
"""

ADDRESS_OF = """
const { setTimeout } = ChromeUtils.importESModule("resource://gre/modules/Timer.sys.mjs");
for (let tries = 0; tries < 50 && !WebExtensionPolicy.getByID(args[0]); tries++) {
  await new Promise(resolve => setTimeout(resolve, 100));
}
const policy = WebExtensionPolicy.getByID(args[0]);
await policy.readyPromise;
return policy.getURL(args[1]);
"""

TOOLBOX = """
const { require } = ChromeUtils.importESModule("resource://devtools/shared/loader/Loader.sys.mjs");
const { gDevTools } = require("devtools/client/framework/devtools");
const { gBrowser } = Services.wm.getMostRecentBrowserWindow("navigator:browser");
await gDevTools.showToolboxForTab(gBrowser.selectedTab, { toolId: "inspector" });
"""

CLOSE_TOOLBOX = """
const { require } = ChromeUtils.importESModule("resource://devtools/shared/loader/Loader.sys.mjs");
const { gDevTools } = require("devtools/client/framework/devtools");
const { gBrowser } = Services.wm.getMostRecentBrowserWindow("navigator:browser");
await gDevTools.closeToolboxForTab(gBrowser.selectedTab);
"""


@contextmanager
def firefox(command: str, folder: Path) -> Iterator[Marionette]:
    """A Firefox with a new profile in `folder`."""
    profile = folder / "profile"
    profile.mkdir()
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()]
    (profile / "user.js").write_text("".join(lines), encoding="utf-8")
    options = ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote"]
    with running([command, *options, "--profile", str(profile), "about:blank"], folder) as process:
        session = Marionette(process, profile)
        try:
            yield session
        finally:
            session.close()


def places(session: Marionette, cases: Iterable[Case], folder: Path, unseen: list[str]) -> Iterator[Place]:
    """What the contexts of each case have; `unseen` is given a sentence for what could not be seen."""
    with serving() as server:
        for number, case in enumerate(cases):
            # Each posts to a path of its own: a page of the one before may still be at it.
            path = f"/{number}"
            write_files(files_of(case, server.address(path)), folder)
            what = described(case)
            try:
                addon = _install(session, server, path, case, folder)
            except BrowserError as error:
                unseen.append(f"{what}: {error}")
                continue
            _open(session, server, case, addon)
            told = _told(server, path, case.contexts)
            for kind in sorted(case.contexts, key=lambda each: each.value):
                if kind in told:
                    yield Place(case.manifest, kind.value, told[kind])
                else:
                    unseen.append(f"{what}: the {kind.value} says nothing")
            if ContextKind.DEVTOOLS_PAGE in case.contexts:
                session.script(CLOSE_TOOLBOX)
            session.script(CLOSE)
            session.command("Addon:Uninstall", {"id": addon})


def answers(session: Marionette, calls: Iterable[Call]) -> Iterator[Answer]:
    """What Firefox's schemas say to calls; nothing is done by them."""
    by_version = sorted(calls, key=lambda each: each.version)
    for version, alike in groupby(by_version, key=lambda each: each.version):
        yield from asked(alike, partial(_answers, session, version))


def _answers(session: Marionette, version: int, script: str) -> list[str | None]:
    asking = f"return answersTo(rootOf({version}), {script});"
    found: list[str | None] = session.script(f"{SCHEMAS}\n{ANSWERS_TO}\n{asking}")
    return found


def _install(session: Marionette, server: Server, path: str, case: Case, folder: Path) -> str:
    """Installs it; what it may only ask for later is granted, and then it is installed once more."""
    where = {"path": str(folder), "temporary": True}
    addon: str = session.command("Addon:Install", where)["value"]
    if optional := case.manifest.get("optional_permissions"):
        _told(server, path, frozenset({ContextKind.BACKGROUND}))
        session.script(GRANT, addon, optional)
        session.command("Addon:Install", where)
    return addon


def _open(session: Marionette, server: Server, case: Case, addon: str) -> None:
    if ContextKind.EXTENSION_PAGE in case.contexts:
        session.script(OPEN, session.script(ADDRESS_OF, addon, "page.html"))
    if case.contexts & {ContextKind.CONTENT_SCRIPT, ContextKind.DEVTOOLS_PAGE}:
        session.script(OPEN, server.page)
    if ContextKind.DEVTOOLS_PAGE in case.contexts:
        session.script(TOOLBOX)


def _told(server: Server, path: str, wanted: frozenset[ContextKind]) -> dict[ContextKind, dict[str, str]]:
    """What the wanted contexts have, and what others told by then."""
    end = time.monotonic() + WAIT
    told: dict[ContextKind, dict[str, str]] = {}
    while not wanted <= told.keys():
        try:
            posted_to, body = server.posts.get(timeout=max(0.01, end - time.monotonic()))
        except Empty:
            break
        if posted_to == path:
            post = json.loads(body)
            told[ContextKind(post["context"])] = post["members"]
    return told
