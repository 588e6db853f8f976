"""A listener runs only where its event exists: what is missing with the event is reported once."""

from __future__ import annotations

import pytest
from harness import manifest, reported

ADD = "browser.bookmarks.onMoved.addListener"
USE = "browser.bookmarks.get('1')"

ONCE = {
    "a function": f"{ADD}(f); function f() {{ USE }}",
    "an inline function": f"{ADD}(() => {{ USE }})",
    "a function that the listener calls": f"{ADD}(() => g()); function g() {{ USE }}",
    "another member": f"{ADD}(() => browser.history.search({{ text: '' }}))",
    "a listener that removes itself": (
        f"{ADD}(f); function f() {{ browser.bookmarks.onMoved.removeListener(f); USE }}"
    ),
    "a variable with the event": "const e = browser.bookmarks.onMoved; e.addListener(() => { USE })",
}
TWICE = {
    "a function with another caller": f"{ADD}(f); function f() {{ USE }} f()",
    "a listener of another event": f"{ADD}(f); browser.tabs.onCreated.addListener(g); function g() {{ USE }}",
    "a listener of both": f"{ADD}(f); browser.tabs.onCreated.addListener(f); function f() {{ USE }}",
    "an argument of another method": f"{ADD}(f); browser.tabs.query({{}}).then(g); function g() {{ USE }}",
    "a script that is loaded": f"{ADD}(f); USE",
}


def found(source: str, target: str) -> list[str]:
    """Returns the reported texts of a background script."""
    files = {
        "manifest.json": manifest(
            manifest_version=2, background={"scripts": ["a.js"]}, permissions=["bookmarks", "history"]
        ),
        "a.js": source.replace("USE", USE),
    }
    return [text for _, text in reported(files, ["unknown-api", "unsupported-api"], target)]


@pytest.mark.parametrize("source", ONCE.values(), ids=ONCE.keys())
def test_code_of_listener_is_not_reported_again(source: str) -> None:
    assert len(found(source, "firefox_android")) == 1
    assert found(source, "firefox") == []


@pytest.mark.parametrize("source", TWICE.values(), ids=TWICE.keys())
def test_code_that_also_runs_otherwise_is_reported(source: str) -> None:
    assert len(found(source, "firefox_android")) == 2


def test_misspelled_name_in_listener_of_existing_event_is_reported() -> None:
    assert found(f"{ADD}(() => browser.bookmarks.gett('1'))", "firefox") == ["browser.bookmarks.gett"]


def test_listener_of_misspelled_event_is_checked() -> None:
    source = f"browser.runtime.oninstalled.addListener(() => {{ {USE} }})"
    assert found(source, "firefox_android") == ["browser.runtime.oninstalled", "browser.bookmarks"]
