"""The content of Chrome's facts, as tables: permissions, contexts, flags, right and wrong calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from extlint.schema.model import Member
from extlint.schema.targets import schema_set
from extlint_schemas import namespace_loaders


def member(path: str) -> Member:
    namespace, _, name = path.rpartition(".")
    found = schema_set("chrome").namespace(namespace)
    assert found is not None
    return found.members[name][0]


def node(path: str) -> dict[str, Any]:
    """Returns a namespace, function, event or property as stored in the files."""
    if path in namespace_loaders("chrome"):
        return namespace_loaders("chrome")[path]()[0]
    namespace, _, name = path.rpartition(".")
    return next(each for each in parts(namespace_loaders("chrome")[namespace]()[0]) if each["name"] == name)


def parts(namespace: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from namespace.get("functions", ())
    yield from namespace.get("events", ())
    yield from ({"name": name, **each} for name, each in namespace.get("properties", {}).items())


@pytest.mark.parametrize(
    ("path", "permissions"),
    [
        ("alarms", ["alarms"]),
        ("action", ["manifest:action"]),
        ("accessibilityFeatures", ["accessibilityFeatures.modify", "accessibilityFeatures.read"]),
        ("declarativeNetRequest", ["declarativeNetRequest", "declarativeNetRequestWithHostAccess"]),
        ("declarativeNetRequest.onRuleMatchedDebug", ["declarativeNetRequestFeedback"]),
        ("devtools.recorder", ["manifest:devtools_page"]),
        ("input.ime", ["input"]),
        ("instanceID", ["gcm"]),
        ("management", None),
        ("management.getAll", ["management"]),
        ("management.onInstalled", ["management"]),
        ("management.getSelf", None),
        ("management.uninstallSelf", None),
        ("management.installReplacementWebApp", ["manifest:replacement_web_app"]),
        ("privacy.network", ["privacy"]),
        ("runtime", None),
        ("runtime.connectNative", ["nativeMessaging"]),
        ("tabs", None),
        ("windows", None),
    ],
)
def test_nodes_have_their_permissions(path: str, permissions: list[str] | None) -> None:
    assert node(path).get("permissions") == permissions


@pytest.mark.parametrize(
    ("path", "contexts"),
    [
        ("runtime.connect", ("content", "offscreen", "user_script")),
        ("runtime.getURL", ("content", "offscreen")),
        ("runtime.getVersion", ("content",)),
        ("runtime.getContexts", ()),
        ("storage.local", ("content",)),
        ("i18n.getMessage", ("content",)),
        ("extension.getViews", ("no_service_worker",)),
        ("extension.inIncognitoContext", ("content",)),
        ("devtools.panels.create", ("devtools", "devtools_only")),
        ("tabs.query", ()),
    ],
)
def test_members_have_their_contexts(path: str, contexts: tuple[str, ...]) -> None:
    assert member(path).availability.contexts == contexts


@pytest.mark.parametrize(
    ("path", "keys"),
    [
        ("browserAction", {"max_manifest_version": 2}),
        ("scripting", {"min_manifest_version": 3}),
        (
            "tabs.executeScript",
            {"max_manifest_version": 2, "hostPermission": "activeTab"},
        ),
        ("storage.session", {"min_manifest_version": 3, "since": "102"}),
        ("runtime.getBackgroundPage", {"noServiceWorker": True}),
        ("tabCapture.capture", {"noServiceWorker": True}),
        ("power.reportActivity", {"platforms": ["chromeos"], "since": "113"}),
        ("enterprise.hardwarePlatform", {"installLocation": "policy"}),
        ("declarativeNetRequest.testMatchOutcome", {"installLocation": "unpacked"}),
        ("processes", {"channel": "dev"}),
        ("permissions.request", {"requireUserInput": True}),
        ("sidePanel.open", {"requireUserInput": True}),
        ("downloads.setUiOptions", {"callPermissions": ["downloads.ui"]}),
        ("cookies.get", {"hostPermission": True}),
        ("webRequest.onBeforeRequest", {"hostPermission": True}),
        ("tabs.query", {"promiseSince": "88", "async": "callback"}),
        ("tabs.TAB_ID_NONE", {"value": -1}),
    ],
)
def test_nodes_have_their_flags(path: str, keys: dict[str, Any]) -> None:
    found = node(path)
    assert {key: found.get(key) for key in keys} == keys


def test_optional_leading_parameters_are_merged_into_one_function() -> None:
    parameters = [(each["name"], each.get("optional", False)) for each in node("tabs.update")["parameters"]]
    assert parameters == [("tabId", True), ("updateProperties", False), ("callback", False)]


def test_menus_accept_manifest_v2_contexts() -> None:
    types = {each["id"]: each for each in namespace_loaders("chrome")["contextMenus"]()[0]["types"]}
    assert {"action", "browser_action", "page_action"} <= set(types["ContextType"]["enum"])
