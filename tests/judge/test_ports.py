"""The members of a port in real browsers; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.browsers.session import session
from extlint_judge.extensions import extension, manifest
from extlint_judge.facts import schemas_of

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
    runtime = schemas_of(browser).namespace("runtime")
    assert runtime is not None
    keys = manifest(background={"service_worker": "background.js", "scripts": ["background.js"]})
    with session(browser, command, tmp_path) as running:
        found = set(running.evaluate(extension(keys, {"background.js": ""}), MEMBERS))
    assert found - {"constructor"} == set(runtime.members_of_type("Port"))
