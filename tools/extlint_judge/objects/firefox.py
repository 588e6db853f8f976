"""Runs the scenarios in Firefox."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from extlint_judge.browsers.firefox import CLOSE, OPEN, TOOLBOX, firefox, install, open_page
from extlint_judge.browsers.marionette import Marionette
from extlint_judge.extensions import ID, Manifest, write_files
from extlint_judge.objects.observations import ContextReport
from extlint_judge.objects.scenario_extension import SCENARIOS, files_of
from extlint_judge.objects.scenario_server import Action, ScenarioServer, scenario_server

TRUST = """
Cc["@mozilla.org/security/certoverride;1"].getService(Ci.nsICertOverrideService)
  .setDisableAllSecurityChecksAndLetAttackersInterceptMyData(true);
Services.prefs.setStringPref("browser.toolbars.bookmarks.visibility", "always");
Services.prefs.setBoolPref("dom.disable_open_during_load", false);
"""
"""The script that accepts any certificate, allows windows to open, and shows the bookmarks."""

GRANT = """
const { ExtensionPermissions } = ChromeUtils.importESModule(
  "resource://gre/modules/ExtensionPermissions.sys.mjs"
);
const origins = ["<all_urls>"];
await ExtensionPermissions.add(args[0], { permissions: args[1], origins, data_collection: [] });
"""

CLICK = """
const { ExtensionParent } = ChromeUtils.importESModule("resource://gre/modules/ExtensionParent.sys.mjs");
const window = Services.wm.getMostRecentBrowserWindow("navigator:browser");
const { extension } = WebExtensionPolicy.getByID(args[0]);
const { global } = ExtensionParent.apiManager;
const find = args[1] === "pageAction" ? global.pageActionFor : global.browserActionFor;
await find(extension)?.triggerAction(window);
"""

PIN = """
const { gUnifiedExtensions } = Services.wm.getMostRecentBrowserWindow("navigator:browser");
for (const isPinned of [true, false]) {
  gUnifiedExtensions.pinToToolbar("judge_extlint_invalid-browser-action", isPinned);
}
"""

COMMAND = """
const { document } = Services.wm.getMostRecentBrowserWindow("navigator:browser");
document.querySelector("keyset[id^='ext-keyset-id-judge'] key").doCommand();
"""

OMNIBOX = """
const { gURLBar } = Services.wm.getMostRecentBrowserWindow("navigator:browser");
gURLBar.focus();
gURLBar.search("judge hello");
"""

MENU = """
const [target, click, offset] = args;
const { setTimeout } = ChromeUtils.importESModule("resource://gre/modules/Timer.sys.mjs");
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
const window = [...Services.wm.getEnumerator("navigator:browser")].find(
  (each) => each.gBrowser.currentURI.spec.endsWith("/menu.html")
);
const { document, gBrowser } = window;
const options = { bubbles: true, cancelable: true, button: 2, view: window };
const closed = async (menu) => {
  menu.hidePopup();
  for (let tries = 0; tries < 60 && menu.state !== "closed"; tries++) await pause(50);
};
for (const each of ["contentAreaContextMenu", "tabContextMenu", "placesContext"]) {
  await closed(document.getElementById(each));
}
const event = new window.MouseEvent("contextmenu", options);
let name = "contentAreaContextMenu";
if (target === "tab") {
  name = "tabContextMenu";
  gBrowser.selectedTab.dispatchEvent(event);
} else if (target === "bookmark") {
  name = "placesContext";
  const { PlacesUtils } = ChromeUtils.importESModule("resource://gre/modules/PlacesUtils.sys.mjs");
  const { toolbarGuid: parentGuid } = PlacesUtils.bookmarks;
  await PlacesUtils.bookmarks.insert({ parentGuid, url: "http://127.0.0.1/bookmark.html", title: "judge" });
  for (let tries = 0; tries < 40 && !document.querySelector("#PlacesToolbarItems .bookmark-item"); tries++) {
    await pause(50);
  }
  document.querySelector("#PlacesToolbarItems .bookmark-item").dispatchEvent(event);
} else {
  const { x, y } = gBrowser.selectedBrowser.getBoundingClientRect();
  for (const type of ["mousedown", "mouseup", "contextmenu"]) {
    window.synthesizeMouseEvent(type, x + 20, y + offset, { button: 2, clickCount: 1 }, {});
  }
}
const menu = document.getElementById(name);
for (let tries = 0; tries < 60 && menu.state !== "open"; tries++) await pause(50);
await pause(300);
const { state } = menu;
const items = [...menu.querySelectorAll("menuitem")];
const item = items.find((each) => each.id.endsWith(`menuitem-_${click}`));
item?.doCommand();
await closed(menu);
return item ? "" : `${state}: ${items.filter((each) => each.id.includes("judge")).map((each) => each.id)}`;
"""

THEME = {
    "manifest_version": 2,
    "name": "judge theme",
    "version": "1",
    "theme": {"colors": {"frame": "red"}},
    "browser_specific_settings": {"gecko": {"id": "theme@extlint.invalid"}},
}
"""The theme that is installed and removed for others to observe."""

OFFSETS = {"selection": 20, "link": 58, "image": 104, "editable": 170, "frame": 220, "page": 270, "box": 270}
"""The distance of each part from the upper edge of the page of menus, in pixels."""


def reports(
    command: str,
    manifests: Sequence[tuple[Manifest, Sequence[str]]],
    folder: Path,
    unseen: list[str],
    scenarios: Sequence[str] = SCENARIOS,
) -> Iterator[ContextReport]:
    """Yields reports of extensions with these manifests, each with the functions to call with callbacks."""
    for number, (manifest, callbacks) in enumerate(manifests):
        home = folder / f"firefox{number}"
        home.mkdir()
        with scenario_server(home) as server, firefox(command, home) as session:
            write_files(files_of(manifest, server, callbacks, scenarios), home / "extension")
            yield from _received(session, server, manifest, home, unseen)


def _received(
    session: Marionette,
    server: ScenarioServer,
    manifest: Manifest,
    home: Path,
    unseen: list[str],
) -> Iterator[ContextReport]:
    session.script(TRUST)
    session.script(GRANT, ID, manifest.get("optional_permissions", []))
    where, other = home / "extension", home / "other"
    write_files({"manifest.json": json.dumps(THEME)}, other)

    def menu(detail: dict[str, Any]) -> None:
        target = detail["target"]
        problem = session.script(MENU, target, detail["click"], OFFSETS.get(target, 0))
        if problem:
            unseen.append(f"menu of {target}: {problem}")

    actions: dict[str, Action] = {
        "click action": lambda _: session.script(CLICK, ID, "action"),
        "click browserAction": lambda _: session.script(CLICK, ID, "browserAction"),
        "click pageAction": lambda _: session.script(CLICK, ID, "pageAction"),
        "pin action": lambda _: session.script(PIN),
        "pin browserAction": lambda _: session.script(PIN),
        "command": lambda _: session.script(COMMAND),
        "omnibox": lambda _: session.script(OMNIBOX),
        "context menu": menu,
        "open": lambda detail: open_page(session, detail["page"]),
        "install another": lambda _: install(session, other),
        "remove another": lambda _: session.command("Addon:Uninstall", {"id": "theme@extlint.invalid"}),
        "developer tools": lambda _: _open_tools(session, server),
    }
    install(session, where)
    yield from server.listen(actions, "background", unseen)


def _open_tools(session: Marionette, server: ScenarioServer) -> None:
    session.script(CLOSE)
    session.script(OPEN, server.server.page)
    session.script(TOOLBOX)
