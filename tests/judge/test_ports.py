"""The members of a port in real browsers; skipped if none is installed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.evaluation import evaluate
from extlint_judge.facts import schemas_of

MANIFEST = {
    "manifest_version": 3,
    "name": "judge",
    "version": "1",
    "background": {"service_worker": "background.js", "scripts": ["background.js"]},
    "browser_specific_settings": {"gecko": {"id": "judge@example.com"}},
}

MEMBERS = """
  (() => {
    const port = (globalThis.browser ?? chrome).runtime.connect();
    const found = new Set();
    for (let at = port; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
      Object.getOwnPropertyNames(at).forEach((name) => found.add(name));
    }
    return [...found];
  })()
"""


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_port_members_match_the_facts(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    files = {
        "manifest.json": json.dumps(MANIFEST),
        "page.html": "<p></p>",
        "background.js": "",
    }
    runtime = schemas_of(browser).namespace("runtime")
    assert runtime is not None
    found = set(evaluate(browser, command, tmp_path, files, MEMBERS))
    assert found - {"constructor"} == set(runtime.members_of_type("Port"))
