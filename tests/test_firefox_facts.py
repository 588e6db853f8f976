"""Firefox's facts: a sample verified with Firefox's own schemas and documentation."""

from __future__ import annotations

import pytest
from matching_values import FUNCTION, js

from extlint.schema.engine import Engine
from extlint.schema.matching.call import judge_call
from extlint.schema.matching.environment import Environment
from extlint.schema.model import Availability, Function, Member
from extlint.schema.targets import schema_set

FIREFOX = schema_set("firefox")


def members(path: str) -> tuple[Member, ...]:
    scope, _, name = path.rpartition(".")
    namespace = FIREFOX.namespace(scope)
    if namespace is not None:
        return namespace.members[name]
    scope, _, kind = scope.rpartition(".")
    namespace = FIREFOX.namespace(scope)
    assert namespace is not None
    return namespace.members_of_type(kind)[name]


def function(path: str) -> Function:
    (found,) = members(path)
    assert isinstance(found, Function)
    return found


def alternative_permissions(availability: Availability) -> list[str]:
    """Returns the permissions, one of them required. Firefox never requires two."""
    assert len(availability.permissions) <= 1
    return sorted(each for group in availability.permissions for each in group)


@pytest.mark.parametrize(
    ("namespace", "permissions"),
    [
        ("menus", ["menus"]),
        ("contextMenus", ["contextMenus"]),
        ("action", ["manifest:action"]),
        ("browserAction", ["manifest:browser_action"]),
        ("alarms", ["alarms"]),
        ("cookies", ["cookies"]),
        ("declarativeNetRequest", ["declarativeNetRequest", "declarativeNetRequestWithHostAccess"]),
        ("devtools", ["manifest:devtools_page"]),
        ("devtools.panels", []),
        ("management", []),
        ("privacy.network", ["privacy"]),
        ("runtime", []),
        ("tabs", []),
        ("trial.ml", ["trialML"]),
    ],
)
def test_namespace_permissions(namespace: str, permissions: list[str]) -> None:
    found = FIREFOX.namespace(namespace)
    assert found is not None
    assert [sorted(group) for group in found.availability.permissions] == (
        [permissions] if permissions else []
    )


@pytest.mark.parametrize(
    ("member", "permissions"),
    [
        ("management.getAll", ["management"]),
        ("management.getSelf", []),
        ("management.onInstalled", ["management"]),
        ("runtime.sendNativeMessage", ["nativeMessaging"]),
        ("downloads.open", ["downloads.open"]),
        ("menus.overrideContext", ["menus.overrideContext"]),
        ("tabs.hide", ["tabHide"]),
        ("tabs.captureVisibleTab", ["<all_urls>", "activeTab"]),
        ("webRequest.filterResponseData", ["webRequestBlocking"]),
        ("tabs.Tab.url", ["tabs"]),
        ("tabs.Tab.id", []),
    ],
)
def test_member_permissions(member: str, permissions: list[str]) -> None:
    (found,) = members(member)
    assert [sorted(group) for group in found.availability.permissions] == (
        [permissions] if permissions else []
    )


@pytest.mark.parametrize(
    ("member", "versions"),
    [
        ("tabs.executeScript", (2, 2)),
        ("extension.getURL", (2, 2)),
        ("scripting.executeScript", (2, 3)),
        ("userScripts.configureWorld", (3, 3)),
        ("tabs.query", (2, 3)),
    ],
)
def test_manifest_versions_of_members(member: str, versions: tuple[int, int]) -> None:
    (found,) = members(member)
    assert (found.availability.versions.minimum, found.availability.versions.maximum) == versions


def test_manifest_versions_of_namespaces() -> None:
    versions = {}
    for name in ("action", "browserAction", "contentScripts"):
        found = FIREFOX.namespace(name)
        assert found is not None
        versions[name] = (found.availability.versions.minimum, found.availability.versions.maximum)
    assert versions == {"action": (3, 3), "browserAction": (2, 2), "contentScripts": (2, 2)}


def is_in_content_scripts(availability: Availability) -> bool:
    return "content" in availability.contexts and not availability.unsupported


