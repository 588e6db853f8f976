"""Comparisons with names that the package does not give: of menu items, alarms, commands, ports and so on."""

from __future__ import annotations

import json

import pytest
from harness import Files, lint, reported
from packages import package_in

from extlint.checker import check_package
from extlint.schema.targets import Target

RULES = ["impossible-comparison"]
MENU = "chrome.contextMenus.create({id: 'search', title: 'Search'});"
CLICK = "chrome.contextMenus.onClicked.addListener((info) => { if (info.menuItemId === 'serach') run(); });"


def extension(script: str, **keys: object) -> Files:
    manifest = {
        "manifest_version": 3,
        "name": "Test",
        "version": "1.0",
        "permissions": ["alarms", "contextMenus", "notifications"],
        "background": {"service_worker": "a.js"},
        **keys,
    }
    return {"manifest.json": json.dumps(manifest), "a.js": script}


COMPARISONS = {
    "a menu item": (MENU + CLICK, "'serach'", "'search'"),
    "a menu item in a case": (
        MENU
        + """
        chrome.contextMenus.onClicked.addListener(async ({menuItemId}, tab) => {
          switch (menuItemId) { case 'serach': await run(tab); break; default: }
        });""",
        "'serach'",
        "'search'",
    ),
    "an item of a loop": (
        "for (const id of ['a', 'b']) chrome.contextMenus.create({id, title: id});"
        "chrome.contextMenus.onClicked.addListener((info) => info.menuItemId === 'c' && run());",
        "'c'",
        "'b'",
    ),
    "an item of a constant": (
        "const IDS = {link: 'save-link'}; chrome.contextMenus.create({id: IDS.link, title: 'x'});"
        "chrome.contextMenus.onClicked.addListener(({menuItemId}) => menuItemId == 'save' && run());",
        "'save'",
        "'save-link'",
    ),
    "an alarm": (
        "chrome.alarms.create('refresh', {periodInMinutes: 5});"
        "chrome.alarms.onAlarm.addListener(({name}) => { if (name === 'refesh') run(); });",
        "'refesh'",
        "'refresh'",
    ),
    "an alarm that its own function creates": (
        "async function start() { await chrome.alarms.create('refresh', {periodInMinutes: 5}); }"
        "chrome.runtime.onInstalled.addListener(start);"
        "chrome.alarms.onAlarm.addListener((alarm) => { if (alarm.name !== 'sync') return; run(); });",
        "'sync'",
        "'refresh'",
    ),
    "a port": (
        "chrome.runtime.connect({name: 'popup'}); chrome.tabs.connect(1, {name: 'page'});"
        "chrome.runtime.onConnect.addListener((port) => {"
        "  if (port.name !== 'pop-up') return;"
        "  port.onMessage.addListener(run);"
        "});",
        "'pop-up'",
        "'popup'",
    ),
    "a notification": (
        "chrome.notifications.create('done', {type: 'basic', iconUrl: 'a.png', title: 'A', message: 'B'});"
        "chrome.notifications.onClicked.addListener((id) => { if (id === 'finished') run(); });",
        "'finished'",
        "'done'",
    ),
}


@pytest.mark.parametrize(("script", "where", "correct"), COMPARISONS.values(), ids=COMPARISONS)
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_comparison_with_a_name_that_nothing_has_is_reported(
    script: str, where: str, correct: str, target: str
) -> None:
    assert reported(extension(script), RULES, target) == [(RULES[0], where)]
    right = script.replace(where, correct)
    assert reported(extension(right), RULES, target) == []


UNCERTAIN = {
    "another item with an unknown id": "chrome.contextMenus.create({id: location.hash, title: 'x'});",
    "an item of an unknown object": "for (const each of await load()) chrome.contextMenus.create(each);",
    "an object with unknown properties": "chrome.contextMenus.create({title: 'x', ...rest()});",
    "an item in a branch for another browser": "self.browser?.menus.create({id: 'serach', title: 'x'});",
    "the function for other code": "setUp(chrome.contextMenus.create);",
    "unknown arguments": "chrome.contextMenus.create(...rest());",
    "no item with an id at all": None,
}


