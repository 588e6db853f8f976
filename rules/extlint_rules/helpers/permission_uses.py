"""Finds possible uses of access to hosts and of the active tab."""

from __future__ import annotations

from extlint.checks.api.manifest_requests import may_grant_active_tab
from extlint.extension import Extension
from extlint.project.contexts.words import words_of

ACTIVE_TAB = "activeTab"

_PANELS = ("edge_side_panel", "side_panel", "sidebar_action")
_ACTIONS = """
    browserAction captureVisibleTab contextMenus declarativeContent executeScript insertCSS menus omnibox
    onClicked onCommand openPopup pageAction removeCSS scripting sidePanel sidebarAction
""".split()
"""Words that may each relate to a user action on the active tab, or to a call that requires one."""

_KEYS = """
    chrome_settings_overrides content_scripts declarative_net_request devtools_page externally_connectable
    oauth2 side_panel sidebar_action user_scripts web_accessible_resources
""".split()
"""Manifest keys that may use access to hosts."""

_USES = """
    ajax axios captureTab captureVisibleTab contentScripts cookies debugger declarativeNetRequest
    executeScript fetch getJSON insertCSS pageCapture removeCSS scripting tabCapture userScripts webRequest
    XMLHttpRequest
""".split()
"""Words that may each be a use of access to the host of a tab or another one."""

_USES_OF_A_TAB = """
    addHostAccessRequest detectLanguage getMediaStreamId getTargetElement linkUrl onShown pageUrl
    selectionText srcUrl
""".split()
"""More words that may each be a use of access to the host of a tab, besides the fields of tabs."""

_USES_OF_HOSTS = """
    browsingData chooseDesktopMedia contentSettings declarativeContent declarativeWebRequest dns dom downloads
    EventSource favIconUrl history href http https identity iframe Image importScripts offscreen pendingUrl
    permissions proxy Request sendBeacon src title topSites url urls webNavigation WebSocket WebTransport
    webview ws wss
""".split()
"""More words that may each be a use of access to hosts."""


def may_access_active_tab(extension: Extension) -> bool:
    """Whether any code may use access to the host of the active tab, besides reading the fields of the tab.

    The content scripts of Manifest V3 do not count. In Firefox, a click on the button also runs them where no
    user has allowed them, but does so without this permission, too (verified in Firefox 153).
    """
    return any(map(words_of(extension).has, (*_USES, *_USES_OF_A_TAB)))


def may_get_active_tab(extension: Extension) -> bool:
    """Whether a user action may give an extension access to the active tab.

    If no action does, a call that requires it is a different mistake.
    """
    manifest = extension.manifest
    return (
        may_grant_active_tab(manifest)
        or any(manifest.get(key) is not None for key in _PANELS)
        or any(map(words_of(extension).has, _ACTIONS))
    )


def may_use_hosts(extension: Extension) -> bool:
    """Whether code in a package may require access to hosts, judging by words at any location."""
    manifest = extension.manifest
    return any(manifest.get(key) is not None for key in _KEYS) or any(
        map(words_of(extension).has, (*_USES, *_USES_OF_HOSTS))
    )
