"""`async` functions compiled to generators: every rule treats each `yield` as an `await`."""

from __future__ import annotations

import pytest
from harness import SENDER, manifest, reported

GET = "chrome.storage.local.get('k')"
TYPESCRIPT = "__awaiter(this, void 0, void 0, function* () {{ {} }})"
MINIFIED = "r(void 0,void 0,void 0,(function*(){{ {} }}))"
ESBUILD = "__async(null, null, function* () {{ {} }})"
BABEL = "_asyncToGenerator(function* () {{ {} }})()"
BABEL_IN_WEBPACK = "_babel_asyncToGenerator__WEBPACK_IMPORTED_MODULE_0___default()(function* () {{ {} }})()"
SWC = "(0, _async_to_generator._)(function* () {{ {} }})()"
FORMS = (TYPESCRIPT, MINIFIED, ESBUILD, BABEL, BABEL_IN_WEBPACK, SWC)
WITH_PARAMETERS = (
    "__awaiter(this, [a], void 0, function* (b) {{ {} }})",
    "__async(null, [_0], function* (b) {{ {} }})",
)
OTHER_GENERATORS = (
    "each(function* () {{ {} }})",
    "each(a, b, function* () {{ {} }})",
    "each(this, a, b, function* () {{ {} }})",
    "__awaiter(this, void 0, void 0, function* () {{ {} }}, more)",
    "__awaiter(this, void 0, void 0, function* () {{ function* inner() {{ {} }} return inner; }})",
)


def found(rule: str, script: str, version: int = 2) -> list[str]:
    """Returns the source text of each finding in a background script."""
    background = {"scripts": ["a.js"]} if version == 2 else {"service_worker": "a.js"}
    keys = {"manifest_version": version, "permissions": ["storage"], "background": background, "action": {}}
    files = {"manifest.json": manifest(**keys), "a.js": script, **SENDER}
    return [text for _, text in reported(files, [rule], "firefox" if version == 2 else "chrome")]


@pytest.mark.parametrize("form", [*FORMS, *WITH_PARAMETERS])
def test_value_of_compiled_await_is_checked(form: str) -> None:
    script = form.format(f"const a = yield {GET}; use(a.k);")
    assert found("missing-promise", script) == ["chrome.storage.local.get"]


@pytest.mark.parametrize("form", OTHER_GENERATORS)
def test_yield_in_other_generators_is_not_an_await(form: str) -> None:
    assert found("missing-promise", form.format(f"const a = yield {GET}; use(a.k);")) == []


def test_delegated_yield_is_not_an_await() -> None:
    assert found("missing-promise", TYPESCRIPT.format(f"const a = yield* {GET}; use(a.k);")) == []


@pytest.mark.parametrize("form", FORMS)
def test_listener_after_compiled_await_is_late(form: str) -> None:
    add = "chrome.action.onClicked.addListener(f)"
    assert found("late-listener", form.format(f"yield {GET}; {add};"), 3) == [
        "chrome.action.onClicked.addListener"
    ]
    assert found("late-listener", form.format(f"{add}; yield {GET};"), 3) == []


LISTENER = "chrome.runtime.onMessage.addListener((m, s, r) => {{ {} }});"


@pytest.mark.parametrize("form", FORMS[:-3])
def test_response_after_compiled_await_is_lost(form: str) -> None:
    answer = form.format("const x = yield load(m); r(x);")
    assert found("lost-response", LISTENER.format(answer)) == ["r"]
    assert found("lost-response", LISTENER.format(f"{answer}; return true;")) == []
    assert found("lost-response", LISTENER.format(form.format("r(1); yield load(m);"))) == []


@pytest.mark.parametrize("form", FORMS)
def test_compiled_async_function_returns_a_promise(form: str) -> None:
    make = f"function make() {{ return {form.format('return yield browser.tabs.query({});')} }}"
    assert found("unknown-result-field", f"{make} make().then((tabs) => use(tabs[0].nothing));") == [
        "nothing"
    ]


@pytest.mark.parametrize("form", FORMS)
def test_outer_guard_covers_compiled_async_function(form: str) -> None:
    call = form.format("yield f(); browser.sidePanel.open();")
    assert found("unknown-api", f"if (browser.sidePanel) {call}") == []
    assert found("unknown-api", call) == ["browser.sidePanel"]


def test_try_covers_compiled_await() -> None:
    body = "try {{ {} chrome.management.getAll(); }} catch (e) {{ fall(); }}"
    assert found("missing-permission", TYPESCRIPT.format(body.format("yield"))) == []


@pytest.mark.parametrize(
    ("body", "count"),
    [
        pytest.param("return 1;", 0, id="it calls no other"),
        pytest.param("yield this.unused();", 1, id="it calls the other"),
        pytest.param("use(this);", 1, id="it passes the object on"),
    ],
)
@pytest.mark.parametrize("form", [TYPESCRIPT, ESBUILD.replace("null", "this", 1)])
def test_unused_method_that_is_compiled(form: str, body: str, count: int) -> None:
    unused = form.format("browser.sidePanel.open();")
    script = f"class A {{ unused() {{ return {unused} }} f() {{ return {form.format(body)} }} }} new A().f();"
    assert len(found("unknown-api", script)) == count


def test_this_in_compiled_async_function_is_the_outer_this() -> None:
    call = TYPESCRIPT.format("yield this.api.management.getAll();")
    script = f"class A {{ constructor() {{ this.api = chrome; }} f() {{ return {call}; }} }} new A().f();"
    assert found("missing-permission", script) == ["this.api.management.getAll"]
