"""Scripts that do not run because an earlier script declares the same name: `invalid-syntax`."""

from __future__ import annotations

from typing import Any

import pytest
from harness import Files, lint, manifest

ALL = ["https://example.com/*", "https://example.org/*"]
SOME = ["https://example.com/*"]


def entry(*files: str, **keys: Any) -> dict[str, Any]:
    return {"matches": SOME, "js": [*files], **keys}


def with_entries(*entries: dict[str, Any]) -> str:
    return manifest(content_scripts=[*entries])


def page(*elements: str) -> Files:
    files = {"p.html": "<!doctype html><body>" + "".join(elements)}
    return {**files, "manifest.json": manifest(action={"default_popup": "p.html"})}


A, B = "<script src=a.js></script>", "<script src=b.js></script>"
BACKGROUND = manifest(manifest_version=2, background={"scripts": ["a.js", "b.js"]})
REALMS: dict[str, tuple[Files, str]] = {
    "a page": (page(A, B), "b.js"),
    "a page, the other way around": (page(B, A), "a.js"),
    "a background page": ({"manifest.json": BACKGROUND}, "b.js"),
    "one entry of content scripts": ({"manifest.json": with_entries(entry("a.js", "b.js"))}, "b.js"),
    "two entries": ({"manifest.json": with_entries(entry("a.js"), entry("b.js"))}, "b.js"),
    "an entry for more pages": (
        {"manifest.json": with_entries(entry("a.js"), entry("b.js", matches=ALL))},
        "b.js",
    ),
    "an entry without some pages": (
        {
            "manifest.json": with_entries(
                entry("a.js"), entry("b.js", exclude_matches=["https://example.com/a"])
            )
        },
        "b.js",
    ),
    "an entry that runs earlier": (
        {"manifest.json": with_entries(entry("a.js"), entry("b.js", run_at="document_start"))},
        "a.js",
    ),
}
SEPARATE_REALMS: dict[str, Files] = {
    "modules": page(A.replace("script ", "script type=module "), B),
    "two pages": {
        "p.html": A,
        "o.html": B,
        "manifest.json": manifest(action={"default_popup": "p.html"}, options_page="o.html"),
    },
    "other pages": {
        "manifest.json": with_entries(entry("a.js"), entry("b.js", matches=["https://example.net/*"]))
    },
    "two worlds": {"manifest.json": with_entries(entry("a.js"), entry("b.js", world="MAIN"))},
    "a page and a content script": {
        **page(A),
        "manifest.json": manifest(content_scripts=[entry("b.js")], action={"default_popup": "p.html"}),
    },
    "the same script twice": {"manifest.json": with_entries(entry("a.js"), entry("a.js"))},
}


def found(files: Files, first: str = "let options = {};\n", second: str = "let options = [];\n") -> list[str]:
    package = {"a.js": first, "b.js": second, **files}
    return [each.path for each in lint(package, ["invalid-syntax"], "chrome")]


@pytest.mark.parametrize(("files", "path"), REALMS.values(), ids=REALMS.keys())
def test_name_that_an_earlier_script_declares_is_reported(files: Files, path: str) -> None:
    assert found(files) == [path]


@pytest.mark.parametrize("files", SEPARATE_REALMS.values(), ids=SEPARATE_REALMS.keys())
def test_name_in_another_realm_is_not_reported(files: Files) -> None:
    assert found(files) == []


DECLARATIONS = {
    "const": ("const a1 = 1;", "const a1 = 2;", ["b.js"]),
    "class": ("class A {}", "class A {}", ["b.js"]),
    "a variable, then let": ("var a = 1;", "let a = 1;", ["b.js"]),
    "let, then a variable": ("let a = 1;", "var a = 1;", ["b.js"]),
    "let, then a function": ("let a = 1;", "function a() {}", ["b.js"]),
    "a function, then const": ("async function a() {}", "const a = 1;", ["b.js"]),
    "two variables": ("var a = 1;", "var a = 2;", []),
    "two functions": ("function a() {}", "function a() {}", []),
    "other names": ("let a = 1;", "let b = 1;", []),
    "in a block": ("let a = 1;", "{\nlet a = 1;\n}", []),
    "in a function": ("let a = 1;", "(() => {\nlet a = 1;\n})();", []),
    "in a text": ("let a = 1;", "x(`\nlet a = 1;\n`);", []),
    "no declaration": ("let a = 1;", "a = 2;", []),
    "an earlier script that does not parse": ("const a = 1;\nconst a = {", "let a = 1;", ["a.js"]),
    "an earlier script with an early error": ("const a = 1;\nlet b; let b;", "let a = 1;", ["a.js"]),
}


@pytest.mark.parametrize(("first", "second", "paths"), DECLARATIONS.values(), ids=DECLARATIONS.keys())
def test_names_that_may_be_declared_once_are_reported(first: str, second: str, paths: list[str]) -> None:
    assert found(page(A, B), first, second) == paths
