"""Code that runs only for messages that scripts send in another browser, or after a test of the API."""

from __future__ import annotations

import re

import pytest
from harness import Files, lint, manifest

USE = "browser.contextualIdentities.query({})"
SEND = "chrome.runtime.sendMessage({ type: 'list' })"

GUARDED = (
    "if (import.meta.env.BROWSER === 'firefox') SEND",
    "if (navigator.userAgent.includes('Firefox')) SEND",
    "const isFirefox = typeof browser !== 'undefined'; if (isFirefox) SEND",
    "function go() { if (browser.contextualIdentities) SEND } go()",
    "function go() { SEND } if (import.meta.env.FIREFOX) go()",
    "const send = (type) => chrome.runtime.sendMessage({ type }); if (import.meta.env.FIREFOX) send('list')",
)
OPEN = (
    "",
    "SEND",
    "if (self.x) SEND",
    "if (import.meta.env.FIREFOX) SEND; document.onclick = () => SEND",
    "if (import.meta.env.FIREFOX) SEND; chrome.runtime.sendMessage({ type: self.x })",
    "if (import.meta.env.FIREFOX) SEND; chrome.runtime.sendMessage(self.x)",
)
HANDLERS = (
    "switch (m.type) { case 'list': USE; break; case 'other': log() }",
    "if (m.type === 'list') { USE }",
    "const { type } = m; if (type === 'list') return void list()",
    "if (m.type === 'other') log(); else if (m.type === 'list') { (async () => { await USE })() }",
)


def unknown_members(handler: str, sender: str) -> list[str]:
    """Returns the messages of `unknown-api` about an extension for Chrome."""
    handler = f"chrome.runtime.onMessage.addListener((m, s, r) => {{ {handler} }});"
    handler += "function list() { USE }" if "list()" in handler else ""
    files: Files = {
        "manifest.json": manifest(
            background={"service_worker": "b.js"},
            action={"default_popup": "p.html"},
            permissions=["contextualIdentities"],
        ),
        "b.js": re.sub(r"\bUSE\b", USE, handler),
        "p.html": "<body><script src=p.js></script>",
        "p.js": re.sub(r"\bSEND\b", SEND, sender) + "; chrome.runtime.sendMessage({ type: 'other' })",
    }
    return [each.message for each in lint(files, ["unknown-api"], "chrome")]


@pytest.mark.parametrize("handler", HANDLERS)
@pytest.mark.parametrize("sender", GUARDED)
def test_message_that_another_browser_sends(sender: str, handler: str) -> None:
    assert unknown_members(handler, sender) == []


@pytest.mark.parametrize("handler", HANDLERS)
@pytest.mark.parametrize("sender", OPEN)
def test_message_that_each_browser_may_send(sender: str, handler: str) -> None:
    assert unknown_members(handler, sender) != []


def test_code_outside_of_the_test_of_the_message() -> None:
    assert unknown_members("if (m.type === 'list') log(); USE", GUARDED[0]) != []
    assert unknown_members("if (m.type !== 'list') USE", GUARDED[0]) != []
