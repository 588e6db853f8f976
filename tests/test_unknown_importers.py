"""Modules that a content script and scripts with unknown contexts import."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest

RULES = ("unknown-api", "wrong-context")
LATER = "export function f() { chrome.tabs.create({}) }"
ON_LOAD = "chrome.tabs.create({})"
UNKNOWN_API = "export function f() { chrome.tabs.creat({}) }"
IMPORT = "import { f } from './shared.js'; f()"

IMPORTED: dict[str, Files] = {
    "an entry": {"popup.js": IMPORT},
    "a typed entry": {"popup.ts": IMPORT},
    "a component": {"Popup.vue": f"<script>{IMPORT}</script>"},
    "a module of an entry": {"popup.js": "import './between.js'", "between.js": IMPORT},
    "`require`": {"popup.js": "const { f } = require('./shared.js'); f()"},
    "an entry that exports too": {"popup.js": f"{IMPORT}; export {{ f }} from './shared.js'"},
    "an alias that is not known": {"src/popup.js": IMPORT.replace("./", "@/")},
    "an alias for a folder": {
        "popup.js": "import { f } from '@lib/between'; f()",
        "src/lib/between.ts": IMPORT.replace("./", "../../"),
    },
    "a page": {"popup.html": '<script src="shared.js"></script>'},
    "a page's module": {"popup.html": '<script type="module" src="p.js"></script>', "p.js": IMPORT},
    "a page's inline script": {"popup.html": f'<script type="module">{IMPORT}</script>'},
}
NOT_IMPORTED: dict[str, Files] = {
    "nothing": {},
    "a script that imports something else": {"popup.js": "import './other.js'", "other.js": ""},
    "a package of the same name": {"popup.js": "import { f } from 'shared'; f()"},
    "a part of a package": {"popup.js": "import { f } from 'lib/shared'; f()"},
    "an alias in a test": {"shared.test.js": IMPORT.replace("./", "@/")},
    "a test": {"shared.test.js": IMPORT},
    "a test in its folder": {"tests/shared.js": IMPORT.replace("./", "../")},
    "a page for tests": {"test/page.html": '<script src="../shared.js"></script>'},
    "a story": {"popup.stories.js": IMPORT},
    "a configuration": {"vite.config.js": IMPORT},
    "a tool": {"build.js": f"import fs from 'node:fs'; {IMPORT}"},
    "a benchmark of a framework": {"speed.js": f"import {{ bench }} from 'vitest'; {IMPORT}"},
    "a list of exports": {
        "index.js": "// All of it.\nexport * from './shared.js';\nexport { f } from './shared.js'"
    },
}


def reported(other_files: Files, shared: str, worker: str = "dist/worker.js") -> list[str]:
    """Returns the rules that are reported about a content script and the module that it imports.

    By default the background script is missing, so a build must generate it.
    """
    text = manifest(
        content_scripts=[{"matches": ["*://a.b/*"], "js": ["c.js"]}], background={"service_worker": worker}
    )
    files: Files = {
        "manifest.json": text,
        "package.json": '{"scripts": {"build": "vite build"}}',
        "c.js": IMPORT,
        "shared.js": shared,
        **other_files,
    }
    return [each.rule for each in lint(files, RULES, "chrome")]


@pytest.mark.parametrize("others", IMPORTED.values(), ids=IMPORTED.keys())
def test_module_with_unknown_importers_may_run_elsewhere(others: Files) -> None:
    assert reported(others, LATER) == []
    assert reported(others, UNKNOWN_API) == ["unknown-api"]
    assert reported(others, ON_LOAD) == ["wrong-context"]


@pytest.mark.parametrize("others", NOT_IMPORTED.values(), ids=NOT_IMPORTED.keys())
def test_module_without_other_importers_runs_only_in_its_context(others: Files) -> None:
    assert reported(others, LATER) == ["wrong-context"]


def test_unloaded_importer_in_a_complete_package_is_ignored() -> None:
    here = {"dist/worker.js": ""}
    assert reported({**here, "popup.js": IMPORT}, LATER) == ["wrong-context"]
    assert reported({**here, "popup.html": '<script src="shared.js"></script>'}, LATER) == []


OPENED = {"devtools_page": "devtools.html", "web_accessible_resources": [{"resources": ["panel.html"]}]}
PANEL: Files = {
    "package.json": '{"scripts": {"build": "vite build"}}',
    "panel.html": "<script src=panel.js></script>",
    "panel.js": "chrome.devtools.inspectedWindow.eval('1'); chrome.tabs.creat({})",
}


@pytest.mark.parametrize(
    ("keys", "others", "expected"),
    [
        pytest.param(OPENED, {}, [], id="the developer tools page is missing"),
        pytest.param(
            {**OPENED, "web_accessible_resources": [], "action": {"default_popup": "panel.html"}},
            {},
            ["wrong-context"],
            id="the page fails as a popup",
        ),
        pytest.param(
            {**OPENED, "action": {"default_popup": "panel.html"}},
            {"devtools.html": "<script src=d.js></script>", "d.js": "chrome.devtools.panels.elements"},
            ["wrong-context"],
            id="the developer tools open no panel",
        ),
        pytest.param(
            OPENED,
            {
                "devtools.html": "<script src=d.js></script>",
                "d.js": "chrome.devtools.panels.create('', '', p)",
            },
            [],
            id="web pages may open it, and it may be a panel",
        ),
        pytest.param(
            {**OPENED, "devtools_page": None}, {}, ["wrong-context"], id="without a developer tools page"
        ),
        pytest.param(
            {**OPENED, "devtools_page": None, "background": {"service_worker": "gone.js"}},
            {},
            [],
            id="unknown code may open it",
        ),
        pytest.param(
            {"background": {"service_worker": "gone.js"}, "options_page": "panel.html"},
            {},
            ["wrong-context"],
            id="an options page",
        ),
    ],
)
def test_pages_that_unknown_code_may_open(
    keys: dict[str, object], others: Files, expected: list[str]
) -> None:
    text = manifest(**{name: value for name, value in keys.items() if value is not None})
    found = {each.rule for each in lint({"manifest.json": text, **PANEL, **others}, RULES, "chrome")}
    assert found == {*expected, "unknown-api"}


VERSION = "const browser = window.browser; export const version = browser.version.split('.')"
DETECTED = "import b from 'detect-browser'; window.browser = b; import './m.js'"


@pytest.mark.parametrize(
    ("files", "is_reported"),
    [
        pytest.param({"main.js": DETECTED}, False, id="an importer gives the root another value"),
        pytest.param(
            {"main.js": DETECTED.replace("./m.js", "./n.js"), "n.js": "import './m.js'"},
            False,
            id="the importer of an importer",
        ),
        pytest.param({"main.js": DETECTED.replace("./m.js", "./n.js")}, True, id="another script"),
        pytest.param({"main.test.js": DETECTED}, True, id="a test"),
        pytest.param({"main.js": DETECTED.replace("window.browser", "window.b")}, True, id="another global"),
    ],
)
def test_root_that_an_importer_replaces(files: Files, is_reported: bool) -> None:
    background = {"page": "built.html"}
    keys = manifest(manifest_version=2, background=background)
    found = lint({"manifest.json": keys, "m.js": VERSION, **files}, RULES, "reference")
    assert bool(found) is is_reported
