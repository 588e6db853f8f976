"""Parts of an argument that only exist if the browser has a member: `{...(browser.menus && {icons})}`."""

from __future__ import annotations

import pytest
from harness import lint, manifest

HAS = "chrome.contextualIdentities"
PART = "{cookieStoreId: 'a'}"

NOT_REPORTED = {
    "a spread": f"chrome.tabs.create({{...({HAS} && {PART})}});",
    "a conditional spread": f"chrome.tabs.create({{...({HAS} ? {PART} : {{}})}});",
    "a spread of a variable": f"const part = {HAS} && {PART}; chrome.tabs.create({{...part}});",
    "a spread of a function": f"const part = () => {HAS} && {PART}; chrome.tabs.create({{...part()}});",
    "a variable with the member": f"const has = {HAS}; chrome.tabs.create({{...(has && {PART})}});",
    "a variable with a truth value": f"const has = !!{HAS}; chrome.tabs.create({{...(has && {PART})}});",
    "a member of the member": f"chrome.tabs.create({{...({HAS}?.query && {PART})}});",
    "a root": f"chrome.tabs.create({{...(globalThis.browser && {PART})}});",
    "a fallback": f"chrome.tabs.create({HAS} && {PART} || {{}});",
    "a value of a field": f"chrome.tabs.create({{active: {HAS} && 'a'}});",
    "a condition": f"const has = {HAS} && true; if (has) chrome.tabs.create({PART});",
}

REPORTED = {
    "no condition": f"chrome.tabs.create({{...{PART}}});",
    "a condition that is true": f"chrome.tabs.create({{...(true && {PART})}});",
    "an object that exists": f"const o = {{}}; chrome.tabs.create({{...(o && {PART})}});",
    "the wrong part without the condition": f"chrome.tabs.create({{...({HAS} && {{}}), ...{PART}}});",
    "the other case": f"const has = {HAS} && true; if (!has) chrome.tabs.create({PART});",
}


def is_reported(source: str) -> bool:
    """Whether an argument of a worker's script is reported for Chrome."""
    files = {"manifest.json": manifest(background={"service_worker": "a.js"}), "a.js": source}
    return bool(lint(files, ["invalid-argument"], "chrome>=120"))


@pytest.mark.parametrize("source", NOT_REPORTED.values(), ids=NOT_REPORTED)
def test_part_that_may_not_exist_is_not_reported(source: str) -> None:
    assert not is_reported(source)


@pytest.mark.parametrize("source", REPORTED.values(), ids=REPORTED)
def test_part_that_exists_is_reported(source: str) -> None:
    assert is_reported(source)
