"""The answers of real browsers to questions, and extlint's; skipped if no browser is installed.

Only a thorough run asks every question.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from thorough import in_turn, some

from extlint_judge.browsers.processes import find
from extlint_judge.queries import (
    background_runs,
    content_script_names,
    packages,
    page_events,
    request_patterns,
    resources,
    results,
    serialization,
    user_actions,
)
from extlint_judge.queries.table import QUERIES
from extlint_judge.query import Query

SAMPLES = {
    "blocked-calls": ["version 3", "version 3, wasm-unsafe-eval"],
    "content-script-names": ["a.mjs", "a.txt"],
    "gestures": [
        f"{call}, {occasion}"
        for call in user_actions.CALLS
        for occasion in (
            *(user_actions.START, user_actions.LOAD, "alarms.onAlarm", "at once", "after `await null`"),
            "in the callback of a call",
        )
    ],
    "host-access": [
        f"{version}, {name}"
        for version in (2, 3)
        for name in ("nothing", "all addresses", "a content script on the site")
    ],
    "policies": [
        *("default", "unsafe-inline for elements", "a hash of the inline script", "sandbox"),
        *("version 2, a hash of the inline script", "version 2, a remote host"),
    ],
    "receivers": ["content listens", "background listens"],
    "unhandled-failures": ["3, chrome, nothing", "3, chrome, a callback", "3, chrome, catch"],
}
"""The cases of questions with many: those that the tests ask about."""

RECORDED = ("all-globals", "globals", "secure-globals")
"""Questions about each version of a browser, whose recorded answers other tests compare."""

BOTH = ("chromium", "firefox")
LOST = "fails: Could not establish connection. Receiving end does not exist."
NO_GESTURE = "This function must be called during a user gesture"
IS_LOST, IS_GIVEN = "gets undefined", "gets 1"

SEEN_IN_FIREFOX = (
    '/permissions: ["tabs", "menus", "sidePanel", "judge_nowhere"] is seen as ["tabs", "menus"]',
    '/optional_permissions: ["bookmarks", "readingList"] is seen as ["bookmarks"]',
    '/incognito: "spanning" is seen, and not written',
    "/host_permissions: [] is seen, and not written",
)

ANSWERS: dict[str, list[tuple[tuple[str, ...], str, object]]] = {
    "detached-methods": [
        (("chromium",), " > storage.local.get", "fails: Illegal invocation"),
        (("chromium",), " > tabs.query", "works"),
        (("firefox",), " > storage.local.get", "works"),
    ],
    "worker-events": [
        (("chromium",), "after `await null` > push", "is in time"),
        (("chromium",), "in a timer of no delay > fetch", "is late"),
    ],
    "popup-links": [
        (("chromium",), "a link", False),
        (("firefox",), "a link", True),
        (BOTH, "a link to a new tab", True),
    ],
    "worlds": [(BOTH, "isolated > fetch", "False"), (BOTH, "main > fetch", "True")],
    "add-on-id": [
        (("firefox",), "3 > storage.sync.get", "addon ID"),
        (("firefox",), "2 > storage.local.set", "gives"),
    ],
    "background-pages": [
        (
            ("chromium",),
            "3, a service worker > runtime.getBackgroundPage",
            "fails: You do not have a background page.",
        ),
    ],
    "background-runs": [
        (("chromium",), " > the item of its menu", "fails: Cannot create item with duplicate id"),
        (("firefox",), " > the item of its menu", "fails: The menu id judge already exists"),
        (("chromium",), " > a content script", "fails: Duplicate script ID 'judge'"),
        (("firefox",), " > a content script", 'fails: Content script with id "judge" is already registered'),
        (BOTH, " > an alarm", "restarts"),
        (BOTH, " > an alarm at a time", "works"),
        *((BOTH, f" > {name}", "there") for name in [*background_runs.LISTENERS][:4]),
        *((BOTH, f" > {name}", "missing") for name in [*background_runs.LISTENERS][-2:]),
    ],
    "called-files": [
        (("chromium",), "a page of version 3 > scripting.executeScript > root", "succeeds"),
        (("firefox",), "a page of version 3 > scripting.executeScript > near", "succeeds"),
    ],
    "clicks": [
        (("chromium",), "a popup", user_actions.POPUP),
        (("firefox",), "a popup", user_actions.CLICKED),
        (("chromium",), "a side panel that a click opens", user_actions.PANEL),
    ],
    "gestures": [
        (("chromium",), "permissions.request, at once", "allowed"),
        (("chromium",), "permissions.request, after `await null`", NO_GESTURE),
    ],
    "hidden-headers": [
        (("chromium",), " > set-cookie in onHeadersReceived", "hidden"),
        (("chromium",), " > user-agent in onBeforeSendHeaders", "seen"),
        (("firefox",), " > set-cookie in onHeadersReceived", "seen"),
    ],
    "host-access": [
        (BOTH, "3, nothing > executeScript", "fails: "),
        (BOTH, "3, nothing > downloads.download", "complete"),
        (BOTH, "3, nothing > history.search", "an address"),
        (BOTH, "3, nothing > identity.launchWebAuthFlow", "an address"),
        (BOTH, "3, nothing > sender of an own port", "none"),
        (BOTH, "3, nothing > fetch of a page for everybody", "works"),
        (("chromium",), "3, nothing > calls of tabs.onUpdated for three titles", "3"),
        (("firefox",), "3, nothing > calls of tabs.onUpdated for three titles", "0"),
        (BOTH, "3, all addresses > fields of its tab", "url, title"),
        (BOTH, "3, all addresses > fields of a new tab", "none"),
        (BOTH, "3, all addresses > executeScript in a new tab", "fails: "),
        (BOTH, "3, all addresses > address of the tab of a click", "undefined"),
        (BOTH, "3, all addresses > events of a new tab", "tabs.onActivated, tabs.onCreated, tabs.onUpdated"),
    ],
    "imports": [
        (("chromium",), " > classic-import.js", "Cannot use import statement outside a module"),
        (("chromium",), " > module-name.js", "Failed to resolve module specifier"),
    ],
    "injected-functions": [(BOTH, "", results.INJECTED_ANSWERS)],
    "kept-menus": [
        (("firefox",), "version 2 > item", "lost"),
        (("firefox",), "version 2, not persistent > item", "kept"),
        (("firefox",), "version 2, not persistent > alarm", "lost"),
    ],
    "content-script-names": [
        (BOTH, "a.mjs", content_script_names.RUN),
        (BOTH, "a.txt", content_script_names.NOT_RUN),
    ],
    "managed-schemas": [(("chromium",), "type any", "Unknown type 'any'.")],
    "messages": [(BOTH, " > answers later, returns true", IS_GIVEN), (BOTH, " > answers later", IS_LOST)],
    "misplaced-manifests": [
        (BOTH, "at the top", packages.LOADED),
        (("chromium",), "in a folder", "missing or unreadable"),
        (("firefox",), "in a folder", "does not contain a valid manifest"),
    ],
    "missing-answers": [
        (BOTH, " > a message, `true` returned", "fails: "),
        (("chromium",), " > a login, a promise returned", "fails: 401"),
        (("firefox",), " > a login, a promise returned", "works"),
    ],
    "package-names": [
        (("chromium",), "_next/a.js", 'Filenames starting with "_" are reserved for use by the system.')
    ],
    "page-events": [
        (BOTH, " > document_start", page_events.COMES),
        (BOTH, " > document_idle", page_events.MISSED),
        (("chromium",), " > document_end", page_events.MISSED),
        (("firefox",), " > document_end", page_events.COMES),
    ],
    "permissions": [
        *((BOTH, f" > contains, {name}", "false") for name in ("optional", "lacking")),
        (BOTH, " > contains, required", "true"),
        (BOTH, " > contains, lacking beside one that is there", "false"),
        (("chromium",), " > request, lacking", "manifest"),
        (("firefox",), " > request, lacking", "not declared"),
        (("chromium",), " > request, a lacking site", "manifest"),
        (("firefox",), " > request, a lacking site", "not declared"),
        (("chromium",), " > request, lacking beside one that is there", "manifest"),
        (("firefox",), " > request, lacking beside one that is there", "not declared"),
        *(
            (BOTH, f" > {call}, a site among permissions", "fails: ")
            for call in ("contains", "remove", "request")
        ),
        (BOTH, " > request, the site of a content script", "true"),
        (("chromium",), " > request, required", "true"),
        (("firefox",), " > request, required", "not declared"),
    ],
    "policies": [
        (("chromium",), "sandbox > found > inlineScript", "True"),
        (("chromium",), "a hash of the inline script > refused", "Insecure CSP value"),
        (("firefox",), "version 2, a hash of the inline script > found > inlineScript", "True"),
        *((BOTH, f"default > found > {name}", "False") for name in ("inlineScript", "evaluated")),
    ],
    "injected-files": [
        (BOTH, " > a constant", "fails: "),
        (BOTH, " > a variable", "works"),
        (("firefox",), " > the result is a function", "fails: Script"),
    ],
    "promises": [(("firefox",), f"2 > {results.THEN}", 'can\'t access property "then"')],
    "receivers": [
        (BOTH, "content listens > runtime.sendMessage in background", LOST),
        (BOTH, "background listens > runtime.sendMessage in background", LOST),
        (BOTH, "background listens > runtime.sendMessage in page", "gets heard"),
    ],
    "refused-calls": [
        (browsers, f"{background} > {name}", answer)
        for browsers, background in ((("chromium",), "a service worker"), (("firefox",), "an event page"))
        for name, answer in (
            ("two keys of a storage, one of which is there", 'gives {"a":1}'),
            ("two defaults of a storage, one of which is there", 'gives {"b":2,"c":2}'),
            ("the tabs of a window", "gives null"),
            ("the tabs of all windows", "gives null"),
            ("the tabs of a window, if they are not wanted", "gives null"),
        )
    ],
    "resources": [
        (
            ("chromium",),
            f"version 3 > {resources.IN_STYLES}",
            {"listed": True, "elsewhere": False, "unlisted": False},
        )
    ],
    "seen-manifest": [
        (("chromium",), "", []),
        *((("firefox",), "", difference) for difference in SEEN_IN_FIREFOX),
    ],
    "request-patterns": [
        (("chromium",), f" > {request_patterns.WITH_PORT}", "is heard"),
        (("firefox",), f" > {request_patterns.WITH_PORT}", "is lost"),
        (BOTH, f" > {request_patterns.WITHOUT_PORT}", "is heard"),
        (("chromium",), f" > {request_patterns.UNICODE}", "is heard"),
        (("firefox",), f" > {request_patterns.UNICODE}", "is lost"),
        (BOTH, f" > {request_patterns.PUNYCODE}", "is heard"),
    ],
    "serialization": [
        (("chromium",), " > Map > sendMessage", "{}"),
        (("chromium",), f"{serialization.CLONING} > Map > sendMessage", "Map 1"),
        (("firefox",), " > Map > sendMessage", "Map 1"),
        (("firefox",), " > the body > local", "fails: DataCloneError"),
    ],
    "repeated-listeners": [
        (BOTH, " > a function that each event creates", 2),
        (BOTH, " > a function of the script", 1),
        (BOTH, " > a function that removes itself", 2),
    ],
    "separate-storage": [(BOTH, " > page.js", None), (BOTH, " > content.js", None)],
    "session-access": [(BOTH, "closed > clear()", "fails: ")],
    "blocked-calls": [
        (BOTH, "version 3 > main.js > eval", "runs"),
        (BOTH, "version 3 > content.js > eval", "EvalError"),
        (BOTH, "version 3 > content.js > WebAssembly.compile", "runs"),
        (BOTH, "version 3 > worker.js > WebAssembly.compile", "CompileError"),
        (BOTH, "version 3, wasm-unsafe-eval > page.js > WebAssembly.Module", "runs"),
    ],
    "blocked-requests": [
        (BOTH, "connect-src > fetch", "blocked"),
        (BOTH, "hosts below > WebSocket", "sent"),
    ],
    "clipboard-commands": [(BOTH, "clipboardWrite > copy", True), (BOTH, "no permission > copy", False)],
    "storage-changes": [
        (BOTH, " > a removed value", "oldValue"),
        (("chromium",), " > the same value", "no event"),
        (("chromium",), " > writes to sync", "120: This request exceeds the MAX_WRITE_OPERATIONS_PER_MINUTE"),
        (("firefox",), " > the same value", "newValue and oldValue"),
    ],
    "unhandled-failures": [
        (BOTH, "3, chrome, nothing", LOST.removeprefix("fails: ")),
        (("chromium",), "3, chrome, a callback", "Unchecked runtime.lastError"),
        (("firefox",), "3, chrome, a callback", "Unchecked lastError"),
        (BOTH, "3, chrome, catch", "nothing"),
    ],
    "unrequested-details": [
        (BOTH, " > onCompleted with the option", "object"),
        (BOTH, " > onCompleted without it", "undefined"),
    ],
    "upgraded-requests": [
        (("firefox",), "version 3 > an address in the local network", "upgraded"),
        (("firefox",), "version 3 > 127.0.0.1", "kept"),
    ],
}
"""Answers that show that a question is understood: the browsers, the path to the answer, and a part of it."""


@pytest.mark.parametrize(
    ("query", "browser"),
    [
        pytest.param(query, browser, id=f"{query.name}-{browser}")
        for query, browser in some(in_turn((query, query.browsers) for query in QUERIES), 5)
    ],
)
def test_extlint_agrees_with_the_browser(query: Query[Any], browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    observed = query.observe(browser, command, tmp_path, SAMPLES.get(query.name))
    if query.name not in RECORDED:
        assert [*query.disagreements(browser, observed)] == []
    for browsers, path, expected in ANSWERS.get(query.name, ()):
        if browser in browsers:
            answer: Any = observed
            for name in path.split(" > "):
                answer = answer[name]
            assert _is_part(expected, answer), f"{path}: {answer}"


def _is_part(expected: object, answer: Any) -> bool:
    if not isinstance(expected, str):
        return bool(answer == expected)
    return expected in (answer if isinstance(answer, list) else str(answer))
