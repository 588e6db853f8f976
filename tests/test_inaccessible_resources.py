"""Files that content scripts load but web pages may not: `inaccessible-resource`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from harness import Files, lint, manifest, reported

RULES = ["inaccessible-resource"]
CONTENT = {"content_scripts": [{"matches": ["https://example.com/*"], "js": ["a.js"]}]}
URL = "chrome.runtime.getURL('x.png')"
FILES: Files = {f"x.{suffix}": "" for suffix in ("css", "html", "js", "json", "png", "woff")}


def found(script: str, target: str = "chrome,firefox", files: Files | None = None, **keys: Any) -> list[str]:
    """Returns the source text of each finding in a content script."""
    texts = {"manifest.json": manifest(**{**CONTENT, **keys}), "a.js": script, **FILES, **(files or {})}
    return [text for _, text in reported(texts, RULES, target)]


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(f"const i = document.createElement('img'); i.src = {URL}", id="an image"),
        pytest.param(f"const i = new Image(); i.src = {URL}", id="a new image"),
        pytest.param(f"let i = null; i = new Image(); i.src = {URL}", id="a variable that is set later"),
        pytest.param(
            f"class A {{ constructor() {{ this.i = new Image(); this.i.src = {URL} }} }} new A()",
            id="a field",
        ),
        pytest.param(f"document.querySelector('#x').src = {URL}", id="an element of the page"),
        pytest.param(f"const u = {URL}; const i = new Image(); i.src = u", id="an address in a variable"),
        pytest.param(
            f"const i = document.createElement('iframe'); i.setAttribute('src', {URL})", id="a frame"
        ),
        pytest.param(f"const l = document.createElement('link'); l.href = {URL}", id="a style sheet"),
        pytest.param(f"Object.assign(document.createElement('img'), {{src: {URL}}})", id="assigned"),
        pytest.param(f"React.createElement('img', {{src: {URL}}})", id="a component"),
        pytest.param(f"const i = new Image(); i.src = a ? {URL} : b", id="one of two"),
        pytest.param(f"e.innerHTML = `<b>${{a}}</b><img alt='' src=\"${{{URL}}}\">`", id="markup"),
        pytest.param(f"e.innerHTML = '<img src=\"' + {URL} + '\">'", id="markup that is added up"),
        pytest.param(f"const h = `<img src='${{{URL}}}'>`; e.insertAdjacentHTML(at, h)", id="inserted"),
        pytest.param(f"e.style.backgroundImage = `url(${{{URL}}})`", id="a background"),
        pytest.param(f"e.style.background = 'url(\"' + {URL} + '\") no-repeat'", id="a background in quotes"),
        pytest.param(
            f"const s = document.createElement('style'); s.textContent = `a {{background: url(${{{URL}}})}}`",
            id="a style",
        ),
        pytest.param(f"fetch({URL})", id="fetch"),
        pytest.param(f"const u = {URL}; fetch(u).then(r => r.json())", id="fetch of a variable"),
        pytest.param(f"import({URL})", id="import"),
        pytest.param(f"try {{ fetch({URL}) }} catch (e) {{ console.log(e) }}", id="an error that is logged"),
        pytest.param(
            "function put(name) { const i = new Image(); i.src = chrome.runtime.getURL(name) } put('x.png')",
            id="by a helper",
        ),
        pytest.param(
            f"function put(file) {{ const i = new Image(); i.alt = ''; i.src = file }} put({URL})",
            id="passed to a function",
        ),
        pytest.param(
            f"class A {{ f(a, u) {{ let i = new Image(); i.setAttribute('src', u) }} }} new A().f(1, {URL})",
            id="passed to a method",
        ),
        pytest.param(
            f"const put = (u) => add(`${{u}}#a`), add = (u) => {{ new Image().src = u }}; put({URL})",
            id="passed on",
        ),
        pytest.param(
            f"const put = (u) => new Promise((done) => {{ new Image().src = u; done() }}); put({URL})",
            id="passed to a promise",
        ),
    ],
)
def test_inaccessible_resource_is_reported(script: str) -> None:
    assert len(found(script)) == 1
    accessible = [{"resources": ["*.png"], "matches": ["https://example.com/*"]}]
    assert found(script, web_accessible_resources=accessible) == []


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("const i = new Image(); i.src = chrome.runtime.getURL('none.png')", id="no file"),
        pytest.param("const i = new Image(); i.src = chrome.runtime.getURL(name)", id="any file"),
        pytest.param("const i = new Image(); i.src = chrome.runtime.getURL('x') + '.png'", id="a part"),
        pytest.param(f"const i = new Image(); i.alt = {URL}", id="a text"),
        pytest.param(f"const a = document.createElement('a'); a.href = {URL}", id="a link"),
        pytest.param(f"options.src = {URL}", id="a property of some object"),
        pytest.param(
            f"function put(file) {{ if (a) {{ new Image().src = file }} }} put({URL})",
            id="passed, on a condition",
        ),
        pytest.param(f"function put(file) {{ console.log(file) }} put({URL})", id="passed, and not loaded"),
        pytest.param(
            f"function put(file) {{ file = other(); new Image().src = file }} put({URL})", id="passed in vain"
        ),
        pytest.param(
            f"function put(file) {{ later(() => {{ new Image().src = file }}) }} put({URL})",
            id="passed further",
        ),
        pytest.param(f"put({URL})", id="passed to an unknown function"),
        pytest.param(
            f"const put = (u) => new Other((r) => {{ new Image().src = u }}); put({URL})",
            id="passed to another",
        ),
        pytest.param(f"chrome.runtime.sendMessage({{src: {URL}}})", id="sent to the background"),
        pytest.param(f"location.href === {URL}", id="compared"),
        pytest.param(f"f({URL})", id="passed on"),
        pytest.param(f"const fetch = f; fetch({URL})", id="another function"),
        pytest.param(f'e.textContent = `<img src="${{{URL}}}">`', id="a text with tags"),
        pytest.param(f"if (false) fetch({URL})", id="dead code"),
        pytest.param(f"(() => {{ function f() {{ fetch({URL}) }} }})()", id="never called"),
        pytest.param(f"try {{ await fetch({URL}) }} catch {{ await fetch('/x') }}", id="with a fallback"),
        pytest.param(f"i.src = i.src || {URL}", id="not known to be an element"),
        pytest.param(
            "const i = new Image(); i.src = chrome.runtime.getURL('_favicon/')", id="no file's name"
        ),
    ],
)
def test_other_use_is_not_reported(script: str) -> None:
    assert found(script) == []


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("x.png", 0),
        ("/x.png", 0),
        ("*", 0),
        ("x.*", 0),
        ("./x.png", 1),
        ("*.svg", 1),
        ("X.png", 1),
        ("images/*", 1),
    ],
)
def test_resource_patterns(pattern: str, expected: int) -> None:
    entries = [{"resources": [pattern], "matches": ["https://example.com/*"]}]
    assert len(found(f"fetch({URL})", web_accessible_resources=entries)) == expected


def test_other_contexts_and_targets_are_not_reported() -> None:
    script = f"fetch({URL})"
    assert len(found(script, "reference")) == 1
    assert found(script, "safari") == []
    assert found(script, manifest_version=2) == []
    assert found(script, content_scripts=None, background={"service_worker": "a.js"}) == []
    both: dict[str, Any] = {"options_ui": {"page": "p.html"}}
    assert found(script, files={"p.html": "<script src=a.js></script>"}, **both) == []
    main = [{"matches": ["https://example.com/*"], "js": ["a.js"], "world": "MAIN"}]
    assert found(script, content_scripts=main) == []


def test_injected_script_is_reported() -> None:
    keys: dict[str, Any] = {
        "content_scripts": None,
        "background": {"scripts": ["b.js"], "service_worker": "b.js"},
    }
    inject = "chrome.scripting.executeScript({target: {tabId: 1}, files: ['a.js']})"
    assert found(f"fetch({URL})", files={"b.js": inject}, permissions=["scripting"], **keys) == ["'x.png'"]


def test_message_and_help() -> None:
    files = {"manifest.json": manifest(**CONTENT), "a.js": f"fetch({URL})", **FILES}
    (finding,) = lint(files, RULES, "chrome")
    assert finding.message == (
        "web pages may not load `x.png`: no entry of `web_accessible_resources` matches it"
    )
    assert finding.help == 'add "x.png" to `web_accessible_resources` in manifest.json'
    assert [each.path for each in finding.related] == ["manifest.json"]


OWN = "chrome-extension://__MSG_@@extension_id__/"


@pytest.mark.parametrize(
    ("styles", "expected"),
    [
        (f"a {{background: url({OWN}x.png)}}", [f"{OWN}x.png"]),
        (f"@font-face {{font-family: x; src: url('{OWN}x.woff') format('woff')}}", [f"{OWN}x.woff"]),
        ("a {background: url('x.png')}", ["x.png"]),
        ("a {background: url(../x.png)}", ["../x.png"]),
        ("a {background: url(/x.png)}", []),
        (f"a {{background: url({OWN}none.png), url(none.png)}}", []),
        (f"/* a {{background: url({OWN}x.png)}} */ a {{content: 'url(x.png)'}}", []),
        ("a {background: url(https://example.com/x.png), url(data:,), url(#x)}", []),
        ("@import 'x.css'; @import url(x.css);", []),
    ],
)
def test_resources_of_style_sheets(styles: str, expected: list[str]) -> None:
    css = [{"matches": ["https://example.com/*"], "css": ["c/s.css"]}]
    files: Files = {"c/s.css": styles, "c/x.png": "", "c/x.css": ""}
    assert found("", "chrome", files, content_scripts=css) == expected
    assert found("", "firefox", files, content_scripts=css) == []


def test_accessible_resource_of_style_sheet() -> None:
    css = [{"matches": ["https://example.com/*"], "css": ["s.css"]}]
    entries = [{"resources": ["*.png"], "matches": ["https://example.com/*"]}]
    files: Files = {"s.css": f"a {{background: url({OWN}x.png)}}"}
    assert found("", "chrome", files, content_scripts=css, web_accessible_resources=entries) == []


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"matches": ["https://example.com/*"]}, []),
        ({"matches": ["https://example.com/*"], "extension_ids": ["*"]}, []),
        ({"matches": []}, ["'x.png'"]),
        ({"extension_ids": ["*"]}, ["'x.png'"]),
    ],
)
def test_entries_without_web_pages(entry: dict[str, Any], expected: list[str]) -> None:
    entries = [{"resources": ["x.png"], **entry}]
    assert found(f"fetch({URL})", web_accessible_resources=entries) == expected


SITE = "https://example.com/*"
OTHERS = ["https://example.org/*"]


@pytest.mark.parametrize(
    ("runs_in", "listed_for", "expected"),
    [
        ([SITE], [SITE], None),
        ([SITE], OTHERS, SITE),
        ([SITE], [*OTHERS, SITE], None),
        ([SITE], ["<all_urls>"], None),
        ([SITE], ["*://*/*"], None),
        ([SITE], ["https://*/*"], None),
        ([SITE], ["http://*/*"], SITE),
        ([SITE], ["*://*.example.com/*"], None),
        (["https://example.com/a/*"], [SITE], None),
        (["*://example.com/a/*"], [SITE], "http://example.com/a/*"),
        (["*://example.com/*"], OTHERS, "*://example.com/*"),
        (["*://example.com/*"], [SITE, "http://example.com/*"], None),
        (["https://*.example.com/*"], [SITE], "https://*.example.com/*"),
        (["https://*.example.com/*"], ["https://*.example.com/*"], None),
        (["https://www.example.com/*"], ["https://*.example.com/*"], None),
        ([*OTHERS, SITE], [SITE], OTHERS[0]),
        (["<all_urls>"], ["http://*/*", "https://*/*"], None),
        (["<all_urls>"], ["https://*/*"], "http://*/*"),
        (["<all_urls>"], OTHERS, "<all_urls>"),
        (["file:///*", SITE], [SITE], None),
        (["https://localhost:8080/*"], ["https://localhost/*"], None),
        ([SITE], ["https://exam ple"], None),
        (["https://exam ple"], [SITE], None),
    ],
)
def test_resource_is_accessible_only_to_other_pages(
    runs_in: list[str], listed_for: list[str], expected: str | None
) -> None:
    keys = {
        "content_scripts": [{"matches": runs_in, "js": ["a.js"]}],
        "web_accessible_resources": [{"resources": ["x.png"], "matches": listed_for}],
    }
    files = {"manifest.json": manifest(**keys), "a.js": f"fetch({URL})", **FILES}
    messages = [
        each.message.removeprefix("web pages that match ") for each in lint(files, RULES, "chrome,firefox")
    ]
    explanation = "may not load `x.png`: `web_accessible_resources` has it for other pages"
    assert messages == ([] if expected is None else [f"`{expected}` {explanation}"])


LISTED: dict[str, Any] = {"web_accessible_resources": [{"resources": ["x.png"], "matches": OTHERS}]}


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (f"function f() {{ fetch({URL}) }} f()", 1),
        (f"(async () => {{ await 0; fetch({URL}) }})()", 1),
        (f"const u = {URL}; function f() {{ fetch(u) }} f()", 1),
        (f"if (location.host === 'example.org') fetch({URL})", 0),
        (f"function f() {{ if (!ours()) return; fetch({URL}) }} f()", 0),
        (f"function f() {{ fetch({URL}) }} if (ours()) f()", 0),
        (f"addEventListener('click', () => fetch({URL}))", 0),
        (f"for (const each of document.querySelectorAll('a')) each.src = {URL}", 0),
        (f"document.querySelectorAll('a').forEach((each) => {{ each.src = {URL} }})", 0),
        (f"chrome.runtime.onMessage.addListener(() => {{ fetch({URL}) }})", 0),
        (f"ours() && fetch({URL})", 0),
        (f"document.querySelector('a')?.append(fetch({URL}))", 0),
    ],
)
def test_resource_must_load_on_every_page_to_be_reported(script: str, expected: int) -> None:
    assert len(found(script, **LISTED)) == expected


@pytest.mark.parametrize("key", ["exclude_matches", "exclude_globs", "include_globs"])
def test_content_scripts_with_excluded_pages(key: str) -> None:
    entry = {"matches": [SITE], "js": ["a.js"], key: ["https://example.com/*"]}
    assert found(f"fetch({URL})", content_scripts=[entry], **LISTED) == []


IMAGES: dict[str, object] = {"resourceTypes": ["image"]}
REDIRECTS: dict[str, tuple[dict[str, object], list[str]]] = {
    "images": (IMAGES, ['"/x.png"']),
    "no types, which leaves pages out": ({"urlFilter": "a"}, ['"/x.png"']),
    "pages": ({"resourceTypes": ["main_frame"]}, []),
    "pages too": ({"resourceTypes": ["image", "main_frame"]}, []),
    "all but some": ({"excludedResourceTypes": ["script"]}, []),
}


def redirected(condition: dict[str, object], path: str = "/x.png", **keys: Any) -> list[str]:
    """Returns the source text of each finding in a file with one rule that redirects to a file."""
    rule = {
        "id": 1,
        "action": {"type": "redirect", "redirect": {"extensionPath": path}},
        "condition": condition,
    }
    resources = [{"id": "r", "enabled": True, "path": "r.json"}]
    files = {
        "manifest.json": manifest(
            permissions=["declarativeNetRequest"],
            declarative_net_request={"rule_resources": resources},
            **keys,
        ),
        "r.json": json.dumps([rule]),
        **FILES,
    }
    return [text for _, text in reported(files, RULES, "chrome,firefox")]


@pytest.mark.parametrize(("condition", "expected"), REDIRECTS.values(), ids=REDIRECTS.keys())
def test_redirect_conditions(condition: dict[str, object], expected: list[str]) -> None:
    assert redirected(condition) == expected


def test_redirects_to_accessible_or_missing_files() -> None:
    entry = {"resources": ["*.png"], "matches": ["https://example.com/*"]}
    assert redirected(IMAGES, web_accessible_resources=[entry]) == []
    assert redirected(IMAGES, "/none.png") == []


NAMED = {
    "an image": "const i = new Image(); i.src = 'x.png';",
    "a variable": "const u = '/x.png'; document.createElement('img').src = u;",
    "an attribute": "document.createElement('iframe').setAttribute('src', './x.html');",
    "fetch": "fetch('x.json').then(r => r.json());",
    "attributes": "e.append(Object.assign(document.createElement('img'), {src: 'x.png'}));",
}


@pytest.mark.parametrize("script", NAMED.values(), ids=NAMED)
def test_name_that_the_browser_resolves_from_the_web_page(script: str) -> None:
    listed = {"web_accessible_resources": [{"resources": ["x.*"], "matches": ["<all_urls>"]}]}
    (finding,) = lint(
        {"manifest.json": manifest(**CONTENT, **listed), "a.js": script, **FILES}, RULES, "chrome"
    )
    assert finding.message.endswith("from the web page, not from the package")
    assert finding.help is not None
    assert finding.help.startswith('write `runtime.getURL("x.')


NOT_NAMED = {
    "a file that the package does not have": "new Image().src = 'images/y.png';",
    "an address": "new Image().src = 'https://example.com/x.png';",
    "a name that is not loaded": "const name = 'x.png'; send(name);",
    "a name for the API": "chrome.runtime.sendMessage({icon: 'x.png'});",
    "a test": "if (location.pathname !== 'x.html') new Image();",
    "text": "// new Image().src = 'x.png'",
}


@pytest.mark.parametrize("script", NOT_NAMED.values(), ids=NOT_NAMED)
def test_other_name_is_not_reported(script: str) -> None:
    assert found(script) == []


def test_name_in_a_page_of_the_extension_is_not_reported() -> None:
    page = {"p.html": "<script src=a.js></script>"}
    keys: dict[str, Any] = {"content_scripts": [], "options_ui": {"page": "p.html"}}
    assert found(NAMED["an image"], files=page, **keys) == []
    assert found(NAMED["an image"], files=page, options_ui={"page": "p.html"}) == []


@pytest.mark.parametrize(
    ("count", "messages"), [(3, ["`f0.woff`", "`f1.woff`", "`f2.woff`"]), (4, ["`f0.woff` and 3 others"])]
)
def test_many_names_in_a_style_sheet_are_one_finding(count: int, messages: list[str]) -> None:
    names = [f"f{number}.woff" for number in range(count)]
    sheet = "".join(f"@font-face {{ src: url({name}); }} b {{ cursor: url({name}) }}" for name in names)
    scripts = [{"matches": ["https://*/*"], "css": ["a.css"]}]
    files = {"manifest.json": manifest(content_scripts=scripts), "a.css": sheet, **dict.fromkeys(names, "")}
    found = [each.message for each in lint(files, RULES, "chrome")]
    assert found == [f"Chrome loads {each} from the web page, not from the package" for each in messages]
