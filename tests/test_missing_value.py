"""Values of events that may be missing: `missing-value`."""

from __future__ import annotations

import pytest
from harness import lint, manifest

RULES = ("missing-value",)
REMOVE = "chrome.storage.local.remove('settings');"
CHANGED = "chrome.storage.onChanged.addListener((changes) => { %s });"
FIELD = CHANGED % "const s = changes.settings?.newValue; %s"


def messages(script: str, target: str = "chrome", **files: str) -> list[str]:
    """Returns the messages about a background script."""
    background = {"service_worker": "b.js"} if target == "chrome" else {"scripts": ["b.js"]}
    described = manifest(
        action={},
        background=background,
        permissions=["scripting", "storage", "tabs", "webRequest"],
        host_permissions=["<all_urls>"],
    )
    return [
        each.message for each in lint({"manifest.json": described, "b.js": script, **files}, RULES, target)
    ]


READ = {
    "a field": CHANGED % "use(changes.settings.newValue.color);" + REMOVE,
    "under a test of the change": (
        CHANGED % "if (changes.settings) { use(changes.settings.newValue.color); }" + REMOVE
    ),
    "a method": CHANGED % "changes.settings.newValue.forEach(use);" + REMOVE,
    "a pattern": CHANGED % "const { newValue } = changes.settings; use(newValue.color);" + REMOVE,
    "a pattern in the parameter": (
        "chrome.storage.onChanged.addListener(({ settings }) => use(settings.newValue.color));" + REMOVE
    ),
    "of an area": (
        "chrome.storage.local.onChanged.addListener((changes) => use(changes.settings.newValue.a));" + REMOVE
    ),
    "in an async function": (
        "async function f(changes) { await g(); use(changes.settings.newValue.color); }"
        " chrome.storage.onChanged.addListener(f);" + REMOVE
    ),
    "of several keys": CHANGED % "use(changes.a.newValue.b);" + "chrome.storage.local.remove(['c', 'a']);",
    "a failed test of a field": (FIELD % "if (!s?.on) use(s.color);" + REMOVE),
    "a field that differs": (FIELD % "if (s?.mode !== 'dark') use(s.color);" + REMOVE),
    "either of two": (FIELD % "if (s?.on || t?.on) use(s.color);" + REMOVE),
    "one call without a test": (
        FIELD % "if (s) apply(s); apply(s);" + "function apply(value) { use(value.color); }" + REMOVE
    ),
    "a call without a test": (
        CHANGED % "apply(changes.settings.newValue);" + "const apply = (value) => use(value.color);" + REMOVE
    ),
    "through a function without a test": (
        CHANGED % "use(same(changes.settings.newValue).color);" + "function same(it) { return it; }" + REMOVE
    ),
    "through a function that only sometimes tests": (
        CHANGED % "use(need(changes.settings.newValue).color);"
        "function need(it) { if (strict && !it) throw new Error(); return it; }" + REMOVE
    ),
    "a failed test of what is assigned": (
        CHANGED % "let s; if ((s = changes.settings.newValue) == null) use(s.color);" + REMOVE
    ),
    "a test of another variable": FIELD % "if (['dark'].includes(t?.mode)) use(s.color);" + REMOVE,
    "everything": CHANGED % "use(changes.settings.newValue.color);" + "chrome.storage.local.clear();",
}
TESTED = {
    "a test of what is assigned": (
        CHANGED % "let s; if ((s = changes.settings.newValue)) use(s.color);" + REMOVE
    ),
    "a compiled `?.`": (
        CHANGED % "var s; use((s = changes.settings.newValue) == null ? void 0 : s.color);" + REMOVE
    ),
    "a test of the type of what is assigned": (
        CHANGED % "let s; if (typeof (s = changes.settings.newValue) === 'object') use(s.color);" + REMOVE
    ),
    "a function that throws": (
        CHANGED % "use(need(changes.settings.newValue).color);"
        "function need(it) { if (it == null) throw new Error(); return it; }" + REMOVE
    ),
    "a function that replaces it": (
        CHANGED % "const s = orEmpty(changes.settings.newValue); use(s.color);"
        "const orEmpty = (it) => it ?? {};" + REMOVE
    ),
    "an async function that throws": (
        "chrome.storage.onChanged.addListener(async (changes) => {"
        " const { color } = await need(changes.settings.newValue); use(color); });"
        "async function need(it) { if (!it) throw new Error(); await f(); return it; }" + REMOVE
    ),
    "nothing removes it": CHANGED % "use(changes.settings.newValue.color);",
    "another key": CHANGED % "use(changes.theme.newValue.color);" + REMOVE,
    "an unknown key": CHANGED % "use(changes.settings.newValue.color);" + "chrome.storage.local.remove(key);",
    "optional": CHANGED % "use(changes.settings.newValue?.color);" + REMOVE,
    "a test": CHANGED % "if (changes.settings.newValue) use(changes.settings.newValue.color);" + REMOVE,
    "a test with &&": CHANGED % "use(changes.settings.newValue && changes.settings.newValue.color);" + REMOVE,
    "an early return": (
        CHANGED % "const { newValue } = changes.settings; if (!newValue) return; use(newValue.color);"
        + REMOVE
    ),
    "a test of a field": FIELD % "if (s?.on) use(s.color);" + REMOVE,
    "a test of another field before": (FIELD % "if (s?.on || t?.on) { if (s?.on) use(s.color); }" + REMOVE),
    "a method of a field": (FIELD % "if (s?.list?.includes(1)) use(s.color);" + REMOVE),
    "a compared field": (FIELD % "if (s?.mode === 'dark') use(s.color);" + REMOVE),
    "a case of a field": (FIELD % "switch (s?.mode) { case 'dark': use(s.color); }" + REMOVE),
    "a field that is not undefined": (FIELD % "if (s?.mode !== undefined) use(s.color);" + REMOVE),
    "the type of a field": (FIELD % "if (typeof s?.mode === 'string') use(s.color);" + REMOVE),
    "a field that is stored": (FIELD % "const on = s?.on; if (on) use(s.color);" + REMOVE),
    "an exit without a field": (FIELD % "if (!s?.on) return; use(s.color);" + REMOVE),
    "a field in brackets": FIELD % "if (s?.['on']) use(s.color);" + REMOVE,
    "a number": FIELD % "if (s?.level > 3) use(s.color);" + REMOVE,
    "a length": FIELD % "if (s?.list?.length > 0) use(s.list[0]);" + REMOVE,
    "a comparison with an unknown value": FIELD % "if (s?.mode === wanted) use(s.color);" + REMOVE,
    "a list of values": FIELD % "if (['dark'].includes(s?.mode)) use(s.color);" + REMOVE,
    "an alternative in a test": FIELD % "if ((s?.level ?? 0) > 0) use(s.color);" + REMOVE,
    "its keys": FIELD % "if (Object.keys(s ?? {}).length) use(s.color);" + REMOVE,
    "a test before a call": (
        CHANGED % "if (changes.settings?.newValue) apply(changes.settings.newValue);"
        + "function apply(value) { use(value.color); }"
        + REMOVE
    ),
    "a test before a call with a variable": (
        FIELD % "s ? apply(s) : reset();" + "const apply = ({ color }) => use(color);" + REMOVE
    ),
    "a test before a call of a method": (
        "class A { on(s) { if (s) this.apply(s); } apply(value) { use(value.color); } }"
        "const a = new A();" + CHANGED % "a.on(changes.settings?.newValue);" + REMOVE
    ),
    "a test before an assignment": (
        "let state;" + CHANGED % "if (!changes.settings?.newValue) return;"
        " state = changes.settings.newValue; use(state.color);" + REMOVE
    ),
    "a test before a pattern": (
        CHANGED % "const c = changes.settings; if (c?.newValue) { const { newValue } = c; f(newValue); }"
        + "function f(value) { use(value.color); }"
        + REMOVE
    ),
    "a default in a pattern": (
        CHANGED % "const { settings: { newValue: { color } = {} } = {} } = changes; use(color);" + REMOVE
    ),
    "a default": CHANGED % "const { newValue = {} } = changes.settings; use(newValue.color);" + REMOVE,
    "a fallback": CHANGED % "use((changes.settings.newValue || {}).color);" + REMOVE,
    "caught": CHANGED % "try { use(changes.settings.newValue.color); } catch { reset(); }" + REMOVE,
    "the old value": CHANGED % "use(changes.settings.oldValue.color);" + REMOVE,
    "the value itself": CHANGED % "use(changes.settings.newValue);" + REMOVE,
    "an area of several": (
        CHANGED % "use(changes.settings.newValue.color);"
        + "chrome.storage.local.clear(); chrome.storage.sync.set({ settings: {} });"
    ),
}


