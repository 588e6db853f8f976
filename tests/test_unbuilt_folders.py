"""Folders that are not yet the extension: files ignored by Git, moved, or filled in by a build."""

from __future__ import annotations

import json

import pytest
from harness import Files, manifest
from packages import package_in
from test_ignored_extensions import git_index

from extlint.checker import check_package
from extlint.schema.targets import Target


def reported(files: Files, folder: str, rule: str) -> list[str]:
    """Returns the messages of a rule about a folder of a project, without their common prefix."""
    report = check_package(package_in(files, folder), [Target("reference")], [rule])
    return [finding.message.removeprefix("the package has no file ") for finding in report.findings]


STYLED: Files = {
    "e/manifest.json": manifest(options_ui={"page": "o.html"}, icons={"16": "icon/tow.png"}),
    "e/o.html": "<link rel=stylesheet href='lib/a.css'><img src=lib/keep.png>",
    "e/icon/two.png": "",
}
MISSPELLED = "`icon/tow.png`; did you mean `icon/two.png`?"
ALL = [MISSPELLED, "`lib/a.css`", "`lib/keep.png`"]


@pytest.mark.parametrize(
    ("ignoring", "expected"),
    [
        pytest.param({}, ALL, id="nothing"),
        pytest.param({".gitignore": "/e/lib/\n"}, ALL[:1], id="a folder"),
        pytest.param({".gitignore": "*.css\n"}, [ALL[0], ALL[2]], id="a kind of file"),
        pytest.param({"e/.gitignore": "/lib/*\n!keep.png\n"}, [ALL[0], ALL[2]], id="not all"),
        pytest.param({".gitignore": "lib", "e/.gitignore": "!lib/keep.png"}, [ALL[0], ALL[2]], id="deeper"),
        pytest.param({"e/lib/.gitignore": "*"}, ALL[:1], id="by itself"),
        pytest.param({".gitignore": "/lib\n# e/lib\n"}, ALL, id="another folder"),
        pytest.param({".gitignore": "icon\n"}, ALL, id="a misspelled name all the same"),
        pytest.param({".gitignore": "e/\n*.css\n"}, ALL, id="the extension is what was built"),
        pytest.param({".gitignore": b"\xff\n!\n\\\n*.css\n"}, [ALL[0], ALL[2]], id="oddities"),
    ],
)
def test_files_ignored_by_git_are_not_missing(ignoring: Files, expected: list[str]) -> None:
    assert sorted(reported({**STYLED, **ignoring}, "e/", "missing-file")) == expected


@pytest.mark.parametrize(
    ("tracked", "expected"),
    [
        pytest.param(["e/manifest.json", "e/o.html"], [], id="the manifest"),
        pytest.param(["e/manifest.json", "e/icon.png"], ["`icon.png`"], id="the missing file, too"),
        pytest.param(["e/o.html"], ["`icon.png`", "`lib/a.css`"], id="not the manifest"),
        pytest.param([], ["`icon.png`", "`lib/a.css`"], id="nothing"),
    ],
)
def test_ignored_folder_that_is_partly_tracked(tracked: list[str], expected: list[str]) -> None:
    files: Files = {
        "e/manifest.json": manifest(options_ui={"page": "o.html"}, icons={"16": "icon.png"}),
        "e/o.html": "<link rel=stylesheet href='lib/a.css'><script src=a.tsx></script>",
        ".gitignore": "e/",
        ".git/index": git_index(*tracked),
    }
    assert sorted(reported(files, "e/", "missing-file")) == ["`a.tsx`", *expected]


def test_packed_extension_has_no_ignored_files() -> None:
    package = package_in({**STYLED, ".gitignore": "*.css"}, "e/")
    package.packed = True
    found = check_package(package, [Target("reference")], ["missing-file"]).findings
    assert len(found) == 3


def test_build_may_generate_style_sheets() -> None:
    assert reported({**STYLED, "Makefile": ""}, "e/", "missing-file") == [MISSPELLED]


