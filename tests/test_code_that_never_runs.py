"""Findings about what happens when code runs, in code that never runs."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from harness import lint, manifest
from thorough import in_turn

NO_FILES: Mapping[str, str] = {}
NEWER = "chrome.storage.session.clear()"
RULES = (
    "too-new-api",
    "unknown-api",
    "missing-permission",
    "invalid-argument",
    "remote-script",
    "short-alarm",
    "wrong-context",
)
POPUP = {"action": {"default_popup": "p.html"}}


def rules(
    script: str,
    use: str = NEWER,
    keys: Mapping[str, object] | None = None,
    files: Mapping[str, str] = NO_FILES,
) -> list[str]:
    """Returns the rules that report something in a classic background script."""
    settings: dict[str, object] = {
        "background": {"service_worker": "a.js"},
        "permissions": ["storage", "alarms"],
        "minimum_chrome_version": "92",
    }
    text = manifest(**{**settings, **(keys or {})})
    package = {"manifest.json": text, "p.html": "", "a.js": script.replace("USE", use), **files}
    return [each.rule for each in lint(package, RULES, "chrome")]


NEVER_RUNS = {
    "a function": "function clear() { USE }",
    "a constant": "const clear = () => USE",
    "a variable": "var clear = function () { USE }",
    "a class": "class Store { clear() { USE } }",
    "a comment names it": "// clear();\nfunction clear() { USE }",
    "one that calls itself": "function clear() { USE; clear() }",
    "a text in it names it": "function clear() { log('clear()'); USE }",
    "a text in a method names it": "class Store { get() {} clear() { log('clear'); USE } } f(new Store())",
    "called by a function that nothing calls": "function clear() { USE } function reset() { clear() }",
    "a callback in it": "function clear() { x.then(() => { USE }) }",
    "a member of the API has its name": "function get() { USE } chrome.storage.local.get('a')",
    "a listener of a timer without a timer": "chrome.alarms.onAlarm.addListener(() => { USE })",
    "a named listener of it": "function onTimer() { USE } chrome.alarms.onAlarm.addListener(onTimer)",
    "a listener of ports that nothing opens": (
        "chrome.runtime.onConnect.addListener((port) => port.onMessage.addListener(() => { USE }))"
    ),
    "called by such a listener": (
        "function clear() { USE } chrome.alarms.onAlarm.addListener((alarm) => { clear(alarm) })"
    ),
}


@pytest.mark.parametrize("script", NEVER_RUNS.values(), ids=NEVER_RUNS)
def test_what_happens_is_not_reported_in_code_that_never_runs(script: str) -> None:
    assert rules(script) == []
    assert rules(f"{script}; USE") == ["too-new-api"]
    assert rules(script, "chrome.storage.sesion.clear()") == ["unknown-api"]
    assert rules(script, "chrome.runtime.getURL(1)") == ["invalid-argument"]


MAY_RUN = {
    "a call": "function clear() { USE } clear()",
    "a handler": "function clear() { USE } self.onmessage = clear",
    "a text after it names it": "function clear() { USE } log('clear()')",
    "a text names it": "function clear() { USE } setTimeout('clear()', 1)",
    "a member names it": "function clear() { USE } self.clear()",
    "a computed name": "function clear() { USE } self.onmessage = (event) => self[event.data]()",
    "eval": "function clear() { USE } eval(location.hash)",
    "a timer": "chrome.alarms.create({ when: 1 }); chrome.alarms.onAlarm.addListener(() => { USE })",
    "a listener that is made at once": (
        "chrome.alarms.onAlarm.addListener(listener()); function listener() { USE; return f }"
    ),
    "a listener that is called, too": "function on() { USE } chrome.alarms.onAlarm.addListener(on); on()",
}


@pytest.mark.parametrize("script", MAY_RUN.values(), ids=MAY_RUN)
def test_what_happens_is_reported_in_code_that_may_run(script: str) -> None:
    assert rules(script) == ["too-new-api"]


UNNAMED: dict[str, tuple[str, int]] = {
    "nothing has its name": ("f('main');", 0),
    "a comment has it": ("f('main'); // js/old.js", 0),
    "an argument": ("f('old');", 1),
    "a name": ("f('js/old.js');", 1),
}


@pytest.mark.parametrize(("call", "count"), UNNAMED.values(), ids=UNNAMED)
def test_script_that_nothing_names_next_to_a_loader_of_unknown_files(call: str, count: int) -> None:
    loads = "onmessage = ({ data }) => import(`./js/${data}.js`); f('gone.html');"
    package = {
        "manifest.json": manifest(manifest_version=2, background={"scripts": ["a.js"]}),
        "a.js": f"{loads} {call}",
        "js/old.js": "chrome.extension.getURL('a.js'); chrome.storage.nope();",
    }
    found = [each.rule for each in lint(package, ["deprecated-api", "unknown-api"], "chrome<=138")]
    assert found == [*["deprecated-api"] * count, "unknown-api"]


ELSEWHERE = {
    "a handler in a page": {"p.html": "<button onclick='clear()'>"},
    "a script of a page": {"p.html": "<script src=p.js></script>", "p.js": "page.clear()"},
    "a text that a script injects": {"b.js": "chrome.tabs.executeScript({ code: 'clear()' })"},
}


@pytest.mark.parametrize("files", ELSEWHERE.values(), ids=ELSEWHERE)
def test_global_that_another_file_names_may_run(files: dict[str, str]) -> None:
    script = "function clear() { USE } f('p.html', 'b.js');"
    assert rules(script, files=files) == ["too-new-api"]
    commented = {name: f"/* {text} */" for name, text in files.items() if name.endswith("js")}
    assert rules(script, files=commented) == []


@pytest.mark.parametrize("files", [*ELSEWHERE.values()][1:], ids=[*ELSEWHERE][1:])
def test_global_that_only_files_name_which_nothing_names(files: dict[str, str]) -> None:
    assert rules("function clear() { USE }", files=files) == []


def test_local_variable_of_another_script_is_not_the_global() -> None:
    files = {"p.html": "<script src=p.js></script>", "p.js": "let clear; clear()"}
    assert rules("function clear() { USE }", keys={"options_page": "p.html"}, files=files) == []


ANOTHER_SCRIPT = {
    "declares it": ("function clear() {}", 0),
    "has a parameter of its name": ("function f(clear) { clear() } f(g)", 0),
    "has a variable of its name in a function": ("(() => { const clear = g; clear() })()", 0),
    "has a class of its name": ("class clear {} new clear()", 0),
    "imports it": ("import { clear } from './gone.js'; clear()", 1),
    "calls it": ("clear()", 1),
    "gets it from an object": ("const { clear } = self; clear()", 1),
}


@pytest.mark.parametrize(("text", "count"), ANOTHER_SCRIPT.values(), ids=ANOTHER_SCRIPT)
def test_unloaded_script_with_the_name_of_a_global(text: str, count: int) -> None:
    assert rules("function clear() { USE } f('b.js')", files={"b.js": text}) == ["too-new-api"] * count


@pytest.mark.parametrize(
    ("text", "count"), [("function clear() {}", 0), ("function clear() {} clear()", 1), ("clear()", 1)]
)
def test_loaded_script_with_the_name_of_a_global(text: str, count: int) -> None:
    script = "importScripts('b.js'); function clear() { USE }"
    assert rules(script, files={"b.js": text}) == ["too-new-api"] * count


CLICK = "chrome.action.onClicked.addListener(() => { USE })"


@pytest.mark.parametrize(
    ("script", "keys", "expected"),
    [
        pytest.param(CLICK, POPUP, [], id="a popup"),
        pytest.param(CLICK, {"action": {}}, ["too-new-api"], id="no popup"),
        pytest.param(
            f"{CLICK}; chrome.action.setPopup({{ popup: '' }})",
            POPUP,
            ["too-new-api"],
            id="no popup any more",
        ),
    ],
)
def test_click_on_a_button_with_a_popup(script: str, keys: dict[str, object], expected: list[str]) -> None:
    assert rules(script, keys=keys) == expected


@pytest.mark.parametrize(
    ("action", "target", "expected"),
    [
        (POPUP["action"], "chrome", []),
        (POPUP["action"], "firefox", [("firefox",)]),
        (POPUP["action"], "chrome,firefox", [("firefox",)]),
        (POPUP["action"], "reference", []),
        ({}, "reference", [("reference",)]),
    ],
)
def test_click_that_only_one_browser_passes_on(
    action: object, target: str, expected: list[tuple[str, ...]]
) -> None:
    keys = {"background": {"service_worker": "a.js", "scripts": ["a.js"]}, "action": action}
    call = "chrome.scripting.executeScript({ target: { tabId: tab.id }, files: ['none.js'] })"
    files = {
        "manifest.json": manifest(**keys, permissions=["scripting", "activeTab"]),
        "p.html": "",
        "a.js": f"chrome.action.onClicked.addListener((tab) => {{ {call} }})",
    }
    assert [each.targets for each in lint(files, ["missing-file"], target)] == expected


@pytest.mark.parametrize("opening", ["chrome.runtime.connect()", "api['connect']()", "name = 'connect'"])
def test_listener_of_ports_that_a_script_may_open(opening: str) -> None:
    script = "chrome.runtime.onConnect.addListener(() => { USE })"
    content: dict[str, object] = {"content_scripts": [{"matches": ["https://a.example/*"], "js": ["c.js"]}]}
    assert rules(script, keys=content, files={"c.js": ""}) == []
    assert rules(script, keys=content, files={"c.js": opening}) == ["too-new-api"]


@pytest.mark.parametrize("script", [NEVER_RUNS["a function"], NEVER_RUNS["a named listener of it"]])
def test_missing_permission_is_reported_in_any_function(script: str) -> None:
    assert rules(script, "chrome.management.getAll()") == ["missing-permission"]


def test_global_of_another_realm_is_another_global() -> None:
    content: dict[str, object] = {"content_scripts": [{"matches": ["https://a.example/*"], "js": ["c.js"]}]}
    script = "function clear() { USE }"
    for elsewhere in ("function clear() { chrome.storage.local.clear() } clear()", "clear()", "on(clear)"):
        assert rules(script, keys=content, files={"c.js": elsewhere}) == []
    for elsewhere in ("page.clear()", "run('clear()')", "window['clear']()"):
        assert rules(script, keys=content, files={"c.js": elsewhere}) == ["too-new-api"]


ADD_SCRIPT = "const s = document.createElement('script'); s.src = '//a.example/a.js'; document.body.append(s)"


@pytest.mark.parametrize("call", ["", "add()"])
def test_blocked_script_of_a_function(call: str) -> None:
    background = {"manifest_version": 2, "background": {"scripts": ["a.js"]}, "minimum_chrome_version": "110"}
    script = f"function add() {{ {ADD_SCRIPT} }} {call}"
    assert rules(script, keys=background) == (["remote-script"] if call else [])


INJECTED = "chrome.scripting.executeScript({ target: { tabId: tab.id }, files: ['c.js'] })"


@pytest.mark.parametrize(("action", "expected"), [({}, ["invalid-argument"]), (POPUP["action"], [])])
def test_repeated_injection_at_a_click_that_never_comes(action: object, expected: list[str]) -> None:
    keys = {"permissions": ["scripting"], "host_permissions": ["https://a.example/*"], "action": action}
    script = f"chrome.action.onClicked.addListener((tab) => {{ {INJECTED} }})"
    files = {"c.js": "chrome.runtime.onMessage.addListener((m) => x(m))"}
    assert rules(script, keys=keys, files=files) == expected


PASSED_ON = (
    "class Store { get() {} erase() { USE } } const store = new Store();"
    " plugin.start({ store }); store.get();"
)


@pytest.mark.parametrize(
    ("script", "files", "is_reported"),
    [
        pytest.param(PASSED_ON, {}, False, id="passed on"),
        pytest.param(f"{PASSED_ON} // erase", {"b.js": "/* erase */"}, False, id="comments name it"),
        pytest.param(f"{PASSED_ON} plugin.use('erase')", {}, True, id="a text names it"),
        pytest.param(PASSED_ON, {"b.js": "store.erase()"}, True, id="another file calls it"),
        pytest.param(
            PASSED_ON, {"b.js": "const { erase } = store; f(erase)"}, True, id="another file takes it"
        ),
        pytest.param(PASSED_ON, {"b.js": "store[name]()"}, True, id="a computed call"),
        pytest.param(PASSED_ON.replace("Store {", "Store extends Base {"), {}, True, id="a subclass"),
        pytest.param(PASSED_ON.replace("erase", "toJSON"), {}, True, id="a protocol"),
    ],
)
def test_method_whose_name_is_nowhere_else(script: str, files: dict[str, str], is_reported: bool) -> None:
    assert bool(rules(f"{script}; f('b.js');", files=files)) is is_reported


SHORT = "chrome.alarms.create({ periodInMinutes: 0.1 })"
SENT = "chrome.runtime.sendMessage({ type: 'open', count: 0 }, respond);"
BRANCHES = {
    "another type": "if (m.type === 'close') { USE }",
    "the other order": "if ('close' == m.type) { USE }",
    "with another condition": "if (x && m.type === 'close') { USE }",
    "in an expression": "m.type === 'close' && (USE)",
    "one of two": "if (m.type === 'close' || m.type === 'shut') { USE }",
    "after an exit": "if (m.type !== 'close') return; USE",
    "otherwise": "if (!(m.type === 'close')) {} else { USE }",
    "a case": "switch (m.type) { case 'open': break; case 'close': USE }",
    "two cases": "switch (m.type) { case 'close': case 'shut': { USE } }",
    "a part of the message": "const { type } = m; if (type === 'close') { USE }",
    "a constant": "const CLOSE = 'close'; if (m.type === CLOSE) { USE }",
    "a callback": "if (m.type === 'close') { later(() => { USE }) }",
    "a field that no message has": "if (m.save) { USE }",
    "another message": "if (m === 'close') { USE }",
    "a function that is called there": "if (m.type === 'close') { clear() } function clear() { USE }",
    "a function that gets the message": "on(m); function on(m) { if (m.type === 'close') { USE } }",
}


LISTENERS = ("add((m) => { BRANCH })", "add(on); function on(m) { BRANCH }")


@pytest.mark.parametrize(("branch", "listener"), in_turn((each, LISTENERS) for each in BRANCHES.values()))
def test_branch_for_a_message_that_no_script_sends(branch: str, listener: str) -> None:
    script = listener.replace("add", "chrome.runtime.onMessage.addListener").replace("BRANCH", branch)
    message = "'close'" if "m ===" in branch else "{ save: 1 }" if "save" in branch else "{ type: 'close' }"
    page = {"p.html": "<script src=p.js></script>", "p.js": SENT}
    of_devtools = "chrome.devtools.inspectedWindow.reload()"
    uses = f"chrome.storage.sesion.clear(), {SHORT}, chrome.management.getAll(), {of_devtools}"
    assert rules(script, uses, POPUP, page) == ["unknown-api"]
    for each in (message, "unknown('close')"):
        sent = page | {"p.js": f"{SENT} chrome.runtime.sendMessage({each});"}
        found = rules(script, uses, POPUP, sent)
        assert sorted(found) == ["missing-permission", "short-alarm", "unknown-api", "wrong-context"]


CLOSE = "chrome.runtime.sendMessage({ type: 'close' });"

SENT_IN_FIREFOX = {
    "a condition": f"if (navigator.userAgent.includes('Firefox')) {CLOSE}",
    "a function": f"function close() {{ {CLOSE} }} if (navigator.userAgent.indexOf('Firefox') > -1) close();",
    "an exit": f"function close() {{ if (!navigator.userAgent.match(/Firefox/)) return; {CLOSE} }} close();",
    "a constant": f"const isFirefox = navigator.userAgent.includes('Firefox/'); isFirefox && {CLOSE}",
    "a member": f"if (chrome.runtime.getBrowserInfo) {CLOSE}",
    "a function that tests": (
        f"function isFirefox() {{ return navigator.userAgent.includes('Firefox') }} if (isFirefox()) {CLOSE}"
    ),
}


@pytest.mark.parametrize("sender", SENT_IN_FIREFOX.values(), ids=SENT_IN_FIREFOX.keys())
def test_branch_for_a_message_of_another_browser(sender: str) -> None:
    script = "chrome.runtime.onMessage.addListener((m) => { if (m.type === 'close') { USE } })"
    page = {"p.html": "<script src=p.js></script>"}
    assert rules(script, SHORT, POPUP, page | {"p.js": f"{SENT} {sender}"}) == []
    both = page | {"p.js": f"{SENT} {sender} if (navigator.userAgent.includes('Chrome')) {CLOSE}"}
    assert rules(script, SHORT, POPUP, both) == ["short-alarm"]


IDLE_SENDERS = {
    "a function that nothing calls": f"function shut() {{ {CLOSE} }}",
    "a method that nothing calls": f"const lib = {{ close() {{ {CLOSE} }}, open() {{}} }}; lib.open();",
    "a function that only such a function calls": (
        f"function shut() {{ {CLOSE} }} function other() {{ shut() }}"
    ),
}


@pytest.mark.parametrize("sender", IDLE_SENDERS.values(), ids=IDLE_SENDERS.keys())
def test_branch_for_a_message_of_code_that_never_runs(sender: str) -> None:
    script = "chrome.runtime.onMessage.addListener((m) => { if (m.type === 'close') { USE } })"
    uses = f"{SHORT}, chrome.management.getAll()"
    page = {"p.html": "<script src=p.js></script>"}
    assert rules(script, uses, POPUP, page | {"p.js": f"{SENT} {sender}"}) == []
    called = page | {"p.js": f"{SENT} {sender} {'lib.close()' if 'lib' in sender else 'shut()'};"}
    assert sorted(rules(script, uses, POPUP, called)) == ["missing-permission", "short-alarm"]


def test_missing_script_may_send_any_message() -> None:
    script = "chrome.runtime.onMessage.addListener((m) => { if (m.type === 'close') { USE } })"
    for page, expected in (("", []), ("<script src=gone.js></script>", ["missing-permission"])):
        files = {"p.html": f"<script src=p.js></script>{page}", "p.js": SENT}
        assert rules(script, "chrome.management.getAll()", POPUP, files) == expected


SENT_OR_UNKNOWN = {
    "otherwise": "if (m.type === 'close') {} else { USE }",
    "one of two": "if (m.type === 'close' || m.type === 'open') { USE }",
    "not a type": "if (m.type !== 'close') { USE }",
    "a case that falls through": "switch (m.type) { case 'open': case 'close': { USE } }",
    "the default": "switch (m.type) { case 'close': break; default: { USE } }",
    "no field": "if (!m.save) { USE }",
    "a missing field": "if (m.save === undefined) { USE }",
    "a field that may be falsy": "if (m.count) { USE }",
    "a field that the listener sets": "m.type = f(m); if (m.type === 'close') { USE }",
    "another variable": "let type = m.type; if (x) type = 'close'; if (type === 'close') { USE }",
    "a function that gets other messages": (
        "on(m); self.onmessage = ({ data }) => on(data); function on(m) { if (m.type === 'close') { USE } }"
    ),
}


@pytest.mark.parametrize("branch", SENT_OR_UNKNOWN.values(), ids=SENT_OR_UNKNOWN)
def test_branch_that_some_message_may_enter(branch: str) -> None:
    script = f"chrome.runtime.onMessage.addListener((m) => {{ {branch} }})"
    files = {"p.html": "<script src=p.js></script>", "p.js": SENT}
    assert rules(script, SHORT, POPUP, files) == ["short-alarm"]


def test_listener_to_messages_without_any_sender() -> None:
    assert rules("chrome.runtime.onMessage.addListener((m) => { USE })", SHORT) == ["short-alarm"]
    for event, expected in (("onMessage", []), ("onMessageExternal", ["short-alarm"])):
        script = f"chrome.runtime.{event}.addListener((m) => {{ if (m.type === 'close') {{ USE }} }})"
        assert rules(script, SHORT) == expected
        assert rules(script, "chrome.management.getAll()") == ["missing-permission"]
        assert rules(f"{script}; f(chrome.runtime.sendMessage)", SHORT) == expected
        assert rules(f"{script}; f(chrome.runtime.sendMessage, 'close')", SHORT) == ["short-alarm"]
