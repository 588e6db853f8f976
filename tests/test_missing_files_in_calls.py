"""File names in calls: `missing-file`."""

from __future__ import annotations

from typing import Any

import pytest
from harness import Files, lint, manifest, reported
from packages import package_in

from extlint.checker import check_package
from extlint.schema.targets import Target

RULES = ["missing-file"]
TAB = "target: {tabId: 1}"

EXISTING: Files = {
    f"{stem}.{suffix}": "" for stem in ("src/near", "root") for suffix in ("js", "css", "html", "png")
}


def found(script: str, target: str = "chrome", files: Files | None = None, **keys: object) -> list[str]:
    """Returns the source text of each finding in a worker or background page in the folder `src`."""
    background = {"scripts": ["src/a.js"], "service_worker": "src/a.js"}
    text = manifest(**{"permissions": ["notifications", "offscreen", "scripting"], "action": {}, **keys})
    if "background" not in keys:
        text = text.removesuffix("}") + f', "background": {str(background).replace(chr(39), chr(34))}}}'
    return [
        under
        for _, under in reported(
            {"manifest.json": text, "src/a.js": script, **EXISTING, **(files or {})}, RULES, target
        )
    ]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (f"chrome.scripting.executeScript({{{TAB}, files: ['x.js', 'root.js']}})", ["'x.js'"]),
        (f"chrome.scripting.insertCSS({{{TAB}, files: ['x.css', 'root.css']}})", ["'x.css'"]),
        (f"chrome.scripting.removeCSS({{{TAB}, files: ['x.css', 'near.css']}})", ["'x.css'"]),
        (
            "chrome.scripting.registerContentScripts([{id: 'a', js: ['x.js'], css: ['x.css', 'root.css']}])",
            ["'x.js'", "'x.css'"],
        ),
        ("chrome.tabs.create({url: 'x.html?a#b'})", ["'x.html?a#b'"]),
        ("chrome.tabs.update({url: '/x.html'})", ["'/x.html'"]),
        ("chrome.tabs.update(1, {url: 'x.html'})", ["'x.html'"]),
        ("chrome.windows.create({url: ['x.html', 'root.html']})", ["'x.html'"]),
        ("chrome.tabs.create({url: chrome.runtime.getURL('x.html')})", ["'x.html'"]),
        ("chrome.tabs.create({url: chrome.runtime.getURL('x.html') + '?a'})", ["'x.html'"]),
        ("const page = chrome.runtime.getURL('x.html'); chrome.tabs.update({url: page})", ["'x.html'"]),
        ("chrome.tabs.create({url: chrome.runtime.getURL('https://a.example/')})", ["'https://a.example/'"]),
        ("const url = chrome.runtime.getURL('x.html'); chrome.tabs.create({ url })", ["'x.html'"]),
        ("chrome.action.setPopup({popup: 'x.html'})", ["'x.html'"]),
        ("chrome.action.setIcon({path: 'x.png'})", ["'x.png'"]),
        ("chrome.action.setIcon({path: {16: 'x.png', 32: 'near.png'}})", ["'x.png'"]),
        ("chrome.offscreen.createDocument({url: 'x.html', reasons: [], justification: ''})", ["'x.html'"]),
        (
            "chrome.notifications.create({type: 'basic', iconUrl: 'x.png', title: '', message: ''})",
            ["'x.png'"],
        ),
        (
            "chrome.notifications.create({iconUrl: chrome.runtime.getURL('x.png'), imageUrl: '../y.png'})",
            ["'x.png'", "'../y.png'"],
        ),
        (
            "const iconUrl = chrome.runtime.getURL('/x.png'); chrome.notifications.update('a', {iconUrl})",
            ["'/x.png'"],
        ),
        ("chrome.action.setIcon({path: chrome.runtime.getURL('near.png')})", ["'near.png'"]),
        ("chrome.action.setPopup({popup: chrome.runtime.getURL('x.html')})", ["'x.html'"]),
        ("importScripts('x.js', 'near.js')", ["'x.js'"]),
        ("if (self.importScripts) importScripts('x.js')", ["'x.js'"]),
        ("importScripts(chrome.runtime.getURL('x.js'), chrome.runtime.getURL('root.js'))", ["'x.js'"]),
    ],
)
def test_missing_file_in_a_call_is_reported(script: str, expected: list[str]) -> None:
    assert found(script) == expected


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("chrome.tabs.create({url: 'root.html?a=b.html#c'})", id="there"),
        pytest.param("chrome.tabs.create({url: '/root.html'})", id="there, from the root"),
        pytest.param("chrome.action.setIcon({path: '/root.png'})", id="there, from the root for an image"),
        pytest.param("chrome.action.setIcon({path: '../root.png'})", id="there, in the folder above"),
        pytest.param("chrome.tabs.create({url: 'https://example.com/x.html'})", id="elsewhere"),
        pytest.param("chrome.tabs.create({url: 'about:blank'})", id="a page of the browser"),
        pytest.param("chrome.tabs.create({url: ''}); chrome.tabs.create({url: '/'})", id="no file"),
        pytest.param("chrome.action.setPopup({popup: ''})", id="no popup"),
        pytest.param("chrome.action.setIcon({path: 'data:image/png;base64,'})", id="an image in place"),
        pytest.param("chrome.tabs.create({url: name + '.html'})", id="computed"),
        pytest.param("chrome.tabs.create({url: `${name}.html`})", id="a template"),
        pytest.param("chrome.tabs.create({url: '__PAGE__.html'})", id="a placeholder of a build"),
        pytest.param("chrome.tabs.create({url: a || 'x.html'})", id="not certain"),
        pytest.param("if (DEBUG) chrome.tabs.create({url: 'x.html'})", id="code that a build may leave out"),
        pytest.param("if (false) chrome.tabs.create({url: 'x.html'})", id="dead code"),
        pytest.param("(() => { function f() { chrome.tabs.create({url: 'x.html'}) } })()", id="never called"),
        pytest.param(
            "try { chrome.tabs.create({url: 'x.html'}) } catch { chrome.tabs.create({url: 'root.html'}) }",
            id="with a fallback",
        ),
        pytest.param("if (chrome.runtime.id === browser.x) f('x.html')", id="another function"),
        pytest.param("chrome.downloads.download({filename: 'x.txt'})", id="a file of the user"),
        pytest.param("chrome.runtime.getURL('x.html')", id="only an address"),
        pytest.param("chrome.tabs.create({url: chrome.runtime.getURL('root.html')})", id="an existing page"),
        pytest.param("chrome.action.setIcon({path: chrome.runtime.getURL('src/near.png')})", id="an image"),
        pytest.param("chrome.notifications.create({title: chrome.runtime.getURL('x.png')})", id="a title"),
        pytest.param("chrome.tabs.query({url: chrome.runtime.getURL('x.html')})", id="an address to find"),
        pytest.param("f(chrome.runtime.getURL('x') + '.html')", id="a part of a name"),
        pytest.param("importScripts('https://example.com/x.js')", id="a remote script"),
        pytest.param("try { importScripts('x.js') } catch { importScripts('near.js') }", id="another one"),
        pytest.param("function importScripts() {} importScripts('x.js')", id="a function of the script"),
    ],
)
def test_existing_or_uncertain_file_is_not_reported(script: str) -> None:
    assert found(script) == []