ELSEWHERE: Files = {
    "platform/chrome/manifest.json": manifest(
        background={"scripts": ["js/first.js", "js/other.js"]}, icons={"16": "a.png"}
    ),
    "platform/chrome/c.js": "",
    "src/js/first.js": "",
}


@pytest.mark.parametrize(
    ("more", "folder", "expected"),
    [
        pytest.param({}, "platform/chrome/", [], id="no script is there"),
        pytest.param(
            {"platform/chrome/js/first.js": ""}, "platform/chrome/", ["`a.png`", "`js/other.js`"], id="one is"
        ),
        pytest.param({}, "dist/chrome/", [], id="in a folder of results"),
    ],
)
def test_folder_without_its_scripts_is_assembled_elsewhere(
    more: Files, folder: str, expected: list[str]
) -> None:
    files = {path.replace("platform/chrome/", folder): text for path, text in {**ELSEWHERE, **more}.items()}
    assert sorted(reported(files, folder, "missing-file")) == expected


def test_missing_scripts_in_a_standalone_project_are_reported() -> None:
    files: Files = {"manifest.json": ELSEWHERE["platform/chrome/manifest.json"]}
    assert sorted(reported(files, "", "missing-file")) == ["`a.png`", "`js/first.js`", "`js/other.js`"]


def test_only_script_of_a_manifest_may_be_missing() -> None:
    files: Files = {"a/manifest.json": manifest(background={"service_worker": "worker.js"})}
    assert reported(files, "a/", "missing-file") == ["`worker.js`"]


@pytest.mark.parametrize(
    ("ignoring", "expected"),
    [
        pytest.param({}, 3, id="no ignore file"),
        pytest.param({".gitignore": "/build\n"}, 0, id="Git keeps it"),
        pytest.param({".gitignore": "target/\n"}, 3, id="Git leaves it out"),
    ],
)
def test_folder_tracked_by_git_is_not_build_output(ignoring: Files, expected: int) -> None:
    files: Files = {
        "target/chrome/manifest.json": manifest(options_ui={"page": "o.html"}, icons={"16": "a.png"}),
        "target/chrome/o.html": "<script src=theme.js></script><link rel=stylesheet href=a.css>",
        "package.json": '{"devDependencies": {"webpack": "5"}}',
        **ignoring,
    }
    assert len(reported(files, "target/chrome/", "missing-file")) == expected


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        pytest.param({"dist/w.js": ""}, ["`a.png`"], id="all scripts"),
        pytest.param({}, [], id="no scripts"),
        pytest.param(
            {"dist/w.js": "", "dist/o.html": "<script src=o.js></script>"}, [], id="not all scripts"
        ),
    ],
)
def test_committed_build_output_with_all_scripts_is_not_a_source(more: Files, expected: list[str]) -> None:
    pages = {"options_ui": {"page": "o.html"}} if "dist/o.html" in more else {}
    files: Files = {
        "dist/manifest.json": manifest(background={"service_worker": "w.js"}, icons={"16": "a.png"}, **pages),
        "package.json": '{"scripts": {"build": "webpack"}}',
        ".gitignore": "node_modules",
        **more,
    }
    assert reported(files, "dist/", "missing-file") == expected


BUILDING_NOTHING = {
    "a check": {"build:check": "node scripts/a.js"},
    "a test": {"build-test": "mocha"},
    "a program that writes nothing": {"build": "node scripts/list.js"},
    "checks": {"build": "eslint src && npm run test:unit && node --test"},
    "types that are checked": {"build": "tsc -p . --noEmit && node scripts/list.js"},
}
BUILDING = {
    "a program that writes": {"build": "node ./scripts/copy.js --all"},
    "a program that continues elsewhere": {"build": "node scripts/split.js"},
    "an unknown program": {"build": "node scripts/other.js"},
    "a check and a program that writes": {"build": "eslint src && node scripts/copy.js"},
    "a check whose output is kept": {"build": "jest --json > a.js"},
    "a bundler": {"build:all": "node scripts/list.js && webpack"},
}
PROGRAMS: Files = {
    "scripts/list.js": "for (const each of require('fs').readdirSync('.')) console.log(each);",
    "scripts/copy.js": "require('fs').copyFileSync('a', 'b');",
    "scripts/split.js": "require('./parts').run();",
}


