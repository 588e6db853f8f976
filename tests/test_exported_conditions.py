"""Selects the exported functions to evaluate for conditions, by the words in their source."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest

from extlint.analysis.guards.forms.facts import Facts
from extlint.analysis.syntax.nodes import Function
from extlint.analysis.values.evaluator import Evaluator


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns the source of the functions that were evaluated."""
    found: list[str] = []
    place = "extlint.analysis.modules.exported_functions.environment_of_function"

    def counted(evaluator: Evaluator, function: Function, _depth: int) -> Facts:
        found.append(evaluator.tree.source(function))
        return frozenset()

    monkeypatch.setattr(place, counted)
    return found


def check(exporting: str, **others: str) -> None:
    importing = "import * as own from './own.js'; if (own.f()) browser.bookmarks.search('a')"
    scripts = {f"{name}.js": text for name, text in others.items()}
    files: Files = {
        "manifest.json": manifest(background={"scripts": ["a.js"], "type": "module"}),
        "a.js": importing,
        "own.js": exporting,
        **scripts,
    }
    lint(files, ["missing-permission"], "firefox")


POSSIBLE_TESTS = {
    "the user agent": "() => navigator.userAgent",
    "a browser": "() => x.operaVersion",
    "a variable of the build": "() => process.env.TARGET",
    "a build placeholder": "() => x === '__BROWSER__'",
    "an own test": "() => { if (tested) return x }",
    "an imported test": "() => other.has",
    "all of a module with a test": "() => other[x]",
}


@pytest.mark.parametrize("function", POSSIBLE_TESTS.values(), ids=POSSIBLE_TESTS.keys())
def test_function_with_words_of_a_test_is_evaluated(function: str, asked: list[str]) -> None:
    own = f"import * as other from './other.js'; const tested = !!browser.tabs; export const f = {function}"
    check(own, other="export const has = !!browser.tabs, count = () => 1")
    assert asked.count(function) == 1


OTHER_FUNCTIONS = {
    "other words": "() => x.y",
    "an operation": "() => Operations.run(x)",
    "a build for production": "() => process.env.NODE_ENV",
    "a marked object": "() => x.__ob__",
    "the target of an event": "() => x.target",
    "another member of a module with a test": "() => other.count()",
    "a test of another name": "() => other.count(x.has)",
}


@pytest.mark.parametrize("function", OTHER_FUNCTIONS.values(), ids=OTHER_FUNCTIONS.keys())
def test_other_function_is_not_evaluated(function: str, asked: list[str]) -> None:
    own = f"import * as other from './other.js'; const tested = !!browser.tabs; export const f = {function}"
    check(own, other="export const has = !!browser.tabs, count = () => 1")
    assert function not in asked


EXPORTED_TESTS = {
    "a field that a constructor sets": (
        "class Has { constructor() { this.menus = !!browser.TESTED } } export default new Has()",
        "import has from './own.js'; if (has.menus) USE",
    ),
    "a path": (
        "export const has = (path) => "
        "path.split('.').reduce((part, key) => part?.[key], browser) !== undefined",
        "import { has } from './own.js'; if (has('TESTED.MEMBER')) USE",
    ),
    "two names": (
        "export const has = (a, b) => !!browser[a]?.[b]",
        "import { has } from './own.js'; if (has('TESTED', 'MEMBER')) USE",
    ),
}


@pytest.mark.parametrize(("own", "user"), EXPORTED_TESTS.values(), ids=EXPORTED_TESTS.keys())
def test_exported_test_excuses_a_use(own: str, user: str) -> None:
    use = user.replace("USE", "browser.menus.refresh()")
    for tested, member in (("menus", "refresh"), ("tabs", "query")):
        files = {
            "manifest.json": manifest(background={"service_worker": "a.js", "type": "module"}),
            "a.js": use.replace("TESTED", tested).replace("MEMBER", member),
            "own.js": own.replace("TESTED", tested),
        }
        found = lint(files, ["unknown-api"], "chrome")
        assert [each.path for each in found] == ([] if tested == "menus" else ["a.js"])


EMPTY_NAMES = {
    "an imported function": "import { has } from './own.js'; if (has('')) USE",
    "an imported function, with a part of a path": "import { has } from './own.js'; if (has('.tabs')) USE",
    "an imported function that follows a path": "import { follow } from './own.js'; if (follow('')) USE",
    "an own function that follows a path": (
        "const has = (path) => path.split('.').reduce((part, key) => part?.[key], browser); if (has('')) USE"
    ),
    "a member": "if (browser['']) USE",
    "a member of a member": "if (browser['']['tabs'] && browser.tabs['']) USE",
    "a property": "if ('' in browser) USE",
    "a part of a pattern": "const { '': a } = browser; if (a) USE",
}


@pytest.mark.parametrize("user", EMPTY_NAMES.values(), ids=EMPTY_NAMES.keys())
def test_empty_name_is_not_a_member(user: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXTLINT_DEBUG", "1")
    files = {
        "manifest.json": manifest(background={"service_worker": "a.js", "type": "module"}),
        "a.js": user.replace("USE", "browser.menus.refresh()"),
        "own.js": (
            "export const has = (name) => browser[name], follow = (path) => "
            "path.split('.').reduce((part, key) => part?.[key], browser) !== undefined"
        ),
    }
    assert [each.path for each in lint(files, ["unknown-api"], "chrome")] == ["a.js"]