def test_members_in_content_scripts() -> None:
    shown: dict[str, set[str]] = {}
    for name in FIREFOX.names:
        namespace = FIREFOX.namespace(name)
        assert namespace is not None
        if "content" not in namespace.availability.contexts:
            continue
        for member, forms in namespace.members.items():
            if any(
                "content" in each.availability.contexts and not each.availability.unsupported
                for each in forms
            ):
                shown.setdefault(name, set()).add(member)
    del shown["test"]
    assert shown == {
        "extension": {"getURL", "inIncognitoContext", "lastError"},
        "i18n": {
            "detectLanguage",
            "getAcceptLanguages",
            "getMessage",
            "getPreferredSystemLanguages",
            "getUILanguage",
        },
        "normandyAddonStudy": {"endStudy", "getClientMetadata", "getStudy", "onUnenroll"},
        "menus": {"getTargetElement"},
        "runtime": {
            *("connect", "connectNative", "getDocumentId", "getFrameId", "getManifest", "getURL"),
            *("getVersion", "sendMessage", "sendNativeMessage", "onConnect", "onMessage", "id", "lastError"),
            *("OnInstalledReason", "OnRestartRequiredReason", "PlatformArch", "PlatformOs"),
            "RequestUpdateCheckStatus",
        },
        "storage": {"local", "managed", "onChanged", "sync"},
        "trial.ml": {"deleteCachedModels", "onProgress", "runEngine"},
        "userScripts": {"onBeforeScript"},
    }


VALID = [
    ("tabs.query", [{"active": True, "currentWindow": True}]),
    ("tabs.query", [{"url": ["*://*/*"], "windowId": -2}]),
    ("tabs.update", [{"active": True}]),
    ("tabs.update", [1, {"active": True}]),
    ("tabs.sendMessage", [1, {"a": 1}, {"frameId": 0}]),
    ("alarms.create", ["name", {"delayInMinutes": 1}]),
    ("alarms.create", [{"periodInMinutes": 1}]),
    ("storage.StorageArea.get", [None]),
    ("storage.StorageArea.get", ["key", FUNCTION]),
    ("types.Setting.set", [{"value": True}]),
    ("scripting.executeScript", [{"target": {"tabId": 1}, "files": ["a.js"]}]),
    ("browserAction.setBadgeText", [{"text": None, "tabId": 1}]),
    ("runtime.sendMessage", [1, 2, 3, 4, 5]),
    ("tabs.insertCSS", [{"code": "a", "cssOrigin": "USER"}]),
    ("theme.update", [{"colors": {"frame": "red"}, "more": 1}]),
    ("cookies.get", [{"name": "a", "url": "https://a.b"}]),
    ("devtools.panels.create", ["a", "", "panel.html"]),
]
INVALID = [
    ("tabs.query", [{"actve": True}], "invalid-argument"),
    ("tabs.query", [{"windowId": "1"}], "invalid-argument"),
    ("tabs.query", [], "wrong-argument-count"),
    ("tabs.create", [{"index": -1}], "invalid-argument"),
    ("alarms.create", [{"delayInMinutes": "1"}], "invalid-argument"),
    ("storage.StorageArea.set", ["a", 1], "invalid-argument"),
    ("types.Setting.set", [{}], "invalid-argument"),
    ("scripting.executeScript", [{"files": ["a.js"]}], "invalid-argument"),
    ("browserAction.setBadgeText", ["text"], "invalid-argument"),
    ("i18n.getMessage", [], "wrong-argument-count"),
    ("tabs.insertCSS", [{"code": "a", "cssOrigin": "users"}], "invalid-argument"),
    ("windows.create", [{"type": "none"}], "invalid-argument"),
    ("cookies.get", [{"url": "https://a.b"}], "invalid-argument"),
    ("devtools.panels.create", ["a", ""], "wrong-argument-count"),
]


def reported_rules(path: str, arguments: list[object]) -> list[str]:
    called = function(path)
    values = tuple(js(each) for each in arguments)
    found = judge_call(
        path, called.parameters, values, False, Environment(FIREFOX, Engine.GECKO), ambiguous=called.ambiguous
    )
    return [each.rule for each in found]


@pytest.mark.parametrize(("path", "arguments"), VALID)
def test_valid_call(path: str, arguments: list[object]) -> None:
    assert reported_rules(path, arguments) == []


@pytest.mark.parametrize(("path", "arguments", "rule"), INVALID)
def test_invalid_call(path: str, arguments: list[object], rule: str) -> None:
    assert reported_rules(path, arguments) == [rule]
