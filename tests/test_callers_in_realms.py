"""The scripts searched for callers: those that may hold objects of the called script."""

from __future__ import annotations

import pytest
from harness import lint, manifest

from extlint.program.callers import Callers
from extlint.project.contexts.script import ScriptLocation

CALLED = "export_ = { send() { browser.tabs.create({}, 1, 2); } };"
CALLS = "function later(api) { api.send(); }"
INJECTS = "browser.scripting.executeScript({ target, func: () => window.send() });"

BUNDLE = """(() => {
  var modules = { 7: (module, exports, require) => { browser.tabs.create({}, 1, 2); } }, cache = {};
  function require(id) {
    var found = cache[id];
    if (found !== undefined) return found.exports;
    var module = cache[id] = { exports: {} };
    modules[id](module, module.exports, require);
    return module.exports;
  }
  require.m = modules;
  require(7);
})();"""


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Returns the scripts that were searched for callers."""
    found: set[str] = set()
    search = Callers._callers_in

    def recorded(self: Callers, location: ScriptLocation, *rest: object) -> object:
        found.add(location[0])
        return search(self, location, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Callers, "_callers_in", recorded)
    return found


@pytest.mark.parametrize(
    ("called", "calling", "expected"),
    [
        pytest.param("background", "popup", True, id="pages reach one another"),
        pytest.param("popup", "options", True, id="any of them"),
        pytest.param("content", "popup", False, id="no page reaches a content script"),
        pytest.param("popup", "content", False, id="nor the other way round"),
        pytest.param("content", "other", True, id="content scripts share their realm"),
        pytest.param("popup", "unloaded", True, id="an unloaded caller is possible"),
        pytest.param("unloaded", "popup", True, id="or is called by what is known"),
    ],
)
def test_callers_are_searched_only_in_reachable_realms(
    called: str, calling: str, expected: bool, searched: set[str]
) -> None:
    lint(files({called: CALLED, calling: CALLS}))
    assert (f"{calling}.js" in searched) is expected


def test_injecting_script_is_searched_for_content_script_callers(searched: set[str]) -> None:
    lint(files({"content": CALLED, "background": INJECTS}))
    assert "background.js" in searched


@pytest.mark.parametrize("text", ["const send = 1;", "other = { send() {} };", "post({ type: 'send' });"])
def test_script_without_the_property_name_is_not_parsed(text: str, searched: set[str]) -> None:
    lint(files({"background": CALLED, "popup": text}))
    assert "popup.js" not in searched


def test_bundle_modules_have_no_callers_in_other_scripts(searched: set[str]) -> None:
    lint(files({"background": BUNDLE, "popup": "function later(api) { api.m(7); }"}))
    assert "popup.js" not in searched


def files(scripts: dict[str, str]) -> dict[str, str]:
    text = manifest(
        permissions=["scripting"],
        background={"scripts": ["background.js"]},
        content_scripts=[{"matches": ["<all_urls>"], "js": ["content.js", "other.js"]}],
        action={"default_popup": "popup.html"},
        options_ui={"page": "options.html"},
    )
    pages = {f"{name}.html": f"<script src='{name}.js'></script>" for name in ("popup", "options")}
    empty = {f"{name}.js": "" for name in ("background", "content", "other", "popup", "options", "unloaded")}
    return {"manifest.json": text, **pages, **empty, **{f"{name}.js": text for name, text in scripts.items()}}
