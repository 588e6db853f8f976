"""If files named by the manifest do not exist yet, only sources of a build impose requirements on it."""

from __future__ import annotations

import pytest
from harness import Files, manifest
from packages import package_in

from extlint.checker import check_package
from extlint.targets.request import Target

RULES = ["missing-permission", "missing-manifest-key", "unknown-api"]
MADE = manifest(background={"service_worker": "worker.bundle.js"})
PANEL = "pages/Panel/index.js"
ENTRY = "module.exports = {entry: {a: path.join(__dirname, 'pages', 'Panel', 'index.js')}};"


def told(files: Files, folder: str = "") -> list[tuple[str, str]]:
    """Returns the findings about the panel's script and other scripts."""
    use = {f"{folder}{PANEL}": "chrome.cookies.getAll({});"}
    package = package_in({f"{folder}manifest.json": MADE, **use, **files}, folder)
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
def test_a_source_that_counts(files: Files) -> None:
    assert told(files) == [(PANEL, "missing-permission")]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({}, id="nothing"),
        pytest.param({"webpack.config.js": f"// {ENTRY}\n/* {ENTRY} */"}, id="a comment"),
        pytest.param({"build.sh": "# esbuild pages/Panel/index.js"}, id="a comment of a shell"),
        pytest.param({"webpack.config.js": "x('./pages/Popup/index.js', 'index.js')"}, id="another entry"),
        pytest.param({"jest.config.js": "x(['pages/**/*.js'])"}, id="tests"),
        pytest.param(
            {"package.json": '{"scripts": {"lint": "eslint pages/**/*.js"}}'}, id="what looks for mistakes"
        ),
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
def test_a_source_that_does_not_count(files: Files) -> None:
    assert told(files) == []


def test_an_entry_is_named_from_the_project() -> None:
    assert told({"webpack.config.js": "x('./ext/pages/Panel/index.js')"}, "ext/") != []
    assert told({"webpack.config.js": "x('./other/pages/Panel/index.js')"}, "ext/") == []


def test_what_no_manifest_gives_is_told_all_the_same() -> None:
    assert told({"b.js": "chrome.runtime.getUrl('a');"}) == [("b.js", "unknown-api")]


def of_sources(popup: str, files: Files) -> list[tuple[str, str]]:
    """Returns the findings about a source that no file names, if only npm packages may be missing."""
    page = {"manifest.json": manifest(action={"default_popup": "a.html"}), "worker.bundle.js": ""}
    return told({**page, "a.html": "<script type=module src=a.js></script>", "a.js": popup, **files})


MISSING_PACKAGE = "import { tree } from 'd3-tree'; import '@scope/all/all.js'; import 'normalize.css';"


def test_a_package_of_npm_loads_no_source() -> None:
    assert of_sources(MISSING_PACKAGE, {}) == []


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
def test_what_may_load_a_source_that_no_file_names(popup: str, files: Files) -> None:
    assert of_sources(MISSING_PACKAGE + popup, files) == [(PANEL, "missing-permission")]


def test_the_code_of_a_devtools_page_that_the_manifest_does_not_name_is_left_over() -> None:
    assert (
        told({"webpack.config.js": ENTRY, PANEL: "chrome.devtools.panels.create('a', '', 'b.html');"}) == []
    )


def test_what_a_source_that_nothing_loads_misses_itself() -> None:
    files: Files = {PANEL: "import './gone.js'; chrome.cookies.getAll({});", "webpack.config.js": ""}
    assert of_sources("", files) == []
    assert of_sources("", {**files, "webpack.config.js": ENTRY}) == [(PANEL, "missing-permission")]


def test_a_source_that_nothing_loads_may_be_for_another_browser() -> None:
    assert of_sources("", {PANEL: "import './gone.js'; browser.contextualIdentities.query({});"}) == []
    assert of_sources("", {PANEL: "import './gone.js'; chrome.runtime.getUrl('a');"}) == [
        (PANEL, "unknown-api")
    ]
