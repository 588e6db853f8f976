"""Load paths to a script through pages, addresses and elements, and the resulting contexts."""

from __future__ import annotations

import json

import pytest
from packages import package_of

from extlint.manifest.manifest import read_manifest
from extlint.package.tolerant import TolerantPackage
from extlint.program.script_reader import ScriptReader
from extlint.project.contexts.layout import lay_out

Files = dict[str, str]
Keys = dict[str, object]

SW: Keys = {"background": {"service_worker": "sw.js"}}
CONTENT: Keys = {"content_scripts": [{"js": ["c.js"]}]}
POPUP: Keys = {"action": {"default_popup": "in/popup.html"}}
DEVTOOLS: Keys = {"devtools_page": "d.html"}
D_PAGE = {"d.html": "<script src=d.js></script>"}
PAGE = {"p.html": "<script src=a.js></script>"}
EXTENSION_PAGE = ["extension page"]


def context_kinds(files: Files, keys: Keys) -> list[str]:
    """Returns the context kinds of the script `a.js`, in parentheses if they are uncertain."""
    package = TolerantPackage(package_of({**files, "a.js": "", "manifest.json": json.dumps(keys)}))
    read = read_manifest("manifest.json", package.read("manifest.json"))
    (script,) = (
        each for each in lay_out(package, read, ScriptReader(package).facts).scripts if each.path == "a.js"
    )
    return [each.kind.value if each.certain else f"({each.kind.value})" for each in script.contexts]


def popup(page: str, **others: str) -> Files:
    return {"in/popup.html": page, **PAGE, **others}


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        pytest.param({"chrome_url_overrides": {"newtab": "p.html"}}, EXTENSION_PAGE, id="a new tab"),
        pytest.param({"chrome_url_overrides": {"history": "p.html"}}, EXTENSION_PAGE, id="the history"),
        pytest.param({"options_page": "p.html"}, EXTENSION_PAGE, id="options"),
        pytest.param({"options_ui": {"page": "p.html"}}, EXTENSION_PAGE, id="options inside of the browser"),
        pytest.param({"sidebar_action": {"default_panel": "p.html"}}, EXTENSION_PAGE, id="a sidebar"),
        pytest.param({"side_panel": {"default_path": "p.html"}}, EXTENSION_PAGE, id="a side panel"),
        pytest.param({"page_action": {"default_popup": "p.html"}}, EXTENSION_PAGE, id="a popup"),
        pytest.param({"action": {"default_popup": "/p.html#/"}}, EXTENSION_PAGE, id="a popup with a route"),
        pytest.param(
            {"options_page": "p.html?a=/#/b"}, EXTENSION_PAGE, id="options with a query and a route"
        ),
        pytest.param({"devtools_page": "x/#/p.html"}, [], id="a folder with a route"),
        pytest.param(
            {"protocol_handlers": [{"uriTemplate": "p.html?u=%s"}]},
            EXTENSION_PAGE,
            id="a handler of addresses",
        ),
        pytest.param({"file_handlers": [{"action": "/p.html"}]}, EXTENSION_PAGE, id="a handler of files"),
        pytest.param({"web_accessible_resources": ["p.html"]}, ["(extension page)"], id="for web pages"),
        pytest.param(
            {"web_accessible_resources": [{"resources": ["/p.html"], "matches": ["<all_urls>"]}]},
            ["(extension page)"],
            id="for web pages, in Manifest V3",
        ),
        pytest.param(
            {"web_accessible_resources": [{"resources": ["*.html"]}]}, [], id="for web pages, by a pattern"
        ),
        pytest.param(
            {"web_accessible_resources": ["*"], "sandbox": {"pages": ["p.html"]}},
            ["sandboxed page"],
            id="for web pages, in a sandbox",
        ),
        pytest.param(
            {"web_accessible_resources": ["a.js"]}, [], id="a script for web pages in an unknown context"
        ),
        pytest.param({"web_accessible_resources": {"x": 1}}, [], id="odd resources"),
        pytest.param(
            {"content_scripts": [{"js": ["a.js"], "world": "USER_SCRIPT"}]}, ["somewhere"], id="a world"
        ),
        pytest.param(
            {"experiment_apis": {"x": {"parent": {"script": "a.js"}}}}, ["somewhere"], id="an experiment"
        ),
    ],
)
def test_contexts_of_manifest_pages(keys: Keys, expected: list[str]) -> None:
    assert context_kinds(dict(PAGE), keys) == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        pytest.param("<iframe src='../p.html'></iframe>", EXTENSION_PAGE, id="a frame"),
        pytest.param("<iframe src='../p.html' sandbox></iframe>", ["somewhere"], id="a sandboxed frame"),
        pytest.param("<a href='/p.html#x'>more</a>", ["(extension page)"], id="a link"),
        pytest.param("<a href='/p.html#/x/'>more</a>", ["(extension page)"], id="a link with a route"),
        pytest.param("<script src='/a.js?v=1/2#/'></script>", EXTENSION_PAGE, id="a script with a query"),
        pytest.param("<base href=/><script src=a.js></script>", EXTENSION_PAGE, id="a script below a base"),
        pytest.param("<base href=/><a href=p.html>", ["(extension page)"], id="a link below a base"),
        pytest.param("<a href='https://x.org/p.html'>", [], id="a link to elsewhere"),
        pytest.param("<a href='p.html'>", [], id="a link to a page that is not there"),
        pytest.param("<!-- <a href='/p.html'> -->", [], id="a comment"),
        pytest.param("<template><iframe src='/p.html'></iframe></template>", [], id="a template"),
        pytest.param("<script type=module>import '/a.js'</script>", EXTENSION_PAGE, id="an inline module"),
        pytest.param("<script>open('/p.html?x')</script>", ["(extension page)"], id="open"),
        pytest.param("<script>window.open('../p.html')</script>", ["(extension page)"], id="window.open"),
        pytest.param("<script>location = '/p.html'</script>", ["(extension page)"], id="location"),
        pytest.param(
            "<script>window.location.href = '/p.html'</script>", ["(extension page)"], id="its href"
        ),
        pytest.param("<script>location.replace('/p.html')</script>", ["(extension page)"], id="its replace"),
        pytest.param("<script>go('/p.html?x=' + y)</script>", ["(extension page)"], id="a name and more"),
        pytest.param("<script>go(`/p.html#${y}`)</script>", ["(extension page)"], id="a template"),
        pytest.param(
            "<script>chrome.action.setPopup({popup: '/p.html#/'})</script>",
            ["(extension page)"],
            id="a popup",
        ),
        pytest.param(
            "<script>chrome.tabs.create({url: '/p.html?a=/#/b'})</script>", ["(extension page)"], id="a tab"
        ),
        pytest.param("<script>go('x/' + 'p.html')</script>", [], id="the end of a name"),
        pytest.param("<script>go(`${x}/p.html`)</script>", [], id="the end of a template"),
        pytest.param("<script>// '/p.html'</script>", [], id="a comment of a script"),
        pytest.param("<script type=text/plain>go('/p.html')</script>", [], id="no script"),
        pytest.param("<script>new Worker('../a.js')</script>", ["worker"], id="a worker"),
        pytest.param("<script>c.audioWorklet.addModule('/a.js')</script>", ["(worklet)"], id="a worklet"),
        pytest.param(
            "<script>navigator.serviceWorker.register('/a.js')</script>",
            ["(somewhere)"],
            id="a service worker",
        ),
    ],
)
def test_contexts_reached_from_a_page(page: str, expected: list[str]) -> None:
    assert context_kinds(popup(page), POPUP) == expected


