"""Finds possible uses of access to hosts, or to the active tab, in a package."""

from __future__ import annotations

from extlint.checks.api.manifest_requests import may_grant_active_tab
from extlint.extension import Extension
from extlint.project.contexts.words import words_of

ACTIVE_TAB = "activeTab"

_PANELS = ("edge_side_panel", "side_panel", "sidebar_action")
_SIGNS = (
    *("captureVisibleTab", "executeScript", "insertCSS", "onClicked", "removeCSS", "scripting"),
    *("browserAction", "contextMenus", "menus", "omnibox", "onCommand", "pageAction"),
    *("declarativeContent", "openPopup", "sidePanel", "sidebarAction"),
)
"""Words that may each relate to the active tab, or to a user action on it."""

_KEYS = (
    *("content_scripts", "declarative_net_request", "devtools_page", "externally_connectable", "oauth2"),
    *(
        "chrome_settings_overrides",
        "side_panel",
        "sidebar_action",
        "user_scripts",
        "web_accessible_resources",
    ),
)
"""Manifest keys that may use access to hosts."""

_REQUESTS = (
    *("EventSource", "Image", "Request", "WebSocket", "WebTransport", "XMLHttpRequest", "ajax", "axios"),
    *(
        "fetch",
        "getJSON",
        "http",
        "https",
        "iframe",
        "importScripts",
        "sendBeacon",
        "src",
        "href",
        "ws",
        "wss",
    ),
)
_APIS = (
    *("captureTab", "captureVisibleTab", "contentScripts", "cookies", "debugger", "declarativeContent"),
    *("declarativeNetRequest", "declarativeWebRequest", "dns", "dom", "downloads", "executeScript"),
    *(
        "favIconUrl",
        "history",
        "identity",
        "insertCSS",
        "offscreen",
        "pageCapture",
        "pendingUrl",
        "permissions",
    ),
    *("proxy", "removeCSS", "scripting", "tabCapture", "title", "topSites", "url", "urls", "userScripts"),
    *("webNavigation", "webRequest", "webview", "chooseDesktopMedia", "browsingData", "contentSettings"),
)
"""Words that may each be a use of access to hosts."""


def may_use_active_tab(extension: Extension) -> bool:
    """Whether a user action may give an extension access to the active tab.

    If no action does, a call that requires it is a different mistake.
    """
    manifest = extension.manifest
    return (
        may_grant_active_tab(manifest)
        or any(manifest.get(key) is not None for key in _PANELS)
        or any(map(words_of(extension).has, _SIGNS))
    )


def may_use_hosts(extension: Extension) -> bool:
    """Whether code in a package may require access to hosts, judging by words at any location."""
    manifest = extension.manifest
    return any(manifest.get(key) is not None for key in _KEYS) or any(
        map(words_of(extension).has, (*_REQUESTS, *_APIS))
    )
