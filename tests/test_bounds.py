"""Large amounts of code are analyzed completely, or the file is reported as incomplete."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest, reported
from packages import package_of
from thorough import some

from extlint.analysis.analyze import analyze
from extlint.analysis.facts.omissions import Reason
from extlint.analysis.values import property_index
from extlint.checker import check_package
from extlint.program import import_cycles, module_exports
from extlint.schema.targets import target_of

USE = "browser.management.getAll()"
RULES = ("unsupported-api", "incomplete-analysis")


def script(text: str) -> Files:
    return {"manifest.json": manifest(background={"scripts": ["a.js"]}), "a.js": text}


def repeat(count: int, text: str) -> str:
    """Returns a text repeated `count` times, with the number of each repetition for `#`."""
    return "".join(text.replace("#", str(number)) for number in range(count))


ANOTHER_MODULE = "7: (e, t, n) => { n(8).api.management.getAll(); },"
THE_MODULE = "8: (e, t, n) => { t.api = browser; }"
CODE: dict[str, str] = {
    "statements of a function": f"const api = (() => {{ {repeat(1_100, 'a(#);')} return browser; }})();"
    "api.management.getAll();",
    "uses of a function": "function wrap(api) { api.management.getAll(); }" + repeat(150, "wrap(browser);"),
    "awaits": f"async function f() {{ {repeat(400, 'await a#;')} {USE}; }} f();",
    "build directives": repeat(2_100, "// #if A\n// #endif\n") + USE,
    "words that may load": repeat(20_100, "from;") + 'importScripts("b.js");' + USE,
    "calls with the key of a module": "((m) => { var c = {}; function n(k) { var t = c[k] = { exports: {} };"
    " m[k](t, t.exports, n); return t.exports; } return n(7); })({"
    f"6: (e, t, n) => {{ {repeat(2_100, 'f(8,1);')} }}, {ANOTHER_MODULE} {THE_MODULE} }});",
}


@pytest.mark.parametrize("text", CODE.values(), ids=CODE.keys())
def test_large_scripts_are_analyzed_completely(text: str) -> None:
    found = [
        (rule, under)
        for rule, under in reported(script(text))
        if rule in {"unsupported-api", "incomplete-analysis"}
    ]
    assert [rule for rule, _ in found] == ["unsupported-api"]


def module_chain(count: int) -> Files:
    """Returns a chain of modules; the last one exports the API."""
    chain = {
        f"m{at}.js": f'import {{ api }} from "./m{at + 1}.js"; export {{ api }}; api.management.getAll();'
        for at in range(count)
    }
    last = {f"m{count}.js": "export const api = globalThis.browser;"}
    return {
        "manifest.json": manifest(background={"service_worker": "m0.js", "type": "module"}),
        **chain,
        **last,
    }


@pytest.mark.parametrize("count", [20, 30, 60])
def test_module_chain_is_followed(count: int) -> None:
    found = lint(module_chain(count), RULES)
    assert sorted(each.path for each in found) == sorted(f"m{at}.js" for at in range(count))


@pytest.mark.parametrize("count", some([24, 200, 60], 2))
def test_module_cycle_is_followed(count: int) -> None:
    files = dict(module_chain(count))
    files[f"m{count}.js"] = 'import "./m0.js"; export const api = globalThis.browser;'
    found = lint(files, RULES)
    assert sorted(each.path for each in found) == sorted(f"m{at}.js" for at in range(count))


@pytest.mark.parametrize("count", some([24, 200, 60], 3))
def test_star_export_cycle_is_followed(count: int) -> None:
    files: Files = {
        f"m{at}.js": f'export * from "./m{(at + 1) % count}.js"; export const a{at} = browser; {USE};'
        for at in range(count)
    }
    found = lint({**module_chain(0), **files}, RULES)
    assert [each.rule for each in found] == ["unsupported-api"] * count


USE_OF_API = "api.management.getAll();"


@pytest.mark.parametrize("step", [1, 3], ids=["a ring", "a net"])
@pytest.mark.parametrize("count", [8, 60])
def test_name_resolves_through_star_export_cycle(count: int, step: int) -> None:
    files = {
        f"m{at}.js": f'export * from "./m{(at + 1) % count}.js"; export * from "./m{at * step % count}.js";'
        f'import {{ api }} from "./m{(at + 1) % count}.js"; {USE_OF_API}'
        for at in range(count)
    }
    further = f'import "./m{count // 2 + 1}.js";'
    files[f"m{count // 2}.js"] = f'{further} export * from "./m0.js"; export const api = browser;'
    found = lint({**module_chain(0), **files}, RULES)
    assert [each.rule for each in found] == ["unsupported-api"] * (count - 1)


def test_name_resolves_through_long_reexport_cycle() -> None:
    files = {
        f"m{at}.js": f'import {{ api }} from "./m{(at + 1) % 60}.js"; export {{ api }}; {USE_OF_API}'
        for at in range(60)
    }
    files["m30.js"] = 'import "./m31.js"; export const api = browser;'
    found = lint({**module_chain(0), **files}, RULES)
    assert [each.rule for each in found] == ["unsupported-api"] * 59


def test_unconverged_cycle_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_cycles, "MAX_CYCLE_ROUNDS", 1)
    files = dict(module_chain(60))
    files["m60.js"] = 'import "./m0.js"; export const api = globalThis.browser;'
    assert "incomplete-analysis" in {each.rule for each in lint(files, RULES)}


def test_too_deep_module_graph_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MAX_WAITING_FOR_SCRIPT", "MAX_WAITING_IN_CYCLE"):
        monkeypatch.setattr(module_exports, name, 8)
    files = {
        f"m{at}.js": f'import "./m{at * 7 % 60}.js"; import {{ api }} from "./m{(at + 1) % 60}.js";'
        f"{USE_OF_API} export {{ api }};"
        for at in range(60)
    }
    files["m59.js"] = "export const api = browser;"
    assert "incomplete-analysis" in {each.rule for each in lint({**module_chain(0), **files}, RULES)}


def test_any_number_of_exports_is_resolved() -> None:
    files: Files = {
        "manifest.json": manifest(background={"service_worker": "a.js", "type": "module"}),
        "a.js": 'import { api, has } from "./b.js"; api.management.getAll();'
        'if (has) browser.management.get("a");',
        "b.js": repeat(70, f"export const a# = {{ {repeat(50, 'b#: 1, ')} }};")
        + repeat(410, "export const c# = !!browser.test;")
        + "export const has = !!browser.management.get; export const api = browser;",
    }
    found = lint(files, RULES)
    assert [(each.path, each.api) for each in found] == [("a.js", "management.getAll")]


def test_variable_with_too_many_writes_is_reported() -> None:
    text = f"let api = browser; {repeat(120, 'api = browser;')} api.management.getAll(); {USE};"
    facts = analyze(text.encode(), "a.js")
    assert facts.omission is not None
    assert facts.omission.reason is Reason.WORK
    assert ("management", "getAll") in {call.path for call in facts.calls}


def test_property_with_many_mentions_is_followed() -> None:
    text = f"const o = {{ api: browser }}; {repeat(2_100, 'x.api;')} o.api.management.getAll();"
    facts = analyze(text.encode(), "a.js")
    assert facts.complete
    assert [call.path for call in facts.calls] == [("management", "getAll")]


def test_property_with_too_many_mentions_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(property_index, "MAX_PLACES", 20)
    text = f"const o = {{ api: browser }}; {repeat(30, 'x.api;')} o.api.management.getAll(); {USE};"
    facts = analyze(text.encode(), "a.js")
    assert facts.omission is not None
    assert ("management", "getAll") in {call.path for call in facts.calls}
    assert analyze(text.replace("browser }", "1 }").encode(), "a.js").complete


def test_incomplete_file_does_not_affect_others() -> None:
    target = target_of("reference")
    assert target is not None
    files: Files = {
        "manifest.json": manifest(background={"scripts": ["a.js", "b.js"]}),
        "a.js": f"let api = browser; {repeat(120, 'api = browser;')} {USE};",
        "b.js": USE,
    }
    report = check_package(package_of(files), [target], RULES)
    assert {(each.path, each.rule) for each in report.findings} == {
        ("a.js", "incomplete-analysis"),
        ("a.js", "unsupported-api"),
        ("b.js", "unsupported-api"),
    }
    assert report.incomplete == 1
