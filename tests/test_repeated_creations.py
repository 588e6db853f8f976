"""Creations that outlive the background, and those that a browser forgets: menus, alarms and others."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from harness import lint, manifest

Keys = Mapping[str, object]
WORKER = {"background": {"service_worker": "b.js"}}
SCRIPTS = {"background": {"scripts": ["b.js"]}}
PERSISTENT = {**SCRIPTS, "manifest_version": 2}
EVENT_PAGE = {"background": {"scripts": ["b.js"], "persistent": False}, "manifest_version": 2}
REQUESTS = ["alarms", "contextMenus", "declarativeNetRequest", "menus", "offscreen", "scripting", "storage"]

SCRIPT = (
    "chrome.scripting.registerContentScripts([{id: 'a', matches: ['https://a.example/*'], js: ['a.js']}])"
)
RULE = "{id: 1, action: {type: 'block'}, condition: {urlFilter: 'a'}}"
UPDATE = "chrome.declarativeNetRequest.updateDynamicRules"
DYNAMIC = f"{UPDATE}({{addRules: [{RULE}]}})"
SESSION = DYNAMIC.replace("Dynamic", "Session")
DOCUMENT = "chrome.offscreen.createDocument({url: 'o.html', reasons: ['DOM_PARSER'], justification: 'parse'})"
LATER = "chrome.runtime.onInstalled.addListener"
MESSAGE = "chrome.runtime.onMessage.addListener(f); function f() {}"
REMOVE = "chrome.scripting.unregisterContentScripts"
EXISTING = "chrome.scripting.getRegisteredContentScripts()"


def messages(rule: str, script: str, target: str = "chrome", keys: Keys = WORKER, **files: str) -> list[str]:
    """Returns the messages of a rule about a background script."""
    described = manifest(permissions=REQUESTS, host_permissions=["https://a.example/*"], **keys)
    package = {"manifest.json": described, "b.js": script, "a.js": "", "o.html": "", **files}
    return [each.message for each in lint(package, (rule,), target)]


AGAIN = {
    "script": (SCRIPT, "a script with the id `a`"),
    "script in an async function": (
        f"const f = async () => {{ await {SCRIPT}; }}; f();",
        "a script with the id `a`",
    ),
    "script after an await": (
        f"(async () => {{ await chrome.storage.local.get('x'); await {SCRIPT}; }})();",
        "a script with the id `a`",
    ),
    "script of a list": (
        "const list = [{id: 'x', matches: ['https://a/*'], js: ['a.js']}]; "
        f"{SCRIPT.partition('(')[0]}(list);",
        "a script with the id `x`",
    ),
    "script by an alias": (
        f"const api = globalThis.browser ?? chrome; {SCRIPT.replace('chrome.', 'api.')}",
        "a script with the id `a`",
    ),
    "script with a callback": (f"{SCRIPT[:-1]}, () => console.log('done'))", "a script with the id `a`"),
    "script that a message removes": (
        f"{SCRIPT}; chrome.runtime.onMessage.addListener(() => {REMOVE}());",
        "a script with the id `a`",
    ),
    "dynamic rule": (DYNAMIC, "a rule with the id `1`"),
    "session rule": (SESSION, "a rule with the id `1`"),
    "rule in a function": (f"async function set() {{ await {DYNAMIC}; }} set();", "a rule with the id `1`"),
    "document": (DOCUMENT, "an offscreen document"),
    "document in a function": (
        f"async function open() {{ await {DOCUMENT}; }} open();",
        "an offscreen document",
    ),
}


@pytest.mark.parametrize(("script", "what"), AGAIN.values(), ids=AGAIN.keys())
def test_registration_at_each_start_is_reported(script: str, what: str) -> None:
    (found,) = messages("duplicate-registration", script)
    assert found.endswith(f"fails each time the service worker starts again: there is already {what}")


STARTUP = "chrome.runtime.onStartup.addListener"
WITH_BROWSER = {
    "script": (SCRIPT, 1),
    "dynamic rule": (DYNAMIC, 1),
    "session rule": (SESSION, 0),
    "document": (DOCUMENT, 0),
    "temporary script": (SCRIPT.replace("id:", "persistAcrossSessions: false, id:"), 0),
    "rule that is replaced": (f"{UPDATE}({{removeRuleIds: [1], addRules: [{RULE}]}})", 0),
}


@pytest.mark.parametrize(("script", "expected"), WITH_BROWSER.values(), ids=WITH_BROWSER.keys())
def test_registration_when_the_browser_starts(script: str, expected: int) -> None:
    found = messages("duplicate-registration", f"{STARTUP}(async () => {{ await {script}; }});")
    assert len(found) == expected
    assert all("fails each time the browser starts again" in each for each in found)
    assert messages("duplicate-registration", f"{STARTUP}(() => {{ if (x) {script}; }});") == []


CLICK = "chrome.action.onClicked.addListener"


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        pytest.param(SCRIPT, 1, id="script"),
        pytest.param(SESSION, 1, id="session rule"),
        pytest.param(DOCUMENT, 0, id="document"),
        pytest.param(f"{UPDATE}({{removeRuleIds: [1], addRules: [{RULE}]}})", 0, id="rule that is replaced"),
        pytest.param(f"{REMOVE}().then(() => {SCRIPT})", 0, id="script that is removed"),
    ],
)
def test_registration_at_each_click(call: str, expected: int) -> None:
    found = messages("duplicate-registration", f"{CLICK}(async () => {{ await {call}; }});")
    assert len(found) == expected
    assert all("fails each time `action.onClicked` comes again" in each for each in found)


ONCE = {
    "when installed": f"{LATER}(() => {SCRIPT});",
    "on a message": f"chrome.runtime.onMessage.addListener(() => {{ {SCRIPT}; }});",
    "removed before": f"(async () => {{ await {REMOVE}(); await {SCRIPT}; }})();",
    "removed by id before": f"{REMOVE}({{ids: ['a']}}).then(() => {SCRIPT});",
    "if there is none": f"(async () => {{ if (!(await {EXISTING}).length) await {SCRIPT}; }})();",
    "after an early return": f"(async () => {{ if ((await {EXISTING}).length) return; await {SCRIPT}; }})();",
    "in a try": f"(async () => {{ try {{ await {SCRIPT}; }} catch (error) {{ console.error(error); }} }})();",
    "with catch": f"{SCRIPT}.catch(() => {{}});",
    "with catch after then": f"{SCRIPT}.then(() => f()).catch(console.warn);",
    "with a callback for the error": f"{SCRIPT[:-1]}, () => void chrome.runtime.lastError);",
    "with an unknown id": SCRIPT.replace("'a'", "name()"),
    "with an id of its own": SCRIPT.replace("'a'", "crypto.randomUUID()"),
    "updated": SCRIPT.replace("register", "update"),
    "in what nothing calls": f"function f() {{ {SCRIPT}; }}",
    "rule that is removed": DYNAMIC.replace("{addRules", "{removeRuleIds: [1], addRules"),
    "rule that may be removed": DYNAMIC.replace("{addRules", "{removeRuleIds: ids(), addRules"),
    "rules that may be removed": f"{UPDATE}({{removeRuleIds: ids()}}); {DYNAMIC}",
    "rule with an unknown id": DYNAMIC.replace("id: 1", "id: next()"),
    "options that are not known": f"{UPDATE}({{...options}});",
    "only removals": f"{UPDATE}({{removeRuleIds: [1]}});",
    "document that is closed": f"{DOCUMENT}.then(() => chrome.offscreen.closeDocument());",
    "document that closes itself": f"{DOCUMENT}; new Worker('o.js'); function close() {{ window.close(); }}",
    "document for sound": DOCUMENT.replace("DOM_PARSER", "AUDIO_PLAYBACK"),
    "document if there is none": (
        f"chrome.runtime.getContexts({{}}).then((all) => {{ if (all.length === 0) {DOCUMENT}; }});"
    ),
    "by a stand-in": f"const chrome = stub(); {SCRIPT}",
}


@pytest.mark.parametrize("script", ONCE.values(), ids=ONCE.keys())
def test_registration_that_works_is_not_reported(script: str) -> None:
    assert messages("duplicate-registration", script) == []


@pytest.mark.parametrize(
    ("target", "keys", "script", "expected"),
    [
        ("firefox", SCRIPTS, SCRIPT, 1),
        ("firefox", SCRIPTS, DYNAMIC, 1),
        ("firefox", SCRIPTS, SESSION, 1),
        ("firefox", EVENT_PAGE, SCRIPT, 1),
        ("firefox", PERSISTENT, SCRIPT, 0),
        ("chrome,firefox", {"background": {"service_worker": "b.js", "scripts": ["b.js"]}}, SCRIPT, 1),
        ("chrome", {"content_scripts": [{"matches": ["https://a.example/*"], "js": ["b.js"]}]}, SCRIPT, 0),
        ("reference", WORKER, SCRIPT, 0),
    ],
)
def test_browsers_of_registrations(target: str, keys: Keys, script: str, expected: int) -> None:
    assert len(messages("duplicate-registration", script, target, keys)) == expected


def test_second_registration_in_one_run() -> None:
    assert messages("duplicate-registration", f"{LATER}(() => {{ {SCRIPT}; {SCRIPT}; }});") == [
        "`scripting.registerContentScripts` fails: there is already a script with the id `a`"
    ]


ALARM = "chrome.alarms.create('a', {periodInMinutes: 60});"
RESTARTED = {
    "at once": ALARM,
    "in a function": f"function set() {{ {ALARM} }} set();",
    "after an await": f"(async () => {{ await chrome.storage.local.get('x'); {ALARM} }})();",
    "with a delay": ALARM.replace("{", "{delayInMinutes: 20, "),
    "with a computed period": ALARM.replace("60", "24 * 60"),
    "with a constant": f"const PERIOD = 60; {ALARM.replace('60', 'PERIOD')}",
    "without a name": ALARM.replace("'a', ", ""),
    "also when installed": f"function set() {{ {ALARM} }} {LATER}(set); set();",
    "in a try": f"try {{}} catch {{}} {ALARM}",
    "removed before": f"chrome.alarms.clear('a', () => {{ {ALARM} }});",
    "after all are removed": f"chrome.alarms.clearAll(); {ALARM}",
    "after all are removed, awaited": f"(async () => {{ await chrome.alarms.clearAll(); {ALARM} }})();",
}


@pytest.mark.parametrize("script", RESTARTED.values(), ids=RESTARTED.keys())
def test_alarm_created_at_each_start_is_reported(script: str) -> None:
    (found,) = messages("restarted-alarm", f"{script} {MESSAGE}")
    assert "each time the service worker starts: it goes off only after" in found


KEPT = {
    "when installed": f"{LATER}(() => {{ {ALARM} }}); {MESSAGE}",
    "if there is none": (f"chrome.alarms.get('a', (alarm) => {{ if (!alarm) {{ {ALARM} }} }}); {MESSAGE}"),
    "if there is none, awaited": (
        f"(async () => {{ if (await chrome.alarms.get('a')) return; {ALARM} }})(); {MESSAGE}"
    ),
    "at a time": f"chrome.alarms.create('a', {{when: next(), periodInMinutes: 60}}); {MESSAGE}",
    "once": f"chrome.alarms.create('a', {{delayInMinutes: 60}}); {MESSAGE}",
    "soon": f"{ALARM.replace('{', '{delayInMinutes: 1, ')} {MESSAGE}",
    "at the next full hour": (
        f"{ALARM.replace('{', '{delayInMinutes: 60 - new Date().getMinutes(), ')} {MESSAGE}"
    ),
    "often": f"{ALARM.replace('60', '1')} {MESSAGE}",
    "after an unknown time": f"{ALARM.replace('60', 'minutes()')} {MESSAGE}",
    "with an unknown name": f"{ALARM.replace(chr(39) + 'a' + chr(39), 'name()')} {MESSAGE}",
    "only alarms start the background": f"{ALARM} chrome.alarms.onAlarm.addListener(f); function f() {{}}",
    "on a message": f"chrome.runtime.onMessage.addListener(() => {{ {ALARM} }});",
}


@pytest.mark.parametrize("script", KEPT.values(), ids=KEPT.keys())
def test_alarm_that_goes_on_is_not_reported(script: str) -> None:
    assert messages("restarted-alarm", script) == []


def test_time_until_a_restarted_alarm_goes_off() -> None:
    script = f"{ALARM.replace('{', '{delayInMinutes: 20, ')} {MESSAGE}"
    assert [each.rpartition(": ")[2] for each in messages("restarted-alarm", script)] == [
        "it goes off only after 20 minutes without a start"
    ]


def test_browsers_of_alarms() -> None:
    script = f"{ALARM} {MESSAGE}"
    assert len(messages("restarted-alarm", script, "firefox", SCRIPTS)) == 1
    assert messages("restarted-alarm", script, "firefox", PERSISTENT) == []


MENU = "browser.menus.create({id: 'a', title: 'A'});"
INSTALLED = "browser.runtime.onInstalled.addListener"
LOST = {
    "in the listener": f"{INSTALLED}(() => {{ {MENU} }});",
    "in a function": f"{INSTALLED}(setup); function setup() {{ {MENU} }}",
    "after an await": f"{INSTALLED}(async () => {{ await browser.storage.local.get('x'); {MENU} }});",
    "under a condition": f"{INSTALLED}((details) => {{ if (details.reason === 'install') {{ {MENU} }} }});",
    "several items": f"{INSTALLED}(() => {{ {MENU} {MENU.replace(chr(39) + 'a', chr(39) + 'b')} }});",
    "next to another function create": f"{INSTALLED}(() => {{ {MENU} }}); start(Object.create({{create}}));",
    "by the other name": f"{INSTALLED}(() => {{ {MENU.replace('menus', 'contextMenus')} }});",
}


@pytest.mark.parametrize("script", LOST.values(), ids=LOST.keys())
def test_menu_of_a_persistent_page_is_reported(script: str) -> None:
    assert len(messages("lost-menu", script, "firefox", PERSISTENT)) == 1
    assert messages("lost-menu", script, "firefox", EVENT_PAGE) == []
    assert messages("lost-menu", script, "firefox", SCRIPTS) == []


MADE = {
    "at once": MENU,
    "when installed and at once": f"function setup() {{ {MENU} }} {INSTALLED}(setup); setup();",
    "when the browser starts": (
        f"function setup() {{ {MENU} }} {INSTALLED}(setup); browser.runtime.onStartup.addListener(setup);"
    ),
    "one of them at once": f"{INSTALLED}(() => {{ {MENU} }}); {MENU.replace(chr(39) + 'a', chr(39) + 'b')}",
    "in a function that may be called": f"function setup() {{ {MENU} }} {INSTALLED}(setup); start(setup);",
    "by a wrapper": f"{INSTALLED}(() => {{ {MENU} }}); items(browser.menus).create();",
    "with the whole API": f"{INSTALLED}(() => {{ {MENU} }}); start(browser, (x) => x.menus.create(item));",
    "by an unknown object": f"{INSTALLED}(() => {{ {MENU} }}); [browser].map((x) => x.menus.create(item));",
    "by a copy": f"const copy = {{...browser.menus}}; {INSTALLED}(() => {{ {MENU} }}); copy.create(item);",
    "by a stored object": (
        f"self.kept = {{x: browser.menus}}; {INSTALLED}(() => {{ {MENU} }}); self.kept.x.create(item);"
    ),
    "by a computed name": f"{INSTALLED}(() => {{ {MENU} }}); const {{create}} = browser[name]; create(item);",
    "by a bound function": (
        f"{INSTALLED}(() => {{ {MENU} }}); const make = browser.menus.create.bind(browser.menus); make(item);"
    ),
    "by an unknown key": f"{INSTALLED}(() => {{ {MENU} }}); for (const x in y) browser.menus[x](a);",
    "in what nothing calls": f"function setup() {{ {MENU} }}",
}


@pytest.mark.parametrize("script", MADE.values(), ids=MADE.keys())
def test_menu_that_is_made_again_is_not_reported(script: str) -> None:
    assert messages("lost-menu", script, "firefox", PERSISTENT) == []


PERIODIC = "browser.alarms.create('a', {periodInMinutes: 5});"


def of_alarm(script: str) -> str:
    """Returns a script that creates an alarm in place of a menu item."""
    other = PERIODIC.replace("'a'", "'b'")
    return (
        script.replace(MENU, PERIODIC)
        .replace(MENU.replace(chr(39) + "a", chr(39) + "b"), other)
        .replace("x.menus", "x.alarms")
        .replace("browser.menus", "browser.alarms")
    )


@pytest.mark.parametrize("script", list(LOST.values())[:6], ids=list(LOST)[:6])
def test_alarm_of_the_installation_is_lost_in_firefox(script: str) -> None:
    for keys in (PERSISTENT, EVENT_PAGE, SCRIPTS):
        assert len(messages("lost-alarm", of_alarm(script), "firefox", keys)) == 1
    assert messages("lost-alarm", of_alarm(script), "chrome") == []


@pytest.mark.parametrize("script", MADE.values(), ids=MADE.keys())
def test_alarm_that_is_made_again_is_not_reported(script: str) -> None:
    assert messages("lost-alarm", of_alarm(script), "firefox", SCRIPTS) == []


def test_alarm_that_goes_off_once_is_not_reported() -> None:
    script = f"{INSTALLED}(() => {{ browser.alarms.create('a', {{delayInMinutes: 5}}); }});"
    assert messages("lost-alarm", script, "firefox", SCRIPTS) == []


GROWING = {
    "a time in a template": "chrome.alarms.create(`a-${Date.now()}`, {periodInMinutes: 1});",
    "a time after a text": "chrome.alarms.create('a' + Date.now(), {periodInMinutes: 1});",
    "a random number": "chrome.alarms.create(String(Math.random()), {periodInMinutes: 1});",
    "a random id": "chrome.alarms.create(crypto.randomUUID(), {periodInMinutes: 1});",
    "in a function": (
        "const start = async () => { await chrome.alarms.create(`a${+new Date()}`, {periodInMinutes: 5}); };"
        " start();"
    ),
    "of a variable": "const name = `a-${Date.now()}`; chrome.alarms.create(name, {periodInMinutes: 1});",
}
CLEARED = "chrome.alarms.clearAll();"
REMOVED = {
    "at once": f"{CLEARED} {LATER}(() => {{ {ALARM} }});",
    "after an await": f"(async () => {{ await ready(); {CLEARED} }})(); {LATER}(() => {{ {ALARM} }});",
    "when the browser starts": f"{CLEARED} chrome.runtime.onStartup.addListener(() => {{ {ALARM} }});",
}
NOT_REMOVED = {
    "on a message": f"{CLEARED} chrome.runtime.onMessage.addListener(() => {{ {ALARM} }});",
    "on an alarm": f"{CLEARED} chrome.alarms.onAlarm.addListener(() => {{ {ALARM} }});",
    "when installed": f"{LATER}(() => {{ {CLEARED} {ALARM} }});",
    "on a condition": f"if (self.reset) {CLEARED} {LATER}(() => {{ {ALARM} }});",
    "of alarms that are created again": f"{CLEARED} load().then(() => {{ {ALARM} }});",
    "of alarms that go off once": (
        f"{CLEARED} {LATER}(() => {{ chrome.alarms.create('a', {{delayInMinutes: 60}}); }});"
    ),
    "of alarms that may be created at any time": f"{CLEARED} run(() => {{ {ALARM} }});",
    "of no alarms": CLEARED,
}


@pytest.mark.parametrize("script", REMOVED.values(), ids=REMOVED.keys())
def test_alarms_removed_at_each_start_are_reported(script: str) -> None:
    (found,) = messages("restarted-alarm", script)
    assert found == (
        "`alarms.clearAll` removes all alarms each time the service worker starts, also when one goes off"
    )


@pytest.mark.parametrize("script", NOT_REMOVED.values(), ids=NOT_REMOVED.keys())
def test_alarms_that_remain_are_not_reported(script: str) -> None:
    assert not any("removes all" in each for each in messages("restarted-alarm", script))


BOUNDED = {
    "a constant name": "chrome.alarms.create(`a-${2}`, {periodInMinutes: 1});",
    "an unknown name": "chrome.alarms.create(`a-${id}`, {periodInMinutes: 1});",
    "an alarm that goes off once": "chrome.alarms.create(`a-${Date.now()}`, {delayInMinutes: 1});",
    "an event": "chrome.tabs.onCreated.addListener(() => {%s});",
    "removed at the start": "chrome.alarms.clearAll(); %s",
    "removed later": "%s chrome.alarms.onAlarm.addListener((alarm) => chrome.alarms.clear(alarm.name));",
    "a condition": "if (Math.random() > 0.5) {%s}",
}


@pytest.mark.parametrize("script", GROWING.values(), ids=GROWING.keys())
def test_alarm_with_another_name_at_each_start_is_reported(script: str) -> None:
    (message,) = messages("restarted-alarm", script)
    assert message.startswith("`alarms.create` adds an alarm each time the service worker starts")


@pytest.mark.parametrize("script", BOUNDED.values(), ids=BOUNDED.keys())
def test_alarms_that_do_not_grow_are_not_reported(script: str) -> None:
    first = next(iter(GROWING.values()))
    assert messages("restarted-alarm", script.replace("%s", first)) == []
