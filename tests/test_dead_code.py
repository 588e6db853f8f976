"""Uncalled code may use unavailable members, but not misspelled ones."""

from __future__ import annotations

import pytest
from harness import lint, manifest

RULES = (
    *("missing-permission", "missing-host-permission", "missing-manifest-key", "wrong-manifest-version"),
    *("too-new-api", "unknown-api", "unsupported-api", "invalid-argument"),
)
USE = "chrome.cookies.getAllCookieStores()"
HELPER = "export const connect = (id) => USE"


def is_reported(helpers: str, main: str = "", use: str = USE, **files: str) -> bool:
    """Whether a module loaded by the background has findings; other modules may import from it."""
    texts = {"helpers.js": helpers, **{name.replace("_", "."): text for name, text in files.items()}}
    loads = (f"import './{name}'; " for name in texts if name.endswith(".js") and ".test." not in name)
    texts["main.js"] = "".join(loads) + main
    background = {"service_worker": "main.js", "type": "module"}
    found = lint(
        {
            "manifest.json": manifest(background=background, minimum_chrome_version="92"),
            **{name: text.replace("USE", use) for name, text in texts.items()},
        },
        RULES,
        "chrome",
    )
    return bool(found)


def exports(helpers: str, name: str) -> bool:
    """Whether a module exports a name."""
    words = [f"export {kind} {name} " for kind in ("class", "const")]
    return any(each in helpers for each in (*words, f"export function {name}(", f"export {{ {name} }}"))


UNCALLED = {
    "an arrow function": HELPER,
    "a function": "export function connect() { USE }",
    "a function that is exported later": "function connect() { USE } export { connect }",
    "a function that is not even exported": "function connect() { USE } export const other = 1",
    "a callback in it": "export function connect() { on('x', () => { USE }) }",
    "one that calls itself": "export function connect() { USE; connect() }",
    "one of two that call each other": (
        "export function connect() { USE; again() } export function again() { connect() }"
    ),
    "called by an uncalled function": "function connect() { USE } export function open() { connect() }",
    "a method of an object": "export const tools = { connect() { USE } }",
    "a function in an object": "export const tools = { deep: { connect: () => USE } }",
    "a method of a class": "export class Tools { connect() { USE } }",
    "a class that another extends": "class Tools { connect() { USE } } export class More extends Tools {}",
    "a debounced function": "export const connect = debounce(() => USE)",
    "a comment names it": HELPER + "\n// connect",
}


@pytest.mark.parametrize("helpers", UNCALLED.values(), ids=UNCALLED.keys())
def test_uncalled_code_may_use_unavailable_members(helpers: str) -> None:
    assert not is_reported(helpers)
    assert not is_reported(helpers, "import { other } from './helpers.js'; other()")
    assert is_reported(helpers, use="chrome.cookeis.getAll({})")
    assert is_reported(helpers, use="chrome.runtime.getURL(1)")
    if "export" in helpers and "other" not in helpers:
        names = [name for name in ("connect", "open", "tools", "Tools", "More") if exports(helpers, name)]
        used = ", ".join(names)
        assert is_reported(helpers, f"import {{ {used} }} from './helpers.js'; f({used})")


