"""Values in `localStorage` that a content script and a page of the extension cannot share."""

from __future__ import annotations

import pytest
from harness import lint, manifest

RULES = ("unshared-storage",)
READ, WRITE = "f(localStorage.getItem('mode'));", "localStorage.setItem('mode', 'on');"
KEYS = {
    "action": {"default_popup": "p.html"},
    "content_scripts": [{"matches": ["https://a.example/*"], "js": ["c.js"]}],
}


def found(page: str, content: str, target: str = "chrome", **keys: object) -> list[str]:
    """Returns where the value of the other side is read."""
    files = {
        "manifest.json": manifest(**{**KEYS, **keys}),
        "p.html": "<!doctype html><script src='p.js'></script>",
        "p.js": page,
        "c.js": content,
    }
    return [f"{each.path}: {each.message}" for each in lint(files, RULES, target)]


@pytest.mark.parametrize(
    "read",
    [
        "f(localStorage.getItem('mode'));",
        'f(window.localStorage.getItem("mode"));',
        "f(localStorage?.getItem(`mode`));",
        "f(localStorage.mode);",
        "f(localStorage['mode']);",
        "if (localStorage.mode === 'on') f();",
        "const { x } = JSON.parse(localStorage.mode);",
        "if (typeof localStorage !== 'undefined') f(localStorage.mode);",
        "localStorage.removeItem('other'); f(localStorage.mode);",
    ],
)
@pytest.mark.parametrize("write", ["localStorage.setItem('mode', 1);", "localStorage.mode = 1;"])
@pytest.mark.parametrize("target", ["chrome", "firefox", "reference"])
def test_value_of_the_other_side_is_reported(read: str, write: str, target: str) -> None:
    assert found(read, write, target) == [
        "p.js: `c.js` writes `mode` into another `localStorage`: this one is that of the extension"
    ]
    assert found(write, read, target) == [
        "c.js: `p.js` writes `mode` into another `localStorage`: this one is that of the website"
    ]


@pytest.mark.parametrize(
    ("page", "content"),
    [
        pytest.param(READ + WRITE, WRITE, id="the reader writes it too"),
        pytest.param(WRITE + READ, READ, id="the page reads a common key too"),
        pytest.param(READ, WRITE.replace("mode", "other"), id="another key"),
        pytest.param(READ, READ, id="no code writes"),
        pytest.param(READ, "localStorage.setItem(key(), 1);" + WRITE, id="an unknown key"),
        pytest.param(READ, WRITE + "save(localStorage);", id="the storage is passed on"),
        pytest.param(READ + "for (const key in localStorage) f(key);", WRITE, id="all keys"),
        pytest.param(READ, f"// {WRITE}", id="a comment"),
        pytest.param("f(sessionStorage.mode);", "sessionStorage.mode = 1;", id="another storage"),
        pytest.param(
            READ + "chrome.scripting.executeScript({target, func: () => localStorage.mode = 1});",
            WRITE,
            id="injected functions",
        ),
    ],
)
def test_value_that_may_be_shared_is_not_reported(page: str, content: str) -> None:
    assert found(page, content) == []


@pytest.mark.parametrize("key", ["darkMode", "page-width", "last_tab", "v2"])
def test_own_key_of_the_page_is_reported(key: str) -> None:
    page, content = ((READ + WRITE).replace("mode", key), READ.replace("mode", key))
    assert len(found(page, content)) == 1


def test_page_has_no_keys_of_websites() -> None:
    assert len(found(READ, READ + WRITE)) == 1


def test_script_on_both_sides_is_not_reported() -> None:
    entry = {"matches": ["https://a.example/*"], "js": ["p.js", "c.js"]}
    assert found(READ, WRITE, content_scripts=[entry]) == []


def test_missing_file_may_write_the_value() -> None:
    entry = {"matches": ["https://a.example/*"], "js": ["c.js", "missing.js"]}
    assert found(READ, WRITE, content_scripts=[entry]) == []
