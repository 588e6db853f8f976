"""Sources next to a folder that a build copies, and the sources of what a manifest names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from harness import manifest
from packages import write

from extlint.cli.main import main

USE = "chrome.tabs.query({});"
CONTENT = manifest(content_scripts=[{"matches": ["https://a.org/*"], "js": ["content.js"]}])
POPUP = manifest(action={"default_popup": "popup.html"})
PROJECT = {"package.json": '{"scripts": {"build": "vite build"}, "devDependencies": {"vite": "5"}}'}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which is a repository."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    return tmp_path


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """Returns the JSON output for the current folder."""
    main(["check", "--target", "chrome", "--output-format", "json", *arguments])
    return json.loads(capsys.readouterr().out)


def reported(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[tuple[str, str]]:
    return [(each["rule"], each["path"]) for each in checked(capsys, *arguments)["findings"]]


INPUTS = {
    "Vite": (
        "vite.config.ts",
        "export default { build: { rollupOptions: { input: { content: resolve(__dirname, 'src/a') } } } };",
    ),
    "a plain text": ("rollup.config.js", "export default { input: { content: 'src/a.ts' } };"),
    "webpack with a list": (
        "webpack.config.js",
        "module.exports = { entry: { content: ['./src/b.ts', path.join(__dirname, 'src', 'a')] } };",
    ),
    "webpack with an object": (
        "webpack.config.js",
        "module.exports = { entry: { content: { import: './src/a' } } };",
    ),
    "webpack in a folder": (
        "webpack/webpack.common.js",
        "module.exports = { entry: { content: path.join(__dirname, '..', 'src', 'a.ts') } };",
    ),
    "webpack with a context": (
        "webpack.config.js",
        "module.exports = { context: resolve('src'), entry: { content: './a.ts' } };",
    ),
    "a variable": ("tsup.config.ts", "const entry = { content: 'src/a.ts' }; export default { entry };"),
    "esbuild": ("build.mjs", "build({ entryPoints: [{ in: 'src/a.ts', out: 'content' }] });"),
    "webpack with one output": (
        "webpack.config.js",
        "module.exports = { entry: './src/a.ts', output: { filename: 'content.js', path: __dirname } };",
    ),
    "webpack with a list for one output": (
        "webpack.config.js",
        "module.exports = { entry: ['./src/b.ts', './src/a'], output: { filename: 'js/content.js' } };",
    ),
    "Rollup with an output each": (
        "rollup.config.js",
        "export default [{ input: 'src/b.ts', output: { file: 'dist/b.js' } },"
        " { input: 'src/a.ts', output: [{ file: 'dist/content.js', format: 'iife' }] }];",
    ),
    "esbuild with one output": (
        "build.mjs",
        "build({ entryPoints: ['src/a.ts'], outfile: join(__dirname, 'dist', 'content.js') });",
    ),
}
OTHER_OUTPUTS = {
    "a pattern": "{ entry: './src/a.ts', output: { filename: '[name].js' } }",
    "another name": "{ entry: './src/a.ts', output: { filename: 'other.js' } }",
    "an unknown name": "{ entry: './src/a.ts', output: { filename: name() } }",
    "the output of another source": (
        "[{ entry: './src/a.ts', output: { filename: 'a.js' } },"
        " { entry: './src/b.ts', output: { filename: 'content.js' } }]"
    ),
    "the output of two sources": (
        "[{ entry: './src/a.ts', output: { filename: 'content.js' } },"
        " { entry: './src/c.ts', output: { filename: 'content.js' } }]"
    ),
}


@pytest.mark.parametrize(("config", "text"), INPUTS.values(), ids=INPUTS.keys())
def test_configured_source_runs_where_the_manifest_says(
    config: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write({**PROJECT, "public/manifest.json": CONTENT, "src/a.ts": USE, config: text})
    assert reported(capsys) == [("wrong-context", "../src/a.ts")]


@pytest.mark.parametrize("config", OTHER_OUTPUTS.values(), ids=OTHER_OUTPUTS.keys())
def test_source_of_another_output_does_not(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    files = {"webpack.config.js": f"module.exports = {config};", "src/a.ts": USE, "src/c.ts": USE}
    write({**PROJECT, "public/manifest.json": CONTENT, **files})
    assert reported(capsys) == []


BY_NAME = {
    "the name": ({"src/content.ts": USE}, "src/content.ts"),
    "a list of inputs": (
        {"src/content/index.tsx": USE, "esbuild.js": "build({ entryPoints: ['src/content/index.tsx'] });"},
        "src/content/index.tsx",
    ),
    "its folder": ({"src/content/index.ts": USE, "src/content/lib.ts": "export {}"}, "src/content/index.ts"),
    "a folder of scripts": ({"src/scripts/content.js": USE}, "src/scripts/content.js"),
    "the closest": ({"src/content.ts": USE, "src/pages/content.ts": ""}, "src/content.ts"),
    "letter case and separators": ({"src/Con-Tent.ts": USE}, "src/Con-Tent.ts"),
    "at the top of the project": ({"content.ts": USE, "other.ts": USE}, "content.ts"),
    "another name at the top": ({"contents.ts": USE, "vite.config.ts": USE}, None),
    "a component": ({"src/components/content.ts": USE}, None),
    "two": ({"src/content.ts": USE, "src/content.js": USE}, None),
    "a test": ({"src/content.test.ts": USE}, None),
    "an example": ({"src/content.example.ts": USE}, None),
    "another name": ({"src/contents.ts": USE}, None),
    "another folder": ({"lib/content.ts": USE}, None),
}


@pytest.mark.parametrize(("files", "source"), BY_NAME.values(), ids=BY_NAME.keys())
def test_source_is_found_by_name(
    files: Mapping[str, str], source: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    write({**PROJECT, "public/manifest.json": CONTENT, **files})
    found = [("wrong-context", f"../{source}")]
    assert reported(capsys) == (found if source is not None else [])


@pytest.mark.parametrize(
    ("output", "source", "is_found"),
    [
        ("js/main.js", "src/js/main.ts", True),
        ("js/main.js", "src/main.ts", True),
        ("js/main.js", "src/js/index.ts", False),
        ("content/index.js", "src/content/index.ts", True),
        ("content/index.js", "src/content.ts", True),
        ("content/index.js", "src/index.ts", False),
        ("assets/content.bundle.js", "src/content.ts", True),
    ],
)
def test_generic_name_counts_with_its_folder(
    output: str, source: str, is_found: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    text = CONTENT.replace("content.js", output)
    write({**PROJECT, "public/manifest.json": text, source: USE})
    assert reported(capsys) == ([("wrong-context", f"../{source}")] if is_found else [])


@pytest.mark.parametrize(
    ("output", "source"),
    [
        ("content.js", "content.ts"),
        ("content.min.js", "content.ts"),
        ("content.config.js", "content.config.ts"),
        ("content.config.min.js", "content.config.ts"),
        ("content.bundle.js", "content.ts"),
    ],
)
def test_source_with_all_parts_of_a_name_comes_first(
    output: str, source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = {"src/content.ts": USE, "src/content.config.ts": USE}
    write({**PROJECT, "public/manifest.json": CONTENT.replace("content.js", output), **sources})
    assert reported(capsys) == [("wrong-context", f"../src/{source}")]


FOR_CHROME, FOR_FIREFOX = "src/content/chrome/content.ts", "src/content/firefox/content.ts"


@pytest.mark.parametrize(
    ("name", "sources", "found"),
    [
        pytest.param("manifest.json", [FOR_CHROME, FOR_FIREFOX], None, id="of no browser"),
        pytest.param("chrome_manifest.json", [FOR_CHROME, FOR_FIREFOX], FOR_CHROME, id="of one"),
        pytest.param("firefox_manifest.json", [FOR_CHROME, FOR_FIREFOX], FOR_FIREFOX, id="of the other"),
        pytest.param("firefox_manifest.json", [FOR_CHROME], FOR_CHROME, id="no other source"),
        pytest.param("manifest.json", [FOR_FIREFOX], None, id="only for another browser"),
    ],
)
def test_source_for_another_browser_is_not_found(
    name: str, sources: list[str], found: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    write({**PROJECT, f"public/{name}": CONTENT, **dict.fromkeys(sources, USE)})
    assert reported(capsys) == ([("wrong-context", f"../{found}")] if found else [])


@pytest.mark.parametrize(
    ("files", "source"),
    [
        pytest.param({"app/manifest.json": CONTENT, "app/content.ts": USE}, "content.ts", id="next to it"),
        pytest.param(
            {"app/manifest.json": CONTENT, "app/js/content.ts": USE}, "js/content.ts", id="below it"
        ),
        pytest.param(
            {"app/manifest.json": CONTENT, "src/content.ts": USE},
            "../src/content.ts",
            id="next to that folder",
        ),
        pytest.param({"app/manifest.json": CONTENT, "lib/content.ts": USE}, None, id="in another folder"),
    ],
)
def test_source_in_the_same_folder_is_found(
    files: Mapping[str, str], source: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    write({**PROJECT, **files})
    assert reported(capsys) == ([("wrong-context", source)] if source is not None else [])


WEBPACK = (
    "module.exports = { entry: { other: './src/pages/a.ts', b: './src/b.ts' }, plugins: ["
    "new HtmlWebpackPlugin({ %s chunks: ['other'] })], optimization: { splitChunks: { chunks: 'all' } } };"
)
PAGES = {
    "at the top": {"popup.html": "<script type=module src=/src/main.ts></script>", "src/main.ts": "A"},
    "in the sources": {"src/popup/index.html": "<script src=./main.ts></script>", "src/popup/main.ts": "A"},
    "by its path": {"src/popup.html": "<script src=a.ts></script>", "src/a.ts": "A"},
    "made around a script": {"src/popup.tsx": "A"},
    "made by a plugin from a template": {
        "webpack.config.js": WEBPACK % "template: path.join(__dirname, 'src', 'pages', 'popup.html'),",
        "src/pages/popup.html": "<div id=root></div>",
        "src/pages/a.ts": "A",
    },
    "made by a plugin": {"webpack.config.js": WEBPACK % "filename: 'popup.html',", "src/pages/a.ts": "A"},
    "copied, without a script": {"public/popup.html": "<div id=root></div>", "src/popup/index.tsx": "A"},
    "copied, with a placeholder": {
        "public/popup.html": "<script src=%PUBLIC_URL%/lib.js></script>",
        "public/lib.js": "",
        "src/popup/index.tsx": "A",
    },
    "copied, a template": {
        "public/popup.html": "<script src=lib.js></script><div id=<%= id %>></div>",
        "public/lib.js": "",
        "src/popup/index.tsx": "A",
    },
    "copied, with a script in a comment": {
        "public/popup.html": "<!-- <script src=lib.js></script> -->",
        "src/popup/index.tsx": "A",
    },
    "copied by Create React App": {
        "package.json": '{"dependencies": {"react-scripts": "5"}}',
        "public/manifest.json": manifest(action={"default_popup": "index.html"}),
        "public/index.html": "<script src=lib.js></script>",
        "public/lib.js": "",
        "src/index.tsx": "A",
    },
    "the only page": {
        "public/manifest.json": manifest(action={"default_popup": "index.html"}),
        "public/index.html": "<div id=root></div>",
        "src/main.ts": "A",
    },
}


@pytest.mark.parametrize("files", PAGES.values(), ids=PAGES.keys())
def test_scripts_of_a_page_are_found(files: Mapping[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    text = "chrome.devtools.panels.create('a', 'b', 'c');"
    write(
        {
            **PROJECT,
            "public/manifest.json": POPUP,
            **{path: each.replace("A", text) for path, each in files.items()},
        }
    )
    path = next(path for path in files if path.endswith((".ts", ".tsx")))
    assert reported(capsys) == [("wrong-context", f"../{path}")]


OPENED = {
    "made by a plugin": {"webpack.config.js": WEBPACK % "filename: 'hi.html',"},
    "made by a plugin from a template": {
        "webpack.config.js": WEBPACK
        % "template: path.join(__dirname, 'src', 'hi.html'), filename: 'hi.html',",
        "src/hi.html": "<div id=root></div>",
    },
    "copied, without a script": {"public/hi.html": "<div id=root></div>", "src/hi.ts": "import './pages/a';"},
}


@pytest.mark.parametrize("files", OPENED.values(), ids=OPENED.keys())
def test_scripts_of_an_opened_page_are_found(
    files: Mapping[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    own = {
        "public/manifest.json": manifest(background={"service_worker": "background.js"}),
        "src/background.ts": "chrome.tabs.create({ url: chrome.runtime.getURL('hi.html') });",
        "src/pages/a.ts": "import { show } from './show'; show();",
        "src/pages/show.ts": "export function show() { chrome.tabs.create({}); }",
    }
    write({**PROJECT, **own, **files})
    (extension,) = checked(capsys)["extensions"]
    assert [each["reason"] for each in extension["unchecked"]] == ["unbuilt"]


UNREAD = {
    "no project": {"package.json": None},
    "the extension is complete": {"public/content.js": ""},
    "the page has a script": {
        "public/manifest.json": manifest(action={"default_popup": "index.html"}),
        "public/index.html": "<script src=lib.js></script>",
        "public/lib.js": "",
        "src/index.ts": USE,
    },
    "another extension has the sources": {"src/manifest.json": POPUP},
    "another extension is around them": {"manifest.json": POPUP},
    "another extension is complete": {"other/manifest.json": CONTENT, "other/content.js": ""},
    "the folder is a project of its own": {"public/package.json": "{}"},
    "a folder with another name has scripts": {
        "public/manifest.json": None,
        "ext/manifest.json": CONTENT,
        "ext/other.js": "",
    },
    "build output": {"public/manifest.json": None, "dist/manifest.json": CONTENT},
    "build output that Git ignores": {
        "public/manifest.json": None,
        "dist/manifest.json": CONTENT,
        ".gitignore": "dist",
    },
    "build output without a script that Git tracks": {
        "public/manifest.json": None,
        "dist/manifest.json": CONTENT,
        ".gitignore": "dist/other.js",
    },
}


@pytest.mark.parametrize("changes", UNREAD.values(), ids=UNREAD.keys())
def test_other_sources_are_not_read(
    changes: Mapping[str, str | None], capsys: pytest.CaptureFixture[str]
) -> None:
    files = {**PROJECT, "public/manifest.json": CONTENT, "src/content.ts": USE, **changes}
    write({path: text for path, text in files.items() if text is not None})
    found = checked(capsys)
    assert not any(each["path"].startswith("../") for each in found["findings"])


NAMED_OUTPUTS = {
    "by Rollup": (
        "rollup.config.js",
        "{ input: 'src/content.ts', output: { file: 'ext/content.js' } }",
        True,
    ),
    "by webpack": ("webpack.config.js", "{ output: { path: path.resolve(__dirname, 'ext') } }", True),
    "by a program that builds": ("scripts/build.mjs", "build({ outdir: './ext/' })", True),
    "by no path": ("webpack.config.js", "{ output: { path: ext } } // for ext", False),
    "by another path": ("webpack.config.js", "{ output: { path: 'text/next' } }", False),
    "by another program": ("scripts/lint.mjs", "lint({ folder: './ext/' })", False),
}


@pytest.mark.parametrize(("config", "text", "is_read"), NAMED_OUTPUTS.values(), ids=NAMED_OUTPUTS.keys())
def test_folder_with_scripts_that_a_configuration_names(
    config: str, text: str, is_read: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"ext/manifest.json": CONTENT, "ext/other.js": "", "src/content.ts": USE}
    write({**PROJECT, **files, config: f"export default {text};"})
    assert reported(capsys) == ([("wrong-context", "../src/content.ts")] if is_read else [])


def test_folder_with_scripts_that_git_ignores(capsys: pytest.CaptureFixture[str]) -> None:
    files = {
        "dist/manifest.json": POPUP,
        "dist/popup.html": "<script src='./js/main.js'></script>",
        "dist/other.js": "",
        ".gitignore": "/dist/js",
        "src/main.js": "chrome.tabs.quary({});",
    }
    write({**PROJECT, **files})
    assert reported(capsys, "dist") == [("unknown-api", "../src/main.js")]


SHARED = {
    "wrong in both": (f"{USE} chrome.tabs.quary();", [("unknown-api", "chrome"), ("unknown-api", "firefox")]),
    "only in Chrome": ("f(); async function f() { await chrome.offscreen.closeDocument(); }", []),
    "too new for Firefox": ("onclick = () => chrome.storage.session.clear();", []),
    "an argument that only Chrome accepts": (
        "onclick = () => chrome.runtime.getContexts({ contextTypes: ['OFFSCREEN_DOCUMENT'] });",
        [],
    ),
    "an argument that no browser accepts": (
        "onclick = () => chrome.tabs.query({ actve: true });",
        [("invalid-argument", "chrome"), ("invalid-argument", "firefox")],
    ),
    "when it is loaded": ("chrome.offscreen.closeDocument();", [("unknown-api", "firefox")]),
}


@pytest.mark.parametrize(("text", "expected"), SHARED.values(), ids=SHARED.keys())
def test_sources_that_manifests_for_browsers_share(
    text: str, expected: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    gecko = {"gecko": {"id": "a@b.c", "strict_min_version": "112.0"}}
    write(
        {
            **PROJECT,
            "staticCh/manifest.json": manifest(
                background={"service_worker": "b.js"}, permissions=["offscreen", "storage"]
            ),
            "staticFf/manifest.json": manifest(
                background={"scripts": ["b.js"]}, permissions=["storage"], browser_specific_settings=gecko
            ),
            "src/b.ts": text,
        }
    )
    main(["check", "--output-format", "json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    assert [(each["rule"], *each["targets"]) for each in found if each["path"] == "../src/b.ts"] == expected


def test_folder_without_scripts_has_any_name(capsys: pytest.CaptureFixture[str]) -> None:
    write({**PROJECT, "extension/manifest.json": CONTENT, "src/content.ts": USE})
    assert reported(capsys) == [("wrong-context", "../src/content.ts")]


def test_sources_create_no_findings_from_absence(capsys: pytest.CaptureFixture[str]) -> None:
    text = manifest(
        background={"service_worker": "background.js"},
        action={"default_popup": "popup.html"},
        permissions=["storage", "tabs"],
        commands={"run": {"suggested_key": {"default": "Ctrl+Shift+Y"}, "description": "Run"}},
        web_accessible_resources=[{"resources": ["assets/*"], "matches": ["https://a.org/*"]}],
    )
    write(
        {
            **PROJECT,
            "public/manifest.json": text,
            "src/background.ts": "import './none'; chrome.runtime.sendMessage({}, () => {});",
            "src/popup.html": "<link rel=stylesheet href=gone.css><script src=./gone.ts></script>",
        }
    )
    assert reported(capsys) == []


def test_source_selects_its_extension(capsys: pytest.CaptureFixture[str]) -> None:
    write({**PROJECT, "public/manifest.json": CONTENT, "src/content.ts": USE})
    assert reported(capsys, "src/content.ts") == [("wrong-context", "../src/content.ts")]
    assert main(["check", "package.json"]) == 2


def test_archive_of_a_project_has_the_same_sources(capsys: pytest.CaptureFixture[str]) -> None:
    write({**PROJECT, "public/manifest.json": CONTENT, "src/content.ts": USE})
    with ZipFile("project.zip", "w") as archive:
        for path in ("package.json", "public/manifest.json", "src/content.ts"):
            archive.write(path)
    assert reported(capsys, "project.zip", "--jobs", "2") == [("wrong-context", "../src/content.ts")]


def test_source_is_fixed(capsys: pytest.CaptureFixture[str]) -> None:
    write({**PROJECT, "public/manifest.json": CONTENT, "src/content.ts": "chrome.runtime.sendMesage({});"})
    assert main(["check", "--fix", "--unsafe-fixes"]) == 0
    assert Path("src/content.ts").read_text() == "chrome.runtime.sendMessage({});"
    assert "fixed 1 finding" in capsys.readouterr().out


def test_finding_in_a_source_is_cached(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write({**PROJECT, "public/manifest.json": CONTENT, "src/content.ts": USE})
    monkeypatch.setenv("EXTLINT_CACHE_DIR", "cache")
    first = reported(capsys)
    assert reported(capsys) == first == [("wrong-context", "../src/content.ts")]
    write({"src/content.ts": "chrome.runtime.getURL('a');"})
    assert reported(capsys) == []
