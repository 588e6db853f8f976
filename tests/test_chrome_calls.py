"""Calls that Chromium 156 was given: what it took, and what it refused as soon as it saw the arguments."""

from __future__ import annotations

import pytest
from matching_values import js

from extlint.matching.call import judge_call
from extlint.matching.environment import Environment
from extlint.schema.model import Constant, Function
from extlint.schema.target import schema_set
from extlint.schema.types import RefType

CHROME = schema_set("chrome")


def function(path: str) -> Function:
    """A function of a namespace, or of an object that stands in one (`storage.local.get`)."""
    scope, _, name = path.rpartition(".")
    namespace = CHROME.namespace(scope)
    if namespace is None:
        outer, _, holder = scope.rpartition(".")
        around = CHROME.namespace(outer)
        assert around is not None
        (constant,) = around.members[holder]
        assert isinstance(constant, Constant)
        assert isinstance(constant.type, RefType)
        owner = CHROME.namespace(constant.type.namespace)
        assert owner is not None
        (found,) = owner.members_of_type(constant.type.name)[name]
    else:
        (found,) = namespace.members[name]
    assert isinstance(found, Function)
    return found


def mistakes(path: str, arguments: list[object]) -> int:
    called = function(path)
    values = tuple(js(each) for each in arguments)
    env = Environment(CHROME, "chromium", manifest_version=3)
    return len(judge_call(path, called.parameters, values, False, env, ambiguous=called.ambiguous))


