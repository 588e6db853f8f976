"""Code that scripts write into pages of the extension: `inline-script` and `remote-script`."""

from __future__ import annotations

from typing import Any

import pytest
from harness import Files, lint, manifest, reported

RULES = ["inline-script", "remote-script"]
POPUP = {"action": {"default_popup": "p.html"}}
HANDLER = '<b onclick="f()">'


def finding_texts(
    script: str, target: str = "chrome,firefox", files: Files | None = None, **keys: Any
) -> list[str]:
    """Returns the source text of each finding in a script of a popup."""
    page = "<!doctype html><script src=a.js></script>"
    texts = {"manifest.json": manifest(**{**POPUP, **keys}), "p.html": page, "a.js": script, **(files or {})}
    return [text for _, text in reported(texts, RULES, target)]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        pytest.param(f"e.innerHTML = '{HANDLER}'", ["f()"], id="a string"),
        pytest.param(f"e.innerHTML = `<i>${{a}}</i>{HANDLER}`", ["f()"], id="a template"),
        pytest.param("e.innerHTML = '<b onclick=f()>'", ["f()"], id="without quotes"),
        pytest.param('e.innerHTML = "<b onclick=\\"f()\\">"', ["f()\\"], id="with escaped quotes"),
        pytest.param("e.innerHTML = `<b onclick=\"del('${id}')\">`", ["del('${id}')"], id="with a value"),
        pytest.param("e.innerHTML = '<b onclick=\"del(' + id + ')\">'", ["del(' + id + ')"], id="added up"),
        pytest.param(f"e.innerHTML = '<i>' + (a ? '{HANDLER}' : '') + '</i>'", ["f()"], id="one of two"),
        pytest.param(f"e.innerHTML += '{HANDLER}'", ["f()"], id="added"),
        pytest.param(f"e.outerHTML = '{HANDLER}'", ["f()"], id="the element itself"),
        pytest.param(f"e.insertAdjacentHTML('beforeend', '{HANDLER}')", ["f()"], id="inserted"),
        pytest.param(f"document.write('{HANDLER}')", ["f()"], id="written"),
        pytest.param(f"window.document.writeln('{HANDLER}')", ["f()"], id="written by the window"),
        pytest.param(f"$('#a').html('{HANDLER}')", ["f()"], id="jQuery"),
        pytest.param(f"$(b).find('c').append('{HANDLER}')", ["f()"], id="a chain of jQuery"),
        pytest.param(f"let h = ''; h += '{HANDLER}'; e.innerHTML = h", ["f()"], id="a variable"),
        pytest.param(f"e.innerHTML = l.map(x => `{HANDLER}`).join('')", ["f()"], id="each of a list"),
        pytest.param(
            f"e.innerHTML = `<ul>${{l.map(x => `{HANDLER}`).join('')}}</ul>`", ["f()"], id="inside another"
        ),
        pytest.param(
            f"function row(x) {{ return `{HANDLER}` }} e.innerHTML = l.map(row).join('')",
            ["f()"],
            id="by a function",
        ),
        pytest.param(f"const t = () => '{HANDLER}'; e.innerHTML = t().trim()", ["f()"], id="of a call"),
        pytest.param("e.innerHTML = '<a href=\"javascript:f()\">'", ["javascript:f()"], id="an address"),
        pytest.param("e.setAttribute('onclick', 'f()')", ["'f()'"], id="an attribute"),
        pytest.param(f"e.innerHTML = '{HANDLER}{HANDLER}'", ["f()", "f()"], id="two"),
        pytest.param(f"try {{ e.innerHTML = '{HANDLER}' }} catch (e) {{ log(e) }}", ["f()"], id="with a log"),
    ],
)
def test_inline_handler_in_markup_is_reported(script: str, expected: list[str]) -> None:
    assert finding_texts(script) == expected


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("e.innerHTML = '<b class=\"a\">'; e.onclick = f", id="no handler"),
        pytest.param(f"e.textContent = '{HANDLER}'", id="a text"),
        pytest.param(f"e.append('{HANDLER}'); list.append('{HANDLER}')", id="no jQuery"),
        pytest.param(f"stream.write('{HANDLER}'); e.html('{HANDLER}')", id="no document"),
        pytest.param(f"const document = d; document.write('{HANDLER}')", id="another document"),
        pytest.param(f"const t = '{HANDLER}'; log(t)", id="markup that is not used"),
        pytest.param('e.innerHTML = \'<b on="f()" data-onclick="g()">\'', id="other attributes"),
        pytest.param("e.innerHTML = '<!-- <b onclick=\"f()\"> -->'", id="a comment"),
        pytest.param("e.innerHTML = '<template><b onclick=\"f()\"></template>'", id="an inert template"),
        pytest.param("e.innerHTML = '&lt;b onclick=\"f()\"&gt;'", id="a text about HTML"),
        pytest.param("e.innerHTML = '<a href=\"javascript:void(0)\">'", id="an address that does nothing"),
        pytest.param("e.innerHTML = '<b onclick=\"\">'", id="an empty handler"),
        pytest.param("e.innerHTML = '<script>f()</script>'", id="a script, which never runs there"),
        pytest.param("e.setAttribute('class', 'onclick=\"f()\"')", id="another attribute"),
        pytest.param("e.setAttribute('oninput', 'return;')", id="a test of the browser"),
        pytest.param("e.innerHTML = html", id="not known"),
        pytest.param(f"if (false) e.innerHTML = '{HANDLER}'", id="dead code"),
        pytest.param(f"(() => {{ function f() {{ e.innerHTML = '{HANDLER}' }} }})()", id="never called"),
        pytest.param(f"if (process.env.X) e.innerHTML = '{HANDLER}'", id="code that a build may leave out"),
    ],
)
def test_code_without_inline_handlers_is_not_reported(script: str) -> None:
    assert finding_texts(script) == []


