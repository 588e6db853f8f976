"""Findings for browser targets: tables of extensions, targets, and the reported rules or messages."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

from extlint.schema.targets import Target, target_of

SPECS = {
    "a name": ("firefox", Target("firefox")),
    "a first version": ("chrome>=120", Target("chrome", (120,))),
    "spaces": (" firefox >= 115.3.0 ", Target("firefox", (115, 3))),
    "a last version": ("firefox<=128", Target("firefox", None, (128,))),
    "both": ("firefox>=115<=128", Target("firefox", (115,), (128,))),
    "no operator": ("chrome 120", None),
    "no name": (">=120", None),
    "no version": ("chrome>=", None),
}


@pytest.mark.parametrize(("text", "expected"), SPECS.values(), ids=SPECS.keys())
def test_target_is_parsed_from_name_and_versions(text: str, expected: Target | None) -> None:
    assert target_of(text) == expected


def background_files(source: str, **keys: object) -> dict[str, str]:
    return {"manifest.json": manifest(background={"service_worker": "b.js"}, **keys), "b.js": source}


def gecko(**keys: str) -> dict[str, object]:
    return {"browser_specific_settings": {"gecko": {"id": "a@b", **keys}}}


REPORTED = {
    "an API missing in one browser": (
        "browser.tabs.hide([1])",
        {"permissions": ["tabHide"]},
        {"chrome": ["unknown-api"], "firefox": [], "reference": []},
    ),
    "an API missing in every browser": (
        "browser.tabs.getEverything()",
        {},
        {"chrome": ["unknown-api"], "firefox": ["unknown-api"], "reference": ["unknown-api"]},
    ),
    "a namespace of one browser": (
        "browser.sidePanel.setOptions({})",
        {"permissions": ["sidePanel"]},
        {"chrome": [], "firefox": ["unknown-api"], "reference": []},
    ),
    "a namespace of one browser without its permission": (
        "browser.sidePanel.setOptions({})",
        {},
        {"chrome": ["missing-permission"], "firefox": ["unknown-api"], "reference": ["missing-permission"]},
    ),
    "a nested namespace": (
        "browser.privacy.network.webRTCIPHandlingPolicy.get({}); browser.privacy.nothing.get({})",
        {"permissions": ["privacy"]},
        {"chrome": ["unknown-api"], "firefox": ["unknown-api"], "reference": ["unknown-api"]},
    ),
    "an object in a namespace": (
        "browser.storage.local.get('a'); browser.storage.local.fetch('a')",
        {"permissions": ["storage"]},
        {"chrome": ["unknown-api"], "firefox": ["unknown-api"], "reference": ["unknown-api"]},
    ),
    "a constant next to the type of such an object": (
        "browser.storage.sync.QUOTA_BYTES",
        {"permissions": ["storage"]},
        {"chrome": [], "firefox": [], "reference": []},
    ),
    "a missing permission is reported once": (
        "browser.storage.local.get('a')",
        {},
        {
            "chrome": ["missing-permission"],
            "firefox": ["missing-permission"],
            "reference": ["missing-permission"],
        },
    ),
    "functions without a required permission": (
        "browser.management.getSelf(); browser.tabs.query({})",
        {},
        {"chrome": [], "firefox": [], "reference": []},
    ),
    "an API removed after Manifest V2": (
        "browser.tabs.executeScript({file: 'a.js'})",
        {},
        {
            "chrome": ["wrong-manifest-version"],
            "firefox": ["wrong-manifest-version"],
            "reference": ["wrong-manifest-version"],
        },
    ),
    "an API removed after Manifest V2, guarded by a version test": (
        "if (browser.runtime.getManifest().manifest_version === 2) browser.tabs.executeScript({code: 'a'})",
        {},
        {"chrome": [], "firefox": [], "reference": []},
    ),
    "either of two": (
        "(browser.action ?? browser.browserAction).setBadgeText({text: 'a'})",
        {"action": {}},
        {"chrome": [], "firefox": [], "reference": []},
    ),
    "a manifest key that is missing": (
        "browser.omnibox.onInputEntered.addListener(() => {})",
        {},
        {
            "chrome": ["missing-manifest-key"],
            "firefox": ["missing-manifest-key"],
            "reference": ["missing-manifest-key"],
        },
    ),
    "an argument that both refuse": (
        "browser.tabs.create({url: 1})",
        {},
        {"chrome": ["invalid-argument"], "firefox": ["invalid-argument"], "reference": ["invalid-argument"]},
    ),
    "an argument that one refuses": (
        "browser.tabs.create({cookieStoreId: 'a'})",
        {"permissions": ["cookies"]},
        {"chrome": ["invalid-argument"], "firefox": [], "reference": []},
    ),
    "under the test of a browser's name": (
        "if (isFirefox) browser.tabs.hide([1]); if (isChrome) browser.sidePanel.open({tabId: 1})",
        {"permissions": ["tabHide", "sidePanel"], "side_panel": {"default_path": "panel.html"}},
        {"chrome": [], "firefox": [], "reference": []},
    ),
    "after such a test": (
        "function f() { if (!IS_FIREFOX) return; browser.tabs.hide([1]) }",
        {"permissions": ["tabHide"]},
        {"chrome": [], "firefox": [], "reference": []},
    ),
    "in an app": (
        "chrome.app.window.create('a.html'); chrome.serial.connect('a')",
        {"app": {"background": {"scripts": ["b.js"]}}},
        {"chrome": [], "firefox": [], "reference": []},
    ),
    "a declarative event": (
        "chrome.declarativeContent.onPageChanged.addRules([])",
        {"permissions": ["declarativeContent"]},
        {"chrome": [], "firefox": ["unknown-api"], "reference": []},
    ),
}
TARGET_RULES = [
    "unknown-api",
    "missing-permission",
    "missing-manifest-key",
    "wrong-manifest-version",
    "invalid-argument",
    "wrong-argument-count",
]


@pytest.mark.parametrize(("source", "keys", "expected"), REPORTED.values(), ids=REPORTED.keys())
def test_findings_depend_on_the_target(
    source: str, keys: dict[str, object], expected: dict[str, list[str]]
) -> None:
    files = background_files(source, **keys)
    assert {
        target: [each.rule for each in lint(files, TARGET_RULES, target)] for target in expected
    } == expected


OLD: dict[str, object] = {"manifest_version": 2}
VERSIONS: dict[str, tuple[str, dict[str, object], str, list[str]]] = {
    "no minimum version in the manifest": ("browser.tabs.hide([1])", {}, "firefox", []),
    "the manifest is older": (
        "browser.tabs.hide([1])",
        {**OLD, **gecko(strict_min_version="58.0")},
        "firefox",
        ["`tabs.hide` was added in Firefox 61, but the extension also runs in Firefox 58"],
    ),
    "the manifest is as new": (
        "browser.tabs.hide([1])",
        {**OLD, **gecko(strict_min_version="61.0")},
        "firefox",
        [],
    ),
    "the target is older": (
        "browser.tabs.hide([1])",
        {**OLD, **gecko(strict_min_version="128.0")},
        "firefox>=60",
        ["`tabs.hide` was added in Firefox 61, but the extension also runs in Firefox 60"],
    ),
    "a test": ("if (browser.tabs.hide) browser.tabs.hide([1])", OLD, "firefox>=58", []),
    "a test in another place": (
        "const save = () => browser.tabs.hide([1]); f = () => { if (!browser.tabs.hide) return; save() }",
        OLD,
        "firefox>=58",
        [],
    ),
    "under any condition": (
        "if (tab.groupId) browser.tabs.hide([1])",
        OLD,
        "firefox>=58",
        [],
    ),
    "a newer object is reported once": (
        "browser.storage.session.get()",
        {},
        "firefox>=100",
        ["`storage.session` was added in Firefox 115, but the extension also runs in Firefox 109"],
    ),
    "on Android its own key": (
        "browser.tabs.warmup(1); browser.storage.session.get()",
        {
            "browser_specific_settings": {
                "gecko": {"id": "a@b", "strict_min_version": "128.0"},
                "gecko_android": {"strict_min_version": "113.0"},
            }
        },
        "firefox_android",
        [
            "`storage.session` was added in Firefox for Android 115, but the extension also runs in "
            "Firefox for Android 113"
        ],
    ),
    "Chrome's own key": (
        "chrome.sidePanel.open({tabId: 1})",
        {"minimum_chrome_version": "114"},
        "chrome",
        ["`sidePanel.open` was added in Chrome 116, but the extension also runs in Chrome 114"],
    ),
    "a member that was documented later than it was there": (
        "chrome.offscreen.hasDocument()",
        {"minimum_chrome_version": "116"},
        "chrome",
        [],
    ),
    "a namespace that came later than that": (
        "chrome.offscreen.hasDocument()",
        {"minimum_chrome_version": "108"},
        "chrome",
        ["`offscreen` was added in Chrome 109, but the extension also runs in Chrome 108"],
    ),
    "a member that is as old as its namespace": (
        "chrome.offscreen.closeDocument()",
        {"minimum_chrome_version": "109"},
        "chrome",
        [],
    ),
}


def test_api_that_differed_in_manifest_v2_is_too_new() -> None:
    old = {"manifest_version": 2, "background": {"scripts": ["b.js"]}, "user_scripts": {}}
    keys = {**old, **gecko(strict_min_version="67.0")}
    files = {"manifest.json": manifest(**keys), "b.js": "browser.userScripts.register({js: []})"}
    messages = [each.message for each in lint(files, ["too-new-api"], "firefox")]
    assert messages == ["`userScripts` was added in Firefox 68, but the extension also runs in Firefox 67"]


@pytest.mark.parametrize(("source", "keys", "target", "expected"), VERSIONS.values(), ids=VERSIONS.keys())
def test_api_newer_than_the_oldest_version_is_reported(
    source: str, keys: dict[str, object], target: str, expected: list[str]
) -> None:
    files = background_files(source, permissions=["tabHide", "sidePanel", "storage", "offscreen"], **keys)
    assert [each.message for each in lint(files, ["too-new-api"], target)] == expected


def test_devtools_panel_has_the_devtools_api() -> None:
    files = {
        "manifest.json": manifest(devtools_page="d.html"),
        "d.html": "<script src=d.js></script>",
        "d.js": "browser.devtools.panels.create('t', 'i.png', 'p.html')",
        "p.html": "<script src=p.js></script>",
        "p.js": "browser.devtools.inspectedWindow.eval('1'); browser.tabs.query({})",
    }
    assert reported(files, ["wrong-context"], "firefox") == [("wrong-context", "browser.tabs.query")]


PORTABLE = {
    "no doubt": ("browser.tabs.hide([1])", {}, ["unknown-api"]),
    "a package that asks elsewhere": (
        "function f() { browser.tabs.hide([1]) }",
        {"c.js": "export const isFirefox = location.protocol === 'moz-extension:'"},
        ["unknown-api"],
    ),
    "an API removed in every browser, in such a package": (
        "function f() { browser.tabs.executeScript({file: 'a.js'}) }",
        {"c.js": "export const isFirefox = location.protocol === 'moz-extension:'"},
        ["wrong-manifest-version"],
    ),
    "such a package, for certain": (
        "browser.tabs.hide([1])",
        {"c.js": "export const isFirefox = location.protocol === 'moz-extension:'"},
        ["unknown-api"],
    ),
    "an argument that another browser takes": (
        "function f() { browser.tabs.create({cookieStoreId: 'a'}) }",
        {"c.js": "const IS_FIREFOX = true"},
        ["invalid-argument"],
    ),
    "an argument in a try block": ("try { browser.tabs.create({cookieStoreId: 'a'}) } catch {}", {}, []),
    "a member that the package makes": (
        "browser.tabs.hideAll()",
        {"c.js": "export function extend(api) { api.hideAll = () => {} }"},
        [],
    ),
    "a namespace that is only kept": ("export const hidden = browser.theme", {}, []),
    "a test file": ("", {"a.test.js": "browser.tabs.hook.on('create', f)"}, []),
    "a file that nothing loads": ("", {"a.js": "browser.tabs.hook.on('create', f)"}, []),
    "a file that may be loaded": (
        "f('a.js')",
        {"a.js": "browser.tabs.hook.on('create', f)"},
        ["unknown-api"],
    ),
    "a variable with another name": ("function f(sender) { sender.url }; f(browser.runtime)", {}, []),
    "a misspelled member of one": ("const t = browser.tabs; t.qurey({})", {}, ["unknown-api"]),
}


@pytest.mark.parametrize(("source", "files", "expected"), PORTABLE.values(), ids=PORTABLE.keys())
def test_use_for_another_browser_is_not_reported(
    source: str, files: dict[str, str], expected: list[str]
) -> None:
    package = {**background_files(source, permissions=["tabHide", "theme"]), **files}
    assert [each.rule for each in lint(package, TARGET_RULES, "chrome")] == expected


CALLBACKS = {
    "chrome": ["r", "more"],
    "firefox": ["more"],
    "reference": ["more"],
}


@pytest.mark.parametrize(("target", "expected"), CALLBACKS.items())
def test_firefox_may_pass_one_result_missing_from_its_schema(target: str, expected: list[str]) -> None:
    source = "browser.storage.local.clear((r) => r); browser.storage.local.clear((r, more) => more)"
    found = reported(background_files(source, permissions=["storage"]), ["callback-parameters"], target)
    assert [text for _, text in found] == expected


NARROWED = {
    "all of them have it": ("chrome.tabs.query({})", {}, []),
    "a namespace missing in Safari": (
        "chrome.tabGroups.query({})",
        {"permissions": ["tabGroups"]},
        [("safari", "the API `tabGroups` is not available in Safari; it is available in Chrome and Firefox")],
    ),
    "a member missing in Safari": (
        "chrome.tabs.discard(1)",
        {},
        [("safari", "`tabs.discard` is not available in Safari; it is available in Chrome and Firefox")],
    ),
    "an API without compatibility data": ("chrome.system.cpu.getInfo()", {"permissions": ["system.cpu"]}, []),
    "Edge follows Chrome's rules": (
        "chrome.tabs.create({cookieStoreId: 'a'})",
        {},
        [("edge", "unknown property `cookieStoreId`")],
    ),
}


@pytest.mark.parametrize(("source", "keys", "expected"), NARROWED.values(), ids=NARROWED.keys())
def test_edge_and_safari_inherit_the_chrome_api_by_default(
    source: str, keys: dict[str, object], expected: list[tuple[str, str]]
) -> None:
    files = background_files(source, **keys)
    found = [
        (target, each.message) for target in ("edge", "safari") for each in lint(files, TARGET_RULES, target)
    ]
    assert found == expected


VERSIONS_OF_SAFARI = {
    "a member that Chrome has only in version 3": ("browser.storage.session.get('a')", {2: [], 3: []}),
    "a namespace that Chrome has only in version 3": (
        "browser.scripting.getRegisteredContentScripts()",
        {2: [], 3: []},
    ),
    "a namespace of version 3": (
        "browser.action.openPopup()",
        {2: ["`action` requires Manifest V3"], 3: []},
    ),
    "a member of version 2": (
        "browser.tabs.executeScript({code: ''})",
        {2: [], 3: ["`tabs.executeScript` was removed in Manifest V3"]},
    ),
}


@pytest.mark.parametrize(("source", "expected"), VERSIONS_OF_SAFARI.values(), ids=VERSIONS_OF_SAFARI.keys())
def test_safari_has_more_of_the_api_in_manifest_v2_than_chrome(
    source: str, expected: dict[int, list[str]]
) -> None:
    permissions = ["storage", "scripting", "<all_urls>"]
    for version, messages in expected.items():
        files = background_files(source, manifest_version=version, permissions=permissions, action={})
        found = lint(files, ["wrong-manifest-version", "unknown-api"], "safari")
        assert [each.message for each in found if each.path != "manifest.json"] == messages


MISSING_ON_ANDROID = "{} is not available in Firefox for Android; it is available in {}"
ON_ANDROID = {
    "a function of the desktop": ("tabs.hide([1])", [MISSING_ON_ANDROID.format("`tabs.hide`", "Firefox")]),
    "a function that its schema marks as unsupported": (
        "tabs.move(1, { index: 0 })",
        [MISSING_ON_ANDROID.format("`tabs.move`", "Chrome and Firefox")],
    ),
    "an event that its schema marks as unsupported": (
        "tabs.onZoomChange.addListener(f)",
        [MISSING_ON_ANDROID.format("`tabs.onZoomChange`", "Chrome and Firefox")],
    ),
    "a namespace of the desktop": (
        "windows.getAll()",
        [MISSING_ON_ANDROID.format("the API `windows`", "Chrome and Firefox")],
    ),
    "a function that always fails": (
        "clipboard.setImageData(data, 'png')",
        [MISSING_ON_ANDROID.format("`clipboard.setImageData`", "Firefox")],
    ),
    "a function of both": ("tabs.query({})", []),
    "an event that never fires": ("tabs.onMoved.addListener(f)", []),
    "an event that fires in no Firefox": ("tabs.onReplaced.addListener(f)", []),
    "an event of notifications without buttons": ("notifications.onButtonClicked.addListener(f)", []),
    "an area without a policy": ("storage.managed.get('a')", []),
    "an event of that area": ("storage.managed.onChanged.addListener(f)", []),
    "a theme without an effect": ("theme.update({})", []),
    "an enum": ("tabs.ZoomSettingsMode.AUTOMATIC", []),
}


@pytest.mark.parametrize(("source", "expected"), ON_ANDROID.values(), ids=ON_ANDROID.keys())
def test_firefox_android_has_what_it_registers(source: str, expected: list[str]) -> None:
    permissions = ["tabHide", "storage", "theme", "notifications", "clipboardWrite"]
    files = background_files(f"const f = () => {{}}; browser.{source}", permissions=permissions)
    assert [each.message for each in lint(files, TARGET_RULES, "firefox_android")] == expected


@pytest.mark.parametrize(("target", "count"), [("edge", 0), ("safari", 1)])
def test_edge_has_the_proxy_of_chrome(target: str, count: int) -> None:
    files = background_files("chrome.proxy.settings.get({})", permissions=["proxy"])
    assert len(lint(files, TARGET_RULES, target)) == count
