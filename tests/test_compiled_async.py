"""`async` functions compiled to generators: every rule treats each `yield` as an `await`."""

from __future__ import annotations

import pytest
from harness import manifest, told

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
NONE = (
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
    files = {"manifest.json": manifest(**keys), "a.js": script}
    return [text for _, text in told(files, [rule], "firefox" if version == 2 else "chrome")]


@pytest.mark.parametrize("form", [*FORMS, *WITH_PARAMETERS])
def test_its_value_is_used(form: str) -> None:
    script = form.format(f"const a = yield {GET}; use(a.k);")
    assert found("missing-promise", script) == ["chrome.storage.local.get"]


@pytest.mark.parametrize("form", NONE)
def test_other_generators(form: str) -> None:
    assert found("missing-promise", form.format(f"const a = yield {GET}; use(a.k);")) == []


def test_a_delegated_yield_is_none() -> None:
    assert found("missing-promise", TYPESCRIPT.format(f"const a = yield* {GET}; use(a.k);")) == []


@pytest.mark.parametrize("form", FORMS)
def test_a_listener_after_it_is_late(form: str) -> None:
    add = "chrome.action.onClicked.addListener(f)"
    assert found("late-listener", form.format(f"yield {GET}; {add};"), 3) == [
        "chrome.action.onClicked.addListener"
    ]
    assert found("late-listener", form.format(f"{add}; yield {GET};"), 3) == []


LISTENER = "chrome.runtime.onMessage.addListener((m, s, r) => {{ {} }});"


@pytest.mark.parametrize("form", FORMS[:-3])
def test_an_answer_after_it_is_late(form: str) -> None:
    answer = form.format("const x = yield load(m); r(x);")
    assert found("lost-response", LISTENER.format(answer)) == ["r"]
    assert found("lost-response", LISTENER.format(f"{answer}; return true;")) == []
    assert found("lost-response", LISTENER.format(form.format("r(1); yield load(m);"))) == []


@pytest.mark.parametrize("form", FORMS)
def test_its_call_gives_a_promise(form: str) -> None:
    make = f"function make() {{ return {form.format('return yield browser.tabs.query({});')} }}"
    assert found("unknown-result-field", f"{make} make().then((tabs) => use(tabs[0].nothing));") == [
        "nothing"
    ]


@pytest.mark.parametrize("form", FORMS)
def test_a_guard_around_it_holds_in_it(form: str) -> None:
    call = form.format("yield f(); browser.sidePanel.open();")
    assert found("unknown-api", f"if (browser.sidePanel) {call}") == []
    assert found("unknown-api", call) == ["browser.sidePanel"]


def test_a_try_in_it_catches_what_is_awaited() -> None:
    body = "try {{ {} chrome.management.getAll(); }} catch (e) {{ fall(); }}"
    assert found("missing-permission", TYPESCRIPT.format(body.format("yield"))) == []


def test_this_is_that_around_it() -> None:
    call = TYPESCRIPT.format("yield this.api.management.getAll();")
    script = f"class A {{ constructor() {{ this.api = chrome; }} f() {{ return {call}; }} }} new A().f();"
    assert found("missing-permission", script) == ["this.api.management.getAll"]
