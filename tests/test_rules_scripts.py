"""The rules about scripts: the positions and number of findings, and the guards that prevent them."""

from __future__ import annotations

import pytest
from harness import EXCEPT_IMPORTS, Files, lint, manifest, reported

Reported = list[tuple[str, str]]

UNSUPPORTED = "unsupported-api"


def background_files(source: str) -> Files:
    return {
        "manifest.json": manifest(background={"service_worker": "a.js"}, optional_permissions=["management"]),
        "a.js": source,
    }


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("browser.management.getAll();", ["browser.management.getAll"], id="a call"),
        pytest.param("run(chrome.management.getAll);", ["chrome.management.getAll"], id="a mention"),
        pytest.param(
            "globalThis.browser.management.getAll();",
            ["globalThis.browser.management.getAll"],
            id="a longer way",
        ),
        pytest.param(
            "browser['management']['getAll']();", ["browser['management']['getAll']"], id="with brackets"
        ),
        pytest.param("const {getAll} = browser.management;", ["getAll"], id="a key of a pattern"),
        pytest.param("const {getAll: all} = browser.management; all();", ["getAll"], id="a renamed key"),
        pytest.param(
            "const {management: {getAll, getSelf}} = browser; getAll(); getSelf();",
            ["getAll"],
            id="a deeper key",
        ),
        pytest.param(
            "const f = browser.management.getAll; f(); f();",
            ["browser.management.getAll"],
            id="an alias, once",
        ),
        pytest.param(
            "const m = browser.management; m.getAll(); m.getAll();",
            ["m.getAll", "m.getAll"],
            id="each reference",
        ),
        pytest.param(
            "const api = globalThis.browser ?? chrome; api.management.getAll();",
            ["api.management.getAll"],
            id="either root, once",
        ),
        pytest.param(
            "browser.management.getAll.call(null, () => {});", ["browser.management.getAll"], id="by call"
        ),
        pytest.param(
            "await (browser.management.getAll)();", ["browser.management.getAll"], id="in parentheses"
        ),
        pytest.param(
            "const o = {a: browser.management.getAll}; o.a(); o.a();",
            ["browser.management.getAll"],
            id="an object that holds it names it once",
        ),
        pytest.param(
            "const {a} = {a: browser.management.getAll}; a();",
            ["browser.management.getAll"],
            id="so does an object that is taken apart",
        ),
        pytest.param(
            "browser.management.g\\u0065tAll();", ["browser.management.g\\u0065tAll"], id="an escaped letter"
        ),
        pytest.param("// browser.management.getAll()", [], id="a comment"),
        pytest.param('log("browser.management.getAll()")', [], id="a string"),
        pytest.param("const browser = fake(); browser.management.getAll();", [], id="another browser"),
        pytest.param("browser.management.getSelf.name;", [], id="a JavaScript property of a function"),
        pytest.param("browser.tabs.hide();", [], id="one browser's function in another namespace"),
        pytest.param(
            "Object.assign(browser.management, { getAll }); browser.management.getAll();",
            [],
            id="a member that the script adds",
        ),
        pytest.param(
            "Object.defineProperty(browser.management, 'getAll', { get }); browser.management.getAll();",
            [],
            id="a member that the script defines",
        ),
    ],
)
def test_unsupported_api_is_reported_at_the_member(source: str, expected: list[str]) -> None:
    assert reported(background_files(source), [UNSUPPORTED, "unknown-api"]) == [
        (UNSUPPORTED, text) for text in expected
    ]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("if (browser.management.getAll) browser.management.getAll();", id="if"),
        pytest.param("browser.management.getAll && browser.management.getAll();", id="and"),
        pytest.param("browser.management.getAll?.();", id="an optional call"),
        pytest.param(
            "if (typeof browser.management.getAll === 'function') browser.management.getAll();", id="typeof"
        ),
        pytest.param("if ('getAll' in browser.management) browser.management.getAll();", id="in"),
        pytest.param("try { browser.management.getAll(); } catch (e) { console.log(e); }", id="try"),
        pytest.param(
            "function f() { if (!browser.management.getAll) return; browser.management.getAll(); }",
            id="an early return",
        ),
        pytest.param("const there = Boolean(browser.management.getAll);", id="only a test"),
    ],
)
def test_guard_prevents_unsupported_api(source: str) -> None:
    assert reported(background_files(source)) == []


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("if (browser.management) browser.management.getAll();", id="the namespace is tested"),
        pytest.param("browser.management?.getAll();", id="only the namespace is optional"),
        pytest.param("if (browser.management.getSelf) browser.management.getAll();", id="another member"),
        pytest.param("if (!browser.management.getAll) browser.management.getAll();", id="the wrong branch"),
        pytest.param(
            "try { console.log(); } finally { browser.management.getAll(); }", id="nothing is caught"
        ),
    ],
)
def test_guard_covers_only_the_tested_member(source: str) -> None:
    assert [rule for rule, _ in reported(background_files(source))] == [UNSUPPORTED]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(
            "if (browser.management.getSelf) browser.management.getSelf(1);",
            [("invalid-argument", "1")],
            id="arguments",
        ),
        pytest.param(
            "browser.management.getSelf?.((a, b) => b);", [("callback-parameters", "b")], id="callbacks"
        ),
        pytest.param(
            "try { browser.management.get(); } catch {}", [("wrong-argument-count", "()")], id="counts"
        ),
        pytest.param(
            "if (browser.management.getAll) browser.management.getAll(1);", [], id="dead code aside"
        ),
    ],
)
def test_guard_does_not_prevent_findings_about_the_call(source: str, expected: Reported) -> None:
    assert reported(background_files(source)) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("browser.management.getSelf(...list);", [], id="a spread may be anything"),
        pytest.param("browser.management.getSelf(1, ...list);", ["1"], id="a known argument before a spread"),
        pytest.param("browser.management.getSelf(callback);", [], id="an unknown value"),
        pytest.param("browser.management.getSelf(ok ? () => {} : null);", [], id="right either way"),
        pytest.param("browser.management.getSelf(ok ? 1 : null);", [], id="right in one way"),
        pytest.param("browser.management.getSelf(ok ? 1 : 'a');", ["ok ? 1 : 'a'"], id="wrong either way"),
        pytest.param("const x = 5; browser.management.getSelf(x);", ["x"], id="a constant"),
        pytest.param("browser.management.getSelf.call(null, 1);", ["1"], id="by call"),
        pytest.param("const f = browser.management.getSelf; f(1); f(2);", ["1", "2"], id="by an alias"),
        pytest.param(
            "browser.management.uninstallSelf({dialogMessage: 1, dialogMesage: 2});",
            ["1", "dialogMesage"],
            id="inside an object",
        ),
        pytest.param("browser.management.uninstallSelf({...options, x: 1});", ["x"], id="next to a spread"),
        pytest.param(
            "const n = 5; browser.management.uninstallSelf({ showConfirmDialog: n });",
            ["n"],
            id="a named value",
        ),
        pytest.param(
            "browser.management.uninstallSelf({ showConfirmDialog: x ? 1 : 'a' });",
            ["x ? 1 : 'a'"],
            id="a choice of wrong values",
        ),
        pytest.param(
            "browser.management.uninstallSelf({ show\\u0043onfirmDialog: true });", [], id="an escaped letter"
        ),
        pytest.param(
            "(function (undefined) { browser.management.getSelf(undefined); })(() => {});",
            [],
            id="a parameter that is called undefined",
        ),
    ],
)
def test_invalid_arguments_are_reported(source: str, expected: list[str]) -> None:
    found = reported(background_files(source), EXCEPT_IMPORTS)
    assert found == [("invalid-argument", text) for text in expected]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("browser.management.getSelf((a) => {});", [], id="as many as the API passes"),
        pytest.param(
            "browser.management.getSelf((a, ...rest) => {});", [], id="a rest parameter is not counted"
        ),
        pytest.param("browser.management.getSelf(done);", [], id="an unknown function"),
        pytest.param(
            "function done(a, b) { f(b); } browser.management.getSelf(done);", ["b"], id="a known one"
        ),
        pytest.param("browser.management.getSelf(function (a, b, c) { f(b, c); });", ["b"], id="the first"),
        pytest.param("browser.management.getSelf((a, b, c) => c);", ["c"], id="the first that is read"),
        pytest.param("browser.management.getSelf((a, b) => {});", [], id="not read"),
        pytest.param("browser.management.getSelf((a, b) => (b) => b);", [], id="another one of its name"),
        pytest.param("browser.management.getSelf((a, b) => () => b);", ["b"], id="read further inside"),
        pytest.param("browser.management.getSelf((a, b) => ({ b }));", ["b"], id="read in short"),
        pytest.param("browser.management.getSelf((a, { b }) => {});", ["{ b }"], id="taken apart"),
        pytest.param("browser.management.getSelf((a, b) => { b = 1; f(b); });", [], id="another value"),
        pytest.param("browser.management.getSelf((a, b) => { b ||= 1; f(b); });", [], id="a value for none"),
        pytest.param("browser.management.getSelf((a, b = 1, c) => b);", [], id="a default"),
        pytest.param("browser.management.getSelf(function (a, b) { f(arguments); });", [], id="arguments"),
        pytest.param(
            "function done(a, b) { f(b); } browser.management.getSelf(done); done(x, y);",
            [],
            id="given by a call",
        ),
        pytest.param(
            "function done(a, b) { f(b); } browser.management.getSelf(done); done(x);",
            ["b"],
            id="not given by a call",
        ),
        pytest.param(
            "const done = (a, b) => b; browser.management.getSelf(done); each(done);",
            [],
            id="passed to others",
        ),
        pytest.param(
            "function f(a, b) { g(b); } browser.management.getSelf(f); browser.management.getSelf(f);",
            ["b"],
            id="passed only to the API",
        ),
        pytest.param("export function f(a, b) { g(b); } browser.management.getSelf(f);", [], id="exported"),
        pytest.param("browser.management.onEnabled.addListener((a, b, c) => c);", [], id="nothing says"),
    ],
)
def test_extra_callback_parameters_are_reported(source: str, expected: list[str]) -> None:
    found = reported(background_files(source), ["callback-parameters"])
    assert found == [("callback-parameters", text) for text in expected]


