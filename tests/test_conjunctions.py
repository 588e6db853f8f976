"""Facts implied by the `else` of `a && b`, if `b` is a member of `a`, and by `a || b`."""

from __future__ import annotations

import pytest
from harness import lint, manifest

KEYS = {"permissions": ["scripting", "tabs"], "action": {}, "background": {"service_worker": "a.js"}}
OLD = "chrome.tabs.executeScript(1, {})"


def reported(source: str) -> int:
    files = {"manifest.json": manifest(**KEYS), "a.js": source.replace("OLD", OLD)}
    return len(lint(files, ["wrong-manifest-version"], "chrome"))


@pytest.mark.parametrize(
    "condition",
    [
        "chrome.scripting && chrome.scripting.executeScript",
        "chrome && chrome.scripting && chrome.scripting.executeScript",
        "chrome.scripting.executeScript && chrome.scripting",
        "chrome && chrome.action",
        "!(!chrome.scripting || !chrome.scripting.executeScript)",
        "typeof chrome !== 'undefined' && chrome.scripting",
        "chrome",
    ],
)
def test_failed_member_test_implies_missing_namespace(condition: str) -> None:
    assert reported(f"if ({condition}) {{}} else {{ OLD }}") == 0
    assert reported(f"if ({condition}) {{ OLD }}") == 1


@pytest.mark.parametrize("condition", ["chrome.scripting && x", "x && chrome.scripting", "chrome && x"])
def test_failed_unrelated_condition_implies_nothing(condition: str) -> None:
    assert reported(f"if ({condition}) {{}} else {{ OLD }}") == 1
