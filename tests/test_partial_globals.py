"""Globals of scripts analyzed earlier are passed to later ones, which are not analyzed again for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

import pytest
from curves.work import calls_by_function
from harness import Files, lint, manifest, reported

from extlint.analysis.facts.script_facts import ScriptFacts
from extlint.analysis.facts.values import Api, ObjectValue, Value
from extlint.program import script_reader
from extlint.program.shared_globals import AssignedGlobal, PartialGlobals, SharedGlobals
from extlint.project.contexts.script import ScriptLocation

USE = "function f() { app.api.management.getSelf(1); }"
"""A call that is wrong if `app.api` is the API."""


def background_files(*scripts: str) -> Files:
    """Returns the scripts of a background page, in order: `a.js`, `b.js` and so on."""
    names = [f"{letter}.js" for letter, _ in zip("abcdefgh", scripts, strict=False)]
    listed = manifest(manifest_version=2, background={"scripts": names})
    return {"manifest.json": listed, **dict(zip(names, scripts, strict=True))}


ORDERS = {
    "given before": (("var app = { api: chrome };", USE), 3),
    "given after": ((USE, "var app = { api: chrome };"), 4),
    "given as the API itself": (("var app = chrome;", USE.replace(".api", "")), 2),
    "filled later": (("window.app = window.app || {};", "app.api = chrome;", "other();", USE), 6),
    "given and not used": (("var app = { api: chrome };", "other();", USE), 4),
}
"""Scripts, and the number of their analyses."""


def assert_one_mistake(files: Files, analyses: int) -> None:
    assert reported(files, ("invalid-argument",), "chrome") == [("invalid-argument", "1")]
    counts = calls_by_function({path: str(text) for path, text in files.items()}, builtins=False)
    assert counts["analyze.py:analyze"] == analyses


@pytest.mark.parametrize(("scripts", "analyses"), ORDERS.values(), ids=ORDERS.keys())
def test_later_scripts_are_analyzed_once(scripts: tuple[str, ...], analyses: int) -> None:
    assert_one_mistake(background_files(*scripts), analyses)


def test_modules_receive_the_globals_of_their_page() -> None:
    files = {
        "manifest.json": manifest(manifest_version=2, background={"page": "p.html"}),
        "p.html": '<script src="a.js"></script><script type="module" src="b.js"></script>',
        "a.js": "var app = chrome;",
        "b.js": 'import { f } from "./c.js"; f();',
        "c.js": "export " + USE.replace(".api", ""),
    }
    assert_one_mistake(files, 3)


def test_findings_do_not_depend_on_analysis_order() -> None:
    """Partial globals do not affect the final result."""
    scripts = [
        "window.app = window.app || {};",
        "app.api = chrome;",
        "if (app.api) app.api.management.getSelf(1);",
        "var app = app || { log: chrome.test };",
        "app.log.log(1, 2, 3);",
    ]
    found = lint(background_files(*scripts), None, "chrome")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(script_reader.ScriptReader, "set_known_realms", lambda *_: None)
        assert lint(background_files(*scripts), None, "chrome") == found


ASSIGNED = {
    "a global of its own": (lambda at: f"api{at}", Api(("tabs",), "chrome")),
    "one global": (lambda _: "api", Api(("tabs",), "chrome")),
    "one object": (lambda _: "app", ObjectValue({}, True)),
}


@pytest.mark.parametrize(("name", "value"), ASSIGNED.values(), ids=ASSIGNED.keys())
def test_work_is_linear_in_the_number_of_scripts(
    name: Callable[[int], str], value: Value, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = [count_steps(scripts, name, value, monkeypatch) for scripts in (80, 160, 320)]
    assert all(later < 2.1 * earlier for earlier, later in pairwise(counted))


def count_steps(
    scripts: int, name: Callable[[int], str], value: Value, monkeypatch: pytest.MonkeyPatch
) -> int:
    """Returns the number of texts and values inspected for scripts that each assign and use a global."""
    steps = 0
    make = AssignedGlobal.__init__

    def text(location: ScriptLocation) -> bytes:
        nonlocal steps
        steps += 1
        return b"%b = use(shared)" % name(int(location[0])).encode()

    def counting(assigned: AssignedGlobal, values: Iterable[tuple[ScriptLocation, Value]]) -> None:
        nonlocal steps
        listed = list(values)
        steps += len(listed)
        make(assigned, listed)

    monkeypatch.setattr(AssignedGlobal, "__init__", counting)
    realm = [(str(at), None) for at in range(scripts)]
    so_far = PartialGlobals(SharedGlobals(lambda _: ScriptFacts(), text, lambda *_: {}), [realm])
    for at, location in enumerate(realm):
        so_far.values_for(location)
        so_far.record_facts(location, ScriptFacts(globals={name(at): value}))
    monkeypatch.undo()
    return steps
