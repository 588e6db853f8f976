"""Tests of an extension that run in a page of the extension itself."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest

USE = "chrome.tabs.query({ hidden: true })"
"""A call that Chrome refuses, because only Firefox has the property."""


def reported(script: str, path: str = "tests/tabs.js") -> bool:
    """Whether a use is reported in a script of a page that the extension opens."""
    files: Files = {
        "manifest.json": manifest(background={"service_worker": "a.js"}),
        "a.js": "chrome.tabs.create({ url: '/tests/all.html' })",
        "tests/all.html": f"<script src='/{path}'></script>",
        path: script.replace("USE", USE),
    }
    return bool(lint(files, ["invalid-argument"], "chrome"))


DEFINING = {
    "Jasmine": "describe('tabs', () => { it('hides one', async () => { if (!has()) return; await USE }) })",
    "a single test": "it(`hides one`, () => USE)",
    "QUnit": 'test("hides one", () => USE)',
    "Mocha": "suite( 'tabs', () => { before(() => USE) })",
}


@pytest.mark.parametrize("script", DEFINING.values(), ids=DEFINING.keys())
def test_script_that_defines_tests_is_not_checked(script: str) -> None:
    assert not reported(script)


@pytest.mark.parametrize("path", ["tests/tabs.js", "spec/tabs.js", "a/tabs.spec.js", "tabs.test.js"])
def test_its_path_is_that_of_a_test(path: str) -> None:
    assert not reported(DEFINING["Jasmine"], path)
    assert reported(DEFINING["Jasmine"], "a/tabs.js")


OTHER = {
    "no test": "USE",
    "a method": "page.it('hides one'); USE",
    "a part of a name": "submit('a'); USE",
    "a call without a title": "test(tab); USE",
}


@pytest.mark.parametrize("script", OTHER.values(), ids=OTHER.keys())
def test_other_script_of_such_a_page_is_checked(script: str) -> None:
    assert reported(script)


@pytest.mark.parametrize(
    ("path", "count"), [("a.12ab.hot-update.js", 0), ("a.test.js", 0), ("b.update.js", 1)]
)
def test_update_of_a_development_server_is_not_checked(path: str, count: int) -> None:
    files: Files = {
        "manifest.json": manifest(background={"service_worker": "a.js"}),
        "a.js": "load('b.update.js')",
        path: "chrome.tab.query({});",
    }
    assert len(lint(files, ["unknown-api"], "chrome")) == count
