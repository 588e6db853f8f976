"""Describes the ability that a permission grants, as a phrase that begins with a verb."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from extlint.manifest.manifest import ALL_URLS
from extlint.text.wording import quoted

_EVERY_SITE = "read and change everything on every site"

_ABILITIES: Mapping[str, str] = {
    ALL_URLS: _EVERY_SITE,
    "accessibilityFeatures.modify": "change accessibility settings",
    "accessibilityFeatures.read": "read accessibility settings",
    "bookmarks": "read and change bookmarks",
    "browserSettings": "read and change settings of the browser",
    "browsingData": "delete the history, cookies and other stored data",
    "clipboardRead": "read the clipboard",
    "clipboardWrite": "write to the clipboard",
    "contentSettings": "change what sites may do, such as using the camera",
    "debugger": f"attach the debugger to tabs, and {_EVERY_SITE}",
    "declarativeNetRequest": "block requests of any page",
    "declarativeNetRequestFeedback": "see the addresses of visited pages",
    "desktopCapture": "record the screen",
    "devtools": "read the data of tabs through the developer tools",
    "downloads": "manage downloads",
    "downloads.open": "open downloaded files",
    "favicon": "read the icons of visited sites",
    "find": "read the text of open tabs",
    "geolocation": "find out the location",
    "history": "read and change the browsing history",
    "identity.email": "find out the email address",
    "management": "manage other extensions and themes",
    "nativeMessaging": "exchange messages with other programs",
    "notifications": "show notifications",
    "pkcs11": "provide certificates and keys",
    "privacy": "read and change privacy settings",
    "processes": "see the addresses of visited pages",
    "proxy": "control the proxy of the browser",
    "readingList": "read and change the reading list",
    "sessions": "see recently closed tabs",
    "system.storage": "see and eject storage devices",
    "tabGroups": "see and manage groups of tabs",
    "tabHide": "hide and show tabs",
    "tabs": "see the addresses and titles of tabs",
    "topSites": "see the most visited sites",
    "trialML": "download and run machine learning models",
    "ttsEngine": "read all text that is spoken aloud",
    "userScripts": "run scripts of others on sites",
    "webNavigation": "follow the navigation of tabs",
}


def describe_group(first: str, group: Sequence[str]) -> str:
    """Describes the ability that a group of permissions grants, by the first of them."""
    return _EVERY_SITE if ALL_URLS in group else _ABILITIES.get(first, f"use the permission {quoted(first)}")


def describe_host(pattern: str) -> str:
    """Describes the ability that a host pattern grants: `https://*.example.com/*`."""
    host = pattern.partition("://")[2].partition("/")[0]
    if host.startswith("*."):
        return f"read and change everything on {host[2:]} and its subdomains"
    return f"read and change everything on {host}"
