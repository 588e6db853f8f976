"""The output of `extlint schema` for sixty functions and events of two browsers.

The rows match the facts. Permissions, contexts and manifest versions were compared with MDN,
developer.chrome.com or Chromium's feature lists for nearly all of them, argument types and
first versions for about half. The others guard against unintended changes.
"""

from __future__ import annotations

from typing import TypeAlias

import pytest

from extlint.schema.targets import schema_set
from extlint.services.api_lookup.entry import Entry
from extlint.services.api_lookup.lookup import find_entries

PAGES = ("background page", "service worker", "extension page")
PAGES_AND_DEVTOOLS = (*PAGES, "developer tools page")
PAGES_AND_CONTENT = (*PAGES_AND_DEVTOOLS, "content script")
ALL = (*PAGES_AND_DEVTOOLS, "offscreen document", "content script")
NO_SERVICE_WORKER = ("background page", "extension page", "developer tools page")
DEVTOOLS = ("developer tools page",)

Row: TypeAlias = tuple[str, str, tuple[str, ...], tuple[int, ...], str | None, str]
"""A name, its requirements, contexts, manifest versions, first version, and parameters."""

HOST = {"host": "the host", "activeTab": "the host or activeTab"}

FIREFOX: list[Row] = [
    ("tabs.query", "nothing", PAGES, (2, 3), "45", "queryInfo: object, callback?: function(result)"),
    (
        "tabs.hide",
        "tabHide",
        PAGES,
        (2, 3),
        "61",
        "tabIds: integer, at least 0 or array of integer, at least 0",
    ),
    (
        "tabs.executeScript",
        "the host or activeTab",
        PAGES,
        (2,),
        "45",
        "tabId?: integer, at least 0, details: extensionTypes.InjectDetails, callback?: function(result?)",
    ),
    (
        "tabs.captureTab",
        "<all_urls>",
        PAGES,
        (2, 3),
        "59",
        "tabId?: integer, at least 0, options?: extensionTypes.ImageDetails",
    ),
    (
        "storage.local.get",
        "storage",
        PAGES_AND_CONTENT,
        (2, 3),
        "45",
        "keys?: string, array of string or object, callback?: function(items)",
    ),
    (
        "storage.session.set",
        "storage",
        PAGES_AND_DEVTOOLS,
        (2, 3),
        "115",
        "items: object, callback?: function()",
    ),
    (
        "cookies.get",
        "cookies; the host",
        PAGES,
        (2, 3),
        "45",
        "details: object with name and url, callback?: function(cookie?)",
    ),
    (
        "contextualIdentities.create",
        "contextualIdentities",
        PAGES,
        (2, 3),
        "53",
        "details: object with color, icon and name",
    ),
    ("menus.getTargetElement", "menus", PAGES_AND_CONTENT, (2, 3), "63", "targetElementId: integer"),
    (
        "contextMenus.create",
        "contextMenus",
        PAGES,
        (2, 3),
        "48",
        "createProperties: object, callback?: function()",
    ),
    (
        "downloads.open",
        "downloads and downloads.open; a gesture",
        PAGES,
        (2, 3),
        "48",
        "downloadId: integer, callback?: function()",
    ),
    ("sidebarAction.open", "manifest:sidebar_action; a gesture", PAGES, (2, 3), "57", ""),
    (
        "action.setBadgeText",
        "manifest:action",
        PAGES,
        (3,),
        "109",
        "details: object with text, callback?: function()",
    ),
    (
        "browserAction.setTitle",
        "manifest:browser_action",
        PAGES,
        (2,),
        "45",
        "details: object with title, callback?: function()",
    ),
    (
        "scripting.executeScript",
        "scripting; the host or activeTab",
        PAGES,
        (2, 3),
        "102",
        "injection: scripting.ScriptInjection, callback?: function(results)",
    ),
    (
        "webRequest.filterResponseData",
        "webRequest and webRequestBlocking",
        PAGES,
        (2, 3),
        "57",
        "requestId: string",
    ),
    (
        "webRequest.onAuthRequired",
        "webRequest; the host",
        PAGES,
        (2, 3),
        "54",
        "details: object, asyncCallback?: function(response)",
    ),
    (
        "devtools.panels.create",
        "nothing",
        DEVTOOLS,
        (2, 3),
        "54",
        'title: string, iconPath: "" or manifest.ExtensionURL, '
        "pagePath: manifest.ExtensionURL, callback?: function(panel)",
    ),
    ("privacy.websites.cookieConfig", "privacy", PAGES, (2, 3), "59", ""),
    ("proxy.onRequest", "proxy", PAGES, (2, 3), "60", "details: object"),
    (
        "runtime.sendMessage",
        "nothing",
        PAGES_AND_CONTENT,
        (2, 3),
        "45",
        "extensionId?: string, message: any value, options?: object, responseCallback?: function(response)",
    ),
    (
        "i18n.getMessage",
        "nothing",
        PAGES_AND_CONTENT,
        (2, 3),
        "45",
        "messageName: string, substitutions?: any value",
    ),
    (
        "alarms.create",
        "alarms",
        PAGES,
        (2, 3),
        "45",
        "name?: string, alarmInfo: object, callback?: function()",
    ),
    ("theme.update", "theme", PAGES, (2, 3), "55", "windowId?: integer, details: manifest.ThemeType"),
    (
        "userScripts.register",
        "manifest:user_scripts or userScripts",
        PAGES,
        (2,),
        "68",
        "userScriptOptions: userScripts.UserScriptOptions, callback?: function(legacyRegisteredUserScript)",
    ),
    (
        "userScripts.register",
        "manifest:user_scripts or userScripts",
        PAGES,
        (3,),
        "136",
        "scripts: array of userScripts.RegisteredUserScript",
    ),
    (
        "notifications.create",
        "notifications",
        PAGES,
        (2, 3),
        "45",
        "notificationId?: string, options: notifications.CreateNotificationOptions, "
        "callback?: function(notificationId)",
    ),
    (
        "clipboard.setImageData",
        "clipboardWrite",
        PAGES,
        (2, 3),
        "57",
        'imageData: instance of ArrayBuffer, imageType: "jpeg" or "png"',
    ),
    ("find.find", "find", PAGES, (2, 3), "57", "queryphrase: string, params?: object"),
    ("dns.resolve", "dns", PAGES, (2, 3), "60", "hostname: string, flags?: dns.ResolveFlags"),
]

