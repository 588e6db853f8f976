"""Messages without a receiver: `lost-message`."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from harness import lint, manifest, reported

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.script_facts import Guards, Reference
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.reachability.call_paths import CallPaths
from extlint.analysis.reachability.paths import Paths
from extlint.analysis.syntax.node import Node
from extlint.extension import Script
from extlint.program.searches import PackageSearches

RULE = "lost-message"
LISTENS = "chrome.runtime.onMessage.addListener((m) => show(m));"
SENDS = "chrome.runtime.sendMessage({ m: 1 });"
SENDS_TO_TAB = "chrome.tabs.query({}, ([tab]) => chrome.tabs.sendMessage(tab.id, 1));"
SCRIPTS = ("background", "content", "popup", "options")


def files(keys: Mapping[str, object] | None = None, /, **scripts: str) -> dict[str, str]:
    """Returns an extension with a script in each kind of context."""
    text = manifest(
        **{
            "permissions": ["scripting"],
            "background": {"service_worker": "background.js", "scripts": ["background.js"]},
            "content_scripts": [{"matches": ["<all_urls>"], "js": ["content.js"]}],
            "action": {"default_popup": "popup.html"},
            "options_ui": {"page": "options.html"},
            **(keys or {}),
        }
    )
    pages = {f"{name}.html": f"<script src='{name}.js'></script>" for name in ("popup", "options")}
    return {
        "manifest.json": text,
        **pages,
        **{f"{name}.js": scripts.pop(name, "") for name in SCRIPTS},
        **scripts,
    }


def found(
    target: str = "firefox,chrome", keys: Mapping[str, object] | None = None, /, **scripts: str
) -> list[str]:
    """Returns the source text of each finding."""
    return [text for _, text in reported(files(keys, **scripts), [RULE], target)]


LOST = {
    "from a popup to content scripts": {"popup": SENDS, "content": LISTENS},
    "from the background to content scripts": {"background": SENDS, "content": LISTENS},
    "from a content script to content scripts": {"content": SENDS + LISTENS},
    "from the background to itself": {"background": SENDS + LISTENS},
    "with a callback": {"popup": "chrome.runtime.sendMessage({ m: 1 }, (a) => show(a));", "content": LISTENS},
    "after null for the extension": {
        "popup": "chrome.runtime.sendMessage(null, { m: 1 }, {}, (a) => show(a));",
        "content": LISTENS,
    },
    "where a failure is caught": {"popup": SENDS.replace(";", ".catch(() => {});"), "content": LISTENS},
    "to where a function listens that is injected": {
        "background": SENDS + f"chrome.scripting.executeScript({{ target, func: () => {{ {LISTENS} }} }});"
    },
    "to where a file listens that is injected": {
        "background": SENDS + "chrome.scripting.executeScript({ target, files: ['injected.js'] });",
        "injected.js": LISTENS,
    },
    "to where only ports are listened to": {
        "popup": SENDS,
        "background": "chrome.runtime.onConnect.addListener((port) => port.onMessage.addListener(show));",
        "content": LISTENS,
    },
    "to where unknown ports are listened to": {
        "popup": SENDS,
        "background": "class A { listen() { this.port.onMessage.addListener(show); } } new A().listen();",
        "content": LISTENS,
    },
    "to where something is called like the event": {
        "popup": SENDS,
        "background": "function onMessage(m) {} socket.onMessage = onMessage; // .onMessage",
        "content": LISTENS,
    },
    "to where nothing listens": {"popup": SENDS},
    "to a script that nothing loads": {"popup": SENDS, "content": LISTENS, "other.js": LISTENS},
    "to a page that nothing opens": {
        "popup": SENDS,
        "content": LISTENS,
        "other.html": "<script src='other.js'></script>",
        "other.js": LISTENS,
    },
}


@pytest.mark.parametrize("scripts", LOST.values(), ids=LOST)
def test_lost_runtime_message_is_reported(scripts: dict[str, str]) -> None:
    assert found(**scripts) == ["chrome.runtime.sendMessage"]


LOST_IN_TABS = {
    "to the background": {"popup": SENDS_TO_TAB, "background": LISTENS},
    "to the popup": {"background": SENDS_TO_TAB, "popup": LISTENS},
    "to tabs where nothing listens": {"background": SENDS_TO_TAB},
}


@pytest.mark.parametrize("scripts", LOST_IN_TABS.values(), ids=LOST_IN_TABS)
def test_lost_tab_message_is_reported(scripts: dict[str, str]) -> None:
    assert found(**scripts) == ["chrome.tabs.sendMessage"]


def test_part_of_an_extension_may_send_to_other_parts() -> None:
    assert found("firefox,chrome", {"content_scripts": None}, background=SENDS_TO_TAB) == []


DELIVERED = {
    "from a popup to the background": {"popup": SENDS, "background": LISTENS},
    "from a content script to the background": {"content": SENDS, "background": LISTENS},
    "from the background to a popup": {"background": SENDS, "popup": LISTENS},
    "from a page to another of its kind": {"options": SENDS + LISTENS},
    "to a content script": {"background": SENDS_TO_TAB, "content": LISTENS},
    "to a page in a tab": {"background": SENDS_TO_TAB, "options": LISTENS},
    "to a popup that is opened in a tab": {
        "background": SENDS_TO_TAB + "chrome.tabs.create({ url: 'popup.html' });",
        "popup": LISTENS,
    },
    "to an injected file": {
        "background": SENDS_TO_TAB + "chrome.scripting.executeScript({ target, files: ['injected.js'] });",
        "injected.js": LISTENS,
    },
    "to an injected function": {
        "background": SENDS_TO_TAB
        + f"chrome.scripting.executeScript({{ target, func: () => {{ {LISTENS} }} }});"
    },
    "to another extension": {"popup": "chrome.runtime.sendMessage('a'.repeat(32), 1);", "content": LISTENS},
    "to what may be another extension": {"popup": "chrome.runtime.sendMessage(id, 1);", "content": LISTENS},
    "to what is not known to be an extension": {"popup": "chrome.runtime.sendMessage(one, two);"},
    "where the event is passed on": {"popup": SENDS, "background": "listen(chrome.runtime.onMessage);"},
    "where the event of something else is listened to": {
        "popup": SENDS,
        "content": LISTENS,
        "background": "other.onMessage.addListener(show);",
    },
    "where the event is only named": {
        "popup": SENDS,
        "background": "const { onMessage } = other; use(onMessage);",
    },
    "by the event's old name": {
        "background": SENDS_TO_TAB,
        "content": "chrome.extension.onMessage.addListener(show);",
    },
    "where a script is missing": {"popup": SENDS + "import('./missing.js');", "content": LISTENS},
    "where members are computed": {
        "popup": SENDS,
        "background": "chrome[name].addListener(f);",
        "content": LISTENS,
    },
    "to a script that may be loaded by a computed name": {
        "popup": SENDS + "import(name);",
        "content": LISTENS,
        "other.js": LISTENS,
    },
    "to a script that a loaded script names": {
        "popup": SENDS + "load('js/other');",
        "content": LISTENS,
        "other.js": LISTENS,
    },
    "to a script that a build may compile": {"popup": SENDS, "content": LISTENS, "other.ts": LISTENS},
    "to no tab": {"background": "chrome.tabs.sendMessage(null, 1);" + LISTENS},
    "to tabs where unknown code may listen": {"background": SENDS_TO_TAB + "import('./missing.js');"},
    "in code that never runs": {"popup": "if (false) " + SENDS, "content": LISTENS},
    "in a function that nothing calls": {
        "popup": f"(() => {{ function send() {{ {SENDS} }} }})();",
        "content": LISTENS,
    },
    "from a function that is injected": {
        "popup": f"chrome.scripting.executeScript({{ target, func: () => {{ {SENDS} }} }});",
        "background": LISTENS,
    },
}


@pytest.mark.parametrize("scripts", DELIVERED.values(), ids=DELIVERED)
def test_delivered_message_is_not_reported(scripts: dict[str, str]) -> None:
    assert found(**scripts) == []


VERSION_2 = {
    "manifest_version": 2,
    "browser_action": {"default_popup": "popup.html"},
    "background": {"scripts": ["background.js"]},
}


def test_injected_code_string_may_listen() -> None:
    code = "chrome.tabs.executeScript({ code: text });"
    assert found("firefox", VERSION_2, background=SENDS_TO_TAB + code, popup=LISTENS) == []
    assert found("firefox", VERSION_2, background=SENDS_TO_TAB, popup=LISTENS) == ["chrome.tabs.sendMessage"]


OLD_SEND = "chrome.extension.sendMessage({}, (answer) => show(answer));"
OLD_CONNECT = "const port = chrome.extension.connect({ name: 'a' }); port.postMessage(1);"
OLD_NAMES = {
    "to nothing": ({"content": OLD_SEND}, 1),
    "to content scripts": ({"popup": OLD_SEND, "content": LISTENS}, 1),
    "to the background": ({"content": OLD_SEND, "background": LISTENS}, 0),
    "to the event's old name": (
        {"content": OLD_SEND, "background": LISTENS.replace("runtime", "extension")},
        0,
    ),
    "to another extension": ({"content": OLD_SEND.replace("({}", "(id, {}")}, 0),
    "a connection to nothing": ({"content": OLD_CONNECT}, 1),
    "a connection": ({"content": OLD_CONNECT, "background": "chrome.extension.onConnect.addListener(f);"}, 0),
    "in code that never runs": ({"content": f"if (false) {OLD_SEND}"}, 0),
}


@pytest.mark.parametrize(("scripts", "expected"), OLD_NAMES.values(), ids=OLD_NAMES.keys())
def test_old_names_in_manifest_v2(scripts: Mapping[str, str], expected: int) -> None:
    assert len(found("chrome", VERSION_2, **scripts)) == expected
    assert found("firefox", VERSION_2, **scripts) == []
    assert found("chrome", **scripts) == []


def test_listener_in_a_single_browser_context_counts() -> None:
    offscreen = {"permissions": ["offscreen"]}
    sends = (
        SENDS
        + "chrome.offscreen.createDocument({ url: 'off.html', reasons: ['BLOBS'], justification: 'x' });"
    )
    page = {"off.html": "<script src='off.js'></script>", "off.js": LISTENS}
    assert found("firefox,chrome", offscreen, background=sends, **page) == []


def test_message_wording() -> None:
    [finding] = lint(files(popup=SENDS, content=LISTENS), [RULE], "chrome")
    only = "only content scripts listen to `runtime.onMessage`, which it does not reach"
    assert finding.message == f"`runtime.sendMessage` reaches nothing: {only}"
    assert "`tabs.sendMessage`" in (finding.help or "")
    [finding] = lint(files(background=SENDS + LISTENS), [RULE], "chrome")
    only = "only the background listens to `runtime.onMessage`, and does not get its own messages"
    assert finding.message == f"`runtime.sendMessage` reaches nothing: {only}"
    [finding] = lint(files(popup=SENDS_TO_TAB, background=LISTENS), [RULE], "chrome")
    only = "no content script listens to `runtime.onMessage`, only the background"
    assert finding.message == f"`tabs.sendMessage` reaches nothing: {only}"


@pytest.mark.parametrize(("target", "count"), [("safari", 0), ("reference", 1)])
def test_message_depends_on_the_target(target: str, count: int) -> None:
    assert len(found(target, popup=SENDS, content=LISTENS)) == count


FUNCTION = f"function send() {{ {SENDS} }} button.onclick = send;"
INJECTS = "chrome.scripting.executeScript({ target, func: () => document.title });"
LISTENING_FUNCTION = f"function listen() {{ {LISTENS} }} listen();"

SEARCHES = {
    "sent from a page, heard by the background": ({"popup": FUNCTION, "background": LISTENS}, False),
    "sent from a page, heard by another": ({"popup": FUNCTION, "options": LISTENS}, False),
    "sent from the background, heard by a page": ({"background": FUNCTION, "popup": LISTENS}, False),
    "sent to tabs, heard by a content script": ({"background": SENDS_TO_TAB, "content": LISTENS}, False),
    "heard by a function": ({"popup": SENDS + INJECTS, "background": LISTENING_FUNCTION}, True),
    "heard by nothing else": ({"background": FUNCTION + LISTENS + INJECTS}, True),
    "heard by nothing": ({"popup": FUNCTION + INJECTS, "content": LISTENS}, True),
    "heard by nothing, without injected functions": ({"popup": FUNCTION, "content": LISTENS}, False),
}


@pytest.mark.parametrize(("scripts", "is_searched"), SEARCHES.values(), ids=SEARCHES)
def test_callers_are_searched_only_for_possibly_lost_messages(
    scripts: dict[str, str], is_searched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[Script] = []

    def nowhere(_: PackageSearches, script: Script, reference: Reference) -> frozenset[ContextKind]:
        searched.append(script)
        return frozenset()

    monkeypatch.setattr(PackageSearches, "injected_into", nowhere)
    lint(files(**scripts), [RULE], "chrome")
    assert bool(searched) == is_searched


def test_context_search_evaluates_no_conditions(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[Node] = []
    read: list[Node] = []
    search, read_around = CallPaths._to, GuardReader.within_function

    def searching(paths: CallPaths, item: Node) -> Paths:
        searched.append(item)
        monkeypatch.setattr(GuardReader, "within_function", reading)
        return search(paths, item)

    def reading(guards: GuardReader, item: Node) -> tuple[Guards, Node | None]:
        read.append(item)
        return read_around(guards, item)

    monkeypatch.setattr(CallPaths, "_to", searching)
    background = f"if (a) {{ {LISTENING_FUNCTION} }} {INJECTS}"
    assert lint(files(popup=SENDS, background=background), [RULE], "chrome") == []
    assert searched
    assert not read


CONNECTS = "const port = chrome.runtime.connect(); port.postMessage(1);"
NAMED = "chrome.runtime.connect({ name: 'a' }).onMessage.addListener(show);"
CONNECTS_TO_TAB = "chrome.tabs.query({}, ([tab]) => chrome.tabs.connect(tab.id, { name: 'a' }));"
ACCEPTS = "chrome.runtime.onConnect.addListener((port) => port.onMessage.addListener(show));"
CONNECTIONS = {
    "to nothing": ({"popup": CONNECTS}, 1),
    "with a name": ({"content": NAMED}, 1),
    "from a popup to content scripts": ({"popup": CONNECTS, "content": ACCEPTS}, 1),
    "to a tab without a listener": ({"popup": CONNECTS_TO_TAB, "background": ACCEPTS}, 1),
    "to where only messages are listened to": ({"popup": CONNECTS, "background": LISTENS}, 1),
    "from the background to itself": ({"background": CONNECTS + ACCEPTS}, 1),
    "from a popup": ({"popup": CONNECTS, "background": ACCEPTS}, 0),
    "from a content script": ({"content": NAMED, "background": ACCEPTS}, 0),
    "to a content script": ({"popup": CONNECTS_TO_TAB, "content": ACCEPTS}, 0),
    "to another extension": ({"popup": "chrome.runtime.connect('abcdefghijklmnopabcdefghijklmnop');"}, 0),
    "to an unknown extension": ({"popup": "chrome.runtime.connect(id());"}, 0),
    "by code that may listen": ({"popup": CONNECTS, "background": "listen('onConnect');"}, 0),
}


@pytest.mark.parametrize(("scripts", "expected"), CONNECTIONS.values(), ids=CONNECTIONS.keys())
def test_connections(scripts: Mapping[str, str], expected: int) -> None:
    assert len(found(**scripts)) == expected


def test_wording_about_connections() -> None:
    [finding] = lint(files(popup=CONNECTS), [RULE], "chrome")
    assert finding.message == "`runtime.connect` reaches nothing: no script listens to `runtime.onConnect`"
    assert finding.help == "listen to it in the script that is meant to receive the connection"


SITES = {"externally_connectable": {"matches": ["https://a.example/*"]}}
EXTERNAL = "chrome.runtime.onMessageExternal.addListener((m) => show(m));"
ALIAS = "const { onMessageExternal: on } = chrome.runtime; on.addListener((m) => show(m));"
CONNECTABLE: dict[str, tuple[Mapping[str, object], str, int]] = {
    "nothing listens": (SITES, "", 1),
    "the event for own messages": (SITES, LISTENS, 1),
    "messages": (SITES, EXTERNAL, 0),
    "connections": (SITES, EXTERNAL.replace("onMessage", "onConnect"), 0),
    "a function": (SITES, f"function listen() {{ {EXTERNAL} }} listen();", 0),
    "an alias": (SITES, ALIAS, 0),
    "a name that is not known": (SITES, "chrome.runtime[name].addListener((m) => show(m));", 0),
    "no pages": ({"externally_connectable": {"matches": []}}, LISTENS, 0),
    "other extensions": ({"externally_connectable": {"ids": ["*"]}}, LISTENS, 0),
    "a module that is not there": (SITES, f"import 'lost'; {LISTENS}", 0),
}


@pytest.mark.parametrize(("keys", "background", "count"), CONNECTABLE.values(), ids=CONNECTABLE.keys())
def test_messages_of_web_pages(keys: Mapping[str, object], background: str, count: int) -> None:
    listening = {"background": background, "popup": f"{SENDS} {LISTENS}", "options": f"{SENDS} {LISTENS}"}
    assert len(found("chrome", keys, **listening)) == count
    assert found("firefox", keys, **listening) == []
