"""The links of a popup that a click opens."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from extlint_judge.browsers.session import BACKGROUND, InFirefox, Session
from extlint_judge.extensions import ID, Files, extension, manifest
from extlint_judge.query import Query, contradictions, findings

LINKS: Mapping[str, str] = {
    "a link": "",
    "a link to a new tab": 'target="_blank"',
    "a link with a name of a window": 'target="help"',
}
"""The attributes of the links."""

_OPEN_POPUP = """
const { extension } = WebExtensionPolicy.getByID(args[0]);
const { ExtensionParent } = ChromeUtils.importESModule("resource://gre/modules/ExtensionParent.sys.mjs");
const browser = Services.wm.getMostRecentBrowserWindow("navigator:browser");
await ExtensionParent.apiManager.global.browserActionFor(extension).openPopup(browser, true);
"""

_BACKGROUND = """
chrome.runtime.onMessage.addListener(() => setTimeout(async () => {
  const tabs = await chrome.tabs.query({});
  %s;
}, 1500));
%s;
"""
_POPUP = """
chrome.runtime.sendMessage("click");
document.querySelector("a").click();
"""


def _files(attributes: str, address: str, background: str = "", popup: str = "") -> Files:
    keys = manifest(
        permissions=["tabs"],
        action={"default_popup": "popup.html"},
        background={"service_worker": BACKGROUND, "scripts": [BACKGROUND]},
    )
    page = f'<!doctype html><a href="{address}" {attributes}>link</a><script src="popup.js"></script>'
    return extension(keys, {BACKGROUND: background, "popup.html": page, "popup.js": popup})


def _ask(session: Session, attributes: str) -> bool:
    """Returns whether a click on a link opens a tab."""
    address = session.server.address("/linked.html")
    is_open = f"tabs.some(({{ url }}) => url === {json.dumps(address)})"
    background = _BACKGROUND % (session.report("judge", is_open), session.report("ready", "1"))
    session.load(_files(attributes, address, background, _POPUP))
    session.receive("ready")
    if isinstance(session, InFirefox):
        session.marionette.script(_OPEN_POPUP, ID)
    else:
        session.trigger_action()
    found: bool = session.receive("judge")["judge"]
    return found


def _compare(browser: str, attributes: str, answer: bool) -> Iterator[str]:
    found = findings(browser, _files(attributes, "https://example.com/"), "blocked-link")
    yield from contradictions(["the link"] if found else [], {"the link": not answer})


popup_links = Query(
    "popup-links",
    """Query which links of a popup a click opens.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: LINKS,
    _ask,
    _compare,
)