CHROME: list[Row] = [
    (
        "tabs.query",
        "nothing",
        PAGES_AND_DEVTOOLS,
        (2, 3),
        "16",
        "queryInfo: object, callback?: function(result)",
    ),
    (
        "tabs.captureVisibleTab",
        "<all_urls> or activeTab to call it",
        PAGES_AND_DEVTOOLS,
        (2, 3),
        "5",
        "windowId?: integer, at least -2, "
        "options?: extensionTypes.ImageDetails, callback?: function(dataUrl)",
    ),
    (
        "scripting.executeScript",
        "scripting; the host or activeTab",
        PAGES_AND_DEVTOOLS,
        (3,),
        "88",
        "injection: scripting.ScriptInjection, callback?: function(results)",
    ),
    (
        "sidePanel.open",
        "sidePanel; a gesture",
        PAGES_AND_DEVTOOLS,
        (3,),
        "116",
        "options: sidePanel.OpenOptions, callback?: function()",
    ),
    (
        "offscreen.createDocument",
        "offscreen",
        PAGES_AND_DEVTOOLS,
        (3,),
        "109",
        "parameters: offscreen.CreateParameters, callback?: function()",
    ),
    (
        "downloads.setUiOptions",
        "downloads; downloads.ui to call it",
        PAGES_AND_DEVTOOLS,
        (2, 3),
        "<=105",
        "options: downloads.UiOptions, callback?: function()",
    ),
    (
        "identity.getProfileUserInfo",
        "identity; identity.email to call it",
        PAGES_AND_DEVTOOLS,
        (2, 3),
        None,
        "details?: identity.ProfileDetails, callback?: function(userInfo)",
    ),
    (
        "declarativeNetRequest.getMatchedRules",
        "declarativeNetRequest or declarativeNetRequestWithHostAccess; "
        "activeTab or declarativeNetRequestFeedback to call it",
        PAGES_AND_DEVTOOLS,
        (2, 3),
        "84",
        "filter?: declarativeNetRequest.MatchedRulesFilter, callback?: function(details)",
    ),
    (
        "declarativeNetRequest.onRuleMatchedDebug",
        "declarativeNetRequest or declarativeNetRequestWithHostAccess and declarativeNetRequestFeedback",
        PAGES_AND_DEVTOOLS,
        (2, 3),
        "84",
        "info: declarativeNetRequest.MatchedRuleInfoDebug",
    ),
    (
        "storage.session.get",
        "storage",
        PAGES_AND_CONTENT,
        (3,),
        "102",
        "keys?: string, array of string or object, callback?: function(items)",
    ),
    (
        "tabCapture.capture",
        "tabCapture",
        NO_SERVICE_WORKER,
        (2, 3),
        None,
        "options: tabCapture.CaptureOptions, callback: function(stream)",
    ),
    ("extension.getViews", "nothing", NO_SERVICE_WORKER, (2, 3), "4", "fetchProperties?: object"),
    ("runtime.getURL", "nothing", ALL, (2, 3), "22", "path: string"),
    (
        "runtime.connectNative",
        "nativeMessaging",
        PAGES_AND_DEVTOOLS,
        (2, 3),
        "29",
        "application: string or runtime.NativeMessageTarget",
    ),
    ("management.getSelf", "nothing", PAGES_AND_DEVTOOLS, (2, 3), "<=58", "callback?: function(result)"),
    (
        "management.setEnabled",
        "management",
        PAGES_AND_DEVTOOLS,
        (2, 3),
        "8",
        "id: string, enabled: boolean, callback?: function()",
    ),
    (
        "tts.speak",
        "tts",
        PAGES_AND_DEVTOOLS,
        (2, 3),
        None,
        "utterance: string, options?: tts.TtsOptions, callback?: function()",
    ),
    (
        "tabGroups.update",
        "tabGroups",
        PAGES_AND_DEVTOOLS,
        (3,),
        "89",
        "groupId: integer, at least 0, updateProperties: object, callback?: function(group?)",
    ),
    (
        "readingList.addEntry",
        "readingList",
        PAGES_AND_DEVTOOLS,
        (3,),
        "120",
        "entry: readingList.AddEntryOptions, callback?: function()",
    ),
    (
        "debugger.attach",
        "debugger",
        PAGES_AND_DEVTOOLS,
        (2, 3),
        None,
        "target: debugger.Debuggee, requiredVersion: string, callback?: function()",
    ),
    (
        "omnibox.setDefaultSuggestion",
        "manifest:omnibox",
        PAGES_AND_DEVTOOLS,
        (2, 3),
        "9",
        "suggestion: omnibox.DefaultSuggestResult, callback?: function()",
    ),
    (
        "i18n.detectLanguage",
        "nothing",
        PAGES_AND_CONTENT,
        (2, 3),
        "47",
        "text: string, callback?: function(result)",
    ),
    (
        "history.search",
        "history",
        PAGES_AND_DEVTOOLS,
        (2, 3),
        "5",
        "query: object with text, callback?: function(results)",
    ),
    (
        "pageCapture.saveAsMHTML",
        "pageCapture",
        PAGES_AND_DEVTOOLS,
        (2, 3),
        None,
        "details: object with tabId, callback?: function(mhtmlData?)",
    ),
    (
        "permissions.request",
        "a gesture",
        PAGES_AND_DEVTOOLS,
        (2, 3),
        "16",
        "permissions: permissions.Permissions, callback?: function(granted)",
    ),
    (
        "enterprise.deviceAttributes.getDirectoryDeviceId",
        "enterprise.deviceAttributes",
        PAGES_AND_DEVTOOLS,
        (2, 3),
        "46",
        "callback?: function(deviceId)",
    ),
    (
        "devtools.inspectedWindow.eval",
        "manifest:devtools_page",
        DEVTOOLS,
        (2, 3),
        "18",
        "expression: string, options?: object, callback?: function(result?, exceptionInfo?)",
    ),
    (
        "system.display.getInfo",
        "system.display",
        PAGES_AND_DEVTOOLS,
        (2, 3),
        None,
        "flags?: system.display.GetInfoFlags, callback?: function(displayInfo)",
    ),
    (
        "tabs.executeScript",
        "the host or activeTab",
        PAGES_AND_DEVTOOLS,
        (2,),
        "5",
        "tabId?: integer, at least 0, details: extensionTypes.InjectDetails, callback?: function(result?)",
    ),
    (
        "dom.openOrClosedShadowRoot",
        "nothing",
        PAGES_AND_CONTENT,
        (2, 3),
        "88",
        "element: instance of HTMLElement",
    ),
    (
        "storage.session.setAccessLevel",
        "storage",
        PAGES_AND_CONTENT,
        (3,),
        "102",
        "accessOptions: object with accessLevel, callback?: function()",
    ),
]