def test_each_branch_of_a_conditional_name_is_checked() -> None:
    assert found("chrome.action.setIcon({path: on ? 'on.png' : 'near.png'})") == ["'on.png'"]


INJECTS = f"chrome.scripting.executeScript({{{TAB}, files: ['x.js']}})"


@pytest.mark.parametrize(
    ("script", "is_reported"),
    [
        pytest.param(INJECTS, True, id="the permission is missing, too"),
        pytest.param(f"try {{ {INJECTS} }} catch (e) {{ console.error(e) }}", True, id="an error is logged"),
        pytest.param(f"if (chrome.scripting) {INJECTS}", False, id="a test for the API"),
        pytest.param(
            f"chrome.permissions.contains({{permissions: ['scripting']}}, (has) => {{ if (has) {INJECTS} }})",
            False,
            id="a test for the permission",
        ),
        pytest.param(INJECTS.replace("scripting", "scriptng"), False, id="no such API"),
        pytest.param("chrome.pageAction.setPopup({popup: 'x.html'})", False, id="of another version"),
        pytest.param("chrome.action.setPopup({popup: 'x.html'})", True, id="the key is missing, too"),
    ],
)
def test_missing_file_in_a_call_without_permission(script: str, is_reported: bool) -> None:
    keys = {"background": {"service_worker": "a.js"}}
    files: Files = {"manifest.json": manifest(**keys), "a.js": script}
    rules = ["missing-file", "missing-permission", "missing-manifest-key"]
    other_rules = [each.rule for each in lint(files, rules[1:], "chrome")]
    assert [each.rule for each in lint(files, rules, "chrome")] == [
        *other_rules,
        *["missing-file"][:is_reported],
    ]
    assert bool(other_rules) >= is_reported