INERT = {
    "a new document": "const d = document.implementation.createHTMLDocument(''); d.body.innerHTML = MARKUP",
    "a parsed one": "new DOMParser().parseFromString('', 'text/html').body.innerHTML = MARKUP",
    "an element made by it": (
        "const d = document.implementation.createHTMLDocument(''); const e = d.createElement('div');"
        "e.insertAdjacentHTML('beforeend', MARKUP)"
    ),
    "a field": (
        "class A { constructor(d) { this.inert = d.implementation.createHTMLDocument('');"
        "this.b = this.inert.body; this.b.innerHTML = MARKUP } } new A(document)"
    ),
    "of a function": (
        "function make() { return document.implementation.createHTMLDocument('') }"
        "const b = make().getElementsByTagName('body')[0]; b.innerHTML = MARKUP"
    ),
    "one of two": (
        "const d = a ? new DOMParser().parseFromString('', 'text/html') : document; d.body.innerHTML = MARKUP"
    ),
    "a template": "const t = document.createElement('template'); t.innerHTML = MARKUP",
    "in a template": "const t = document.createElement('template'); t.content.firstChild.innerHTML = MARKUP",
}


@pytest.mark.parametrize("script", INERT.values(), ids=INERT.keys())
def test_handler_in_an_inert_document_is_not_reported(script: str) -> None:
    assert finding_texts(script.replace("MARKUP", f"'{HANDLER}'")) == []
    assert finding_texts(script.replace("MARKUP", "''") + f"; document.body.innerHTML = '{HANDLER}'") == [
        "f()"
    ]
    shared = f"const m = '{HANDLER}'; {script.replace('MARKUP', 'm')}"
    assert finding_texts(shared) == []
    assert finding_texts(f"{shared}; document.body.innerHTML = m") == ["f()"]


def test_inline_handler_depends_on_target_and_policy() -> None:
    script = f"e.innerHTML = '{HANDLER}'"
    assert finding_texts(script, "reference") == ["f()"]
    assert finding_texts(script, "safari") == []
    assert finding_texts(script, sandbox={"pages": ["p.html"]}, target="chrome") == []
    strict = {"extension_pages": "script-src 'self'", "sandbox": "sandbox allow-scripts; script-src 'self'"}
    sandboxed: dict[str, Any] = {"sandbox": {"pages": ["p.html"]}, "content_security_policy": strict}
    assert finding_texts(script, "chrome", **sandboxed) == ["f()"]
    assert finding_texts(script, action={}, content_scripts=CONTENT_SCRIPTS) == []
    assert finding_texts(script, action={}) == []


CONTENT_SCRIPTS = [{"matches": ["https://example.com/*"], "js": ["a.js"]}]
MAIN_WORLD = [*CONTENT_SCRIPTS, {"matches": ["https://example.com/*"], "js": ["b.js"], "world": "MAIN"}]
OWN = f"e.innerHTML = '{HANDLER}'; function f() {{}}"
SHARED: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "its own function": (OWN, {}, ["f()"]),
    "its own function in an attribute": ("e.setAttribute('onclick', 'f()'); function f() {}", {}, ["'f()'"]),
    "a function that is not known": (f"e.innerHTML = '{HANDLER}'", {}, []),
    "code for any page": ("e.innerHTML = '<b onclick=\"close()\">'", {}, []),
    "an inner function": (f"e.innerHTML = '{HANDLER}'; {{ const g = function f() {{}} }}", {}, []),
    "a function of web pages, too": (
        OWN,
        {"files": {"b.js": "function f() {}"}, "content_scripts": MAIN_WORLD},
        [],
    ),
    "a content script only": (OWN, {"action": {}}, []),
}
"""Scripts that are content scripts, too, with the keys of the manifest, and the findings."""