@pytest.mark.parametrize("scripts", [*BUILDING.values(), *BUILDING_NOTHING.values()])
def test_script_that_writes_nothing_builds_nothing(scripts: dict[str, str]) -> None:
    files = {**STYLED, **PROGRAMS, "package.json": json.dumps({"scripts": scripts})}
    expected = ALL[:1] if scripts in BUILDING.values() else ALL
    assert sorted(reported(files, "e/", "missing-file")) == expected


APP: Files = {"p/app/manifest.json": manifest(options_ui={"page": "o.html"})}


@pytest.mark.parametrize(
    ("sibling", "expected"),
    [
        pytest.param(APP, 1, id="its source"),
        pytest.param({"p/app/manifest.json": manifest(name="Other")}, 0, id="another extension"),
        pytest.param({"p/app/manifest.json": '{"name": "Test"}'}, 0, id="no extension"),
        pytest.param({"app/manifest.json": manifest()}, 0, id="it is elsewhere"),
        pytest.param({"p/build/manifest.json": manifest()}, 0, id="another result"),
        pytest.param({}, 0, id="nothing"),
    ],
)
def test_tracked_build_output_next_to_its_source_is_recognized(sibling: Files, expected: int) -> None:
    files: Files = {
        "p/dist/chrome/manifest.json": manifest(options_ui={"page": "o.html"}),
        "p/dist/chrome/o.html": "<script src=theme.js></script>",
        "p/package.json": '{"devDependencies": {"gulp": "4"}}',
        ".gitignore": "node_modules",
        **sibling,
    }
    assert len(reported(files, "p/dist/chrome/", "missing-file")) == expected


@pytest.mark.parametrize(
    ("config", "changes", "expected"),
    [
        pytest.param("output: { file: 'web/a.js' }, src: 'app/manifest.json'", {}, 1, id="a file in it"),
        pytest.param("dest: 'web/', src: './app/manifest.json'", {}, 1, id="a folder"),
        pytest.param("path: resolve(__dirname, 'web'), from: 'app/manifest.json'", {}, 1, id="a path"),
        pytest.param("file: 'web/a.js'", {}, 0, id="the manifest is not copied"),
        pytest.param("dest: 'other', src: ['app/manifest.json', 'web']", {}, 0, id="another output"),
        pytest.param(
            "dest: 'web', src: 'app/manifest.json'",
            {"p/app/manifest.json": manifest(name="O")},
            0,
            id="other",
        ),
    ],
)
def test_output_with_an_unusual_name_is_recognized(config: str, changes: Files, expected: int) -> None:
    files: Files = {
        **APP,
        "p/web/manifest.json": manifest(options_ui={"page": "o.html"}),
        "p/web/o.html": "<script src=theme.js></script>",
        "p/rollup.config.js": f"export default [copy({{ {config} }})];",
        **changes,
    }
    assert len(reported(files, "p/web/", "missing-file")) == expected


def test_source_folder_next_to_its_output_may_be_incomplete() -> None:
    files: Files = {
        **APP,
        "p/app/o.html": "<script src=theme.js></script>",
        "p/dist/manifest.json": manifest(),
        "p/package.json": '{"devDependencies": {"gulp": "4"}}',
    }
    assert reported(files, "p/app/", "missing-file") == []


NAMED = '{"manifest_version": 3, "name": "List", "content_scripts": [{"js": ["a.js"]}]%s}'


