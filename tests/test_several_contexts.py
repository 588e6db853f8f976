"""Scripts and pages that run in several contexts: by a helper that injects them, or by several keys."""

from __future__ import annotations

import pytest
from harness import manifest, reported

LISTENS = "chrome.runtime.onConnect.addListener((port) => port.onMessage.addListener(show));"
OPENS = "function open() { chrome.runtime.connect({ name: 'a' }); }"
CLICK = "chrome.action.onClicked.addListener((tab) => { %s });"


def found(background: str, **files: str) -> list[str]:
    """Returns the source text of each lost connection of a script that the worker imports."""
    package = {
        "manifest.json": manifest(
            permissions=["scripting"], action={}, background={"service_worker": "worker.js"}
        ),
        "worker.js": f"importScripts('shared.js'); {LISTENS} {background}",
        "shared.js": OPENS,
        "content.js": "open();",
        **files,
    }
    return [text for _, text in reported(package, ["lost-message"], "chrome")]


def injecting(files: str) -> str:
    return f"chrome.scripting.executeScript({{ target: {{ tabId: id }}, {files} }});"


HELPERS = {
    "the list is an argument": (
        f"function inject(id, files) {{ {injecting('files')} }}"
        + CLICK % "inject(tab.id, ['shared.js', 'content.js']);"
    ),
    "a file is an argument": (
        f"function inject(id, file) {{ {injecting('files: [file]')} }}"
        + CLICK % "for (const file of ['shared.js', 'content.js']) inject(tab.id, file);"
    ),
    "two calls": (
        f"const inject = (id, file) => {{ {injecting('files: [file]')} }};"
        + CLICK % "inject(tab.id, 'shared.js'); inject(tab.id, 'content.js');"
    ),
    "part of the options is an argument": (
        f"function inject(id, each) {{ {injecting('...each')} }}"
        + CLICK % "[{ files: ['shared.js'] }, { files: ['content.js'] }].map((each) => inject(tab.id, each));"
    ),
    "options to which the target is added": (
        "const all = [{ files: ['shared.js'] }, { files: ['content.js'] }];"
        + CLICK % "for (const x of all) { x.target = { tabId: tab.id }; chrome.scripting.executeScript(x); }"
    ),
    "one of two lists": (
        CLICK
        % f"const id = tab.id; {injecting('files: tab.url ? [`shared.js`, `content.js`] : [`content.js`]')}"
    ),
    "an argument that is not followed": (
        "function Tabs() { const inject = (options) => new Promise((done) => "
        "chrome.scripting.executeScript(options, done)); return { all: (list) => list.map(inject) }; }"
        + CLICK
        % "new Tabs().all(['shared.js', 'content.js'].map((file) => options(tab.id, file)));"
    ),
}


@pytest.mark.parametrize("background", HELPERS.values(), ids=HELPERS)
def test_message_of_an_injected_script_of_the_background_is_not_lost(background: str) -> None:
    assert found(background) == []


OTHER = {
    "nothing is injected": CLICK % "open();",
    "another file is injected": CLICK % f"const id = tab.id; {injecting('files: [`content.js`]')}",
    "a helper injects another file": (
        f"function inject(id, file) {{ {injecting('files: [file]')} }}"
        + CLICK % "inject(tab.id, 'content.js');"
    ),
    "unknown files are injected, and no text names this one": CLICK
    % "chrome.scripting.executeScript(options(tab));",
}


@pytest.mark.parametrize("background", OTHER.values(), ids=OTHER)
def test_message_of_the_background_to_itself_is_lost(background: str) -> None:
    assert found(f"{background} open();") == ["chrome.runtime.connect"]


