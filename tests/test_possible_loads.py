"""Scripts that nothing is known to load: those that may run, and those that certainly do not."""

from __future__ import annotations

import pytest
from harness import Files, manifest
from packages import package_in

from extlint.checker import check_package
from extlint.schema.targets import Target

WORKER = "chrome.action.onClicked.addListener(f);"
LACKS = "f('gone.html'); new Worker('lost.js');"
"""Code that loads files that are not in the package."""


def is_closed(files: Files, **keys: object) -> bool:
    """Whether all code that runs is known, so that a listener is known to be dead."""
    listed = {"action": {"default_popup": "popup.html"}, "background": {"service_worker": "w.js"}, **keys}
    package = {"manifest.json": manifest(**listed), "popup.html": "<p>", "w.js": WORKER, **files}
    return bool(check_package(package_in(package, ""), [Target("chrome")], ["dead-listener"]).findings)


IGNORED: dict[str, Files] = {
    "a script that nothing loads": {"other.js": LACKS},
    "prose": {"other.js": "throw Error('The address is not that of group.html');"},
    "a script of a page that nothing opens": {
        "old.html": "<script src=other.js></script>",
        "other.js": LACKS,
    },
    "a script that another one names that nothing loads": {"a.js": "f('other.js');", "other.js": LACKS},
    "a syntax error": {"other.js": "chrome.tabs.create(; const a = 1; const a = 2;"},
    "the address of a known file": {
        "w.js": WORKER
        + "import(chrome.runtime.getURL('w.js')); new Worker(new URL('w.js', import.meta.url));",
        "other.js": LACKS,
    },
    "methods named like an import": {
        "w.js": WORKER + "list.import(name); const a = { require(name) { return name; } };",
        "other.js": LACKS,
    },
    "a computed member": {"other.js": "chrome[name].f();"},
    "a script that a comment names": {
        "w.js": f"// see other.js\n{WORKER} /* import(name) */",
        "other.js": LACKS,
    },
    "a test": {"tests/a.spec.js": "import path from 'path'; import { test } from '@playwright/test';"},
    "a program": {"scripts/a.js": "import fs from 'fs'; import { zip } from './zip.js';"},
    "a script element with a known source": {
        "w.js": WORKER + "const s = document.createElement('script'); s.src = chrome.runtime.getURL('a.js');",
        "a.js": "",
        "other.js": LACKS,
    },
}
COUNTED: dict[str, Files] = {
    "a loaded script": {"w.js": WORKER + "importScripts('a.js');", "a.js": LACKS},
    "a script that is named": {"w.js": WORKER + "f('js/other.js');", "other.js": LACKS},
    "a script that is named without its suffix": {"w.js": WORKER + "f('js/other');", "other.js": LACKS},
    "a script of a page that is named": {
        "w.js": WORKER + "f('old.html');",
        "old.html": "<script src=other.js></script>",
        "other.js": LACKS,
    },
    "a script that a page names": {"popup.html": "<p data-main=js/other>", "js/other.js": LACKS},
    "a script of another manifest": {
        "manifest.firefox.json": manifest(background={"scripts": ["other.js"]}),
        "other.js": LACKS,
    },
    "an address and a name": {
        "w.js": WORKER + "import(chrome.runtime.getURL('w') + name);",
        "other.js": LACKS,
    },
    "a computed import": {"w.js": WORKER + "import(name);", "other.js": LACKS},
    "a name that is put together": {"w.js": WORKER + "f('oth' + 'er' + '.js');", "other.js": LACKS},
    "a computed address": {"w.js": WORKER + "f(chrome.runtime.getURL('js/' + name));", "other.js": LACKS},
    "a computed source": {
        "w.js": WORKER + "const s = document.createElement('script'); s.src = name;",
        "other.js": LACKS,
    },
    "a computed file": {
        "w.js": WORKER + "chrome.scripting.executeScript({target: {tabId: 1}, files: [name]});",
        "other.js": LACKS,
    },
    "a function that injects": {
        "w.js": WORKER + "f(chrome.scripting.executeScript);",
        "other.js": LACKS,
    },
    "an import that a build may resolve": {"other.js": "import React from 'react';"},
    "a script that a build compiles": {"other.ts": LACKS},
}


@pytest.mark.parametrize("files", IGNORED.values(), ids=IGNORED)
def test_script_that_does_not_run_leaves_no_code_unknown(files: Files) -> None:
    assert is_closed(files)


@pytest.mark.parametrize("files", COUNTED.values(), ids=COUNTED)
def test_script_that_may_run_must_be_known(files: Files) -> None:
    assert not is_closed(files)


def test_build_may_include_any_script() -> None:
    build = {"package.json": '{"scripts": {"build": "webpack"}, "devDependencies": {"webpack": "5"}}'}
    assert is_closed({"other.js": LACKS, "package.json": "{}"})
    assert not is_closed({"other.js": LACKS, **build})


@pytest.mark.parametrize(
    ("world", "is_known"), [("MAIN", True), ("ISOLATED", False)], ids=["of the page", "of the extension"]
)
def test_name_of_a_page_in_a_script_in_web_pages(world: str, is_known: bool) -> None:
    content = [{"matches": ["<all_urls>"], "js": ["c.js"], "world": world}]
    assert is_closed({"c.js": "const tokens = ['metatag.html'];"}, content_scripts=content) is is_known