@pytest.mark.parametrize("target", ["chrome", "firefox"])
@pytest.mark.parametrize("script", READ.values(), ids=READ.keys())
def test_field_of_a_removed_value_is_reported(script: str, target: str) -> None:
    (message,) = messages(script, target)
    assert message.startswith("`newValue` is undefined if ")


@pytest.mark.parametrize("script", TESTED.values(), ids=TESTED.keys())
def test_value_that_exists_is_not_reported(script: str) -> None:
    assert messages(script) == []


REQUEST = "chrome.webRequest.onCompleted.addListener((details) => { %s }, { urls: ['<all_urls>']%s });"
BADGE = "chrome.action.setBadgeText({ tabId: details.tabId, text: '!' });"
OF_TABS = {
    "a badge": (BADGE, ""),
    "a tab": ("chrome.tabs.get(details.tabId, use);", ""),
    "a message": ("chrome.tabs.sendMessage(details.tabId, { a: 1 });", ""),
    "a target": ("chrome.scripting.insertCSS({ target: { tabId: details.tabId }, css: '' });", ""),
    "a pattern": ("const { tabId } = details; chrome.tabs.reload(tabId);", ""),
    "types": (BADGE, ", types: ['main_frame', 'xmlhttprequest']"),
}
NOT_OF_TABS = {
    "a condition": (f"if (details.tabId !== -1) {BADGE}", ""),
    "an early return": (f"if (details.tabId < 0) return; {BADGE}", ""),
    "another condition": (f"if (details.url.endsWith('a')) {BADGE}", ""),
    "frames": (BADGE, ", types: ['main_frame', 'sub_frame']"),
    "one tab": (BADGE, ", tabId: 4"),
    "unknown types": (BADGE, ", types"),
    "caught": (f"try {{ {BADGE} }} catch {{ reset(); }}", ""),
    "a rejection": (BADGE.replace(";", ".catch(() => {});"), ""),
    "the id alone": ("use(details.tabId);", ""),
}


@pytest.mark.parametrize("target", ["chrome", "firefox"])
@pytest.mark.parametrize(("body", "wanted"), OF_TABS.values(), ids=OF_TABS.keys())
def test_tab_of_any_request_is_reported(body: str, wanted: str, target: str) -> None:
    (message,) = messages(REQUEST % (body, wanted), target)
    assert message.startswith("`tabId` of `webRequest.onCompleted` is -1 for a request without a tab")


@pytest.mark.parametrize(("body", "wanted"), NOT_OF_TABS.values(), ids=NOT_OF_TABS.keys())
def test_tab_that_exists_is_not_reported(body: str, wanted: str) -> None:
    assert messages(REQUEST % (body, wanted)) == []
