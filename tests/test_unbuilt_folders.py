"""Folders that are not yet the extension: files ignored by Git, moved, or filled in by a build."""

from __future__ import annotations

import pytest
from harness import Files, manifest
from packages import package_in

from extlint.checker import check_package
from extlint.targets.request import Target


def told(files: Files, folder: str, rule: str) -> list[str]:
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
def test_files_that_git_ignores_are_made_by_something(ignoring: Files, expected: list[str]) -> None:
    assert sorted(told({**STYLED, **ignoring}, "e/", "missing-file")) == expected


def test_a_packed_extension_has_no_ignored_files() -> None:
    package = package_in({**STYLED, ".gitignore": "*.css"}, "e/")
    package.packed = True
    found = check_package(package, [Target("reference")], ["missing-file"]).findings
    assert len(found) == 3


def test_a_build_makes_style_sheets_too() -> None:
    assert told({**STYLED, "Makefile": ""}, "e/", "missing-file") == [MISSPELLED]


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
def test_a_folder_with_none_of_its_scripts_is_put_together_elsewhere(
    more: Files, folder: str, expected: list[str]
) -> None:
    files = {path.replace("platform/chrome/", folder): text for path, text in {**ELSEWHERE, **more}.items()}
    assert sorted(told(files, folder, "missing-file")) == expected


def test_a_project_of_its_own_has_its_scripts() -> None:
    files: Files = {"manifest.json": ELSEWHERE["platform/chrome/manifest.json"]}
    assert sorted(told(files, "", "missing-file")) == ["`a.png`", "`js/first.js`", "`js/other.js`"]


def test_one_missing_script_may_be_all_that_is_named() -> None:
    files: Files = {"a/manifest.json": manifest(background={"service_worker": "worker.js"})}
    assert told(files, "a/", "missing-file") == ["`worker.js`"]


@pytest.mark.parametrize(
    ("ignoring", "expected"),
    [
        pytest.param({}, 3, id="nobody says"),
        pytest.param({".gitignore": "/build\n"}, 0, id="Git keeps it"),
        pytest.param({".gitignore": "target/\n"}, 3, id="Git leaves it out"),
    ],
)
def test_a_folder_that_git_keeps_is_no_result_of_a_build(ignoring: Files, expected: int) -> None:
    files: Files = {
        "target/chrome/manifest.json": manifest(options_ui={"page": "o.html"}, icons={"16": "a.png"}),
        "target/chrome/o.html": "<script src=theme.js></script><link rel=stylesheet href=a.css>",
        "package.json": '{"devDependencies": {"webpack": "5"}}',
        **ignoring,
    }
    assert len(told(files, "target/chrome/", "missing-file")) == expected


APP: Files = {"p/app/manifest.json": manifest(options_ui={"page": "o.html"})}


@pytest.mark.parametrize(
    ("beside", "expected"),
    [
        pytest.param(APP, 1, id="its source"),
        pytest.param({"p/app/manifest.json": manifest(name="Other")}, 0, id="another extension"),
        pytest.param({"p/app/manifest.json": '{"name": "Test"}'}, 0, id="no extension"),
        pytest.param({"app/manifest.json": manifest()}, 0, id="it is elsewhere"),
        pytest.param({"p/build/manifest.json": manifest()}, 0, id="another result"),
        pytest.param({}, 0, id="nothing"),
    ],
)
def test_a_result_of_a_build_that_git_keeps_beside_its_source(beside: Files, expected: int) -> None:
    files: Files = {
        "p/dist/chrome/manifest.json": manifest(options_ui={"page": "o.html"}),
        "p/dist/chrome/o.html": "<script src=theme.js></script>",
        "p/package.json": '{"devDependencies": {"gulp": "4"}}',
        ".gitignore": "node_modules",
        **beside,
    }
    assert len(told(files, "p/dist/chrome/", "missing-file")) == expected


def test_a_source_beside_its_result_stays_one() -> None:
    files: Files = {
        **APP,
        "p/app/o.html": "<script src=theme.js></script>",
        "p/dist/manifest.json": manifest(),
        "p/package.json": '{"devDependencies": {"gulp": "4"}}',
    }
    assert told(files, "p/app/", "missing-file") == []


NAMED = '{"manifest_version": 3, "name": "List", "content_scripts": [{"js": ["a.js"]}]%s}'


@pytest.mark.parametrize(
    ("text", "around", "expected"),
    [
        pytest.param(NAMED % "", {"e/Makefile": ""}, 0, id="a build adds the version"),
        pytest.param(NAMED % "", {}, 2, id="no build"),
        pytest.param(NAMED % ', "version": "1"', {"e/Makefile": ""}, 1, id="nothing to add"),
    ],
)
def test_a_build_completes_a_manifest_without_version(text: str, around: Files, expected: int) -> None:
    files: Files = {"e/manifest.json": text, "e/a.js": "", **around}
    assert len(told(files, "e/", "missing-key")) == expected


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
def test_a_build_puts_a_number_where_there_is_none(version: str, around: Files, expected: int) -> None:
    files: Files = {
        "e/manifest.json": f'{{"manifest_version": 3, "name": "List", "version": {version}}}',
        **around,
    }
    assert len(told(files, "e/", "invalid-value")) == expected


def test_what_a_completed_manifest_says_wrong_is_wrong() -> None:
    text = '{"manifest_version": 3, "name": "List", "incognito": "spilt"}'
    files: Files = {"e/manifest.json": text, "e/Makefile": ""}
    assert len(told(files, "e/", "invalid-value")) == 1


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
def test_resources_that_git_ignores(ignoring: str, expected: list[str]) -> None:
    files: Files = {
        "e/manifest.json": manifest(web_accessible_resources=RESOURCES),
        "e/icon/two.png": "",
        ".gitignore": ignoring,
    }
    found = told(files, "e/", "unmatched-resource")
    assert sorted(each.split("`")[1] for each in found) == expected


@pytest.mark.parametrize(
    ("beside", "expected"),
    [
        pytest.param({}, 1, id="the whole"),
        pytest.param({"e/manifest_chrome.json": '{"permissions": ["tabs"]}'}, 0, id="a part beside it"),
        pytest.param({"e/chrome.manifest.json": '{"background": {}}'}, 0, id="by another name"),
        pytest.param({"e/manifest-data.json": '{"a": 1}'}, 1, id="something else"),
        pytest.param({"e/manifest_chrome.json": "[1]"}, 1, id="a list"),
        pytest.param({"e/x/manifest_chrome.json": '{"permissions": []}'}, 1, id="in another folder"),
    ],
)
@pytest.mark.parametrize("rule", ["missing-permission", "missing-key"])
def test_what_is_missing_may_stand_in_a_part(rule: str, beside: Files, expected: int) -> None:
    files: Files = {
        "e/manifest.json": manifest(content_scripts=[{"js": ["a.js"]}]),
        "e/a.js": "chrome.storage.local.get('a');",
        **beside,
    }
    assert len(told(files, "e/", rule)) == expected