@pytest.mark.parametrize("other", UNCERTAIN.values(), ids=UNCERTAIN)
def test_comparison_is_not_reported_if_some_names_are_unknown(other: str | None) -> None:
    assert reported(extension(CLICK if other is None else MENU + CLICK + other), RULES, "chrome") == []


COMMANDS = {
    "nearly the same": ("if (name === 'mute_tab') run();", True),
    "a case of nearly the same": ("switch (name) { case 'mute-tabs': run(); }", True),
    "something else": ("if (name === 'unmute') run();", True),
    "one of two": ("if (['mute-tab', 'mute'].includes(name)) run();", True),
    "the same": ("if (name === 'mute-tab') run();", False),
    "any name": ("run(name);", False),
    "a table that may have it": ("handlers[name]();", False),
    "code that never runs": ("if (false) { if (name === 'unmute') run(); }", False),
}


@pytest.mark.parametrize(("body", "is_reported"), COMMANDS.values(), ids=COMMANDS)
def test_command_is_one_of_the_manifest(body: str, is_reported: bool) -> None:
    script = f"chrome.commands.onCommand.addListener((name) => {{ {body} }});"
    files = extension(script, commands={"mute-tab": {"description": "Mute"}})
    assert bool(lint(files, RULES, "chrome")) == is_reported


HANDLED = {
    "the button": (3, "_execute_action", "chrome,firefox"),
    "the button in Manifest V2": (2, "_execute_browser_action", "firefox"),
    "the button of the other version": (2, "_execute_action", ""),
    "the sidebar": (3, "_execute_sidebar_action", "firefox"),
    "a page action": (3, "_execute_page_action", "firefox"),
    "a name that no browser knows": (3, "_execute_menus", ""),
}
"""Commands, and the targets that handle them without an event, by manifest version."""


@pytest.mark.parametrize(("version", "name", "targets"), HANDLED.values(), ids=HANDLED)
@pytest.mark.parametrize("others", [{}, {"mute": {"description": "Mute"}}], ids=["alone", "with another"])
def test_command_that_the_browser_handles_has_no_event(
    version: int, name: str, targets: str, others: dict[str, object]
) -> None:
    keys = {"manifest_version": version, "name": "Test", "version": "1.0", "commands": {name: {}, **others}}
    script = f"chrome.commands.onCommand.addListener((name) => {{ if (name === '{name}') run(); }});"
    files = {"manifest.json": json.dumps({**keys, "background": {"scripts": ["a.js"]}}), "a.js": script}
    for target in ("chrome", "firefox"):
        if target == "chrome" and version == 2:
            continue
        found = [each.message for each in lint(files, RULES, target)]
        message = f'what `commands.onCommand` passes is never the string "{name}"'
        expected = [f"{message}: the browser itself handles this command"]
        assert found == (expected if target in targets else [])


MANIFEST_RULES = {"rule_resources": [{"id": "ads", "enabled": True, "path": "r.json"}]}
USES = {
    "a parent": (MENU + "chrome.contextMenus.create({id: 'a', parentId: 'serach', title: 'A'});", "'serach'"),
    "an update": (MENU + "chrome.contextMenus.update('serach', {title: 'A'});", "'serach'"),
    "a removal": (MENU + "async function hide() { await chrome.contextMenus.remove('serach'); }", "'serach'"),
    "registered scripts": (
        "chrome.scripting.registerContentScripts([{id: 'search', js: ['a.js'], matches: ['https://*/*']}]);"
        "chrome.scripting.unregisterContentScripts({ids: ['serach']});",
        "'serach'",
    ),
    "a changed script": (
        "const scripts = [{id: 'search', js: ['a.js'], matches: ['https://*/*']}];"
        "chrome.scripting.registerContentScripts(scripts);"
        "chrome.scripting.updateContentScripts([{id: 'serach', allFrames: true}]);",
        "'serach'",
    ),
    "rules of a file": (
        "chrome.declarativeNetRequest.updateStaticRules({rulesetId: 'ad', disableRuleIds: [1]});",
        "'ad'",
    ),
    "disabled rules of a file": (
        "chrome.declarativeNetRequest.getDisabledRuleIds({rulesetId: 'ad'});",
        "'ad'",
    ),
}


