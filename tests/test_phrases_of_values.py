"""The phrases of messages for wrong values: each kind of value is named once."""

from __future__ import annotations

import pytest
from harness import lint, manifest

WRONG = {
    "a number that may be 0": (
        "chrome.tabs.query({title: Math.random() > .5 ? 0 : Number(Date.now())});",
        "chrome",
        "`queryInfo.title` must be a string, not a number",
    ),
    "only 0": (
        "chrome.tabs.query({title: 0});",
        "chrome",
        "`queryInfo.title` must be a string, not the number 0",
    ),
    "two enums": (
        "browser.menus.create({contexts: ['foo']});",
        "firefox",
        '`createProperties.contexts[0]` must be one of "all", "page", "frame", "selection", "link", '
        '"editable", "password", "image", "video", "audio" or 6 others, not the string "foo"',
    ),
}


@pytest.mark.parametrize(("source", "target", "message"), WRONG.values(), ids=WRONG.keys())
def test_each_kind_of_value_is_named_once(source: str, target: str, message: str) -> None:
    background = {"scripts": ["a.js"]} if target == "firefox" else {"service_worker": "a.js"}
    keys = {"background": background, "permissions": ["menus", "contextMenus"]}
    (finding,) = lint({"manifest.json": manifest(**keys), "a.js": source}, ["invalid-argument"], target)
    assert finding.message == message
