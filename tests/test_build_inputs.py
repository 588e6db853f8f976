"""If files named by the manifest do not exist yet, only sources of a build impose requirements on it."""

from __future__ import annotations

import pytest
from harness import Files, manifest
from packages import package_in

from extlint.checker import check_package
from extlint.schema.targets import Target

RULES = ["missing-permission", "missing-manifest-key", "unknown-api"]
UNBUILT = manifest(background={"service_worker": "worker.bundle.js"})
PANEL = "pages/Panel/index.js"
ENTRY = "module.exports = {entry: {a: path.join(__dirname, 'pages', 'Panel', 'index.js')}};"


def reported(files: Files, folder: str = "") -> list[tuple[str, str]]:
    """Returns the findings about the panel's script and other scripts."""
    use = {f"{folder}{PANEL}": "chrome.cookies.getAll({});"}
    package = package_in({f"{folder}manifest.json": UNBUILT, **use, **files}, folder)
    found = check_package(package, [Target("chrome")], RULES).findings
    return [(each.path, each.rule) for each in found]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"webpack.config.js": ENTRY}, id="an entry of parts"),
        pytest.param({"vite.config.ts": "x({input: './pages/Panel/index.js'})"}, id="an entry of one text"),
        pytest.param({"build.mjs": "x({a: `${here}/pages/Panel`})"}, id="an entry by its folder"),
        pytest.param({"gulpfile.js": "gulp.src('pages/**/*.js')"}, id="a pattern"),
        pytest.param({"build.js": "x({entryPoints: ['pages/*/index.js']})"}, id="entries by a pattern"),
        pytest.param({"build.js": "fs.readdirSync(path.join(__dirname, 'pages'))"}, id="a folder listed"),
        pytest.param({"build.sh": "esbuild pages/Panel/index.js --bundle"}, id="a shell"),
        pytest.param({"Makefile": "a.js: pages/Panel/index.js"}, id="make"),
        pytest.param(
            {"package.json": '{"scripts": {"build": "esbuild pages/Panel/index.js"}}'}, id="a script of npm"
        ),
        pytest.param({"panel.html": "<script src='pages/Panel/index.js'></script>"}, id="a page"),
        pytest.param({"src/worker.ts": "import '../pages/Panel';"}, id="a source of what is missing"),
        pytest.param(
            {"webpack.config.js": "x('./src/a.ts')", "lib/worker.js": f"import '../{PANEL}';"},
            id="a source of what is missing where the build names others",
        ),
        pytest.param(
            {
                "webpack.config.js": "x('./src/a.ts')",
                "src/a.ts": "import './b';",
                "src/b.ts": f"import '../{PANEL}'",
            },
            id="a source by others",
        ),
        pytest.param({"manifest.json": manifest(devtools_page="panel.html")}, id="a page that is missing"),
        pytest.param(
            {"manifest.json": manifest(devtools_page="pannel.html")}, id="a page that is misspelled"
        ),
        pytest.param(
            {"worker.bundle.js": "importScripts('gone.js');", "webpack.config.js": ""},
            id="all there that the manifest itself names",
        ),
    ],
)
def test_build_input_is_reported(files: Files) -> None:
    assert reported(files) == [(PANEL, "missing-permission")]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({}, id="nothing"),
        pytest.param({"webpack.config.js": f"// {ENTRY}\n/* {ENTRY} */"}, id="a comment"),
        pytest.param({"build.sh": "# esbuild pages/Panel/index.js"}, id="a comment of a shell"),
        pytest.param({"webpack.config.js": "x('./pages/Popup/index.js', 'index.js')"}, id="another entry"),
        pytest.param({"jest.config.js": "x(['pages/**/*.js'])"}, id="tests"),
        pytest.param({"package.json": '{"scripts": {"lint": "eslint pages/**/*.js"}}'}, id="a linter"),
        pytest.param({"src/other.ts": "import '../pages/Panel';"}, id="a source that does not count"),
        pytest.param({"panel.html": "<p>Panel</p>"}, id="a page without it"),
        pytest.param(
            {
                "webpack.config.js": "x('./src/worker.ts')",
                "src/worker.ts": "",
                "lib/worker.js": f"import '../{PANEL}';",
            },
            id="another source of what is missing than the build names",
        ),
    ],
)
def test_other_source_is_ignored(files: Files) -> None:
    assert reported(files) == []