@pytest.mark.parametrize(("script", "where"), USES.values(), ids=USES)
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_call_with_a_name_that_nothing_has_is_reported(script: str, where: str, target: str) -> None:
    permissions = ["contextMenus", "scripting", "declarativeNetRequest"]
    keys = {"permissions": permissions, "declarative_net_request": MANIFEST_RULES}
    files = {**extension(script, **keys), "r.json": "[]"}
    found = reported(files, ["invalid-argument"], target)
    assert found == [("invalid-argument", where)]
    right = script.replace("'serach'", "'search'").replace("'ad'", "'ads'")
    assert reported({**files, "a.js": right}, ["invalid-argument"], target) == []


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("chrome.contextMenus.remove('serach');", id="no item at all"),
        pytest.param(
            MENU + "create({id: 'serach', title: 'x'}); const create = chrome.contextMenus.create;",
            id="an alias",
        ),
        pytest.param(
            MENU + "chrome.contextMenus.create(item);" + "chrome.contextMenus.remove('serach');",
            id="an unknown item",
        ),
        pytest.param(MENU + "chrome.contextMenus.remove(id);", id="an unknown id"),
        pytest.param(MENU + "if (false) chrome.contextMenus.remove('serach');", id="code that never runs"),
        pytest.param("chrome.alarms.create('a', {when: 1}); chrome.alarms.clear('b');", id="an alarm"),
    ],
)
def test_call_with_a_name_that_may_exist_is_not_reported(script: str) -> None:
    assert reported(extension(script), ["invalid-argument"], "chrome") == []


CLEARED = {
    "an alarm of an older version": ("chrome.alarms.clear('poll');", False),
    "another alarm": ("chrome.alarms.clear('other');", True),
    "an unknown alarm": (
        "chrome.alarms.onAlarm.addListener((alarm) => chrome.alarms.clear(alarm.name));",
        True,
    ),
}


@pytest.mark.parametrize(("clear", "is_reported"), CLEARED.values(), ids=CLEARED)
def test_alarm_that_is_cleared_may_exist(clear: str, is_reported: bool) -> None:
    script = "chrome.alarms.create('sync', {when: 1});"
    script += "chrome.alarms.onAlarm.addListener(({name}) => { if (name === 'poll') run(); });"
    assert bool(lint(extension(script + clear), RULES, "chrome")) is is_reported


def test_message_says_that_nothing_has_the_name() -> None:
    (finding,) = lint(extension(MENU + CLICK), RULES, "chrome")
    assert finding.message == (
        "`menuItemId` in what `contextMenus.onClicked` passes is never the string "
        '"serach": no menu item has this id'
    )
    assert finding.help == "did you mean `search`?"


def test_command_of_another_manifest_is_not_reported() -> None:
    script = "chrome.commands.onCommand.addListener((name) => { if (name === 'find') run(); });"
    files = extension(script, commands={"mute": {"description": "Mute"}})
    other = extension(script, commands={"find": {"description": "Find"}})["manifest.json"]
    assert reported(files, RULES, "chrome") != []
    assert reported({**files, "manifest.firefox.json": other}, RULES, "chrome") == []


def test_command_that_a_tool_adds_is_not_reported() -> None:
    script = "chrome.commands.onCommand.addListener((name) => { if (name === 'find') run(); });"
    files = extension(script, commands={"mute": {"description": "Mute"}})
    tool = "const manifest = require('../manifest.json'); manifest.commands = load();"
    for path, expected in (("scripts/build.js", []), ("b.js", RULES)):
        package = package_in({**files, path: tool}, "")
        report = check_package(package, [Target("chrome")], RULES)
        assert [each.rule for each in report.findings] == expected