TYPED_PARAMETERS = {
    "a type": ("(tab: Tab, info: Info) => info", ["info: Info"]),
    "a type that admits null": ("(tab: Tab, info: Info | null) => info", ["info: Info | null"]),
    "a type whose name has the word": ("(tab: Tab, info: undefinedInfo) => info", ["info: undefinedInfo"]),
    "undefined as a type argument": (
        "(tab: Tab, info: Maybe<undefined>) => info",
        ["info: Maybe<undefined>"],
    ),
    "the other one may be undefined": (
        "(tab: Tab | undefined, info: Info) => [tab, info]",
        ["info: Info"],
    ),
    "a type that admits undefined": ("(tab: Tab, info: browser.action.OnClickData | undefined) => info", []),
    "undefined first": ("(tab: Tab, info: undefined | Info) => info", []),
    "undefined among many": ("(tab: Tab, info: A | null | (B | undefined)) => info", []),
    "a parameter that may be left out": ("(tab: Tab, info?: Info) => info", []),
    "nothing": ("(tab: Tab, info: void) => info", []),
    "taken apart all the same": ("(tab: Tab, { id }: Info) => id", ["{ id }: Info"]),
    "compared with undefined": ("(tab, info) => { if (info !== undefined && info !== 1) f(info) }", []),
    "undefined before it": ("(tab, info) => { if (undefined == info) f(); g(info) }", []),
    "another name of undefined": ("(tab, info) => info === void 0 ? 1 : info.id", []),
    "its type is compared": ("(tab, info) => typeof info === 'undefined' ? 1 : info.id", []),
    "compared with something else": ("(tab, info) => info !== null && f(info)", ["info"]),
    "compared with another type": ("(tab, info) => typeof info === 'object' && f(info)", ["info"]),
    "another one is compared": ("(tab, info) => tab === undefined ? info : tab", ["info"]),
    "read only if it exists": ("(tab, info) => { if (info?.button === 1) f(tab) }", []),
    "called only if it exists": ("(tab, done) => { f(tab); done?.() }", []),
    "another value if it is missing": ("(tab, info) => info ?? tab", []),
    "the other value": ("(tab, info) => tab ?? info", ["info"]),
    "another one that may be missing": ("(tab, info) => tab?.id ? info : tab", ["info"]),
    "an index that may be missing": ("(tab, info) => tab?.[info]", ["info"]),
    "asked for as if it came": ("(tab, error) => { if (error) f(error) }", ["error"]),
}


