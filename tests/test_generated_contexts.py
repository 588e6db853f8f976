"""Uses in generated scripts that fail where they run, but may never run."""

from __future__ import annotations

import pytest
from harness import lint, manifest

USE = "chrome.tabs.query({})"
MARK = "/*! generated */"
RUNNING = {
    "on load": USE,
    "in a function that is called": f"function f() {{ {USE} }} f()",
    "in a listener": f"chrome.runtime.onMessage.addListener(() => {{ {USE} }})",
    "in a listener, for one message": (
        f"chrome.runtime.onMessage.addListener((m) => {{ if (m.type === 'a') {USE} }})"
    ),
    "in a handler": f"document.addEventListener('click', () => {{ {USE} }})",
    "in a timer": f"setTimeout(() => {USE})",
}
POSSIBLE = {
    "on a condition": f"if (x) {USE}",
    "in a function that unknown code may call": f"f(() => {USE})",
    "in a member that may be called": f"const lib = {{ a() {{ {USE} }} }}; f(lib)",
    "of a class that unknown code may use": f"class A {{ a() {{ {USE} }} }} f(A)",
    "in a function for an option": f"class A {{ a() {{ if (this.x) {USE} }} }} new A(y).a()",
}


def is_reported(source: str, rule: str = "wrong-context", path: str = "a.js") -> bool:
    """Whether the use in a content script is reported."""
    entry = {"matches": ["https://example.com/*"], "js": [path]}
    files = {"manifest.json": manifest(content_scripts=[entry]), path: source}
    return bool(lint(files, [rule], "chrome"))


@pytest.mark.parametrize("source", RUNNING.values(), ids=RUNNING.keys())
def test_use_that_is_known_to_run_is_reported(source: str) -> None:
    assert is_reported(source)
    assert is_reported(MARK + source)


@pytest.mark.parametrize("source", POSSIBLE.values(), ids=POSSIBLE.keys())
def test_use_that_may_run_is_reported_only_in_sources(source: str) -> None:
    assert is_reported(source)
    assert not is_reported(MARK + source)


@pytest.mark.parametrize("member", ["menus.refresh", "runtime.getBrowserInfo"])
def test_member_of_another_browser_in_generated_code(member: str) -> None:
    possible, running = f"f(() => chrome.{member}())", f"chrome.{member}()"
    assert is_reported(possible, "unknown-api")
    assert not is_reported(MARK + possible, "unknown-api")
    assert is_reported(MARK + running, "unknown-api")


def test_permission_that_only_other_users_of_a_library_require() -> None:
    rule, running = "missing-permission", "chrome.storage.local.clear()"
    possible = f"function save() {{ if (x) {running} }} f(save)"
    assert is_reported(possible, rule)
    assert is_reported(MARK + possible, rule)
    assert not is_reported(possible, rule, "lib/xlsx.min.js")
    assert is_reported(running, rule, "lib/xlsx.min.js")


def test_name_that_no_browser_has_is_reported_in_generated_code() -> None:
    source = f"{MARK}f(() => chrome.storage.lcal.get('a'))"
    assert is_reported(source, "unknown-api")
