"""Contexts that have an API, in the help of `wrong-context`, according to the target's facts."""

from __future__ import annotations

import pytest
from harness import lint, manifest

CONTEXTS: dict[str, dict[str, object]] = {
    "a content script": {"content_scripts": [{"matches": ["<all_urls>"], "js": ["s.js"]}]},
    "a page's main world": {
        "content_scripts": [{"matches": ["<all_urls>"], "js": ["s.js"], "world": "MAIN"}]
    },
    "a service worker": {"background": {"service_worker": "s.js"}},
    "an extension page": {"options_ui": {"page": "p.html"}},
    "a developer tools page": {"devtools_page": "p.html"},
}

HELP = [
    (
        "chrome",
        "a content script",
        "tabs.create",
        "`tabs` is available in the background and in the extension's own pages",
    ),
    (
        "firefox",
        "a content script",
        "tabs.create",
        "`tabs` is available in the background and in the extension's own pages",
    ),
    (
        *("chrome", "a content script", "runtime.reload"),
        "`runtime.reload` is available in the background and in the extension's own pages",
    ),
    (
        *("firefox", "a content script", "storage.session"),
        "`storage.session` is available in the background and in the extension's own pages",
    ),
    (
        *("firefox", "a developer tools page", "tabs.create"),
        "`tabs` is available in the background and in the extension's other pages",
    ),
    (
        *("firefox", "a developer tools page", "runtime.connectNative"),
        "`runtime.connectNative` is available in the background, in the extension's other pages and in "
        "content scripts",
    ),
    (
        *("chrome", "a service worker", "extension.getViews"),
        "`extension.getViews` is available in background pages and in the extension's own pages",
    ),
    (
        *("chrome", "a service worker", "devtools.panels.create"),
        "`devtools.panels` is available only in developer tools pages",
    ),
    (
        *("firefox", "an extension page", "devtools.panels.create"),
        "`devtools` is available only in developer tools pages",
    ),
    ("chrome", "a page's main world", "tabs.create", "no extension API is available there"),
    ("reference", "an extension page", "test.log", "`test` is available only in content scripts"),
    (
        *("reference", "a content script", "management.getSelf"),
        "`management` is available in the background and in the extension's own pages",
    ),
]


@pytest.mark.parametrize(("target", "place", "api", "help"), HELP, ids=[" in ".join(row[:3]) for row in HELP])
def test_help_names_the_contexts_with_the_api(target: str, place: str, api: str, help: str) -> None:
    files = {
        "manifest.json": manifest(**CONTEXTS[place]),
        "p.html": "<script src=s.js></script>",
        "s.js": f"chrome.{api}(1)",
    }

    (found,) = lint(files, ["wrong-context"], target)

    assert f"is not available in {place}" in found.message
    assert found.help == help


CONTENT = {"content_scripts": [{"matches": ["<all_urls>"], "js": ["s.js"]}], "permissions": ["storage"]}
OPENING = "chrome.storage.session.setAccessLevel({accessLevel: 'TRUSTED_AND_UNTRUSTED_CONTEXTS'})"
GET = "chrome.storage.session.get('a')"
SESSIONS: dict[str, tuple[str, str, dict[str, object], int]] = {
    "nothing opens it": (GET, "", CONTENT, 1),
    "it is opened": (GET, OPENING, CONTENT, 0),
    "a listener, which is never called and does not fail": (
        "chrome.storage.session.onChanged.addListener(f)",
        "",
        CONTENT,
        0,
    ),
    "it fails, and that is logged": (f"{GET}.catch(console.error)", "", CONTENT, 1),
    "something else is done then": (f"try {{ await {GET} }} catch {{ useOther() }}", "", CONTENT, 0),
    "a page": (GET, "", {"options_ui": {"page": "p.html"}, "permissions": ["storage"]}, 0),
}


@pytest.mark.parametrize(("source", "background", "keys", "count"), SESSIONS.values(), ids=SESSIONS.keys())
def test_session_storage_is_closed_to_chrome_content_scripts(
    source: str, background: str, keys: dict[str, object], count: int
) -> None:
    files = {
        "manifest.json": manifest(**{"background": {"service_worker": "b.js"}, **keys}),
        "s.js": f"(async () => {{ {source} }})();",
        "b.js": background,
        **({"p.html": "<script src=s.js></script>"} if "options_ui" in keys else {}),
    }
    messages = [each.message for each in lint(files, ["wrong-context"], "chrome")]
    message = "`storage.session.get` fails in a content script: `storage.session` is closed to it at first"
    assert messages == [message] * count


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("chrome.tabs.query({}, () => chrome.tabs.reload());", ["tabs.query"]),
        ("chrome.tabs.query({}, () => f(() => chrome.windows.getAll()));", ["tabs.query"]),
        ("chrome.tabs.query({}); chrome.tabs.reload();", ["tabs.query", "tabs.reload"]),
        ("chrome.storage.local.get(() => chrome.tabs.reload());", ["tabs.reload"]),
        ("try { chrome.tabs.query({}, () => chrome.tabs.reload()); } catch { f(); }", []),
    ],
)
def test_code_in_the_arguments_of_a_call_that_fails(script: str, expected: list[str]) -> None:
    files = {
        "manifest.json": manifest(content_scripts=[{"matches": ["<all_urls>"], "js": ["c.js"]}]),
        "c.js": script,
    }
    assert [each.api for each in lint(files, ["wrong-context"], "chrome")] == expected
