"""Conditions that only distinguish events do not suppress `too-new-api`."""

from __future__ import annotations

import pytest
from harness import SENDER, manifest, reported

USE = "chrome.storage.session.clear()"
MESSAGE = "chrome.runtime.onMessage.addListener"
UPDATED = "chrome.tabs.onUpdated.addListener"
CLICKED = "const ID = 'a'; chrome.contextMenus.create({ id: ID }); chrome.contextMenus.onClicked.addListener"


def is_reported(script: str) -> bool:
    """Whether a use of an API newer than the oldest supported browser is reported."""
    described = manifest(
        minimum_chrome_version="100",
        permissions=["storage", "contextMenus"],
        background={"service_worker": "a.js"},
    )
    return bool(reported({**SENDER, "manifest.json": described, "a.js": script}, ["too-new-api"], "chrome"))


EVENT_TESTS = {
    "a message": f"{MESSAGE}((message) => {{ if (message.type === 'a') {USE}; }});",
    "a text on the left": f"{MESSAGE}((message) => {{ if ('a' == message) {USE}; }});",
    "else": f"{MESSAGE}((message) => {{ if (message.type !== 'a') f(); else {USE}; }});",
    "an early end": f"{MESSAGE}(({{ type }}) => {{ if (type !== 'a') return; {USE}; }});",
    "a part of a message": f"{MESSAGE}((message) => {{ const {{ a }} = message; if (a.b === 'c') {USE}; }});",
    "a case": f"{MESSAGE}((message) => {{ switch (message.type) {{ case 'a': {USE}; }} }});",
    "the default": f"{MESSAGE}((m) => {{ switch (m.type) {{ case 'a': f(); default: {USE}; }} }});",
    "a change": (f"{UPDATED}((id, change) => {{ if (change.status == 'complete' && id > 0) {USE}; }});"),
    "an install": f"chrome.runtime.onInstalled.addListener((e) => {{ if (e.reason === 'install') {USE}; }});",
    "an item": (f"{CLICKED}((e) => {{ if (!(e.menuItemId !== ID)) {USE}; }});"),
    "an event of the page": (
        f"addEventListener('click', (event) => {{ if (event.target.id === 'a') {USE}; }});"
    ),
    "a property of an event": f"addEventListener('click', (e) => {{ if (e.ctrlKey) {USE}; }});",
    "a function of an event": f"addEventListener('click', (e) => {{ if (e.target.matches('a')) {USE}; }});",
    "a handler": f"button.onclick = (event) => {{ if (event.target.id === 'a') {USE}; }};",
    "a function that listens": (
        f"document.addEventListener('click', go); function go(e) {{ if (e.key === 'a') {USE}; }}"
    ),
    "an element": f"if (document.getElementById('a').checked) {USE};",
    "an element in a variable": f"const box = document.querySelector('a'); if (box?.checked) {USE};",
    "a variable with a part of an event": (
        f"onclick = (event) => {{ const {{ id }} = event.target; if (id === 'a') {USE}; }};"
    ),
    "an element that may be missing": f"button?.addEventListener('click', () => {{ {USE}; }});",
    "an object that may be missing": f"const app = window.app; app?.start(() => {{ {USE}; }});",
    "a question": f"if (confirm('a')) {USE};",
    "a length": f"if (list.length > 0) {USE};",
    "a tab": f"chrome.tabs.query({{}}, ([tab]) => {{ if (tab.index === 0) {USE}; }});",
    "an awaited tab": f"const tab = await chrome.tabs.get(1); if (tab.id === 1) {USE};",
    "in the caller": (
        f"function go() {{ {USE} }} {MESSAGE}((message) => {{ if (message.type === 'a') go(); }});"
    ),
}

OTHER_TESTS = {
    "a flag in a message": f"{MESSAGE}((message) => {{ if (message.isNew) {USE}; }});",
    "something else": f"{MESSAGE}((message) => {{ if (settings.type === 'a') {USE}; }});",
    "something else as well": f"{MESSAGE}((message) => {{ if (message.type === 'a' && isNew) {USE}; }});",
    "something else or the event": f"{MESSAGE}((m) => {{ if (m.type === 'a' || isNew) {USE}; }});",
    "something else around it": (
        f"{MESSAGE}((message) => {{ if (isNew) {{ if (message.type === 'a') {USE}; }} }});"
    ),
    "something that is not known": f"{MESSAGE}((message) => {{ if (message.type === NEW) {USE}; }});",
    "a parameter of another function": f"function f(message) {{ if (message.type === 'a') {USE}; }} f(x);",
    "a changed variable": (
        f"{MESSAGE}((message) => {{ if (isNew) message = other(); if (message.type === 'a') {USE}; }});"
    ),
    "a result": f"chrome.storage.local.get('a', (items) => {{ if (items.a === 1) {USE}; }});",
    "a case of something else": f"{MESSAGE}((message) => {{ switch (mode) {{ case 'a': {USE}; }} }});",
    "an event that also is something else": (
        f"addEventListener('a', go); go(x); function go(e) {{ if (e.key === 'a') {USE}; }}"
    ),
    "something besides the page": (
        f"addEventListener('click', (e) => {{ if (e.ctrlKey && isNew) {USE}; }});"
    ),
    "a stored value": f"const {{ a }} = await chrome.storage.local.get('a'); if (a === 1) {USE};",
    "a field that only new browsers have": (
        f"chrome.tabs.query({{}}, ([tab]) => {{ if (tab.lastAccessed) {USE}; }});"
    ),
    "a test": f"{MESSAGE}((message) => {{ if (chrome.storage.session) {USE}; }});",
    "a function of a message": f"{MESSAGE}((message) => {{ if (allows(message)) {USE}; }});",
}


@pytest.mark.parametrize("script", EVENT_TESTS.values(), ids=EVENT_TESTS)
def test_event_test_does_not_suppress_the_finding(script: str) -> None:
    assert is_reported(script)


@pytest.mark.parametrize("script", OTHER_TESTS.values(), ids=OTHER_TESTS)
def test_other_test_suppresses_the_finding(script: str) -> None:
    assert not is_reported(script)


def test_test_elsewhere_excuses_nothing() -> None:
    assert is_reported(f"if (chrome.storage.session) f(); {MESSAGE}(() => {{ {USE} }});")
    assert not is_reported(f"if (chrome.storage.session) {MESSAGE}(() => {{ {USE} }});")


def test_listener_of_an_optional_event_runs_only_if_the_browser_has_it() -> None:
    assert is_reported(f"chrome.storage?.onChanged?.addListener(() => {{ {USE} }});")
    assert not is_reported(f"chrome.storage.session?.onChanged.addListener(() => {{ {USE} }});")
    assert not is_reported(f"chrome.sidePanel?.onOpened?.addListener(go); function go() {{ {USE} }}")


@pytest.mark.parametrize(
    ("stored", "count"), [("", 1), ("features.set('session', !!chrome.storage.session);", 0)]
)
def test_condition_of_a_caller_may_use_the_outcome_of_a_test(stored: str, count: int) -> None:
    files = {
        "manifest.json": manifest(
            minimum_chrome_version="100",
            permissions=["storage"],
            background={"service_worker": "a.js", "type": "module"},
        ),
        "a.js": (
            "import { features, go } from './b.js';"
            f"{MESSAGE}(() => {{ if (features.get('session')) go(); }});"
        ),
        "b.js": f"export const features = new Map(); {stored} export function go() {{ {USE} }}",
    }
    assert len(reported(files, ["too-new-api"], "chrome")) == count
