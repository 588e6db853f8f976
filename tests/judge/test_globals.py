"""The globals of each kind of context in real browsers; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint.analysis.facts.context import ContextKind
from extlint.schema.targets.request import FACTS_OF
from extlint_judge.browsers.processes import ENGINES, find
from extlint_judge.commands.globals import differences, write_facts
from extlint_judge.globals.observation import ContextGlobals, missing_globals, observe
from extlint_schemas import AbsentGlobals, web_globals

IMPORTANT = {"DOMParser", "XMLHttpRequest", "document", "importScripts", "localStorage", "window"}


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_recorded_globals_match_the_browser(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    observed = missing_globals(observe(browser, command, tmp_path))
    known = web_globals(FACTS_OF[ENGINES[browser]])
    assert {*observed} == {*known}
    for kind, each in observed.items():
        assert each.missing & IMPORTANT == known[kind].missing & IMPORTANT


def test_missing_globals_are_found_by_context() -> None:
    def listed(*names: str, empty: str = "") -> ContextGlobals:
        return ContextGlobals(frozenset(names), frozenset(empty.split()))

    observed = {
        ContextKind.EXTENSION_PAGE: listed("document", "navigator", "navigator.share", "elements"),
        ContextKind.CONTENT_SCRIPT: listed("document", "elements", "chrome", empty="elements"),
        ContextKind.WORKER: listed("navigator", "importScripts"),
    }
    found = missing_globals(observed)
    assert found["extension page"] == AbsentGlobals(frozenset({"importScripts"}), frozenset())
    assert found["content script"] == AbsentGlobals(
        frozenset({"importScripts", "navigator"}), frozenset({"elements"})
    )
    assert found["worker"].missing == {"document", "elements", "navigator.share"}


def test_differences_are_listed_and_facts_are_written(tmp_path: Path) -> None:
    def facts(missing: str, empty: str = "") -> dict[str, AbsentGlobals]:
        return {"worker": AbsentGlobals(frozenset(missing.split()), frozenset(empty.split()))}

    assert [*differences(facts("a b"), facts("b c"))] == [
        "worker: missing as well: a",
        "worker: not missing after all: c",
    ]
    assert [*differences(facts("", "a"), {})] == ["worker: null as well: a"]
    file = tmp_path / "facts.json"
    write_facts(file, "firefox", facts("b a"))
    write_facts(file, "chrome", facts("c", "d"))
    assert '"missing": "a b"' in file.read_text("utf-8")
    assert '"empty": "d"' in file.read_text("utf-8")
