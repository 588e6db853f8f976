"""The load path from the package to a script, as shown by `wrong-context` findings."""

from __future__ import annotations

import json
import sys

import pytest
from harness import Files, lint, manifest, text_at

from extlint.checks.load_paths import MAX_STEPS

USE = "browser.test.log('a');"
MANIFEST_STEP = 'the manifest names `sw.js` as a service worker: "sw.js"'
SW = {"background": {"service_worker": "sw.js"}}


def load_path(files: Files, path: str) -> list[str]:
    """Returns the load path in the only finding of a file: each message with its source text."""
    (finding,) = (each for each in lint(files, ["wrong-context"]) if each.path == path)
    return [f"{each.message}: {text_at(str(files[each.path]), each.span)}" for each in finding.related]


@pytest.mark.parametrize(
    ("keys", "files", "expected"),
    [
        pytest.param(SW, {"sw.js": USE}, [MANIFEST_STEP], id="the manifest names the script"),
        pytest.param(
            {"background": {"scripts": ["b.js", "a.js"]}},
            {"a.js": USE, "b.js": ""},
            ['the manifest names `a.js` as a background script: "a.js"'],
            id="a list of scripts",
        ),
        pytest.param(
            {"content_scripts": [{"js": ["a.js"], "world": "MAIN"}]},
            {"a.js": USE},
            ['the manifest names `a.js` as a content script in the main world: "a.js"'],
            id="the main world",
        ),
        pytest.param(
            {"action": {"default_popup": "p/é.html"}},
            {"p/é.html": "<p>é<script src='/a.js'></script>", "a.js": USE},
            [
                'the manifest names `p/é.html` as an extension page: "p/\\u00e9.html"',
                "`p/é.html` loads `a.js`: /a.js",
            ],
            id="a page loads the script",
        ),
        pytest.param(
            {"action": {"default_popup": "a.js.html"}},
            {"a.js.html": f"<script>{USE}</script>"},
            ['the manifest names `a.js.html` as an extension page: "a.js.html"'],
            id="a page holds the script",
        ),
        pytest.param(
            {"options_page": "p.html"},
            {"p.html": "<i>é</i><script type=module>\nimport './a.js'</script>", "a.js": USE},
            [
                'the manifest names `p.html` as an extension page: "p.html"',
                "`p.html` imports `a.js`: './a.js'",
            ],
            id="an inline script imports the script",
        ),
        pytest.param(
            SW,
            {"sw.js": "import './b.js'", "b.js": "export * from './a.js'", "a.js": USE},
            [MANIFEST_STEP, "`sw.js` imports `b.js`: './b.js'", "`b.js` imports `a.js`: './a.js'"],
            id="a script imports the script",
        ),
        pytest.param(
            SW,
            {"sw.js": "import './a.js'", "a.js": f"import './sw.js'; {USE}"},
            [MANIFEST_STEP, "`sw.js` imports `a.js`: './a.js'"],
            id="circular imports",
        ),
        pytest.param(
            SW,
            {"sw.js": "importScripts('b.js', 'a.js')", "a.js": USE, "b.js": ""},
            [MANIFEST_STEP, "`sw.js` loads `a.js`: 'a.js'"],
            id="importScripts",
        ),
        pytest.param(
            SW,
            {"sw.js": "new Worker('a.js')", "a.js": USE},
            [MANIFEST_STEP, "`sw.js` starts `a.js`: 'a.js'"],
            id="a worker",
        ),
        pytest.param(
            SW,
            {
                "sw.js": "chrome.scripting.executeScript({ target, world: 'MAIN', files: ['a.js'] })",
                "a.js": USE,
            },
            [MANIFEST_STEP, "`sw.js` injects `a.js`: 'a.js'"],
            id="an injected script",
        ),
        pytest.param(
            SW,
            {
                "sw.js": "chrome.tabs.create({ url: 'p.html' })",
                "p.html": "<script src=a.js></script>",
                "a.js": USE,
            },
            [MANIFEST_STEP, "`sw.js` opens `p.html`: 'p.html'", "`p.html` loads `a.js`: a.js"],
            id="a page that a script opens",
        ),
        pytest.param(
            {"options_page": "p.html", "sandbox": {"pages": ["*.html"]}},
            {"p.html": "<script src=a.js></script>", "a.js": USE},
            ['the manifest names `p.html` as a sandboxed page: "*.html"', "`p.html` loads `a.js`: a.js"],
            id="a sandboxed page, however else it is named",
        ),
    ],
)
def test_load_path_of_a_script(keys: dict[str, object], files: dict[str, str], expected: list[str]) -> None:
    path = "a.js" if "a.js" in files else next(path for path in files if USE in files[path])
    assert load_path({"manifest.json": manifest(**keys), **files}, path) == expected


SEVERAL_CONTEXTS = {
    "background": {"service_worker": "a.js", "scripts": ["a.js"]},
    "options_page": "p.html",
    "devtools_page": "p.html",
}


@pytest.mark.parametrize(
    ("keys", "message", "ways", "help_ends"),
    [
        pytest.param(
            {**SEVERAL_CONTEXTS, "devtools_page": ""},
            "a background page, a service worker or an extension page",
            ["a background script", "a service worker", "an extension page", "loads"],
            "only in content scripts",
            id="an API missing in three contexts",
        ),
        pytest.param(
            SEVERAL_CONTEXTS,
            "a background page, a service worker, an extension page or a developer tools page",
            ["a background script", "a service worker", "an extension page", "loads"],
            "; this script is also reached in 1 other way",
            id="of more than three the others are counted",
        ),
        pytest.param(
            {"background": {"service_worker": "a.js"}, "content_scripts": [{"js": ["a.js"]}]},
            "a service worker",
            ["a service worker"],
            "; this script runs in several places and uses it as soon as it loads",
            id="an API missing in one of two contexts",
        ),
    ],
)
def test_script_in_several_contexts(
    keys: dict[str, object], message: str, ways: list[str], help_ends: str
) -> None:
    files = {
        "manifest.json": manifest(**keys),
        "p.html": "<script src=a.js></script>",
        "a.js": USE,
    }
    (finding,) = lint(files, ["wrong-context"])
    assert finding.message == f"`test.log` is not available in {message}"
    assert [next((way for way in ways if way in each.message), "") for each in finding.related] == ways
    assert (finding.help or "").endswith(help_ends)


def import_chain(count: int) -> dict[str, str]:
    files = {f"{number}.js": f"import './{number + 1}.js'" for number in range(count)}
    manifest_text = json.dumps({"manifest_version": 3, "background": {"service_worker": "0.js"}})
    return {**files, "manifest.json": manifest_text, f"{count}.js": USE}


def test_long_load_path_is_shown_in_full() -> None:
    count = MAX_STEPS - 1
    steps = load_path(import_chain(count), f"{count}.js")
    assert steps[1:] == [
        f"`{number}.js` imports `{number + 1}.js`: './{number + 1}.js'" for number in range(count)
    ]


def test_longer_load_path_shows_its_start_and_end() -> None:
    count = MAX_STEPS + 5
    steps = load_path(import_chain(count), f"{count}.js")
    assert len(steps) == MAX_STEPS
    assert steps[:2] == [
        'the manifest names `0.js` as a service worker: "0.js"',
        "7 steps later, `6.js` imports `7.js`: './7.js'",
    ]


def test_load_path_may_exceed_the_recursion_limit() -> None:
    count = sys.getrecursionlimit() * 2
    assert len(load_path(import_chain(count), f"{count}.js")) == MAX_STEPS
