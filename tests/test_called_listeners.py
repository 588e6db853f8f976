"""Listeners that are called by mistake instead of passed: `addListener(load())`."""

from __future__ import annotations

import pytest
from harness import manifest, reported

CALLED = {
    "an asynchronous function": ("async function load() {}", "load()"),
    "a function": ("function load() { f(1) }", "load()"),
    "an arrow function": ("const load = async () => f(1);", "load()"),
    "a method": ("const app = { start() { return 1 } };", "app.start()"),
    "console.log": ("", "console.log('a')"),
    "alert": ("", "alert('a')"),
    "setTimeout": ("", "setTimeout(f, 10)"),
}
PASSED = {
    "a function that returns one": ("const make = (name) => () => f(name);", "make('a')"),
    "a bound function": ("function load() {}", "load.bind(null)"),
    "an unknown function": ("", "debounce(load)"),
    "a console of the script": ("const console = { log: () => f };", "console.log('a')"),
    "an alert of the script": ("function alert() { return f }", "alert('a')"),
    "the function of the platform": ("", "console.log"),
}


def found(declaration: str, listener: str) -> list[str]:
    """Returns the reported texts of a background script that adds a listener."""
    source = f"{declaration} chrome.runtime.onStartup.addListener({listener});"
    files = {"manifest.json": manifest(background={"service_worker": "a.js"}), "a.js": source}
    return [text for _, text in reported(files, ["invalid-argument"], "chrome")]


@pytest.mark.parametrize(("declaration", "listener"), CALLED.values(), ids=CALLED.keys())
def test_result_of_a_call_is_not_a_listener(declaration: str, listener: str) -> None:
    assert found(declaration, listener) == [listener]


@pytest.mark.parametrize(("declaration", "listener"), PASSED.values(), ids=PASSED.keys())
def test_function_is_a_listener(declaration: str, listener: str) -> None:
    assert found(declaration, listener) == []
