"""Sources of scripts that commands in `package.json` make, and of those whose names follow from a pattern."""

from __future__ import annotations

import json

import pytest
from harness import Files, manifest
from packages import package_in

from extlint.checker import check_package
from extlint.schema.targets import Target

USE = "chrome.tabs.query({});"
SOURCES: Files = {"src/a.ts": USE, "src/b.ts": USE}


def checked(files: Files, folder: str = "") -> list[str]:
    """Returns the paths of the scripts that use an API which content scripts do not have."""
    found = check_package(package_in(files, folder), [Target("chrome")], ["wrong-context"]).findings
    return [each.path for each in found]


def content(name: str) -> str:
    return manifest(content_scripts=[{"matches": ["https://a.org/*"], "js": [name]}])


def scripts(*commands: str) -> str:
    return json.dumps({"scripts": {f"build:{at}": each for at, each in enumerate(commands)}})


COMMANDS = {
    "a file": ("esbuild src/a.ts --bundle --outfile=dist/c.js", "c.js"),
    "a file in a folder": ("esbuild src/a.ts --outfile=dist/js/c.js", "js/c.js"),
    "the folder in the manifest": ("esbuild src/a.ts --outfile=dist/c.js", "dist/c.js"),
    "a folder": ("npx esbuild src/a.ts --outdir=dist", "a.js"),
    "several entries": ("esbuild src/a.ts src/b.ts --outdir=dist/js", "js/a.js"),
    "a named entry": ("esbuild c=src/a.ts --outdir=dist", "c.js"),
    "no suffix": ("esbuild ./src/a --outfile=./dist/c.js", "c.js"),
    "a variable": ("tsc && esbuild src/a.ts --outfile=dist/$TARGET/c.js", "c.js"),
    "a pattern": ("esbuild 'src/*.ts' --outdir=dist", "a.js"),
    "an option with a word": ("browserify -d src/a.ts -o dist/c.js", "c.js"),
    "a redirection": ("browserify src/a.ts > dist/c.js", "c.js"),
    "Rollup": ("rollup -c x.js -i src/a.ts -o dist/c.js", "c.js"),
    "Parcel": ("parcel build src/a.ts -d dist -o c.js", "c.js"),
    "TypeScript": ("tsc src/a.ts --outDir dist", "a.js"),
    "a copy": ("cp src/a.ts dist/c.js", "c.js"),
    "a copy in a folder": ("mkdir dist && cp src/a.ts src/b.ts dist/", "a.ts"),
}


@pytest.mark.parametrize(("command", "name"), COMMANDS.values(), ids=COMMANDS.keys())
def test_source_of_a_command_is_checked_in_place_of_its_output(command: str, name: str) -> None:
    files = {**SOURCES, "manifest.json": content(name), "package.json": scripts(command)}
    assert checked(files) == ["src/a.ts"]


OTHERS = {
    "another file": ["esbuild src/a.ts --outfile=dist/d.js"],
    "another folder": ["esbuild src/a.ts --outfile=dist/c.js/index.js"],
    "several sources": ["browserify src/a.ts src/b.ts -o dist/c.js"],
    "several commands": ["esbuild src/a.ts --outfile=a/c.js", "esbuild src/b.ts --outfile=b/c.js"],
    "no output": ["esbuild src/a.ts --bundle c.js"],
    "an unknown tool": ["say src/a.ts --outfile=dist/c.js"],
    "a missing source": ["esbuild src/d.ts --outfile=dist/c.js"],
    "outside of the project": ["esbuild src/a.ts --outfile=../../c.js"],
}


@pytest.mark.parametrize("commands", OTHERS.values(), ids=OTHERS.keys())
def test_source_of_another_output_is_not(commands: list[str]) -> None:
    files = {**SOURCES, "manifest.json": content("c.js"), "package.json": scripts(*commands)}
    assert checked(files) == []


def test_page_that_a_command_copies_is_checked() -> None:
    files = {
        "manifest.json": manifest(action={"default_popup": "popup/index.html"}),
        "src/view/index.html": "<script src=index.js></script>",
        "src/view/main.ts": "chrome.devtools.panels.create('a', 'b', 'c');",
        "package.json": scripts(
            "esbuild src/view/main.ts --outfile=dist/popup/index.js",
            "cp src/view/index.html dist/popup/",
        ),
    }
    assert checked(files) == ["src/view/main.ts"]


@pytest.mark.parametrize(
    ("config", "output"),
    [
        pytest.param(
            "entry: { b: './src/a' }, output: { filename: 'js/[name]_c.js' }", "js/b_c.js", id="pattern"
        ),
        pytest.param("entry: { b: './src/a' }, output: { filename: '[name]/c.js' }", "b/c.js", id="folder"),
        pytest.param("entry: './src/a.ts'", "main.js", id="no name"),
        pytest.param("entry: './src/a.ts', output: { path: dist }", "main.js", id="no file name"),
        pytest.param(
            "entry: './src/a.ts', output: { filename: 'js/[name]-c.js' }", "js/main-c.js", id="both"
        ),
    ],
)
def test_name_that_webpack_gives_an_output(config: str, output: str) -> None:
    files = {
        **SOURCES,
        "manifest.json": content(output),
        "webpack.config.js": f"module.exports = {{ {config} }};",
    }
    assert checked(files) == ["src/a.ts"]


@pytest.mark.parametrize(
    ("config", "output"),
    [
        pytest.param(
            "entry: { b: './src/a' }, output: { filename: 'js/[name]_c.js' }", "js/d_c.js", id="entry"
        ),
        pytest.param(
            "entry: { b: './src/a' }, output: { filename: '[name]_[hash].js' }", "b_c.js", id="hash"
        ),
        pytest.param("entry: './src/a.ts', ...base", "main.js", id="unknown settings"),
        pytest.param("entry: './src/a.ts', output", "main.js", id="unknown output"),
        pytest.param("entry: './src/a.ts', output: { filename: name() }", "main.js", id="unknown name"),
        pytest.param("entry: './src/a.ts', output: { filename: 'c.js' }", "main.js", id="another name"),
    ],
)
def test_name_that_webpack_gives_no_output(config: str, output: str) -> None:
    files = {
        **SOURCES,
        "manifest.json": content(output),
        "webpack.config.js": f"module.exports = {{ {config} }};",
    }
    assert checked(files) == []
