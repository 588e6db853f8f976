"""Scripts whose only mentions of the API are variables of the same name are not parsed."""

from __future__ import annotations

import pytest

from extlint.analysis import follow
from extlint.analysis.analyze import analyze
from extlint.analysis.facts.other_scripts import NOTHING_SHARED, Demand, no_modules
from extlint.analysis.syntax.prefilter import candidates

SHADOWED = {
    "in a function": "(function () { var chrome = /Chrome/.test(agent); if (chrome && a) f(chrome, 1); })();",
    "in an arrow function": "const f = () => { const chrome = test(agent); return !chrome; };",
    "in a method": "const o = { f: function (a, b) { let browser = name(a); return browser + b; } };",
    "in a block": "{ const chrome = 1; use(chrome); }",
    "read before": "function f() { later(() => chrome); function g() { return [chrome] } var chrome = 1; }",
    "both": "function f() { var chrome = 1; var browser = 2; return chrome + browser; }",
    "names in strings": "function f() { var chrome = 1; g('chrome or browser'); /* chrome && this */ }",
    "with properties of its own": "function f() { const browser = g(); return { name: browser.name }; }",
    "a library": (
        "(function (root, make) { make(root); }(this, (function () { 'use strict';\n"
        "  var agent = navigator.userAgent;\n  var chrome = !edge && /Chrome\\//.test(agent);\n"
        "  e.setAttribute('oncopy', 'return;');\n"
        "  function at() { if (chrome && android) { return -1 } }\n})));"
    ),
}

POSSIBLE_API = {
    "at the top": "var chrome = chrome && test(agent);",
    "in a block at the top": "if (a) { var chrome = test(agent); use(chrome); }",
    "next to a use of the API": "function f() { var chrome = 1; use(chrome); } if (chrome) g(chrome);",
    "a member of the window": "function f() { var chrome = 1; use(window.chrome); }",
    "from the window": "function f() { var chrome = window.chrome; use(chrome); }",
    "from the other root": "function f() { var chrome = browser; use(chrome); }",
    "a key": "function f() { const chrome = 1; use(window['chrome']); }",
    "taken by a pattern": "function f() { const chrome = 1; { const { chrome: own } = window; use(own); } }",
    "taken by its name": "function f() { const chrome = 1; { const { a, chrome } = window; use(chrome); } }",
    "only assigned": "function f() { chrome = 1; use(chrome); }",
    "only compared": "function f() { var chrome == 1; use(chrome); }",
    "declared in a text": "function f() { g('var chrome = 1'); use(chrome); }",
    "without a value": "function f() { var chrome; use(chrome); }",
    "of a condition inside": "function f() { if (a) { var chrome = 1; } use(chrome); }",
}


def is_parsed(script: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    with monkeypatch.context() as patch:
        patch.delattr(follow, "grammar_of")
        try:
            facts = analyze(script.encode(), "a.js")
        except NameError:
            return True
    assert facts.references == ()
    return False


@pytest.mark.parametrize("script", SHADOWED.values(), ids=SHADOWED)
def test_script_with_shadowed_root_is_not_parsed(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_parsed(script, monkeypatch)
    places = [*candidates(script.encode())]
    found = follow.follow(script.encode(), "a.js", places, no_modules, NOTHING_SHARED, Demand.ALL)
    assert found.references == ()


@pytest.mark.parametrize("script", POSSIBLE_API.values(), ids=POSSIBLE_API)
def test_script_with_possible_api_use_is_parsed(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_parsed(script, monkeypatch)
