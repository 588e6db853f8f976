"""Objects in an array keep their values unless code that may write to them receives them."""

from __future__ import annotations

import pytest
from harness import lint, manifest

MANIFEST = manifest(background={"service_worker": "a.js"}, permissions=["declarativeNetRequest", "scripting"])
RULES = "const rules = [{ action: { type: 'block' }, condition: {} }];"
UPDATE = "chrome.declarativeNetRequest.updateDynamicRules({ addRules: rules });"


def reported(source: str) -> int:
    files = {"manifest.json": MANIFEST, "a.js": source}
    return len(lint(files, ["invalid-argument"], "chrome"))


@pytest.mark.parametrize(
    ("between", "expected"),
    [
        pytest.param("", 1, id="nothing"),
        pytest.param("console.log(rules.length, rules.indexOf(1));", 1, id="only reads"),
        pytest.param("for (const rule of rules) rule.id = 1;", 0, id="a loop"),
        pytest.param("for (const [i, rule] of rules.entries()) rule.id = i + 1;", 0, id="entries"),
        pytest.param("rules.forEach((rule, i) => { rule.id = i + 1; });", 0, id="a callback"),
        pytest.param("const first = rules.at(0); first.id = 1;", 0, id="one of them"),
        pytest.param("const all = [...rules.values()]; all[0].id = 1;", 0, id="values"),
    ],
)
def test_missing_id_is_reported_unless_other_code_may_add_it(between: str, expected: int) -> None:
    assert reported(f"{RULES} {between} {UPDATE}") == expected


def test_immutable_items_keep_their_values() -> None:
    inject = "chrome.scripting.executeScript({ target: { tabId: 1 }, files });"
    assert reported(f"const files = [1]; files.forEach((file) => console.log(file)); {inject}") == 1
