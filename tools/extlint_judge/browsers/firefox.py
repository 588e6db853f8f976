"""Runs Firefox. Operations that only its own code can do are privileged scripts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from extlint_judge.browsers.http_server import INSECURE_HOST
from extlint_judge.browsers.marionette import PRIVILEGED, Marionette
from extlint_judge.browsers.processes import running
from extlint_judge.browsers.shared_browser import SharedBrowser
from extlint_judge.extensions import ID

PREFERENCES = {
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.discovery.enabled": False,
    "browser.newtab.preload": False,
    "browser.region.update.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "devtools.toolbox.host": "window",
    "dom.ipc.keepProcessesAlive.extension": 1,
    "dom.ipc.processPrelaunch.enabled": False,
    "extensions.geckoProfiler.acceptedExtensionIds": ID,
    "extensions.systemAddon.update.enabled": False,
    "extensions.update.enabled": False,
    "layout.frame_rate": 10,
    "marionette.port": 0,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.localDomains": INSECURE_HOST,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.no_proxies_on": INSECURE_HOST,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.type": 1,
    "toolkit.telemetry.enabled": False,
}
"""Preferences that restrict connections to this machine: the proxy for everything else does not exist.

Nothing is preloaded, and no welcome page is shown. The process of extensions stays alive.
Windows, which are invisible anyway, are seldom painted.
"""

OPEN = """
const [address] = args;
const { gBrowser } = Services.wm.getMostRecentBrowserWindow("navigator:browser");
const triggeringPrincipal = Services.scriptSecurityManager.getSystemPrincipal();
gBrowser.selectedTab = gBrowser.addTab(address, { triggeringPrincipal });
"""

CLICK_WITH_MIDDLE_BUTTON = """
const { extension } = WebExtensionPolicy.getByID(args[0]);
const { ExtensionParent } = ChromeUtils.importESModule("resource://gre/modules/ExtensionParent.sys.mjs");
const browser = Services.wm.getMostRecentBrowserWindow("navigator:browser");
const { node } = ExtensionParent.apiManager.global.browserActionFor(extension).widget.forWindow(browser);
const click = new browser.PointerEvent("auxclick", { button: 1, bubbles: true, cancelable: true });
node.viewButton.dispatchEvent(click);
"""

UNINSTALL = """
const { AddonManager } = ChromeUtils.importESModule("resource://gre/modules/AddonManager.sys.mjs");
await (await AddonManager.getAddonByID(args[0]))?.uninstall();
"""

RESTART = """
const { AddonManager } = ChromeUtils.importESModule("resource://gre/modules/AddonManager.sys.mjs");
const addon = await AddonManager.getAddonByID(args[0]);
await addon.disable();
await addon.enable();
"""

CLOSE = """
const { gBrowser } = Services.wm.getMostRecentBrowserWindow("navigator:browser");
while (gBrowser.tabs.length > 1) gBrowser.removeTab(gBrowser.tabs[1], { animate: false });
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


def firefox(command: str, folder: Path) -> AbstractContextManager[Marionette]:
    """Returns a Firefox with a new profile in `folder`, or the reused one, if any, without the extension."""
    return _shared.session(command, folder)


def install(session: Marionette, folder: Path) -> str:
    """Installs the extension in a folder until Firefox ends, and returns its id. Raises BrowserError."""
    extension: str = session.command("Addon:Install", {"path": str(folder), "temporary": True})["value"]
    return extension


def open_page(session: Marionette, name: str, extension: str = ID) -> None:
    """Opens a page of an extension, waiting for the extension to start. Raises BrowserError."""
    session.script(OPEN, session.script(ADDRESS_OF, extension, name))


@contextmanager
def _start(command: str, folder: Path) -> Iterator[Marionette]:
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


def _clean(session: Marionette) -> None:
    session.command("Marionette:SetContext", {"value": "content"})
    open_tab = session.command("WebDriver:GetWindowHandles", {})[0]  # the last one may be closed by now
    session.command("WebDriver:SwitchToWindow", {"handle": open_tab, "focus": True})
    session.command("WebDriver:Navigate", {"url": "about:blank"})
    session.command("Marionette:SetContext", {"value": PRIVILEGED})
    session.script(UNINSTALL + CLOSE, ID)


_shared = SharedBrowser(_start, _clean)

reuse_firefox = _shared.reuse
