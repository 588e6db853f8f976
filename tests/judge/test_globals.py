"""The globals of each kind of context, and the recorded ones; browsers are skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from thorough import some

from extlint_judge.browsers.processes import facts_target, find
from extlint_judge.queries.globals import differences, globals_, missing_globals
from extlint_judge.queries.secure_contexts import secure_contexts
from extlint_schemas import AbsentGlobals, secure_globals, web_globals

IMPORTANT = {"DOMParser", "XMLHttpRequest", "document", "importScripts", "localStorage", "window"}
SECURE = {"caches", "crypto.randomUUID", "crypto.subtle", "navigator.clipboard", "navigator.mediaDevices"}


@pytest.mark.parametrize("browser", some(["firefox", "chromium"], 2))
def test_recorded_globals_match_the_browser(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    observed = globals_.observe(browser, command, tmp_path)[""]
    known = web_globals(facts_target(browser))
    assert {*observed} == {*known}
    for kind, each in observed.items():
        assert {*each["missing"].split()} & IMPORTANT == known[kind].missing & IMPORTANT


@pytest.mark.parametrize("browser", some(["firefox", "chromium"], 2))
def test_pages_of_http_do_not_have_recorded_globals(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    observed = {*secure_contexts.observe(browser, command, tmp_path)[""]["globals"].split()}
    assert observed >= SECURE
    assert secure_globals(facts_target(browser)) >= SECURE


def test_missing_globals_are_found_by_context() -> None:
    def listed(names: str, empty: str = "") -> dict[str, list[str]]:
        return {"there": names.split(), "empty": empty.split()}

    found = missing_globals(
        {
            "extension page": listed("document navigator navigator.share elements"),
            "content script": listed("document elements chrome", empty="elements"),
            "worker": listed("navigator importScripts"),
        }
    )
    assert found["extension page"] == {"missing": "importScripts", "empty": ""}
    assert found["content script"] == {"missing": "importScripts navigator", "empty": "elements"}
    assert found["worker"]["missing"] == "document elements navigator.share"


def test_differences_are_listed() -> None:
    known = {"worker": AbsentGlobals(frozenset("bc"), frozenset())}
    assert [*differences({"worker": {"missing": "a b", "empty": ""}}, known)] == [
        "worker: missing as well: a",
        "worker: not missing after all: c",
    ]
    assert [*differences({"worker": {"missing": "", "empty": "a"}}, {})] == ["worker: null as well: a"]
    failing = {"worker": {"missing": "", "empty": "", "failing": "a"}}
    assert [*differences(failing, {})] == ["worker: failing as well: a"]