def requirements(entry: Entry) -> str:
    """Returns the requirements of a member, followed by the additional ones of its calls."""
    there = " and ".join(" or ".join(group) for group in entry.permissions)
    calls = [f"{' or '.join(group)} to call it" for group in entry.call_permissions]
    host = [HOST[entry.host]] if entry.host else []
    gesture = ["a gesture"] if entry.user_gesture else []
    return "; ".join([*([there] if there else []), *calls, *host, *gesture]) or "nothing"


def first_version(entry: Entry, browser: str) -> str | None:
    found = entry.versions.get(browser)
    return found[0] if isinstance(found, list) else None


@pytest.mark.parametrize(
    ("browser", "row"),
    [
        pytest.param(browser, row, id=f"{browser} {row[0]} {row[3]}")
        for browser, rows in (("firefox", FIREFOX), ("chrome", CHROME))
        for row in rows
    ],
)
def test_schema_entry(
    browser: str, row: tuple[str, str, tuple[str, ...], tuple[int, ...], str | None, str]
) -> None:
    found_rows = [
        (
            row[0],
            requirements(entry),
            entry.contexts,
            entry.manifest_versions,
            first_version(entry, browser),
            ", ".join(f"{each.name}{'?' * each.optional}: {each.type}" for each in entry.parameters),
        )
        for entry in find_entries(schema_set(browser), row[0])
    ]
    assert row in found_rows