def test_logging_does_not_handle_the_error() -> None:
    script = "try { chrome.tabs.create({url: 'x.html'}) } catch (error) { console.error(error) }"
    assert found(script) == ["'x.html'"]


@pytest.mark.parametrize(
    ("script", "target", "expected"),
    [
        ("chrome.scripting.executeScript({target: {tabId: 1}, files: ['near.js']})", "chrome", 1),
        ("chrome.tabs.create({url: 'near.html'})", "chrome", 1),
        ("chrome.tabs.create({url: 'near.html'})", "reference", 1),
        ("chrome.tabs.create({url: 'root.html'})", "firefox", 0),
        ("chrome.action.setIcon({path: 'root.png'})", "chrome", 1),
        ("chrome.action.setIcon({path: 'root.png'})", "firefox", 0),
        ("importScripts('src/near.js')", "chrome", 1),
        ("chrome.sidePanel.setOptions({path: 'near.html'})", "chrome", 0),
    ],
)
def test_base_folder_depends_on_the_browser(script: str, target: str, expected: int) -> None:
    assert len(found(script, target)) == expected


def test_message_names_the_base_folder() -> None:
    files: Files = {
        "manifest.json": manifest(background={"service_worker": "src/a.js"}),
        "src/a.js": "chrome.tabs.create({url: 'near.html'})",
        **EXISTING,
    }
    (finding,) = lint(files, RULES, "chrome")
    assert finding.message == (
        "the package has no file `near.html`: "
        "Chrome resolves names in `tabs.create` from the root of the package"
    )
    assert finding.help == 'write "/src/near.html"'


PAGE = "<script src='../src/a.js'></script>"


@pytest.mark.parametrize(
    ("page", "script", "target", "expected"),
    [
        ("ui/p.html", "browser.tabs.create({url: 'root.html'})", "firefox", ["'root.html'"]),
        ("ui/p.html", "browser.tabs.create({url: 'q.html'})", "firefox", []),
        ("ui/p.html", "chrome.tabs.create({url: 'q.html'})", "chrome", ["'q.html'"]),
        ("ui/p.html", "new Worker('w.js'); new Worker('root.js'); new Worker('x.js')", "chrome", ["'x.js'"]),
        ("ui/p.html", "new Worker(new URL('near.js', import.meta.url))", "chrome", []),
        ("ui/p.html", "audio.audioWorklet.addModule('x.js')", "chrome", ["'x.js'"]),
        ("ui/p.html", "chrome.action.setIcon({path: 'root.png'})", "chrome", ["'root.png'"]),
    ],
)
def test_calls_in_page_scripts(page: str, script: str, target: str, expected: list[str]) -> None:
    files: Files = {page: PAGE, "ui/q.html": "", "ui/w.js": ""}
    assert found(script, target, files, background=None, options_ui={"page": page}) == expected


@pytest.mark.parametrize(("name", "count"), [("root", 0), ("src/near", 0), ("near", 1), ("x", 1)])
def test_worker_is_checked_as_a_background_page_in_firefox(name: str, count: int) -> None:
    script = f"chrome.scripting.executeScript({{{TAB}, files: ['{name}.js']}})"
    assert len(found(script, "firefox", background={"service_worker": "src/a.js"})) == count


@pytest.mark.parametrize("target", ["chrome", "firefox", "firefox,chrome"])
def test_import_scripts_is_relative_to_the_worker(target: str) -> None:
    script = "importScripts('lib/b.js'); importScripts('./lib/x.js');"
    files: Files = {"src/lib/b.js": "importScripts('lib/c.js');", "src/lib/c.js": ""}
    assert found(script, target, files, background={"service_worker": "src/a.js"}) == ["'./lib/x.js'"]


