"""Conditions stored in globals by another script of the same page or background."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest

from extlint.analysis.analyze import analyze
from extlint.analysis.facts.other_scripts import (
    Demand,
    Exports,
    GlobalQuery,
    ImportResolver,
    RealmGlobals,
    parse_global_query,
)
from extlint.analysis.facts.script_facts import ScriptFacts
from extlint.program.predicted_globals import MAX_PREDICTED_TESTS

USE = "browser.bookmarks.search('a')"
TEST = "!!browser.bookmarks"


def reported(*scripts: str, target: str = "firefox") -> list[str]:
    """Returns the findings in the last script of a page, after the others have run."""
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
    "a script between": ["const has = TEST", "x()", "if (has) USE"],
    "kept in this one": ["const has = TEST", "const can = has; if (can) USE"],
    "an object that is kept in this one": ["const can = { mark: TEST }", "const my = can; if (my.mark) USE"],
    "an object that a function keeps": [
        "const can = (() => { return { mark: TEST } })()",
        "on(() => { const my = can, same = my; if (same.mark) USE })",
    ],
    "a caller of a method": ["const has = TEST", "const o = { m() { USE } }; on(() => { if (has) o.m() })"],
    "a caller of a class": [
        "const can = { mark: TEST }",
        "class A { m() { USE } } if (can.mark) new A().m()",
    ],
    "a caller of a function": [
        "const can = { mark: TEST }",
        "const f = () => USE; on(() => can.mark && f())",
    ],
    "a function that is returned": [
        "const can = { mark: TEST }",
        "on(() => { const my = can; if (my.mark && f(1) === true) g() }); const f = (() => () => USE)()",
    ],
    "a constant that is false": ["const on = false", "if (on) USE"],
    "a constant that is compared": ["const on = false", "if (on == true) USE"],
    "a constant that is true": ["const off = true", "f(); function f() { if (off) return; USE }"],
    "a constant that is null": ["const on = null", "x && on && USE"],
}
NOT_EXCUSED = {
    "the other outcome of a constant": ["const on = false", "if (!on) USE"],
    "a constant that equals": ["const on = false", "if (on == false) USE"],
    "either of two constants": ["const on = false", "if (on || x) USE"],
    "a variable that is false at first": ["let on = false", "[on] = [1]", "if (on) USE"],
    "a counter": ["var on = 0", "on++", "if (on) USE"],
    "a constant of a function": ["function f() { const on = false }", "if (on) USE"],
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
    "another object": ["const can = { mark: TEST }", "const my = other; if (my.mark) USE"],
    "a variable that keeps two objects": [
        "const can = { mark: TEST }",
        "let my = can; my = other; if (my.mark) USE",
    ],
    "a variable that depends on itself": ["const can = { mark: TEST }", "var my = my; if (my.mark) USE"],
    "a caller of a method that tests nothing": [
        "const has = TEST",
        "const o = { m() { USE } }; on(() => { if (has) o.m(); o.m() })",
    ],
    "a caller of a method that tests something else": [
        "const has = !!browser.tabs",
        "const o = { m() { USE } }; on(() => { if (has) o.m() })",
    ],
    "one that the only script that tests it assigns, too": ["has = x", "has = x; if (has ?? x) USE"],
}


@pytest.mark.parametrize("target", ["firefox", "chrome"])
@pytest.mark.parametrize("scripts", EXCUSED.values(), ids=EXCUSED.keys())
def test_condition_in_global_guards_use(scripts: list[str], target: str) -> None:
    assert reported(*scripts, target=target) == []


USER_AGENT_TESTS = {
    "a user agent test": ["window.marks = /Firefox/.test(navigator.userAgent)", "if (marks) USE"],
    "a function that asks for a browser": [
        "function marks() { return navigator.userAgent.includes('Firefox') }",
        "if (marks()) USE",
    ],
}


@pytest.mark.parametrize("scripts", USER_AGENT_TESTS.values(), ids=USER_AGENT_TESTS.keys())
def test_target_decides_user_agent_test_in_global(scripts: list[str]) -> None:
    assert reported(*scripts, target="chrome") == []
    assert reported(*scripts, target="firefox") == ["missing-permission"]


@pytest.mark.parametrize("scripts", NOT_EXCUSED.values(), ids=NOT_EXCUSED.keys())
def test_other_global_does_not_guard_use(scripts: list[str]) -> None:
    assert reported(*scripts) == ["missing-permission"]


@pytest.mark.parametrize("key", ["''", "`${''}`", "['']"])
def test_empty_name_ends_the_search_for_a_global(key: str) -> None:
    assert reported("const has = TEST", f"if (window[{key}]) USE") == ["missing-permission"]
    assert reported(f"window[{key}] = TEST", f"if (window[{key}]) USE") == ["missing-permission"]


def test_content_scripts_share_globals() -> None:
    files = {
        "manifest.json": manifest(
            content_scripts=[{"matches": ["https://example.org/*"], "js": ["a.js", "b.js"]}]
        ),
        "a.js": "var hasClip = !!browser.storage.session",
        "b.js": "if (hasClip) browser.storage.session.get('a')",
    }
    assert lint(files, ["wrong-context"], "firefox") == []


@pytest.mark.parametrize(
    ("passed", "answers"),
    [
        ("window.Map = function () {}", 0),
        ("var can = {}", 0),
        ("var has = localStorage.has", 0),
        ("const has = TEST", 1),
        ("const can = { mark: TEST }", 1),
        ("function has() { return TEST }", 1),
    ],
)
def test_script_is_analyzed_once_with_only_relevant_global_tests(
    passed: str, answers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyses = _recorded_analyses(monkeypatch)
    reported(passed, "if (Map || has || can.mark || has()) USE")
    assert [path for path, _ in analyses] == ["0.js", "1.js"]
    assert sum(len(answered) for _, answered in analyses) == answers


def test_many_global_tests_require_a_second_analysis(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    analyses = _recorded_analyses(monkeypatch)
    names = [f"has{each}" for each in range(MAX_PREDICTED_TESTS + 1)]
    declaration = f"const {', '.join(f'{name} = TEST' for name in names)};"
    assert reported(declaration, f"if ({' && '.join(names)}) USE") == []
    assert [path for path, _ in analyses] == ["0.js", "1.js", "1.js"]


def _recorded_analyses(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, set[str]]]:
    """Returns the analyzed scripts, each with the global tests passed to its analysis."""
    found: list[tuple[str, set[str]]] = []

    def analyzed(
        text: bytes,
        path: str,
        imported: ImportResolver,
        known: RealmGlobals,
        demand: Demand,
        _records: object,
        _parsing: object,
    ) -> ScriptFacts:
        answers: set[str] = set()
        found.append((path, answers))

        def asked(name: str, *, of_api: bool = False) -> Exports:
            answer = imported(name, of_api=of_api)
            if answer and name == GlobalQuery.IMPLIED.about(parse_global_query(name)[1]):
                answers.add(name)
            return answer

        return analyze(text, path, asked, known, demand)

    monkeypatch.setattr("extlint.analysis.analyze.analyze", analyzed)
    return found
