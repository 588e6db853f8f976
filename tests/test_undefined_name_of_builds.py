"""Names that nothing defines in the sources of a build, nor the build itself."""

from __future__ import annotations

import json

import pytest
from harness import Files, manifest
from packages import package_in

from extlint.checker import check_package
from extlint.schema.targets import Target

RULE = "undefined-name"
BABEL = {"webpack": "5", "babel-loader": "9"}


def project(source: str, others: Files | None = None, tools: dict[str, str] | None = None) -> Files:
    """Returns a project in which a bundler makes the background script of an extension."""
    config = {"name": "clock", "scripts": {"build": "webpack"}, "devDependencies": tools or BABEL}
    return {
        "package.json": json.dumps(config),
        "src/manifest.json": manifest(background={"service_worker": "background.bundle.js"}),
        "src/background.js": f"{source} chrome.runtime.id;",
        **(others or {}),
    }


def undefined(files: Files, folder: str = "src") -> list[str]:
    """Returns the names that are reported."""
    found = check_package(package_in(files, f"{folder}/"), [Target("chrome")], [RULE]).findings
    return [each.message.split("`")[1] for each in found]


CALL = "later();"
MODULE = f"import {{info}} from './b.js'; info(); {CALL}"
B: Files = {"src/b.js": "export const info = () => 1;"}
EXCUSED: dict[str, Files] = {
    "a program of the build": {"webpack.config.js": "new ProvidePlugin({later: 'later'});"},
    "package.json": {"package.json": '{"scripts": {"build": "esbuild --define:later=f"}}'},
    "a configuration": {".eslintrc.json": '{"globals": {"later": true}}'},
    "a configuration in the folder": {"src/.babelrc": '{"plugins": [["inject", {"later": "a"}]]}'},
    "code outside of the package": {"shared/a.js": "window.later = () => 1;"},
    "a declaration": {"src/a.d.ts": "declare function later(): void;"},
    "a script in TypeScript": {"src/a.ts": "export function later() {}"},
    "a page": {"src/a.html": "<p id=later></p>"},
    "a program that adds a library": {"webpack.config.js": "copy('node_modules/lib/a.js');"},
    "a page with a library": {"src/a.html": "<script src='bower_components/lib/a.js'></script>"},
    "a library that is imported only to run": {"src/b.js": "import 'webpack'; export let info;"},
    "a module that is missing": {"src/b.js": "import './gone.js'; export let info;"},
}


@pytest.mark.parametrize("others", EXCUSED.values(), ids=EXCUSED)
def test_name_that_a_build_may_define_is_not_reported(others: Files) -> None:
    assert undefined(project(MODULE, {**B, **others})) == []


REPORTED: dict[str, Files] = {
    "nothing else": {},
    "a local variable of another script": {
        "src/c.js": "export function f() { let later = 1; return later; }"
    },
    "an export that is not imported": {"src/c.js": "export function later() {}"},
    "a library of which names are imported": {"src/b.js": "export {info} from 'webpack';"},
    "a polyfill": {"src/b.js": "import 'core-js/stable'; export let info = () => 1;"},
    "a module that is missing": {"src/b.js": "export {info} from './gone.js';"},
    "a locked version": {"package-lock.json": '{"packages": {"later": {}}}'},
}


@pytest.mark.parametrize("others", REPORTED.values(), ids=REPORTED)
def test_name_that_no_build_defines_is_reported(others: Files) -> None:
    tools = {**BABEL, "core-js": "3"}
    assert undefined(project(MODULE, {**B, **others}, tools)) == ["later"]


@pytest.mark.parametrize("tool", ["nuxt", "unplugin-auto-import", "babel-plugin-macros", "imports-loader"])
def test_names_that_a_tool_imports_are_unknown(tool: str) -> None:
    assert undefined(project(MODULE, B, {"webpack": "5", tool: "1"})) == []


def test_constants_of_builds_are_unknown() -> None:
    assert undefined(project("console.log(__VERSION__.length, DEBUG_MODE.length);")) == []


@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        ({"webpack": "5"}, ["later"]),
        ({"esbuild": "0.25"}, []),
        ({"webpack": "5", "esbuild": "0.25"}, []),
        ({"rollup": "4"}, []),
    ],
)
def test_only_webpack_keeps_modules_strict(tools: dict[str, str], expected: list[str]) -> None:
    assert undefined(project("export {}; later = 1;", tools=tools)) == expected
    assert undefined(project("export {}; (() => { 'use strict'; later = 1; })();", tools=tools)) == ["later"]


COMPONENT = """<template><p @click="%s">{{ %s }}</p></template>
<script%s>
export default { mounted() { later(); } };
</script>
"""


@pytest.mark.parametrize(
    ("click", "text", "kind", "expected"),
    [
        ("start", "name", "", ["later"]),
        ("later = 1", "name", "", []),
        ("start", "later", "", []),
        ("start", "name", ' lang="ts"', []),
    ],
)
def test_component(click: str, text: str, kind: str, expected: list[str]) -> None:
    files = {"src/App.vue": COMPONENT % (click, text, kind)}
    assert undefined(project("import App from './App.vue'; App.a;", files)) == expected