LISTENER = "chrome.runtime.onMessage.addListener((message) => { if (message.type === 'getStatus') run(); });"
SENT = "chrome.runtime.sendMessage({type: 'getStaus'});"
MESSAGES = {
    "another spelling": (LISTENER, SENT, True),
    "a case": (
        LISTENER.replace("if (", "switch (message.type) { case 'getStatus': run(); } if ("),
        SENT,
        True,
    ),
    "to a tab": (LISTENER, SENT.replace("runtime.sendMessage(", "tabs.sendMessage(1, "), True),
    "the same": (LISTENER, SENT.replace("Staus", "Status"), False),
    "both": (LISTENER, SENT + SENT.replace("Staus", "Status"), False),
    "another word": (LISTENER, SENT.replace("getStaus", "clearAll"), False),
    "another number": (LISTENER.replace("getStatus", "step1"), SENT.replace("getStaus", "step2"), False),
    "in another property": (LISTENER, SENT.replace("type:", "action:"), False),
    "elsewhere in the package": (LISTENER + "self.kind = 'getStatus';", SENT, False),
    "a listener for both": (LISTENER + LISTENER.replace("Status", "Staus"), SENT, False),
    "a table for the other": (LISTENER + "const table = {getStaus() {}};", SENT, False),
    "with an unknown value elsewhere": (
        LISTENER,
        SENT + "port.onmessage = (event) => chrome.tabs.sendMessage(1, {type: event.data.command});",
        False,
    ),
    "with an unknown value that is assigned": (LISTENER, SENT + "message.type = command;", False),
    "with known values elsewhere": (LISTENER, SENT + "send({type: 'other', to: command});", True),
    "with a message of the web page": (
        LISTENER,
        SENT + "window.addEventListener('message', ({ data }) => chrome.runtime.sendMessage(data));",
        False,
    ),
    "with a message of an application": (
        LISTENER,
        SENT
        + "chrome.runtime.connectNative('a').onMessage.addListener((m) => chrome.runtime.sendMessage(m));",
        False,
    ),
    "with another message of the script": (
        LISTENER,
        SENT + "function send(text) { chrome.runtime.sendMessage(text); } send(text);",
        True,
    ),
    "from web pages": (LISTENER.replace("onMessage", "onMessageExternal"), SENT, False),
}


@pytest.mark.parametrize(("script", "other", "is_reported"), MESSAGES.values(), ids=MESSAGES)
def test_misspelled_message_is_reported_where_it_is_expected(
    script: str, other: str, is_reported: bool
) -> None:
    page = '<!doctype html><script src="b.js"></script>'
    files = extension(script, action={"default_popup": "b.html"})
    found = lint({**files, "b.html": page, "b.js": other}, RULES, "chrome")
    assert [each.help for each in found] == ["did you mean `getStaus`?"] * is_reported * script.count(
        "getStatus'"
    )


@pytest.mark.parametrize(
    ("sent", "is_reported"),
    [
        pytest.param(SENT.replace("runtime.sendMessage(", "tabs.sendMessage(1, "), True, id="to a tab"),
        pytest.param(SENT, False, id="to the extension"),
    ],
)
def test_content_scripts_receive_only_messages_to_tabs(sent: str, is_reported: bool) -> None:
    content = [{"matches": ["*://*/*"], "js": ["c.js"]}]
    files = {**extension(sent, content_scripts=content), "c.js": LISTENER}
    assert bool(reported(files, RULES, "chrome")) is is_reported


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (
            LISTENER,
            '`type` in what `runtime.onMessage` passes is never the string "getStatus": no script sends it',
        ),
        (
            "chrome.runtime.onMessage.addListener((m, s) => { if (s.tab.status === 'done') f(m); });",
            '`tab.status` in what `runtime.onMessage` passes is one of "unloaded", "loading" or "complete", '
            'never the string "done"',
        ),
    ],
)
def test_reason_is_about_the_message_only_if_it_is_compared(script: str, expected: str) -> None:
    page = '<!doctype html><script src="b.js"></script>'
    files = extension(script, action={"default_popup": "b.html"})
    found = lint({**files, "b.html": page, "b.js": SENT}, RULES, "chrome")
    assert [each.message for each in found] == [expected]
