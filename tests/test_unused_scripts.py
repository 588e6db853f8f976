"""Scripts that nothing loads require nothing of the manifest, if all loaded files exist."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest
from packages import package_in

from extlint.checker import check_package
from extlint.schema.targets import Target

RULES = ["missing-permission", "missing-manifest-key", "wrong-manifest-version", "too-new-api", "unknown-api"]
LOADED = manifest(background={"service_worker": "a.js"}, minimum_chrome_version="100")


def reported(files: Files) -> list[tuple[str, str]]:
    return [(each.path, each.rule) for each in lint(files, RULES, "chrome")]


@pytest.mark.parametrize(
    ("use", "rule"),
    [
        pytest.param("chrome.cookies.getAll({});", "missing-permission", id="a permission"),
        pytest.param("chrome.action.getTitle({});", "missing-manifest-key", id="a key"),
        pytest.param("chrome.tabs.executeScript({});", "wrong-manifest-version", id="a version"),
        pytest.param("chrome.runtime.getContexts({});", "too-new-api", id="a browser"),
    ],
)
@pytest.mark.parametrize(
    ("worker", "is_reported"),
    [
        pytest.param("", False, id="all that is loaded is there"),
        pytest.param("importScripts('b.js');", True, id="it is loaded"),
        pytest.param("importScripts('c.js');", False, id="something else is not there"),
    ],
)
def test_missing_manifest_entry_is_reported_only_for_loaded_scripts(
    use: str, rule: str, worker: str, is_reported: bool
) -> None:
    found = reported({"manifest.json": LOADED, "a.js": worker, "b.js": use})
    assert found == ([("b.js", rule)] if is_reported else [])


@pytest.mark.parametrize("use", ["chrome.runtime.getUrl(1);", "chrome.tabs.create(1);"])
@pytest.mark.parametrize(
    ("worker", "is_reported"),
    [
        pytest.param("", False, id="nothing has its name"),
        pytest.param("// b.js", False, id="a comment has its name"),
        pytest.param("load('b');", True, id="code has its name"),
        pytest.param("importScripts(name);", True, id="code loads an unknown script"),
    ],
)
def test_mistakes_in_a_script_that_nothing_names(use: str, worker: str, is_reported: bool) -> None:
    rules = ["unknown-api", "invalid-argument"]
    script = {"manifest.json": LOADED, "a.js": worker, "b.js": f"chrome.runtime.id; {use}"}
    assert [each.path for each in lint(script, rules, "chrome")] == ["b.js"] * is_reported
    page = {
        **script,
        "b.js": "",
        "b.html": f"<script>chrome.runtime.id; {use}</script>",
        "a.js": worker.replace("b.js", "b.html"),
    }
    assert [each.path for each in lint(page, rules, "chrome")] == ["b.html"] * is_reported
    alone = {"manifest.json": manifest(), "b.js": f"chrome.runtime.id; {use}"}
    assert [each.path for each in lint(alone, rules, "chrome")] == ["b.js"]


@pytest.mark.parametrize("target", ["chrome", "firefox", "reference"])
@pytest.mark.parametrize(
    ("use", "background", "is_reported"),
    [
        pytest.param("browser.extension.inPrivateContext;", "a.js", False, id="of a browser of old"),
        pytest.param("browser.extension.inPrivateContext;", "b.js", True, id="it is loaded"),
        pytest.param("browser.extension.inIncognitoContxt;", "a.js", True, id="a misspelled name"),
        pytest.param("browser.tabs.hook;", "a.js", True, id="a name that no browser had"),
    ],
)
def test_name_unknown_to_all_browsers_in_an_unused_script(
    use: str, background: str, is_reported: bool, target: str
) -> None:
    keys = manifest(background={"scripts": [background]})
    files = {"manifest.json": keys, "a.js": "load('b')", "b.js": use}
    found = [each.rule for each in lint(files, ["unknown-api"], target)]
    assert found == (["unknown-api"] if is_reported else [])


INJECTS = "chrome.scripting.executeScript({target: {tabId: 1}, files: ['gone.js']});"
PACKAGE = {"package.json": '{"scripts": {"build": "webpack"}, "devDependencies": {"webpack": "5"}}'}


def reported_in_project(files: Files, *more: str) -> list[str]:
    """Returns the rules reported for `left.js` in a project whose build may generate missing files."""
    files = {"manifest.json": LOADED, "left.js": "chrome.cookies.getAll({});", **PACKAGE, **files}
    found = check_package(package_in(files, ""), [Target("chrome")], (*RULES, *more)).findings
    return [each.rule for each in found if each.path == "left.js"]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"a.js": INJECTS}, id="a content script"),
        pytest.param({"a.js": INJECTS.replace("target", "world: 'MAIN', target")}, id="in the main world"),
        pytest.param({"a.js": "chrome.tabs.executeScript({file: 'gone.js'});"}, id="by tabs"),
        pytest.param(
            {"a.js": "importScripts('b.js');", "b.js": INJECTS}, id="a content script of another script"
        ),
    ],
)
def test_missing_content_script_does_not_load_other_scripts(files: Files) -> None:
    assert reported_in_project(files) == []


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"a.js": "importScripts('gone.js');"}, id="a script that may load others"),
        pytest.param({"a.js": "chrome.tabs.create({url: 'gone.html'});"}, id="a page that may load others"),
        pytest.param(
            {"a.js": INJECTS, "build.sh": "esbuild left.js --bundle"}, id="a build names the script"
        ),
    ],
)
def test_build_may_load_an_unused_script(files: Files) -> None:
    assert reported_in_project(files) == ["missing-permission"]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"a.js": INJECTS.replace("gone", "dist/left.bundle")}, id="it is built from the script"),
        pytest.param(
            {"a.js": INJECTS, "gone.ts": "import './left';"}, id="it is built from what loads the script"
        ),
    ],
)
def test_source_of_an_injected_script_is_a_content_script(files: Files) -> None:
    assert reported_in_project(files, "wrong-context") == ["wrong-context"]


def test_unused_script_in_build_output_is_not_reported() -> None:
    script = {"dist/manifest.json": LOADED, "dist/left.js": "chrome.cookies.getAll({});"}
    files = {**script, **PACKAGE, "dist/a.js": "importScripts('gone.js');", "build.sh": "cp left.js dist/"}
    assert check_package(package_in(files, "dist/"), [Target("chrome")], RULES).findings == ()
    sources = {path.removeprefix("dist/"): text for path, text in files.items()}
    assert len(check_package(package_in(sources, ""), [Target("chrome")], RULES).findings) == 1


@pytest.mark.parametrize(
    "worker", ["importScripts('gone.js');", "chrome.tabs.create({url: 'gone.html'});", INJECTS]
)
def test_missing_file_without_a_build_loads_nothing(worker: str) -> None:
    found = reported({"manifest.json": LOADED, "a.js": worker, "b.js": "chrome.cookies.getAll({});"})
    assert not [each for each in found if each[0] == "b.js"]


ENTRIES = {"webpack.config.js": "module.exports = { entry: { a: './a.js', b: './b.ts' } };"}
OPENS = "import _ from 'lodash'; chrome.tabs.create({url: 'gone.html'});"


@pytest.mark.parametrize(
    ("files", "is_reported"),
    [
        pytest.param({"a.js": OPENS}, False, id="a page that is missing"),
        pytest.param({"a.js": OPENS, "lodash.js": ""}, True, id="an import that may be a script"),
        pytest.param(
            {
                "a.js": OPENS,
                "lodash.js": "",
                "package.json": '{"dependencies": {"lodash": "4", "webpack": "5"}}',
            },
            False,
            id="an import of a dependency",
        ),
        pytest.param({"a.js": f"{OPENS} list.left();"}, False, id="a member with its name"),
        pytest.param({"a.js": f"{OPENS} list.import(name); ({{ require(name) {{}} }})"}, False, id="methods"),
        pytest.param({"a.js": f"{OPENS} import(name);"}, True, id="a computed import"),
        pytest.param({"a.js": f"{OPENS} f(...import(name));"}, True, id="a computed import in a list"),
        pytest.param({"a.js": f"{OPENS} import './gone.js';"}, True, id="a module that is missing"),
        pytest.param({"a.js": OPENS, "b.ts": "import './left';"}, True, id="an entry point that loads it"),
    ],
)
def test_entry_points_of_a_bundler_load_what_they_name(files: Files, is_reported: bool) -> None:
    found = reported_in_project({**ENTRIES, **files})
    assert found == ["missing-permission"] * is_reported


@pytest.mark.parametrize(
    ("files", "is_reported"),
    [
        pytest.param({}, False, id="nothing has its name"),
        pytest.param({"c.js": "// old.html"}, False, id="a comment has its name"),
        pytest.param({"b.ts": "chrome.tabs.create({url: 'old.html'});"}, True, id="code has its name"),
        pytest.param({"b.ts": "chrome.tabs.create({url: `${name}.html`});"}, True, id="a computed name"),
        pytest.param({"build.js": "new Page({filename: 'old.html'})"}, True, id="a program has its name"),
        pytest.param({"a.js": ""}, False, id="no module is missing"),
        pytest.param(
            {"manifest.json": manifest(background={"service_worker": "out/z.js"})},
            True,
            id="an entry point without a source",
        ),
    ],
)
def test_page_that_nothing_names_runs_no_code(files: Files, is_reported: bool) -> None:
    package = {
        **PACKAGE,
        "manifest.json": manifest(background={"service_worker": "out/b.js"}),
        "webpack.config.js": "module.exports = { entry: { b: './b.ts', a: './a.js' } };",
        "a.js": "import _ from 'lodash';",
        "b.ts": "import './a.js';",
        "old.html": "<script>chrome.cookies.getAll({});</script>",
        **files,
    }
    found = check_package(package_in(package, ""), [Target("chrome")], RULES).findings
    assert [each.path for each in found] == ["old.html"] * is_reported


@pytest.mark.parametrize(
    ("code", "is_reported"),
    [
        ("list.left();", False),
        ("const left = right;", False),
        ("load('left');", True),
        ("load('./parts/left.js');", True),
        ("load(`left.${suffix}`);", True),
    ],
)
def test_script_of_a_bundler_has_its_name_in_texts(code: str, is_reported: bool) -> None:
    worker = f"chrome.tabs.create({{url: 'gone.html'}}); {code}"
    files = {
        **ENTRIES,
        **PACKAGE,
        "manifest.json": LOADED,
        "a.js": worker,
        "left.js": "chrome.tabs.create(1);",
    }
    found = check_package(package_in(files, ""), [Target("chrome")], ["invalid-argument"]).findings
    assert [each.path for each in found] == ["left.js"] * is_reported


@pytest.mark.parametrize(
    ("call", "is_computed"),
    [
        ("require(24)", False),
        ("require( 'c' )", False),
        ("require(name)", True),
        ("import(`./${name}`)", True),
        ("import(/* c */ `./a.js`)", False),
        ("import(chrome.runtime.getURL('a.js'))", False),
        ("import(browser.runtime.getURL(`a.js`))", False),
        ("import(chrome.runtime.getURL(`${name}.js`))", True),
        ("import(chrome.runtime.getURL('a') + name)", True),
    ],
)
def test_module_with_a_number_is_part_of_the_script(call: str, is_computed: bool) -> None:
    worker = f"importScripts('gone.js'); f((require, name) => {call})"
    found = reported({"manifest.json": LOADED, "a.js": worker, "b.js": "chrome.cookies.getAll({});"})
    assert [each[0] for each in found] == ["b.js"] * is_computed


@pytest.mark.parametrize(
    ("files", "is_reported"),
    [
        pytest.param({}, False, id="no script element"),
        pytest.param({"b.html": "<script src=b.js></script>"}, False, id="one in a page that nothing opens"),
        pytest.param({"a.html": "<script src=b.js></script>"}, True, id="a script element"),
    ],
)
def test_package_that_loads_no_script(files: dict[str, str], is_reported: bool) -> None:
    own = manifest(action={"default_popup": "a.html"})
    package = {"manifest.json": own, "a.html": "<p>Hello", "b.js": "chrome.cookies.getAll({});", **files}
    assert bool(reported(package)) is is_reported


def test_missing_script_of_a_page_loads_nothing() -> None:
    keys = {"background": {"service_worker": "a.js"}, "action": {"default_popup": "a.html"}}
    page = {"a.html": "<script src='gone.js'></script>", "a.js": "", "b.js": "chrome.cookies.getAll({});"}
    assert reported({"manifest.json": manifest(**keys), **page}) == []
