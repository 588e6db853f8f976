"""The failures of calls that browsers print, depending on the code that handles them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

from msgspec import Struct

from extlint_judge.browsers.session import BACKGROUND, PAGE, InChromium, InFirefox, Session
from extlint_judge.extensions import EVERYWHERE, VERSIONS, Files, extension, manifest
from extlint_judge.manifests.browser_verdicts import extensions_page
from extlint_judge.printed_lines import CONSOLE, ERRORS_PAGE
from extlint_judge.query import Query, contradictions, findings

UNHANDLED: Mapping[str, str] = {
    "nothing": "send();",
    "undefined as the callback": "api.tabs.sendMessage(id, 'x', undefined);",
    "a callback": "api.tabs.sendMessage(id, 'x', () => {});",
    "then": "send().then(() => {});",
    "finally": "send().finally(() => {});",
    "void": "void send();",
    "try without await": "try { send(); } catch {}",
    "await": "(async () => { await send(); })();",
    "await in a timer": "setTimeout(async () => { await send(); }, 0);",
    "Promise.all": "Promise.all([send()]);",
    "a promise that a listener returns": "api.tabs.onCreated.addListener(() => send()); api.tabs.create({});",
    "executeScript": "api.EXECUTE);",
    "executeScript with a callback": "api.EXECUTE, () => {});",
    "insertCSS": "api.INSERT);",
}
"""The code that leaves a failure unhandled, by what it does with the result of a call."""

HANDLED: Mapping[str, str] = {
    "a callback that reads the error": "api.tabs.sendMessage(id, 'x', () => void api.runtime.lastError);",
}
"""The code that handles it, in all manifest versions."""

HANDLED_PROMISES: Mapping[str, str] = {
    "catch": "send().catch(() => {});",
    "then with two functions": "send().then(() => {}, () => {});",
    "await in try": "(async () => { try { await send(); } catch {} })();",
    "await in a function with catch": "(async () => { await send(); })().catch(() => {});",
    "Promise.allSettled": "Promise.allSettled([send()]);",
}
"""The code that handles it if there is a promise."""

OTHER: Mapping[str, str] = {
    "a listener of unhandledrejection": "addEventListener('unhandledrejection', () => {}); send();",
    "a listener that prevents it": (
        "addEventListener('unhandledrejection', (event) => event.preventDefault()); send();"
    ),
}
"""The code whose effect differs between browsers, and which extlint does not report."""

NOTHING = "nothing"

_INJECTIONS = {
    2: {"EXECUTE": "tabs.executeScript(id, { file: 'a.js' }", "INSERT": "tabs.insertCSS(id, { code: 'a{}' }"},
    3: {
        "EXECUTE": "scripting.executeScript({ target: { tabId: id }, func() {} }",
        "INSERT": "scripting.insertCSS({ target: { tabId: id }, css: 'a{}' }",
    },
}
_OPENING = 'api.tabs.create({ url: "page.html" }, ({ id }) => setTimeout(() => {'
_CLICKED = "api.%s.onClicked.addListener(({ id }) => setTimeout(() => {"
_SCRIPT = """const api = %s;
%s
const send = () => api.tabs.sendMessage(id, "x");
%s
}, 300));
"""
_IGNORED = "requires manifest version"
"""Part of Chromium's warning about the background for Firefox."""

_PRINTED = ("Could not establish", "Missing host permission")


class Failure(Struct, frozen=True):
    """A call that fails, with the manifest version and the root through which it is made."""

    version: int
    root: str
    code: str


def _cases(browser: str) -> Mapping[str, Failure]:
    roots = ("browser", "chrome") if browser == "firefox" else ("chrome",)
    return {
        f"{version}, {root}, {name}": Failure(version, root, code)
        for version in VERSIONS[browser]
        for root in roots
        for name, code in {**UNHANDLED, **HANDLED, **HANDLED_PROMISES, **OTHER}.items()
    }


def _files(case: Failure, occasion: str, code: str) -> Files:
    is_new = case.version == 3
    keys = manifest(
        case.version,
        permissions=["tabs", "scripting"] if is_new else ["tabs", EVERYWHERE],
        background={**({"service_worker": BACKGROUND} if is_new else {}), "scripts": [BACKGROUND]},
        **({"host_permissions": [EVERYWHERE], "action": {}} if is_new else {"browser_action": {}}),
    )
    for name, call in _INJECTIONS[case.version].items():
        code = code.replace(name, call)
    script = _SCRIPT % (case.root, occasion, code)
    return extension(keys, {BACKGROUND: script, PAGE: "<!doctype html>", "a.js": ""})


def _ask(session: Session, case: Failure) -> str:
    """Returns the lines that a browser prints about a call for a page of the extension, if any."""
    assert isinstance(session, InChromium | InFirefox)
    reporting = f"setTimeout(() => {{ {session.report('judge', '1')}; }}, 700);"
    files = _files(case, _OPENING, f"{reporting}\n{case.code}")
    lines = _lines_in_chromium(session, files) if isinstance(session, InChromium) else _lines(session, files)
    return next(lines, NOTHING)


def _lines(session: InFirefox, files: Files) -> Iterator[str]:
    session.marionette.script("Services.console.reset();")
    session.load(files)
    session.receive("judge")
    lines = session.marionette.script(CONSOLE)
    return (line for line in lines if any(each in line for each in _PRINTED))


def _lines_in_chromium(session: InChromium, files: Files) -> Iterator[str]:
    with extensions_page(session.connection) as page:
        session.load(files)
        session.receive("judge")
        time.sleep(0.2)
        lines = session.connection.evaluate(page, ERRORS_PAGE % session.address("").split("/")[2])
    return (line for line in lines if _IGNORED not in line)


def _compare(browser: str, case: Failure, answer: str) -> Iterator[str]:
    if case.code in OTHER.values() or (case.version == 2 and case.code in HANDLED_PROMISES.values()):
        return
    button = "action" if case.version == 3 else "browserAction"
    found = findings(browser, _files(case, _CLICKED % button, case.code), "unhandled-error")
    yield from contradictions(["the call"] if found else [], {"the call": answer != NOTHING})


unhandled_failures = Query(
    "unhandled-failures",
    """Query which failures of calls are printed.

    The exit code is 1 if extlint disagrees.
    """,
    _cases,
    _ask,
    _compare,
)
