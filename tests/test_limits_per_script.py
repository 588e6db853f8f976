"""A limit that a bundle exceeds is reported there, and a small script next to it is analyzed completely."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from harness import Files, lint, manifest

from extlint.analysis.syntax import tree
from extlint.program import delegated_uses, global_uses, searched_scripts
from extlint_rules.helpers import missing_files

RULES = ("incomplete-analysis", "missing-file", "missing-global", "wrong-context")
INCOMPLETE = {("bundle.js", "incomplete-analysis")}


def found(files: Files) -> set[tuple[str, str]]:
    """Returns the path and rule of each finding."""
    return {(each.path, each.rule) for each in lint(files, RULES, target="chrome")}


def in_content_scripts(**scripts: str) -> Files:
    """Returns an extension with these content scripts."""
    listed = [{"matches": ["https://example.com/*"], "js": [f"{name}.js" for name in scripts]}]
    return {
        "manifest.json": manifest(content_scripts=listed),
        **{f"{name}.js": text for name, text in scripts.items()},
    }


GENERATED = "\n//# sourceMappingURL=bundle.js.map"
MISTAKE = "chrome.tabs.query({});"
MISTAKES = f"function one() {{ {MISTAKE} }} function other() {{ {MISTAKE} }}"

CALLERS = {
    "a caller that tests": ("if (chrome.tabs) { one(); other(); }", set()),
    "one that does not": (
        "if (chrome.tabs) { one(); } other();",
        {("small.js", "wrong-context")},
    ),
}


@pytest.mark.parametrize(("caller", "expected"), CALLERS.values(), ids=CALLERS.keys())
def test_callers_in_small_scripts_are_found(
    caller: str, expected: set[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = in_content_scripts(
        bundle=f"function f() {{ {MISTAKE} }} if (chrome.tabs) f();{GENERATED}", caller=caller, small=MISTAKES
    )
    assert found(files) == expected
    monkeypatch.setattr(searched_scripts, "MAX_LARGE_SCRIPTS", 0)
    assert {each for each in found(files) if each[0] != "bundle.js"} == expected


@pytest.mark.parametrize("is_large", [False, True], ids=["generated", "large"])
def test_script_without_callers_search_is_reported(is_large: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "if (chrome.tabs) one();"
    bundle = text + "f();" * 100 if is_large else text + GENERATED
    files = in_content_scripts(bundle=bundle, small=f"{MISTAKES} other();")
    assert found(files) == {("small.js", "wrong-context")}
    monkeypatch.setattr(searched_scripts, "MAX_LARGE_SCRIPTS", 0)
    monkeypatch.setattr(searched_scripts, "_LARGE_BYTES", 300)
    assert found(files) == {("small.js", "wrong-context"), *INCOMPLETE}


def test_search_in_a_bundle_is_reported_there(monkeypatch: pytest.MonkeyPatch) -> None:
    expensive = "const a0 = x;" + "".join(f"const a{at} = a{at - 1} || x;" for at in range(1, 900))
    bundle = f"{expensive} function g() {{ if (a899) one(); }} g();"
    files = in_content_scripts(bundle=bundle, small=f"{MISTAKES} other();")
    assert found(files) == {("small.js", "wrong-context")}
    monkeypatch.setattr(tree, "MAX_STEPS", 10_000)
    monkeypatch.setattr(tree, "MAX_STEPS_PER_BYTE", 3)
    assert found(files) == {("small.js", "wrong-context"), *INCOMPLETE}


def in_popup(bundle: str) -> Files:
    """Returns an extension whose popup and content script use a function that delegates to the API."""
    return {
        **in_content_scripts(
            api="globalThis.api = { list(o) { return chrome.tabs.query(o); } };", small="api.list({});"
        ),
        "manifest.json": manifest(
            action={"default_popup": "popup.html"},
            content_scripts=[{"matches": ["https://example.com/*"], "js": ["api.js", "small.js"]}],
        ),
        "popup.html": "<!doctype html><script src='api.js'></script><script src='bundle.js'></script>",
        "bundle.js": bundle,
    }


def test_uses_in_a_bundle_do_not_hide_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delegated_uses, "MAX_USES", 3)
    assert found(in_popup("api.list({});" * 3)) == {("small.js", "wrong-context")}
    assert found(in_popup("api.list({});" * 4)) == {("small.js", "wrong-context"), *INCOMPLETE}


NAMES = [f"small{at}" for at in range(8)]


def imports(call: str) -> Iterator[str]:
    """Yields an import of each small script, and a call of its function."""
    return (
        f"import {{ save as {name} }} from './{name}.js'; {call.replace('save', name)};" for name in NAMES
    )


def test_repeated_evaluation_of_a_bundle_is_reported_there(monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = "".join(imports("if (x) save(f)")) + "f();" * 400
    files = {
        "manifest.json": manifest(background={"service_worker": "main.js", "type": "module"}),
        "main.js": "import './bundle.js'; import './bundle2.js';" + "".join(imports("save()")),
        "bundle.js": bundle,
        "bundle2.js": bundle,
        **{f"{name}.js": "export function save() { localStorage.setItem('a', 1); }" for name in NAMES},
    }
    expected = {(f"{name}.js", "missing-global") for name in NAMES}
    monkeypatch.setattr(global_uses, "MAX_KEPT_BYTES", 2_000)
    assert found(files) == expected
    monkeypatch.setattr(global_uses, "MAX_EVALUATIONS", 3)
    assert found(files) == expected | INCOMPLETE


def test_names_in_one_page_do_not_hide_suggestions_in_others(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "manifest.json": manifest(action={"default_popup": "b.html"}, options_page="a.html"),
        "a.html": "<!doctype html>" + "".join(f"<script src='x{at}.js'></script>" for at in range(20)),
        "b.html": "<!doctype html><script src='smal.js'></script>",
        "small.js": "f();",
    }
    monkeypatch.setattr(missing_files, "MAX_COMPARISONS", 12)
    (named,) = (each for each in lint(files, RULES, target="chrome") if each.path == "b.html")
    assert "small.js" in f"{named.message} {named.help}"


def test_script_is_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"eval('chrome.tabs.query({{}})'); if (chrome.tabs) one();{GENERATED}"
    files = in_content_scripts(bundle=text, small=f"{MISTAKES} other();")
    monkeypatch.setattr(searched_scripts, "MAX_LARGE_SCRIPTS", 0)
    notes = [each.path for each in lint(files, RULES, target="chrome") if each.rule == "incomplete-analysis"]
    assert notes == ["bundle.js"]