@pytest.mark.parametrize(("source", "expected"), TYPED_PARAMETERS.values(), ids=TYPED_PARAMETERS.keys())
def test_parameter_that_may_be_undefined_is_not_reported(source: str, expected: list[str]) -> None:
    files: Files = {
        "manifest.json": manifest(background={"scripts": ["b.js"]}),
        "b.ts": f"import './c'; browser.management.getSelf({source});",
        "b.js": "",
    }
    assert reported(files, ["callback-parameters"]) == [("callback-parameters", text) for text in expected]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("devtools.panels.openResource('https://a.example/', 0, (status) => f(status))", []),
        (
            "devtools.panels.openResource('https://a.example/', 0, (status, more) => f(status, more))",
            ["more"],
        ),
        ("devtools.inspectedWindow.eval('1', (result, error) => f(result, error))", []),
        ("devtools.inspectedWindow.getResources((all, x) => f(all, x))", ["x"]),
    ],
)
def test_parameters_of_callbacks_in_developer_tools(call: str, expected: list[str]) -> None:
    files: Files = {
        "manifest.json": manifest(devtools_page="d.html"),
        "d.html": "<!doctype html><script src='d.js'></script>",
        "d.js": f"chrome.{call};",
    }
    found = reported(files, ["callback-parameters"], "chrome")
    assert found == [("callback-parameters", text) for text in expected]