def test_relative_addresses_are_resolved_against_the_page() -> None:
    files = popup("<script src='/lib/l.js'></script>", **{"lib/l.js": "location.href = 'more.html'"})
    assert context_kinds({**files, "in/more.html": "<script src=/a.js></script>"}, POPUP) == [
        "(extension page)"
    ]


ONLY_OFFSCREEN = {
    "a name": "const PATH = 'p.html'; chrome.offscreen.createDocument({ url: PATH, reasons: [] });",
    "an address": "chrome.offscreen.createDocument({ url: chrome.runtime.getURL('p.html'), reasons: [] });",
    "the address of a name": """
        const PATH = 'p.html';
        chrome.offscreen.createDocument({ url: chrome.runtime.getURL(PATH), reasons: [] });
    """,
    "an address that is also compared": """
        async function open() {
          const url = chrome.runtime.getURL('p.html');
          const found = await chrome.runtime.getContexts({ documentUrls: [url] });
          if (!found.length) await chrome.offscreen.createDocument({ url, reasons: [] });
        }
    """,
}


@pytest.mark.parametrize("source", ONLY_OFFSCREEN.values(), ids=ONLY_OFFSCREEN.keys())
def test_path_with_a_known_use_has_no_other_context(source: str) -> None:
    assert context_kinds({"sw.js": source, **PAGE}, SW) == ["(offscreen document)"]


def test_addresses_of_two_pages_have_their_own_contexts() -> None:
    source = "chrome.tabs.create({ url: chrome.runtime.getURL('p.html') });"
    other = "chrome.offscreen.createDocument({ url: chrome.runtime.getURL('o.html'), reasons: [] });"
    assert context_kinds({"sw.js": source + other, **PAGE}, SW) == ["(extension page)"]


def test_contexts_reached_from_a_sandboxed_page_are_unknown() -> None:
    files = {"s.html": "<iframe src=p.html></iframe>", **PAGE}
    assert context_kinds(files, {"sandbox": {"pages": ["s.html"]}}) == ["somewhere"]


def test_mutually_linked_pages() -> None:
    files = popup("<iframe src=/p.html></iframe>")
    files["p.html"] = "<a href=in/popup.html></a><iframe src=p.html></iframe><script src=a.js></script>"
    assert context_kinds(files, POPUP) == EXTENSION_PAGE