CALLED = {
    "imported and called": (HELPER, "import { connect } from './helpers.js'; connect()"),
    "imported by another name": (HELPER, "import { connect as c } from './helpers.js'; c()"),
    "imported and passed on": (HELPER, "import { connect } from './helpers.js'; on('x', connect)"),
    "exported by another name": (
        "function open() { USE } export { open as connect }",
        "import { connect } from './helpers.js'; connect()",
    ),
    "called in its own module": (HELPER + "; connect()", ""),
    "called by a function that is called": (
        "function open() { USE } export function connect() { open() }",
        "import { connect } from './helpers.js'; connect()",
    ),
    "the default": ("export default function connect() { USE }", ""),
    "the default, by name": ("const connect = () => USE; export default connect", ""),
    "the default, in a list": ("const connect = () => USE; export { connect as default }", ""),
    "a function without a name": ("export default () => USE", ""),
    "a member of the module": (HELPER, "import * as helpers from './helpers.js'; helpers.connect()"),
    "the module is passed on": (HELPER, "import * as helpers from './helpers.js'; register(helpers)"),
    "a computed member": (HELPER, "import * as helpers from './helpers.js'; helpers[name]()"),
    "loaded later": (HELPER, "const helpers = await import('./helpers.js'); register(helpers)"),
    "a member of an object": (
        "export const tools = { connect() { USE } }",
        "import { tools } from './helpers.js'; tools.connect()",
    ),
    "an instance": (
        "export class Tools { connect() { USE } }",
        "import { Tools } from './helpers.js'; new Tools().connect()",
    ),
    "a class that extends it": (
        "class Tools { connect() { USE } } export class More extends Tools {}",
        "import { More } from './helpers.js'; new More().connect()",
    ),
    "put into an object": ("const connect = () => USE; export const all = { connect }; f(all)", ""),
    "registered by a decorator": ("@element('x') export class Tools { connect() { USE } }", ""),
    "passed on in its definition": ("export const tools = register({ connect: () => USE })", ""),
    "called where it is made": ("export const tools = (() => USE)()", ""),
    "a callback": ("export const stop = on('x', () => USE)", ""),
    "of a static field": ("export class Tools { static stop = on('x', () => USE) }", ""),
    "a listener": ("addEventListener('x', function connect() { USE })", ""),
}


@pytest.mark.parametrize(("helpers", "main"), CALLED.values(), ids=CALLED.keys())
def test_possibly_called_code_is_reported(helpers: str, main: str) -> None:
    assert is_reported(helpers, main)


def test_reexports_are_followed() -> None:
    passed_on = "export { connect } from './helpers.js'"
    assert not is_reported(HELPER, index_js=passed_on)
    assert is_reported(HELPER, "import { connect } from './index.js'; connect()", index_js=passed_on)
    everything = "export * from './helpers.js'"
    assert not is_reported(HELPER, "import { other } from './index.js'", index_js=everything)
    assert is_reported(HELPER, "import { connect } from './index.js'; connect()", index_js=everything)
    assert is_reported(HELPER, "import * as all from './index.js'; f(all)", index_js=everything)
    assert is_reported(HELPER, index_js="export * as helpers from './helpers.js'")


def test_import_is_not_a_call() -> None:
    assert not is_reported(HELPER, "import { connect } from './helpers.js'")
    assert not is_reported(
        HELPER, "import { connect } from './helpers.js'; export const open = () => connect()"
    )


def test_import_of_the_same_name_from_another_module_is_ignored() -> None:
    own = "export const connect = (id) => id"
    main = "import { connect } from './own.js'; connect()"
    assert not is_reported(HELPER, main, own_js=own)
    assert not is_reported(HELPER, "import { connect as c } from './own.js'; c()", own_js=own)
    passed_on = "export { connect } from './helpers.js'; export const own = 1"
    assert is_reported(HELPER, main, own_js=passed_on)
    assert is_reported(HELPER, main, own_js="export * from './helpers.js'; const connect = 1")
    assert is_reported(HELPER, main + "; f('connect')", own_js=own)


@pytest.mark.parametrize(("length", "expected"), [(1, False), (4, False), (200, True)])
def test_chain_of_uncalled_helpers(length: int, expected: bool) -> None:
    """A chain of scripts in which each calls the helper of the previous one, and no code calls the last."""
    files = {"s0_js": HELPER.replace("connect", "f0")} | {
        f"s{at}_js": f"import {{ f{at - 1} }} from './s{at - 1}.js'; export const f{at} = () => f{at - 1}()"
        for at in range(1, length)
    }
    assert is_reported("", **files) is expected
    assert is_reported("", f"import {{ f{length - 1} as f }} from './s{length - 1}.js'; f()", **files)