TAKEN: list[tuple[str, list[object]]] = [
    ("tabs.query", [{"active": True, "currentWindow": True}]),
    ("tabs.query", [{"url": ["*://*/*"], "windowId": -2}]),
    ("tabs.query", [{"url": "*://*/*"}]),
    ("tabs.update", [{"active": True}]),
    ("tabs.update", [99999, {"active": True}]),
    ("tabs.update", [None, {"active": True}]),
    ("tabs.sendMessage", [99999, {"a": 1}, {"frameId": 0}]),
    ("tabs.remove", [[99999, 99998]]),
    ("tabs.group", [{"tabIds": 99999}]),
    ("tabs.reload", [99999, {"bypassCache": True}]),
    ("alarms.create", ["name", {"delayInMinutes": 100}]),
    ("alarms.create", [{"periodInMinutes": 100}]),
    ("alarms.clear", []),
    ("alarms.clear", [None]),
    ("scripting.executeScript", [{"target": {"tabId": 99999}, "files": ["a.js"]}]),
    (
        "scripting.registerContentScripts",
        [[{"id": "zz", "matches": ["*://b/*"], "js": ["cs.js"], "runAt": "document_end"}]],
    ),
    ("notifications.create", ["id1", {"type": "basic", "title": "a", "message": "b", "iconUrl": "x.png"}]),
    ("cookies.get", [{"name": "a", "url": "https://a.b"}]),
    ("cookies.getAll", [{}]),
    ("i18n.getMessage", ["a", ["b"]]),
    ("i18n.getMessage", ["a", "b", {"escapeLt": True}]),
    ("windows.getAll", [{"populate": True, "windowTypes": ["normal"]}]),
    ("windows.getAll", []),
    ("contextMenus.remove", ["x"]),
    ("contextMenus.update", ["x", {"title": "b"}]),
    ("contextMenus.create", [{"id": "q", "title": "a", "contexts": ["page", "browser_action"]}]),
    ("action.setBadgeText", [{"text": "a"}]),
    ("action.setBadgeBackgroundColor", [{"color": [1, 2, 3, 4]}]),
    ("action.setBadgeBackgroundColor", [{"color": "red"}]),
    ("action.enable", []),
    ("bookmarks.get", [["a", "b"]]),
    ("bookmarks.search", ["a"]),
    ("bookmarks.search", [{"query": "a"}]),
    ("history.search", [{"text": ""}]),
    ("history.getVisits", [{"url": "http://a/"}]),
    ("downloads.search", [{"query": ["a"]}]),
    ("downloads.erase", [{"id": 99999}]),
    ("declarativeNetRequest.updateDynamicRules", [{"removeRuleIds": [1]}]),
    (
        "declarativeNetRequest.updateSessionRules",
        [
            {
                "addRules": [
                    {
                        "id": 1,
                        "action": {"type": "block"},
                        "condition": {"urlFilter": "a", "resourceTypes": ["image"]},
                    }
                ]
            }
        ],
    ),
    ("runtime.sendMessage", ["ping"]),
    ("runtime.connect", [{"name": "a"}]),
    ("runtime.connect", ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", {"name": "a"}]),
    ("runtime.getURL", ["a"]),
    ("runtime.setUninstallURL", ["https://a.b/"]),
    ("runtime.getContexts", [{}]),
    ("runtime.getPlatformInfo", []),
    ("idle.queryState", [60]),
    ("idle.setDetectionInterval", [60]),
    ("sidePanel.setOptions", [{"path": "a.html", "enabled": True}]),
    ("sidePanel.setPanelBehavior", [{"openPanelOnActionClick": True}]),
    ("tts.speak", ["a", {"lang": "en"}]),
    ("topSites.get", []),
    ("fontSettings.getFont", [{"genericFamily": "serif"}]),
    ("fontSettings.getMinimumFontSize", []),
    ("fontSettings.getMinimumFontSize", [{}]),
    ("permissions.contains", [{"permissions": ["tabs"]}]),
    ("permissions.getAll", []),
    ("sessions.getRecentlyClosed", [{"maxResults": 5}]),
    ("sessions.getRecentlyClosed", []),
    ("readingList.query", [{}]),
    ("tabGroups.query", [{}]),
    ("tabGroups.update", [99999, {"color": "grey"}]),
    ("identity.getAuthToken", [{"interactive": False}]),
    ("browsingData.settings", []),
    ("power.requestKeepAwake", ["display"]),
    ("webNavigation.getAllFrames", [{"tabId": 99999}]),
    ("webNavigation.getFrame", [{"frameId": 0}]),
    ("offscreen.hasDocument", []),
    ("management.getSelf", []),
    ("omnibox.setDefaultSuggestion", [{"description": "a"}]),
    ("storage.local.get", [None]),
    ("storage.local.get", ["a"]),
    ("storage.local.get", [["a"]]),
    ("storage.local.get", [{"a": 1}]),
    ("privacy.network.networkPredictionEnabled.get", [{}]),
    ("privacy.network.networkPredictionEnabled.clear", [{}]),
    ("proxy.settings.get", [{}]),
    ("proxy.settings.set", [{"value": {"mode": "direct"}}]),
    ("contentSettings.javascript.get", [{"primaryUrl": "http://a/"}]),
    ("contentSettings.javascript.set", [{"primaryPattern": "http://a/*", "setting": "block"}]),
    ("debugger.attach", [{"tabId": 99999}, "1.3"]),
    ("debugger.getTargets", []),
]
REFUSED: list[tuple[str, list[object]]] = [
    ("tabs.query", [{"actve": True}]),
    ("tabs.query", [{"windowId": "1"}]),
    ("tabs.query", []),
    ("tabs.query", [{}, {}]),
    ("tabs.query", [None]),
    ("tabs.update", ["1", {"active": True}]),
    ("tabs.sendMessage", [99999]),
    ("tabs.sendMessage", ["x", {}]),
    ("tabs.get", ["1"]),
    ("tabs.remove", [["a"]]),
    ("tabs.group", [{"tabIds": []}]),
    ("tabs.move", [99999, {}]),
    ("alarms.create", [{"delayInMinutes": "1"}]),
    ("alarms.create", ["a"]),
    ("alarms.clear", [1]),
    ("scripting.executeScript", [{"files": ["a.js"]}]),
    ("scripting.executeScript", [{"target": {"tabId": 99999}, "files": ["a.js"], "world": "MAINX"}]),
    ("scripting.registerContentScripts", [[{"id": "zz", "matches": "*://b/*"}]]),
    ("notifications.create", [{"type": "basik", "title": "a", "message": "b", "iconUrl": "x.png"}]),
    ("cookies.get", [{"url": "https://a.b"}]),
    ("cookies.set", [{"url": "https://a.b", "sameSite": "laxx"}]),
    ("cookies.getAll", []),
    ("i18n.getMessage", []),
    ("i18n.getMessage", ["a", "b", {"escape": True}]),
    ("windows.create", [{"type": "none"}]),
    ("windows.get", []),
    ("contextMenus.remove", []),
    ("contextMenus.create", [{"id": "q2", "title": "a", "contexts": []}]),
    ("action.setBadgeText", ["a"]),
    ("action.setBadgeBackgroundColor", [{"color": [1, 2, 3]}]),
    ("action.setPopup", [{}]),
    ("action.setTitle", [{"title": 1}]),
    ("bookmarks.get", [[]]),
    ("bookmarks.search", [{"q": "a"}]),
    ("history.search", [{}]),
    ("downloads.search", [{"limit": "5"}]),
    ("declarativeNetRequest.updateDynamicRules", [{"removeRuleId": [1]}]),
    (
        "declarativeNetRequest.updateSessionRules",
        [{"addRules": [{"id": 1, "action": {"type": "blok"}, "condition": {}}]}],
    ),
    ("runtime.getURL", []),
    ("runtime.getContexts", [{"contextTypes": ["TABS"]}]),
    ("idle.queryState", ["60"]),
    ("sidePanel.setPanelBehavior", [{"openOnClick": True}]),
    ("tts.speak", []),
    ("permissions.contains", [{"permission": ["tabs"]}]),
    ("search.query", [{}]),
    ("readingList.query", []),
    ("tabGroups.update", [99999, {"color": "gray"}]),
    ("identity.launchWebAuthFlow", [{}]),
    ("browsingData.remove", [{}]),
    ("pageCapture.saveAsMHTML", [{}]),
    ("power.requestKeepAwake", ["screen"]),
    ("management.get", []),
    ("omnibox.setDefaultSuggestion", [{"content": "a", "description": "a"}]),
    ("storage.local.get", [5]),
    ("storage.local.set", ["a", 1]),
    ("storage.local.remove", []),
    ("storage.session.setAccessLevel", [{"accessLevel": "TRUSTED"}]),
    ("privacy.network.networkPredictionEnabled.get", []),
    ("privacy.network.networkPredictionEnabled.set", [{"value": "yes"}]),
    ("proxy.settings.set", [{"value": {"mode": "directly"}}]),
    ("debugger.attach", [{"tabId": 99999}]),
]


@pytest.mark.parametrize(("path", "arguments"), TAKEN)
def test_calls_that_chrome_takes(path: str, arguments: list[object]) -> None:
    assert mistakes(path, arguments) == 0


@pytest.mark.parametrize(("path", "arguments"), REFUSED)
def test_calls_that_chrome_refuses(path: str, arguments: list[object]) -> None:
    assert mistakes(path, arguments) >= 1