@pytest.mark.parametrize(("script", "keys", "expected"), SHARED.values(), ids=SHARED)
def test_inline_handler_of_a_script_that_is_a_content_script_too(
    script: str, keys: dict[str, Any], expected: list[str]
) -> None:
    assert finding_texts(script, **{"content_scripts": CONTENT_SCRIPTS, **keys}) == expected


def test_inline_handler_message_and_related_locations() -> None:
    files = {"manifest.json": manifest(**POPUP), "p.html": "<script src=a.js></script>"}
    (finding,) = lint({**files, "a.js": f"document.body.innerHTML = '{HANDLER}'"}, RULES, "chrome")
    assert (
        finding.message == "`onclick` does nothing: the content security policy blocks inline event handlers"
    )
    assert [each.path for each in finding.related] == ["manifest.json", "p.html"]


SCRIPT_ELEMENT = "const s = document.createElement('script'); "
REMOTE = "'https://cdn.example.com/a.js'"


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        pytest.param(f"import({REMOTE})", [REMOTE], id="a dynamic import"),
        pytest.param(f"{SCRIPT_ELEMENT}s.src = {REMOTE}; document.head.append(s)", [REMOTE], id="an element"),
        pytest.param(
            f"{SCRIPT_ELEMENT}s.src = {REMOTE}; "
            "const f = document.scripts[0]; f.parentNode.insertBefore(s, f)",
            [REMOTE],
            id="before another",
        ),
        pytest.param(
            f"{SCRIPT_ELEMENT}s.src = 'https://example.com/?id=' + id; document.body.appendChild(s)",
            ["'https://example.com/?id=' + id"],
            id="with a query",
        ),
        pytest.param(f"new Worker({REMOTE})", [REMOTE], id="a worker"),
        pytest.param(
            f"const u = {REMOTE}; new SharedWorker(u, {{type: 'module'}})", ["u"], id="a shared worker"
        ),
        pytest.param("new Worker('a.js')", [], id="a worker of the package"),
        pytest.param(f"class Worker {{}} new Worker({REMOTE})", [], id="another class"),
        pytest.param(f"{SCRIPT_ELEMENT}s.src = {REMOTE}", [], id="an element that is not inserted"),
        pytest.param(
            f"{SCRIPT_ELEMENT}s.src = 'a.js'; document.head.append(s)", [], id="a file of the package"
        ),
        pytest.param(
            f"{SCRIPT_ELEMENT}s.src = 'https://' + host; document.head.append(s)", [], id="any host"
        ),
        pytest.param(
            f"{SCRIPT_ELEMENT}s.src = 'http://localhost:1/a.js'; f.append(s)", [], id="the author's machine"
        ),
        pytest.param(
            f"const s = document.createElement('img'); s.src = {REMOTE}; f.append(s); g('script')",
            [],
            id="an image",
        ),
        pytest.param(f"if (false) import({REMOTE})", [], id="dead code"),
    ],
)
def test_remote_script_is_reported(script: str, expected: list[str]) -> None:
    assert finding_texts(script) == expected


def test_remote_module_import_is_reported() -> None:
    page: Files = {"p.html": "<script type=module src=a.js></script>"}
    assert finding_texts(f"import {{ x }} from {REMOTE}; export * from {REMOTE}", files=page) == [
        REMOTE,
        REMOTE,
    ]
    policy = "script-src 'self' https://cdn.example.com; object-src 'self'"
    keys: dict[str, Any] = {
        "manifest_version": 2,
        "browser_action": {"default_popup": "p.html"},
        "action": None,
    }
    assert finding_texts(f"import {REMOTE}", "firefox", page, content_security_policy=policy, **keys) == []
    assert finding_texts(f"import {REMOTE}", "firefox", page, **keys) == [REMOTE]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (f"importScripts({REMOTE})", [REMOTE]),
        (f"importScripts('b.js', {REMOTE})", [REMOTE]),
        (f"try {{ importScripts({REMOTE}) }} catch (e) {{ console.error(e) }}", [REMOTE]),
        ("importScripts('b.js')", []),
        ("importScripts(address)", []),
    ],
)
def test_remote_script_in_a_service_worker_is_reported(script: str, expected: list[str]) -> None:
    assert (
        finding_texts(script, "chrome", {"p.html": ""}, action={}, background={"service_worker": "a.js"})
        == expected
    )
