"""Conditions that another script of the same page, or of the same background, puts into globals."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from harness import Files, lint, manifest

from extlint.script.analyse import analyse
from extlint.script.facts.imports import Demand, ImportResolver
from extlint.script.facts.script_facts import ScriptFacts
from extlint.script.facts.shared_globals import RealmGlobals

USE = "browser.bookmarks.search('a')"
TEST = "!!browser.bookmarks"


def told(*scripts: str, target: str = "firefox") -> list[str]:
    """What is told of the last script of a page, whose others run before it."""
    texts = [each.replace("USE", USE).replace("TEST", TEST) for each in scripts]
    names = [f"{at}.js" for at in range(len(texts))]
    page = "".join(f"<script src={name}></script>" for name in names)
    files: Files = {
        "manifest.json": manifest(options_ui={"page": "p.html"}),
        "p.html": page,
        **dict(zip(names, texts, strict=True)),
    }
    found = lint(files, ["missing-permission"], target)
    return [each.rule for each in found if each.path == names[-1]]


EXCUSED = {
    "a constant": ["const has = TEST", "if (has) USE"],
    "a variable": ["var has = TEST", "if (!has) throw 1; USE"],
    "a property of the window": ["window.has = TEST", "if (has) USE"],
    "a property that is read as one": ["globalThis.has = TEST", "if (window.has) USE"],
    "another name of the global object": ["self.has = TEST", "self.has && USE"],
    "a bare assignment": ["has = TEST", "if (has) USE"],
    "a function": ["function has() { return TEST }", "if (has()) USE"],
    "a function in a constant": ["const has = () => TEST", "if (has()) USE"],
    "a function of a name": [
        "function supports(n) { return n in browser }",
        "if (supports('bookmarks')) USE",
    ],
    "an object": ["const can = { mark: TEST }", "if (can.mark) USE"],
    "an object of the window": ["window.can = { mark: TEST }", "if (can.mark) USE"],
    "a class": ["class Can { static mark = TEST }", "if (Can.mark) USE"],
    "what asks for a browser": ["window.marks = /Firefox/.test(navigator.userAgent)", "if (marks) USE"],
    "a function that asks for a browser": [
        "function marks() { return navigator.userAgent.includes('Firefox') }",
        "if (marks()) USE",
    ],
    "a script between": ["const has = TEST", "x()", "if (has) USE"],
    "kept in this one": ["const has = TEST", "const can = has; if (can) USE"],
}
NOT_EXCUSED = {
    "another test": ["const has = !!browser.tabs", "if (has) USE"],
    "an unrelated one": ["const has = localStorage.has", "if (has) USE"],
    "the else branch": ["const has = TEST", "if (has) {} else USE"],
    "another variable": ["const has = TEST; var other = x", "if (other) USE"],
    "a function that is not called": ["function has() { return TEST }", "if (has) USE"],
    "a variable that two scripts give a value": ["var has = TEST", "has = true", "if (has) USE"],
    "a variable that is given another value": ["var has = TEST; f = () => { has = x }", "if (has) USE"],
    "a variable of a function": ["function f() { const has = TEST }", "if (has) USE"],
    "one that hides it": ["const has = TEST", "function f(has) { if (has) USE }"],
    "a script of another page": ["if (has) USE"],
    "one that the only script that tests it assigns, too": ["has = x", "has = x; if (has ?? x) USE"],
}


@pytest.mark.parametrize("target", ["firefox", "chrome"])
@pytest.mark.parametrize("scripts", EXCUSED.values(), ids=EXCUSED.keys())
def test_excused(scripts: list[str], target: str) -> None:
    assert told(*scripts, target=target) == []


@pytest.mark.parametrize("scripts", NOT_EXCUSED.values(), ids=NOT_EXCUSED.keys())
def test_not_excused(scripts: list[str]) -> None:
    assert told(*scripts) == ["missing-permission"]


def test_content_scripts_share_their_globals() -> None:
    files = {
        "manifest.json": manifest(
            content_scripts=[{"matches": ["https://example.org/*"], "js": ["a.js", "b.js"]}]
        ),
        "a.js": "var hasClip = !!browser.storage.session",
        "b.js": "if (hasClip) browser.storage.session.get('a')",
    }
    assert lint(files, ["wrong-context"], "firefox") == []


@pytest.mark.parametrize(
    ("given", "reads"),
    [
        ("window.Map = function () {}", 0),
        ("var can = {}", 0),
        ("var has = localStorage.has", 0),
        ("const has = TEST", 1),
        ("const can = { mark: TEST }", 1),
        ("function has() { return TEST }", 1),
    ],
)
def test_only_what_tells_something_makes_another_script_be_read_again(
    given: str, reads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared: list[Mapping[str, object]] = []

    def analysed(
        text: bytes,
        path: str,
        imported: ImportResolver,
        known: RealmGlobals,
        demand: Demand,
        _records: object,
        _parsing: object,
    ) -> ScriptFacts:
        shared.append(known.conditions)
        return analyse(text, path, imported, known, demand)

    monkeypatch.setattr("extlint.script.analyse.analyse", analysed)
    told(given, "if (Map || has || can.mark || has()) USE")
    assert sum(map(bool, shared)) == reads