def test_unparsable_script_is_invalid_syntax() -> None:
    assert [each.rule for each in lint(background_files("browser.management.getSelf(;"))] == [
        "invalid-syntax"
    ]


def test_finding_in_inline_script_has_a_span_in_its_page() -> None:
    page = "<!doctype html>\n<script>\n  browser.management.getAll();\n</script>"
    files: Files = {
        "manifest.json": manifest(action={"default_popup": "a.html"}, permissions=["management"]),
        "a.html": page,
    }
    assert (UNSUPPORTED, "browser.management.getAll") in reported(files)


@pytest.mark.parametrize(
    ("source", "message", "help"),
    [
        pytest.param(
            "browser.management.getAll();",
            "`management.getAll` is marked as unsupported",
            "it is available in today's Chrome and Firefox; the target `reference` follows the "
            "specification, which marks it as unsupported; use --target chrome or --target firefox to check "
            "for a browser",
            id="unsupported",
        ),
        pytest.param(
            "browser.management.setEnabled('a', true);",
            "`management.setEnabled` is not available in the target `reference`; it is available in "
            "Chrome and Firefox",
            "it is available in today's Chrome and Firefox; the target `reference` follows the "
            "specification, which does not list it; use --target chrome or --target firefox to check for a "
            "browser",
            id="known to browsers",
        ),
        pytest.param(
            "browser.management.getSlef();",
            "`management.getSlef` does not exist; did you mean `getSelf`?",
            None,
            id="near miss",
        ),
        pytest.param(
            "browser.managment.getSelf();",
            "the API `managment` does not exist; did you mean `management`?",
            None,
            id="near miss of a namespace",
        ),
        pytest.param(
            "browser.management.frobnicate();",
            "`management.frobnicate` does not exist; `management` has `getSelf` and `uninstallSelf`",
            None,
            id="no near miss",
        ),
        pytest.param(
            "browser.test.log('a');",
            "`test.log` is not available in a service worker",
            "`test` is available only in content scripts",
            id="wrong context",
        ),
    ],
)
def test_finding_has_message_and_help(source: str, message: str, help: str | None) -> None:
    (finding,) = lint(background_files(source))
    assert (finding.message, finding.help) == (message, help)


@pytest.mark.parametrize(
    ("source", "api"),
    [
        ("browser.management.getAll();", "management.getAll"),
        ("browser.test.onMessage.addListener(() => {});", "test.onMessage"),
        ("browser.managment.getAll();", "managment"),
        ("browser.management.getSelf(1);", "management.getSelf"),
    ],
)
def test_finding_has_the_api_member(source: str, api: str) -> None:
    assert [finding.api for finding in lint(background_files(source))] == [api]


def test_script_in_two_contexts_must_work_in_one_unless_it_runs_on_load() -> None:
    keys = {
        "background": {"service_worker": "a.js"},
        "content_scripts": [{"matches": ["https://example.com/*"], "js": ["a.js"]}],
    }
    later = {"manifest.json": manifest(**keys), "a.js": "function f() { browser.test.log('a'); }"}
    on_load = {"manifest.json": manifest(**keys), "a.js": "browser.test.log('a');"}
    assert reported(later) == []
    assert reported(on_load) == [("wrong-context", "browser.test.log")]


def test_invalid_manifest_has_no_missing_permissions() -> None:
    files: Files = {"manifest.json": "{", "a.js": "browser.management.getAll();"}
    assert "missing-permission" not in {finding.rule for finding in lint(files)}


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_use_at_the_start_of_a_script_is_reported(mark: str) -> None:
    files = {"manifest.json": manifest(), "a.js": f"{mark}browser.management.getAl();"}
    (found,) = lint(files, ["unknown-api"])
    assert found.span.start == (1, 1)