def test_frame_chain_may_exceed_the_recursion_limit() -> None:
    files = {f"{number}.html": f"<iframe src={number + 1}.html></iframe>" for number in range(1500)}
    files["1500.html"] = "<script src=a.js></script>"
    assert context_kinds(files, {"options_page": "0.html"}) == EXTENSION_PAGE


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(
            "tabs.create({ url: chrome.runtime.getURL('p.html') })", ["(extension page)"], id="a tab"
        ),
        pytest.param(
            "const url = chrome.extension.getURL('/p.html?x')", ["(extension page)"], id="an address"
        ),
        pytest.param("chrome.tabs.update({ url: '/p.html' })", ["(extension page)"], id="the same tab"),
        pytest.param(
            "chrome.windows.create({ url: ['https://x.org/', 'p.html'] })",
            ["(extension page)"],
            id="a window",
        ),
        pytest.param(
            "chrome.offscreen.createDocument({ url: 'p.html', reasons: [] })",
            ["(offscreen document)"],
            id="an offscreen document",
        ),
        pytest.param(
            "import(chrome.runtime.getURL('a.js'))", ["(service worker)"], id="an import of an address"
        ),
        pytest.param("importScripts(chrome.runtime.getURL('a.js'))", ["service worker"], id="importScripts"),
        pytest.param(
            "function f() { importScripts('a.js') }",
            ["(service worker)"],
            id="importScripts that may not run",
        ),
        pytest.param(
            "new Worker(new URL('./a.js', import.meta.url))", ["worker"], id="a worker next to the script"
        ),
        pytest.param("f(chrome.runtime.getURL('a.js'))", ["(somewhere)"], id="a script's address"),
        pytest.param("fetch(chrome.runtime.getURL('a.js'))", [], id="a script that is read"),
        pytest.param(
            "const url = chrome.runtime.getURL('/a.js'); fetch(url).then((r) => r.text())",
            [],
            id="a script that is read by a variable",
        ),
        pytest.param(
            "const url = chrome.runtime.getURL('a.js'); fetch(url); load(url)",
            ["(somewhere)"],
            id="a script that is read and loaded",
        ),
        pytest.param(
            "fetch(chrome.runtime.getURL('a.js')); importScripts('a.js')",
            ["service worker"],
            id="a script that is read, and loaded by its name",
        ),
        pytest.param(
            "chrome.userScripts.register([{ js: [{ file: 'a.js' }] }])", ["(somewhere)"], id="a user script"
        ),
        pytest.param(
            "chrome.userScripts.register([{ js: [{ file: 'a.js' }], world: 'MAIN' }])",
            ["(page's main world)"],
            id="a user script in the main world",
        ),
        pytest.param("const page = 'p.html?tab=' + tab;", ["(extension page)"], id="a name for later"),
        pytest.param("import page from 'url:./p.html'", ["(extension page)"], id="an address in Parcel"),
        pytest.param("import page from 'data-url:./p.html'", [], id="a page as a text"),
        pytest.param("chrome.runtime.getURL('a.png')", [], id="an image"),
    ],
)
def test_contexts_reached_from_a_service_worker(source: str, expected: list[str]) -> None:
    assert context_kinds({"sw.js": source, **PAGE, "a.png": ""}, SW) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(
            "s.src = chrome.runtime.getURL('a.js'); document.head.append(s)",
            ["(page's main world)"],
            id="a script element",
        ),
        pytest.param(
            "s.setAttribute('src', browser.runtime.getURL('a.js'))",
            ["(page's main world)"],
            id="its attribute",
        ),
        pytest.param("import(chrome.runtime.getURL('/a.js'))", ["(content script)"], id="an import"),
        pytest.param("frame.src = chrome.runtime.getURL('p.html')", ["(extension page)"], id="a frame"),
        pytest.param("window.open(chrome.runtime.getURL('p.html'))", ["(extension page)"], id="a window"),
        pytest.param(
            "open(chrome.runtime.getURL(`p.html?${x}`) + y)", ["(extension page)"], id="an address and more"
        ),
        pytest.param("window.open('p.html')", [], id="a page of the web page's site"),
    ],
)
def test_contexts_reached_from_a_content_script(source: str, expected: list[str]) -> None:
    assert context_kinds({"c.js": source, **PAGE}, CONTENT) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(
            "chrome.devtools.panels.create('t', 'i.png', 'p.html')", "developer tools page", id="a panel"
        ),
        pytest.param(
            "chrome.devtools.panels.elements.createSidebarPane('t', (pane) => pane.setPage('p.html'))",
            "somewhere",
            id="a sidebar pane, by callback",
        ),
        pytest.param(
            "browser.devtools.panels.elements.createSidebarPane('t').then((p) => { p.setPage('p.html'); })",
            "somewhere",
            id="a sidebar pane, by promise",
        ),
        pytest.param("open('p.html')", "somewhere", id="a window or a pane, who knows"),
    ],
)
def test_contexts_reached_from_developer_tools(source: str, expected: str) -> None:
    assert context_kinds({**D_PAGE, "d.js": source, **PAGE}, DEVTOOLS) == [f"({expected})"]