def test_entry_path_is_relative_to_the_project() -> None:
    assert reported({"webpack.config.js": "x('./ext/pages/Panel/index.js')"}, "ext/") != []
    assert reported({"webpack.config.js": "x('./other/pages/Panel/index.js')"}, "ext/") == []


def test_mistake_independent_of_manifest_is_reported() -> None:
    assert reported({"b.js": "chrome.runtime.getUrl('a');"}) == [("b.js", "unknown-api")]


def reported_with_popup(popup: str, files: Files) -> list[tuple[str, str]]:
    """Returns the findings about a source that no file names, if only npm packages may be missing."""
    page = {"manifest.json": manifest(action={"default_popup": "a.html"}), "worker.bundle.js": ""}
    return reported({**page, "a.html": "<script type=module src=a.js></script>", "a.js": popup, **files})


MISSING_PACKAGE = "import { tree } from 'd3-tree'; import '@scope/all/all.js'; import 'normalize.css';"


def test_npm_package_loads_no_source() -> None:
    assert reported_with_popup(MISSING_PACKAGE, {}) == []


@pytest.mark.parametrize(
    ("popup", "files"),
    [
        pytest.param("import './gone.js';", {}, id="a source that is missing"),
        pytest.param("import 'pages/Panel';", {}, id="an alias of its folders"),
        pytest.param("import '@/Panel';", {}, id="an alias of a folder"),
        pytest.param("import 'Panel';", {}, id="an alias that is like a package"),
        pytest.param("import routes from 'virtual:pages';", {}, id="a module that a build makes"),
        pytest.param("import.meta.glob('./pages/**');", {}, id="modules by a pattern"),
        pytest.param("require.context('./pages', true);", {}, id="modules of a folder"),
        pytest.param("import(`./pages/${name}/index.js`);", {}, id="a computed name"),
        pytest.param("", {"webpack.config.js": ENTRY}, id="an entry of a build"),
    ],
)
def test_missing_file_may_load_unnamed_source(popup: str, files: Files) -> None:
    assert reported_with_popup(MISSING_PACKAGE + popup, files) == [(PANEL, "missing-permission")]


def test_devtools_code_without_devtools_page_is_unused() -> None:
    assert (
        reported({"webpack.config.js": ENTRY, PANEL: "chrome.devtools.panels.create('a', '', 'b.html');"})
        == []
    )


def test_missing_import_of_unloaded_source_proves_nothing() -> None:
    files: Files = {PANEL: "import './gone.js'; chrome.cookies.getAll({});", "webpack.config.js": ""}
    assert reported_with_popup("", files) == []
    assert reported_with_popup("", {**files, "webpack.config.js": ENTRY}) == [(PANEL, "missing-permission")]


def test_unloaded_source_may_target_another_browser() -> None:
    use, named = "browser.contextualIdentities.query({});", f"load('{PANEL}');"
    assert reported_with_popup(named, {PANEL: f"import './gone.js'; {use}"}) == []
    mistake: Files = {PANEL: "import './gone.js'; chrome.runtime.getUrl('a');"}
    assert reported_with_popup(named, mistake) == [(PANEL, "unknown-api")]
    assert reported_with_popup("", mistake) == []


@pytest.mark.parametrize(
    ("missing", "files", "is_reported"),
    [
        pytest.param("js/options.js", {}, False, id="another script"),
        pytest.param("js/options.js", {"gulpfile.js": ENTRY}, True, id="an entry of a build"),
        pytest.param("js/panel.js", {}, True, id="a script with its name"),
    ],
)
def test_script_of_a_page_is_missing(missing: str, files: Files, is_reported: bool) -> None:
    page: Files = {
        "manifest.json": manifest(action={"default_popup": "a.html"}),
        "a.html": f"<script src='{missing}'></script><script src='a.js'></script>",
        "a.js": "",
        "gulpfile.js": "x('./src/a.js')",
    }
    assert reported({**page, **files}) == ([(PANEL, "missing-permission")] if is_reported else [])
