"""Menu items that are created again at each start of the background: `duplicate-menu`."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from harness import lint, manifest, reported

RULES = ("duplicate-menu",)
Keys = Mapping[str, object]

WORKER = {"background": {"service_worker": "b.js"}}
SCRIPTS = {"background": {"scripts": ["b.js"]}}
CREATE = "chrome.contextMenus.create"
A = f"{CREATE}({{id: 'a', title: 'A'}});"
END = "chrome.runtime.onSuspend.addListener"
MESSAGE = "chrome.runtime.onMessage.addListener"
LATER = "chrome.runtime.onInstalled.addListener"


def count_findings(script: str, target: str = "chrome", keys: Keys = WORKER, **files: str) -> int:
    """Returns the number of findings in a background script."""
    described = manifest(permissions=["contextMenus", "menus", "storage"], **keys)
    return len(reported({"manifest.json": described, "b.js": script, **files}, RULES, target))


AT_EACH_START = {
    "at once": A,
    "in a function that is called at once": f"function init() {{ {A} }} init();",
    "in a function that is called before and after": f"setup(); function setup() {{ {A} }} {LATER}(setup);",
    "in a class that is made at once": f"class M {{ constructor() {{ this.f() }} f() {{ {A} }} }} new M()",
    "after an await": f"(async () => {{ await chrome.storage.local.get('x'); {A} }})();",
    "in a callback": f"chrome.storage.local.get('x', (items) => {{ {A} }});",
    "for each item of a list": f"for (const id of ['a', 'b']) {CREATE}({{id, title: id}});",
    "by forEach": f"['a', 'b'].forEach((id) => {CREATE}({{id, title: id}}));",
    "with a callback that looks at no error": f"{CREATE}({{id: 'a', title: 'A'}}, () => f());",
    "removed on another occasion": f"{A} {MESSAGE}(() => chrome.contextMenus.remove('a'));",
    "removed when installed": f"{A} {LATER}(() => chrome.contextMenus.removeAll());",
}


@pytest.mark.parametrize("script", AT_EACH_START.values(), ids=AT_EACH_START.keys())
def test_item_created_at_each_start_is_reported(script: str) -> None:
    assert count_findings(script) == 1


GET = "chrome.storage.sync.get"
WITH_THE_SAME_SETTINGS = {
    "a setting": f"{GET}('on', ({{on}}) => {{ if (on) {A} }});",
    "a setting, awaited": f"(async () => {{ const all = await {GET}('on'); if (all.on === true) {A} }})();",
    "an early exit": f"{GET}('on', (items) => {{ if (!items.on) return; {A} }});",
    "a test of the namespace": f"if (chrome.contextMenus) {A}",
    "a test of the function": f"if (typeof chrome.contextMenus?.create === 'function') {{ {A} }}",
    "a test of a name": f"if ('contextMenus' in chrome) {{ {A} }}",
    "a test of another member": f"if (!chrome.menus) {A}",
    "an exit without the namespace": f"(() => {{ if (!chrome.contextMenus) return; {A} }})();",
    "a test of one of two namespaces": (
        "const api = typeof browser === 'undefined' ? chrome : browser; if (api.contextMenus) "
        + A.replace("chrome", "api")
    ),
    "a try": f"try {{ {A} }} catch {{ }}",
    "a finally": f"try {{ f() }} finally {{ {A} }}",
    "two settings": f"{GET}(['on', 'mode'], (s) => {{ if (s.on && s.mode === 'b') {{ {A} }} }});",
}


@pytest.mark.parametrize("script", WITH_THE_SAME_SETTINGS.values(), ids=WITH_THE_SAME_SETTINGS.keys())
def test_item_created_with_the_same_settings_is_reported(script: str) -> None:
    described = manifest(permissions=["contextMenus", "storage"], **WORKER)
    (found,) = lint({"manifest.json": described, "b.js": script}, RULES, "chrome")
    when = "each time the service worker starts again with the same settings"
    assert found.message.startswith(f"`contextMenus.create` fails {when}: there is already an item")


AT_EACH_EVENT = {
    "each tab": f"chrome.tabs.onActivated.addListener(() => {{ {A} }});",
    "each change of a setting": f"chrome.storage.onChanged.addListener((all) => {{ if (all.on) {A} }});",
    "after an early exit": (
        f"chrome.tabs.onUpdated.addListener((id, info) => {{ if (info.status !== 'complete') return; {A} }});"
    ),
    "in a case": (
        "chrome.commands.onCommand.addListener((name) => {"
        f" switch (name) {{ case 'a': {A} break; case 'b': f(); }} }});"
    ),
    "in a function": f"function f() {{ {A} }} chrome.action.onClicked.addListener(f);",
    "in a try, which catches no error that comes later": (
        f"chrome.tabs.onCreated.addListener(() => {{ try {{ {A} }} catch (e) {{ show(e); }} }});"
    ),
    "after a wait": f"chrome.tabs.onCreated.addListener(async () => {{ await {GET}('x'); {A} }});",
}


@pytest.mark.parametrize("script", AT_EACH_EVENT.values(), ids=AT_EACH_EVENT.keys())
def test_item_created_at_each_event_is_reported(script: str) -> None:
    described = manifest(permissions=["contextMenus", "storage"], **WORKER)
    (found,) = lint({"manifest.json": described, "b.js": script}, RULES, "chrome")
    assert " comes again: there is already an item with the id `a`" in found.message


AT_ONE_EVENT = {
    "a variable": f"let on; chrome.tabs.onCreated.addListener(() => {{ if (!on) {A} on = true; }});",
    "an exit by a variable": f"let on; chrome.tabs.onCreated.addListener(() => {{ if (on) return; {A} }});",
    "a part of a condition": f"chrome.tabs.onCreated.addListener((tab) => {{ if (tab.url && !on) {A} }});",
    "removed before": (
        f"chrome.tabs.onCreated.addListener(() => chrome.contextMenus.removeAll(() => {{ {A} }}));"
    ),
    "removed by another event": (
        f"chrome.tabs.onCreated.addListener(() => {{ {A} }});"
        "chrome.tabs.onRemoved.addListener(() => chrome.contextMenus.remove('a'));"
    ),
    "a message": f"{MESSAGE}(() => {{ {A} }});",
    "in a try after a call that may fail": (
        f"chrome.tabs.onCreated.addListener(() => {{ try {{ define('a'); {A} }} catch {{ }} }});"
    ),
    "in a catch": f"chrome.tabs.onCreated.addListener(() => {{ try {{ f() }} catch {{ {A} }} }});",
    "a setting that is written": f"{GET}('on', (s) => {{ if (s.on) {{ {A} storage.set({{}}); }} }});",
    "a setting that is missing": f"{GET}('on', (s) => {{ if (s.on === undefined) {A} }});",
    "a setting that is off": f"{GET}('on', (s) => {{ if (s.on) f(); else {A} }});",
    "a loop": f"{GET}('on', (s) => {{ while (s.on) {A} }});",
    "an error": f"chrome.tabs.create({{}}, () => {{ if (!chrome.runtime.lastError) {A} }});",
    "a test of a member and a variable": f"if (chrome.contextMenus && on) {A}",
}


@pytest.mark.parametrize("script", AT_ONE_EVENT.values(), ids=AT_ONE_EVENT.keys())
def test_item_that_may_be_created_once_is_not_reported(script: str) -> None:
    assert count_findings(script) == 0


ONCE = {
    "when installed": f"{LATER}(() => {{ {A} }});",
    "when installed, by a function": f"{LATER}(setup); function setup() {{ {A} }}",
    "when installed, by another function": f"const f = () => {{ {A} }}; {LATER}(() => f());",
    "in a listener of another event": f"chrome.runtime.onStartup.addListener(() => {{ {A} }});",
    "in a listener of the worker": f"self.addEventListener('activate', () => {{ {A} }});",
    "after removeAll": f"chrome.contextMenus.removeAll(); {A}",
    "in the callback of removeAll": f"chrome.contextMenus.removeAll(() => {{ {A} }});",
    "after an awaited removeAll": f"(async () => {{ await chrome.contextMenus.removeAll(); {A} }})();",
    "after remove": f"chrome.contextMenus.remove('a', () => {{ void chrome.runtime.lastError; {A} }});",
    "removed in a function that may be called": f"{A} register(() => chrome.contextMenus.removeAll());",
    "removed by way of a wrapper": f"wrap(chrome.contextMenus).removeAll(); {A}",
    "removed when the worker is ended": f"{A} {END}(() => chrome.contextMenus.removeAll());",
    "with a callback for the error": f"{CREATE}({{id: 'a'}}, () => void chrome.runtime.lastError);",
    "with a callback that is not known": f"{CREATE}({{id: 'a', title: 'A'}}, done);",
    "in a condition": f"chrome.storage.local.get('x', (items) => {{ if (!items.x) {{ {A} }} }});",
    "after an early return": f"async function f() {{ if (await isThere()) return; {A} }} f();",
    "in a catch": f"try {{ f() }} catch {{ {A} }}",
    "with an id that is not known": f"{CREATE}({{id: name(), title: 'A'}});",
    "with an id of its own each time": f"{CREATE}({{id: crypto.randomUUID(), title: 'A'}});",
    "of an unknown list": f"for (const each of lists) {CREATE}({{id: 'a', title: 'A'}});",
    "in a function that nothing calls": f"function f() {{ {A} }}",
    "in an injected function": f"chrome.scripting.executeScript({{target, func: () => {{ {A} }}}});",
    "by a stand-in": f"const chrome = stub(); {A}",
}


@pytest.mark.parametrize("script", ONCE.values(), ids=ONCE.keys())
def test_item_created_once_is_not_reported(script: str) -> None:
    assert count_findings(script) == 0


TWICE = {
    "at once": (f"{A} {A}", 2),
    "when installed": (f"{LATER}(() => {{ {A} {A} }});", 1),
    "in two listeners of one event": (f"{LATER}(() => {{ {A} }}); {LATER}(() => {{ {A} }});", 1),
    "in two branches": (f"{LATER}(() => {{ if (f()) {{ {A} }} else {{ {A} }} }});", 0),
    "in listeners of two events": (
        f"{LATER}(() => {{ {A} }}); chrome.runtime.onStartup.addListener(() => {{ {A} }});",
        0,
    ),
    "removed between": (f"{LATER}(() => {{ {A} chrome.contextMenus.remove('a'); {A} }});", 0),
    "two ids": (f"{LATER}(() => {{ {A} {A.replace('a', 'b')} }});", 0),
}


@pytest.mark.parametrize(("script", "expected"), TWICE.values(), ids=TWICE.keys())
def test_duplicate_id(script: str, expected: int) -> None:
    assert count_findings(script) == expected


@pytest.mark.parametrize(
    ("target", "keys", "expected"),
    [
        ("chrome", WORKER, 1),
        ("firefox", SCRIPTS, 1),
        ("firefox", {**SCRIPTS, "manifest_version": 2}, 0),
        ("firefox", {"background": {"scripts": ["b.js"], "persistent": False}, "manifest_version": 2}, 1),
        ("firefox", {"background": {"scripts": ["b.js"], "persistent": True}, "manifest_version": 2}, 0),
        ("chrome<=138", {"background": {"scripts": ["b.js"], "persistent": False}, "manifest_version": 2}, 1),
        ("chrome<=138", {**SCRIPTS, "manifest_version": 2}, 0),
        ("chrome", {"content_scripts": [{"matches": ["http://a/*"], "js": ["b.js"]}]}, 0),
        ("chrome,firefox", {"background": {"service_worker": "b.js", "scripts": ["b.js"]}}, 1),
        ("safari", SCRIPTS, 0),
        ("reference", WORKER, 0),
    ],
)
def test_background_types(target: str, keys: Keys, expected: int) -> None:
    assert count_findings(A, target, keys) == expected


def test_another_script_may_remove_the_items() -> None:
    both = {"background": {"scripts": ["b.js", "c.js"]}}
    other = {"c.js": "chrome.contextMenus.removeAll();"}
    assert count_findings(A, "firefox", both, **other) == 0


def test_later_calls_are_related_locations() -> None:
    script = f"{A} {CREATE}({{id: 'b', title: 'B'}}); {CREATE}({{id: 'c', title: 'C'}});"
    files = {"manifest.json": manifest(permissions=["contextMenus"], **WORKER), "b.js": script}
    (finding,) = lint(files, RULES, "chrome")
    assert finding.message == (
        "`contextMenus.create` fails each time the service worker starts again: "
        "there is already an item with the id `a`"
    )
    assert [each.message for each in finding.related] == ["so does this call"] * 2


@pytest.mark.parametrize("target", ["chrome", "firefox"])
@pytest.mark.parametrize(
    "item",
    [
        pytest.param("{id: 'a', title: 'A', context: ['page']}", id="an unknown property"),
        pytest.param("{id: 'a', title: 1}", id="a wrong type"),
        pytest.param("{id: 'a', title: 'A', contexts: ['pages']}", id="an unknown word"),
    ],
)
def test_refused_call_creates_no_item(item: str, target: str) -> None:
    keys = WORKER if target == "chrome" else SCRIPTS
    assert count_findings(f"{CREATE}({item});", target, keys) == 0
    assert count_findings(f"{A} {A} {CREATE}({item});", target, keys) == count_findings(
        f"{A} {A}", target, keys
    )