def test_alternative_files_are_not_certainly_injected_again() -> None:
    """Each event may inject another file."""
    choice = f"const id = tab.id; {injecting('files: [tab.active ? `one.js` : `two.js`]')}"
    files = {
        "manifest.json": manifest(
            permissions=["scripting"],
            host_permissions=["<all_urls>"],
            action={},
            background={"service_worker": "a.js"},
        ),
        "a.js": CLICK % choice,
        "one.js": "const a = 1;",
        "two.js": "const b = 2;",
    }
    certain = files | {"a.js": CLICK % choice.replace("tab.active ? `one.js` : `two.js`", "'one.js'")}
    assert reported(files, ["invalid-argument"], "chrome") == []
    assert reported(certain, ["invalid-argument"], "chrome") == [("invalid-argument", "'one.js'")]


ACCEPTS = "chrome.runtime.onMessage.addListener((m) => show(m));"
SENDS = "chrome.runtime.sendMessage(1);"
FUNCTIONS = {
    "a method by its name": (
        f"const all = {{ go() {{ {SENDS} }} }}; "
        f"function run(name) {{ {injecting('func: all[name]')} }} run('go');",
        0,
    ),
    "an unknown function": (f"all.go = () => {{ {SENDS} }}; all.go(); {injecting('func: all[name]')}", 0),
    "unknown options": (
        f"all.go = () => {{ {SENDS} }}; all.go(); chrome.scripting.executeScript(options(all));",
        0,
    ),
    "another function": (f"const go = () => {{ {SENDS} }}; go(); {injecting('func: () => 1')}", 1),
    "a file": (f"const go = () => {{ {SENDS} }}; go(); {injecting('files: [name]')}", 1),
}


@pytest.mark.parametrize(("script", "count"), FUNCTIONS.values(), ids=FUNCTIONS)
def test_message_of_a_function_that_may_be_injected(script: str, count: int) -> None:
    keys = {"permissions": ["scripting"], "background": {"service_worker": "worker.js"}}
    files = {"manifest.json": manifest(**keys), "worker.js": ACCEPTS + script}
    assert len(reported(files, ["lost-message"], "chrome")) == count


TABS: dict[str, tuple[dict[str, object], int]] = {
    "only as the popup": ({}, 1),
    "also as the side panel": ({"side_panel": {"default_path": "popup.html"}}, 1),
    "also as the options": ({"options_ui": {"page": "popup.html", "open_in_tab": True}}, 0),
    "also as a resource for web pages": (
        {"web_accessible_resources": [{"resources": ["popup.html"], "matches": ["<all_urls>"]}]},
        0,
    ),
}


@pytest.mark.parametrize(("keys", "count"), TABS.values(), ids=TABS)
def test_message_to_the_page_of_a_popup(keys: dict[str, object], count: int) -> None:
    """`tabs.sendMessage` reaches a page only where a tab shows it."""
    shown = {"action": {"default_popup": "popup.html"}, "background": {"service_worker": "worker.js"}, **keys}
    files = {
        "manifest.json": manifest(permissions=["sidePanel"], **shown),
        "worker.js": "chrome.tabs.query({}, ([tab]) => chrome.tabs.sendMessage(tab.id, 1));",
        "popup.html": "<!doctype html><script src='popup.js'></script>",
        "popup.js": ACCEPTS,
    }
    assert len(reported(files, ["lost-message"], "chrome")) == count


MIXED = (
    "function run(file, own, id) {{ if (own) importScripts(file); else {} }}run('own.js', true);".format(
        injecting("files: [file]")
    )
    + CLICK % "run('content.js', false, tab.id);"
)
PLAIN = (
    "function run(file, id) {{ {} }}".format(injecting("files: [file]"))
    + CLICK % "run('own.js', tab.id); run('content.js', tab.id);"
)


@pytest.mark.parametrize(("background", "expected"), [(MIXED, []), (PLAIN, ["chrome.tabs.query"])])
def test_helper_that_injects_only_some_of_its_files(background: str, expected: list[str]) -> None:
    files = {
        "manifest.json": manifest(
            permissions=["scripting", "tabs"], action={}, background={"service_worker": "worker.js"}
        ),
        "worker.js": background,
        "own.js": "chrome.tabs.query({}, show);",
        "content.js": "document.title = 1;",
    }
    assert [text for _, text in reported(files, ["wrong-context"], "chrome")] == expected
