"""The guide from Manifest V2 to Manifest V3: each rule reports the old code, and not the new code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from harness import lint

from extlint.registry import RULES

GUIDE = (Path(__file__).parent.parent / "docs/guides/manifest-v3.md").read_text("utf-8")
ROWS = re.findall(r"^\| `(.+?)` \| `(.+?)` \| \[`([a-z-]+)`\]\(\.\./rules/\3\.md\) \|$", GUIDE, re.MULTILINE)
KEYS = [each for each in ROWS if each[0].startswith('"')]
CODE = [each for each in ROWS if not each[0].startswith('"')]
PERMISSIONS = ["alarms", "contextMenus", "offscreen", "scripting", "storage"]


def of_manifest(key: str) -> set[str]:
    """Returns the rules that report a manifest with this key."""
    text = f'{{"manifest_version": 3, "name": "A", "version": "1", {key}}}'
    return {
        each.rule for each in lint({"manifest.json": text, "a.js": "", "a.html": ""}, list(RULES), "chrome")
    }


def of_script(code: str) -> set[str]:
    """Returns the rules that report a service worker with this code."""
    keys = {"action": {}, "background": {"service_worker": "background.js"}, "permissions": PERMISSIONS}
    text = json.dumps({"manifest_version": 3, "name": "A", "version": "1", **keys})
    files = {"manifest.json": text, "background.js": f"{code};\n", "a.js": "", "a.html": ""}
    return {each.rule for each in lint(files, list(RULES), "chrome")}


@pytest.mark.parametrize(("old", "new", "rule"), KEYS)
def test_rule_reports_only_the_old_key(old: str, new: str, rule: str) -> None:
    assert rule in of_manifest(old)
    assert rule not in of_manifest(new)


@pytest.mark.parametrize(("old", "new", "rule"), CODE)
def test_rule_reports_only_the_old_code(old: str, new: str, rule: str) -> None:
    assert rule in of_script(old)
    assert rule not in of_script(new)


def test_every_row_is_tested() -> None:
    assert len(ROWS) == sum(line.startswith("| `") for line in GUIDE.splitlines()) > 20
