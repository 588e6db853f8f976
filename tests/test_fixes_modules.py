"""Fixes of `misplaced-import`: a background, or a script of a page, that is loaded as a module."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from fixing import fixed
from harness import Files, lint, manifest

SELECTED = ("misplaced-import", "invalid-syntax", "invalid-json")
IMPORT = 'import { f } from "./m.js";\nf();\n'
WORKER: dict[str, Any] = {"service_worker": "a.js"}


def fix(files: Files, target: str) -> dict[str, str]:
    """Returns the fixed files, which have no mistake left."""
    assert "misplaced-import" in {each.rule for each in lint(files, SELECTED, target)}
    after = fixed(files, target, unsafe=True, select=SELECTED)
    assert fixed(files, target, select=SELECTED) == {}, "the fix is unsafe"
    assert lint({**files, **after}, SELECTED, target) == [] or not after
    return after


def fixed_background(
    background: Mapping[str, object], target: str, script: str = IMPORT, b: str = "", **keys: object
) -> object:
    """Returns the fixed key `background`, or None if it is not fixed."""
    files = {
        "manifest.json": manifest(**{"background": background, **keys}),
        "a.js": script,
        "b.js": b,
        "m.js": "export const f = 1;",
    }
    after = fix(files, target)
    assert after.keys() <= {"manifest.json"}
    return json.loads(after["manifest.json"])["background"] if after else None


@pytest.mark.parametrize(
    ("background", "target", "key"),
    [
        (WORKER, "chrome", "service_worker"),
        ({"scripts": ["a.js"]}, "firefox", "scripts"),
        ({"scripts": ["a.js"], **WORKER}, "firefox,chrome", "service_worker"),
        ({**WORKER, "type": "classic"}, "chrome", "service_worker"),
    ],
)
@pytest.mark.parametrize("script", [IMPORT, "export {};", "f(import.meta.url);"])
def test_background_becomes_a_module(background: dict[str, Any], target: str, key: str, script: str) -> None:
    assert fixed_background(background, target, script) == {**background, "type": "module"}


def test_layout_of_the_manifest_is_kept() -> None:
    text = '{\r\n\t"manifest_version": 3,\r\n\t"name": "N",\r\n\t"version": "1",\r\n\t"background": {\r\n\t\t'
    text += '"service_worker": "a.js"\r\n\t}\r\n}\r\n'
    after = fix({"manifest.json": text, "a.js": "export {};"}, "chrome")
    assert after == {"manifest.json": text.replace('"a.js"', '"a.js",\r\n\t\t"type": "module"')}


def test_all_scripts_of_a_background_become_modules() -> None:
    both: dict[str, Any] = {"scripts": ["b.js", "a.js"]}
    assert fixed_background(both, "firefox", b=IMPORT) == {**both, "type": "module"}
    assert fixed_background(both, "firefox", b="var x = 1;") is None
    separate = {"scripts": ["a.js"], "service_worker": "b.js"}
    assert fixed_background(separate, "firefox", b="importScripts('m.js');") is None


NOT_MODULES = {
    "the name of a package": "import x from 'lodash';",
    "a missing file": "import x from './n.js';",
    "a file without its suffix": "import x from './m';",
    "a file with such an import": "import './b.js';",
    "`importScripts`": f"{IMPORT}importScripts('m.js');",
    "code that is not strict": f"{IMPORT}with (x) {{}}",
}
"""Scripts that would not run as modules."""


@pytest.mark.parametrize("script", NOT_MODULES.values(), ids=NOT_MODULES)
def test_background_remains_a_script_with(script: str) -> None:
    assert fixed_background(WORKER, "chrome", script, b="import 'lodash';") is None


def test_background_of_old_versions_remains_a_script() -> None:
    settings = {"gecko": {"id": "a@b.c", "strict_min_version": "109.0"}}
    scripts = {"scripts": ["a.js"]}
    assert fixed_background(scripts, "firefox", browser_specific_settings=settings) is None
    assert fixed_background(scripts, "firefox", manifest_version=2) is None


def test_script_that_is_also_a_content_script_is_not_fixed() -> None:
    content = [{"matches": ["https://a.example/*"], "js": ["a.js"]}]
    assert fixed_background(WORKER, "chrome", content_scripts=content) is None
    page = {"manifest.json": manifest(options_ui={"page": "o.html"}, content_scripts=content)}
    files = {**page, "o.html": "<script src=a.js></script>", "a.js": IMPORT, "m.js": "export const f = 1;"}
    assert fix(files, "chrome") == {}


def test_script_that_a_worker_imports_is_not_fixed() -> None:
    assert fixed_background(WORKER, "chrome", "importScripts('b.js');", b=IMPORT) is None


TAGS = {
    "a script": ("<script src=a.js></script>", '<script type="module" src=a.js></script>'),
    "capital letters": ("<SCRIPT SRC='a.js'></SCRIPT>", "<SCRIPT type=\"module\" SRC='a.js'></SCRIPT>"),
    "a type": (
        "<script type='text/javascript' src='a.js' defer></script>",
        "<script type='module' src='a.js' defer></script>",
    ),
    "a type without quotes": (
        "<script src=a.js type=text/javascript></script>",
        "<script src=a.js type=module></script>",
    ),
    "an empty type": ('<script src=a.js type=""></script>', '<script src=a.js type="module"></script>'),
    "lines": (
        '<p>é\r\n<script\r\n\tsrc="a.js?x=1">\r\n</script>',
        '<p>é\r\n<script type="module"\r\n\tsrc="a.js?x=1">\r\n</script>',
    ),
    "two scripts": (
        "<script src=/a.js></script>\n<script src=a.js></script>",
        '<script type="module" src=/a.js></script>\n<script type="module" src=a.js></script>',
    ),
    "a comment": (
        "<!-- <script src=a.js></script> --><script src=a.js></script>",
        '<!-- <script src=a.js></script> --><script type="module" src=a.js></script>',
    ),
    "a base": (
        "<base href=sub/><script src=../a.js></script>",
        '<base href=sub/><script type="module" src=../a.js></script>',
    ),
    "a script with the same name in a function": (
        "<script src=c.js></script><script src=a.js></script>",
        '<script src=c.js></script><script type="module" src=a.js></script>',
    ),
    "other scripts": (
        "<script src=b.js></script><script src=a.js></script>",
        '<script src=b.js></script><script type="module" src=a.js></script>',
    ),
}


def page_with(tags: str, script: str = IMPORT, **others: str) -> Files:
    files = {"manifest.json": manifest(options_ui={"page": "o.html"}), "o.html": tags, "a.js": script}
    return {
        **files,
        "m.js": "export const f = 1;",
        "b.js": "go();",
        "c.js": "h(function (f) { var x = f; });",
        **others,
    }


@pytest.mark.parametrize(("before", "after"), TAGS.values(), ids=TAGS)
def test_script_of_a_page_becomes_a_module(before: str, after: str) -> None:
    assert fix(page_with(before), "firefox,chrome") == {"o.html": after}


def test_script_becomes_a_module_in_all_pages() -> None:
    tag = "<script src=a.js></script>"
    files = {
        **page_with(f"{tag}<a href=p.html>"),
        "p.html": f"<p>{tag}",
        "unused.html": tag,
        "b.html": "<script src=b.js></script>",
    }
    new = tag.replace(" src", ' type="module" src')
    assert fix(files, "chrome") == {"o.html": f"{new}<a href=p.html>", "p.html": f"<p>{new}"}


def test_background_page_loads_a_module() -> None:
    files = {**page_with("<script src=a.js></script>")}
    files["manifest.json"] = manifest(manifest_version=2, background={"page": "o.html"})
    assert fix(files, "firefox") == {"o.html": '<script type="module" src=a.js></script>'}


UNSURE = {
    "only exports": ("<script src=a.js></script>", "export const f = 1;"),
    "a type without a value": ("<script type src=a.js></script>", IMPORT),
    "a name that another script uses": (
        "<script src=a.js></script><script src=b.js></script>",
        f"{IMPORT}function go() {{}}",
    ),
    "the element of the script": ("<script src=a.js></script>", f"{IMPORT}f(document.currentScript);"),
    "a file without its suffix": ("<script src=a.js></script>", "import x from './m';"),
}


@pytest.mark.parametrize(("tags", "script"), UNSURE.values(), ids=UNSURE)
def test_script_of_a_page_is_not_fixed_with(tags: str, script: str) -> None:
    assert fix(page_with(tags, script), "chrome") == {}


def test_script_of_a_sandboxed_page_is_not_fixed() -> None:
    files = page_with("<script src=a.js></script>")
    assert fix({**files, "manifest.json": manifest(sandbox={"pages": ["o.html"]})}, "chrome") == {}