@pytest.mark.parametrize(
    ("text", "around", "expected"),
    [
        pytest.param(NAMED % "", {"e/Makefile": ""}, 1, id="a build adds the version"),
        pytest.param(NAMED % "", {}, 2, id="no build"),
        pytest.param(NAMED % ', "version": "1"', {"e/Makefile": ""}, 1, id="nothing to add"),
    ],
)
def test_build_may_add_the_manifest_version_key(text: str, around: Files, expected: int) -> None:
    files: Files = {"e/manifest.json": text, "e/a.js": "", **around}
    assert len(reported(files, "e/", "missing-key")) == expected


@pytest.mark.parametrize(
    ("version", "around", "expected"),
    [
        pytest.param("null", {"e/Makefile": ""}, 0, id="null"),
        pytest.param('"_VERSION_"', {"e/Makefile": ""}, 0, id="a name"),
        pytest.param('""', {"e/Makefile": ""}, 0, id="nothing"),
        pytest.param('"_VERSION_"', {}, 1, id="no build"),
        pytest.param('"1.x"', {"e/Makefile": ""}, 1, id="a number all the same"),
    ],
)
def test_build_may_replace_an_invalid_version(version: str, around: Files, expected: int) -> None:
    files: Files = {
        "e/manifest.json": f'{{"manifest_version": 3, "name": "List", "version": {version}}}',
        **around,
    }
    assert len(reported(files, "e/", "invalid-value")) == expected


def test_invalid_value_in_an_incomplete_manifest_is_reported() -> None:
    text = '{"manifest_version": 3, "name": "List", "incognito": "spilt"}'
    files: Files = {"e/manifest.json": text, "e/Makefile": ""}
    assert len(reported(files, "e/", "invalid-value")) == 1


RESOURCES = [{"resources": ["lib/*", "icon/tow.png", "made/a.js"], "matches": ["*://*/*"]}]


@pytest.mark.parametrize(
    ("ignoring", "expected"),
    [
        ("", ["icon/tow.png", "lib/*", "made/a.js"]),
        ("lib/\n", ["icon/tow.png", "made/a.js"]),
        ("lib/\n/e/made", ["icon/tow.png"]),
        ("icon", ["icon/tow.png", "lib/*", "made/a.js"]),
    ],
)
def test_resources_ignored_by_git_are_not_reported(ignoring: str, expected: list[str]) -> None:
    files: Files = {
        "e/manifest.json": manifest(web_accessible_resources=RESOURCES),
        "e/icon/two.png": "",
        ".gitignore": ignoring,
    }
    found = reported(files, "e/", "unmatched-resource")
    assert sorted(each.split("`")[1] for each in found) == expected


@pytest.mark.parametrize(
    ("sibling", "expected"),
    [
        pytest.param({}, {"missing-permission", "missing-key"}, id="the whole"),
        pytest.param(
            {"e/manifest_chrome.json": '{"permissions": ["tabs"]}'}, {"missing-key"}, id="permissions"
        ),
        pytest.param(
            {"e/chrome.manifest.json": '{"background": {}, "content_scripts": []}'},
            {"missing-permission"},
            id="by another name",
        ),
        pytest.param(
            {"e/manifest_chrome.json": '{"action": {}}'},
            {"missing-permission", "missing-key"},
            id="another key",
        ),
        pytest.param(
            {"e/manifest-data.json": '{"a": 1}'}, {"missing-permission", "missing-key"}, id="something else"
        ),
        pytest.param({"e/manifest_chrome.json": "[1]"}, {"missing-permission", "missing-key"}, id="a list"),
        pytest.param(
            {"e/x/manifest_chrome.json": '{"permissions": []}'},
            {"missing-permission", "missing-key"},
            id="in another folder",
        ),
    ],
)
@pytest.mark.parametrize("rule", ["missing-permission", "missing-key"])
def test_missing_keys_may_be_in_a_partial_manifest(rule: str, sibling: Files, expected: set[str]) -> None:
    files: Files = {
        "e/manifest.json": manifest(content_scripts=[{"js": ["a.js"]}]),
        "e/a.js": "chrome.storage.local.get('a');",
        **sibling,
    }
    assert len(reported(files, "e/", rule)) == (rule in expected)