def test_pages_may_call_functions_they_name() -> None:
    page = "<button onclick='connect()'></button>"
    shared = "<script>function connect() { USE }</script>"
    assert is_reported(HELPER, index_html=page)
    assert is_reported("", "chrome.tabs.create({ url: 'index.html' })", index_html=shared)
    assert is_reported("", "chrome.tabs.create({ url: 'index.html' })", index_html=page + shared)
    assert is_reported(
        "", index_html="<script src='shared.js'></script>", shared_js="function connect() { USE }"
    )
    assert not is_reported(HELPER, index_html="<button></button>")


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p>tools</p><script>f()</script>", False),
        ("<script>// for tools\nf()</script>", False),
        ("<script>tools.connect()</script>", False),
        ("<script src='tools.js'></script><p>tools connect</p><script>f()</script>", False),
        ("<script src='tools.js'></script><script>tools.connect()</script>", True),
        ("<script src='tools.js'></script><script>f()</script>\n<!-- tools.connect() -->", False),
        (
            "<script src='tools.js'></script><button onclick='tools.connect()'></button><script>f()</script>",
            True,
        ),
        ("<script src='tools.js'></script><p>{{ tools.connect() }}</p><script>f()</script>", True),
    ],
)
def test_prose_of_a_page_calls_nothing(page: str, expected: bool) -> None:
    """The page is not known to be opened."""
    layer = "self.tools = (function () { function connect() { if (x) USE } return { connect } })()"
    assert is_reported("", "import './tools.js'", tools_js=layer, index_html=page) is expected


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        pytest.param("function connect() {} connect()", False, id="a function of its own"),
        pytest.param("const f = (connect) => connect()", False, id="a parameter"),
        pytest.param("const { connect } = other; connect()", False, id="a part of something else"),
        pytest.param(
            "import * as a from './helpers.js'; const { connect } = a; connect()", True, id="a part"
        ),
        pytest.param("connect()", True, id="a global, for all that is known"),
        pytest.param("port.connect()", True, id="a method, for all that is known"),
        pytest.param("window['connect']()", True, id="a text"),
    ],
)
def test_same_name_in_another_script(other: str, expected: bool) -> None:
    assert is_reported(HELPER, f"{other}; export {{}}") is expected


def test_type_declarations_are_not_calls() -> None:
    assert not is_reported(HELPER, helpers_d_ts="export function connect(): void")


def test_call_in_test_file_is_ignored() -> None:
    test = "import { connect } from './helpers.js'; connect()"
    assert not is_reported(HELPER, helpers_test_js=test)
    assert is_reported(HELPER, helpers_more_js=test)


@pytest.mark.parametrize(
    ("use", "some_browser_has_it"),
    [
        pytest.param("chrome.action.enable()", True, id="a key"),
        pytest.param("chrome.browserAction.enable()", True, id="a manifest version"),
        pytest.param("chrome.runtime.getContexts({})", True, id="it came later"),
        pytest.param("chrome.runtime.getFrameId(window)", True, id="another browser has it"),
        pytest.param("chrome.runtime.getManifset()", False, id="no browser has it"),
    ],
)
def test_uncalled_member_is_excused_if_some_browser_has_it(use: str, some_browser_has_it: bool) -> None:
    assert is_reported(HELPER, use=use) is not some_browser_has_it
    assert is_reported(HELPER + "; connect()", use=use)


def test_uncalled_code_under_the_reference_target() -> None:
    def rules(use: str) -> list[str]:
        background = {"service_worker": "a.js", "type": "module"}
        files = {"manifest.json": manifest(background=background), "a.js": f"export const get = () => {use}"}
        return [each.rule for each in lint(files, RULES)]

    assert rules("browser.management.getAll()") == []
    assert rules("browser.management.getSlef()") == ["unknown-api"]