def test_message_names_the_resolved_file() -> None:
    files: Files = {
        "manifest.json": manifest(background={"service_worker": "src/a.js"}),
        "src/a.js": "importScripts('./lib/x.js');",
    }
    (finding,) = lint(files, RULES, "chrome")
    assert finding.message == "the package has no file `src/lib/x.js`"


def test_uncertain_base_url_is_not_reported() -> None:
    script = "chrome.action.setIcon({path: 'root.png'})"
    with_base: Files = {"ui/p.html": f"<base href='/'><script src='src/a.js'></script>{PAGE}"}
    assert found(script, files=with_base, background=None, options_ui={"page": "ui/p.html"}) == []
    several: Files = {"ui/p.html": PAGE, "q.html": "<script src='src/a.js'></script>"}
    keys: dict[str, Any] = {"options_ui": {"page": "ui/p.html"}, "action": {"default_popup": "q.html"}}
    assert found(script, files=several, background=None, **keys) == []


def test_content_script_loads_workers_from_the_page() -> None:
    keys: dict[str, Any] = {"content_scripts": [{"matches": ["<all_urls>"], "js": ["src/a.js"]}]}
    assert found("new Worker('x.js')", background=None, **keys) == []


def test_build_may_generate_files_named_in_calls() -> None:
    background = manifest(background={"service_worker": "src/a.js"})
    inner = {"manifest.json": background, "src/a.js": "chrome.tabs.create({url: 'made.html'})", **EXISTING}
    misspelled = {**inner, "src/a.js": "chrome.tabs.create({url: 'Root.html'})"}
    for files, package_json, expected in [
        (inner, '{"devDependencies": {"webpack": "5"}}', 0),
        (inner, "{}", 1),
        (misspelled, '{"devDependencies": {"webpack": "5"}}', 1),
    ]:
        project = {"package.json": package_json, **{f"ext/{path}": text for path, text in files.items()}}
        report = check_package(package_in(project, "ext/"), [Target("chrome")], RULES)
        assert len(report.findings) == expected


LOADED_BY_NAME = {
    "a request": ("fetch('x.json').then((r) => r.json())", ["'x.json'"]),
    "an old request": (
        "const r = new XMLHttpRequest(); r.open('GET', 'x.html', true); r.send()",
        ["'x.html'"],
    ),
    "a variable": ("const part = '/x.html'; fetch(part).then((r) => r.text())", ["'/x.html'"]),
    "an image": ("new Image().src = 'x.png'", ["'x.png'"]),
    "an attribute": ("document.createElement('img').setAttribute('src', 'x.png')", ["'x.png'"]),
    "a file at the root": ("fetch('root.html')", []),
    "a file in the folder of the page": ("fetch('page.css')", []),
    "a file in the folder of the script": ("fetch('near.html')", []),
    "a request to a server": ("fetch('https://a.example/x.json')", []),
    "a request that may fail": ("fetch('x.json').catch(() => fetch('/root.html'))", []),
    "a request in a `try`": (
        "(async () => { try { await fetch('x.json') } catch { await fetch('/root.html') } })()",
        [],
    ),
    "a name that is put together": (
        "fetch('x.json' + suffix); fetch(`${x}.json`); fetch(root + 'x.json')",
        [],
    ),
    "a name that is compared": ("if (location.pathname.endsWith('x.html')) fetch('/root.html')", []),
    "a request that is sent": ("const r = new XMLHttpRequest(); r.open('POST', 'x.html')", []),
    "a function of the script": ("function fetch(name) {} fetch('x.json')", []),
    "a function that nothing calls": ("(() => { function f() { fetch('x.json') } })()", []),
}


@pytest.mark.parametrize(("script", "expected"), LOADED_BY_NAME.values(), ids=LOADED_BY_NAME)
def test_file_that_a_page_loads_by_its_name(script: str, expected: list[str]) -> None:
    files: Files = {"pages/a.html": "<script src=../src/a.js></script>", "pages/page.css": ""}
    keys: dict[str, Any] = {"options_ui": {"page": "pages/a.html"}, "background": {}}
    assert found(script, files=files, **keys) == expected
    content = [{"matches": ["https://a.example/*"], "js": ["src/a.js"]}]
    assert found(script, files=files, content_scripts=content, **keys) == []


@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_file_that_a_background_loads_by_its_name(target: str) -> None:
    assert found("fetch('x.json'); fetch('/root.html')", target) == ["'x.json'"]
