"""`extlint init`: the first configuration of a project, which loses no findings."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from harness import manifest

from extlint.cli.main import main
from extlint.linting.configuration.insertion import with_member, with_table

CHROME = manifest(background={"service_worker": "b.js"})
FIREFOX = manifest(browser_specific_settings={"gecko": {"id": "a@b.c"}})
PLAIN = manifest()
SCRIPT = "chrome.tabs.qery({});"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(files: dict[str, str]) -> None:
    for name, content in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())


def findings(capsys: pytest.CaptureFixture[str]) -> list[Any]:
    main(["check", "--output-format", "json", "--no-cache"])
    answer = json.loads(capsys.readouterr().out)
    return [{key: each[key] for key in each if key != "help"} for each in answer["findings"]]


PROJECTS: dict[str, tuple[dict[str, str], dict[str, object]]] = {
    "one extension": ({"manifest.json": CHROME, "b.js": SCRIPT}, {"target": ["chrome"]}),
    "one below": ({"src/manifest.json": FIREFOX}, {"target": ["firefox"]}),
    "an extension without a target": ({"manifest.json": PLAIN}, {}),
    "one of Thunderbird": (
        {"manifest.json": manifest(compose_action={})},
        {},
    ),
    "two": (
        {"a/manifest.json": CHROME, "a/b.js": SCRIPT, "b/manifest.json": FIREFOX},
        {"extension": [{"path": "a", "target": ["chrome"]}, {"path": "b", "target": ["firefox"]}]},
    ),
    "an extension without a target among others": (
        {"a/manifest.json": CHROME, "b/manifest.json": PLAIN},
        {"extension": [{"path": "a", "target": ["chrome"]}, {"path": "b"}]},
    ),
    "many that are alike": (
        {f"packages/{name}/manifest.json": CHROME for name in "abcd"} | {"other/manifest.json": FIREFOX},
        {
            "extension": [
                {"path": "other", "target": ["firefox"]},
                {"path": "packages/*", "target": ["chrome"]},
            ]
        },
    ),
    "many in a folder with another": (
        {f"x/{name}/manifest.json": CHROME for name in "ab"} | {"x/c/manifest.json": FIREFOX},
        {
            "extension": [
                {"path": "x/a", "target": ["chrome"]},
                {"path": "x/b", "target": ["chrome"]},
                {"path": "x/c", "target": ["firefox"]},
            ]
        },
    ),
    "a build that copies": (
        {
            "src/manifest.json": manifest(version="1", background={"service_worker": "b.js"}),
            "src/b.js": SCRIPT,
            "dist/manifest.json": manifest(version="2", background={"service_worker": "b.js"}),
            "dist/b.js": SCRIPT,
        },
        {"exclude": ["/dist/"], "extension": [{"path": "src", "target": ["chrome"]}]},
    ),
    "a build that compiles": (
        {"src/manifest.json": CHROME, "src/b.ts": SCRIPT, "dist/manifest.json": CHROME, "dist/b.js": SCRIPT},
        {"extension": [{"path": "dist", "target": ["chrome"]}, {"path": "src", "target": ["chrome"]}]},
    ),
    "builds that change the manifest": (
        {
            "src/manifest.json": PLAIN,
            "build/chrome-mv3/manifest.json": CHROME,
            "build/firefox-mv2/manifest.json": FIREFOX,
        },
        {
            "extension": [
                {"path": "build/chrome-mv3", "target": ["chrome"]},
                {"path": "build/firefox-mv2", "target": ["firefox"]},
                {"path": "src"},
            ]
        },
    ),
    "a build that Git ignores": (
        {".gitignore": "dist", "manifest.json": CHROME, "dist/firefox/manifest.json": FIREFOX},
        {"extension": [{"path": ".", "target": ["chrome"]}]},
    ),
    "variants": (
        {
            "src/manifest.chrome.json": CHROME,
            "src/manifest.firefox.json": FIREFOX,
            "src/b.js": SCRIPT,
            "x/manifest.json": CHROME,
        },
        {
            "extension": [
                {"manifest": "src/manifest.chrome.json", "target": ["chrome"]},
                {"manifest": "src/manifest.firefox.json", "target": ["firefox"]},
                {"path": "x", "target": ["chrome"]},
            ]
        },
    ),
    "a variant next to the manifest": (
        {"manifest.json": CHROME, "manifest.firefox.json": FIREFOX, "b.js": SCRIPT},
        {
            "extension": [
                {"manifest": "manifest.firefox.json", "target": ["firefox"]},
                {"path": ".", "target": ["chrome"]},
            ]
        },
    ),
    "a folder of manifests": (
        {"manifests/chrome.json": CHROME, "manifests/firefox.json": FIREFOX, "src/b.js": SCRIPT},
        {
            "extension": [
                {"manifest": "manifests/chrome.json", "root": "src", "target": ["chrome"]},
                {"manifest": "manifests/firefox.json", "root": "src", "target": ["firefox"]},
            ]
        },
    ),
    "more than thirty, by folders": (
        {f"chrome/{number}/x{number}/manifest.json": CHROME for number in range(20)}
        | {f"firefox/{number}/manifest.json": FIREFOX for number in range(10)}
        | {f"firefox/{number}/y{number}/manifest.json": FIREFOX for number in range(10)}
        | {"firefox/other/manifest.json": PLAIN, "b/manifest.json": PLAIN},
        {
            "extension": [
                {"path": "b"},
                {"path": "chrome/**", "target": ["chrome"]},
                *({"path": f"firefox/{number}/**", "target": ["firefox"]} for number in range(10)),
                {"path": "firefox/other"},
            ]
        },
    ),
    "many that are alike, but for one part of their folders": (
        {
            f"packages/{name}/{folder}/manifest.json": text
            for name in "abc"
            for folder, text in (("c", CHROME), ("f", FIREFOX))
        },
        {
            "extension": [
                {"path": "packages/*/c", "target": ["chrome"]},
                {"path": "packages/*/f", "target": ["firefox"]},
            ]
        },
    ),
    "two for one browser and a third for another": (
        {"a/x/manifest.json": CHROME, "b/x/manifest.json": FIREFOX, "c/x/manifest.json": CHROME},
        {
            "extension": [
                {"path": "a/x", "target": ["chrome"]},
                {"path": "b/x", "target": ["firefox"]},
                {"path": "c/x", "target": ["chrome"]},
            ]
        },
    ),
    "one with a configuration": (
        {
            "a/manifest.json": CHROME,
            "b/manifest.json": FIREFOX,
            "c/manifest.json": CHROME,
            "c/extlint.toml": 'fail-level = "info"',
        },
        {"extension": [{"path": "a", "target": ["chrome"]}, {"path": "b", "target": ["firefox"]}]},
    ),
    "odd names": (
        {"[a]*/manifest.json": CHROME, "a*/manifest.json": FIREFOX, 'c"\\/manifest.json': PLAIN},
        {
            "extension": [
                {"path": "[[]a][*]", "target": ["chrome"]},
                {"path": "a[*]", "target": ["firefox"]},
                {"path": 'c"\\'},
            ]
        },
    ),
    "more than entries are good for": (
        {f"{name}/{name}/manifest.json": CHROME for name in map(str, range(31))},
        {},
    ),
}


@pytest.mark.parametrize("name", PROJECTS)
def test_configuration_of_a_new_project(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    files, expected = PROJECTS[name]
    write(files)
    before = findings(capsys)
    assert main(["init"]) == 0
    assert capsys.readouterr() == ("Wrote extlint.toml. To see what is in force: extlint config .\n", "")
    text = Path("extlint.toml").read_text("utf-8")
    assert tomllib.loads(text) == expected
    assert not text.endswith("\n\n")
    assert main(["config"]) == 0
    capsys.readouterr()
    excluded = tuple(each.strip("/") for each in tomllib.loads(text).get("exclude", ()))
    assert findings(capsys) == [each for each in before if not each["extension"].startswith(excluded or "\0")]


def test_extensions_without_a_browser_get_no_target(capsys: pytest.CaptureFixture[str]) -> None:
    keys = ("cloud_file", "compose_action", "message_display_action")
    write({f"x/{key}/manifest.json": manifest(**{key: {}}) for key in keys})
    assert main(["init", "--print"]) == 0
    assert '# target = ["chrome", "firefox"]  # none of them names a browser\n' in capsys.readouterr().out


def test_ignored_builds_are_checked_as_a_last_resort(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(
        {
            ".gitignore": ".output",
            ".output/chrome-mv3/manifest.json": CHROME,
            ".output/chrome-mv3/b.js": SCRIPT,
            ".output/firefox-mv2/manifest.json": FIREFOX,
        }
    )
    assert main(["check"]) == 2
    assert main(["init"]) == 0
    assert tomllib.loads(Path("extlint.toml").read_text("utf-8")) == {
        "extension": [
            {"path": ".output/chrome-mv3", "target": ["chrome"]},
            {"path": ".output/firefox-mv2", "target": ["firefox"]},
        ]
    }
    capsys.readouterr()
    assert [each["rule"] for each in findings(capsys)] == ["unknown-api"]
    assert main(["check"]) == 1
    assert capsys.readouterr().err == ""


WXT = '{"devDependencies": {"wxt": "1"}, "scripts": {"build": "wxt build"}}'

BUILD_TOOLS: dict[str, tuple[dict[str, str], str, dict[str, str]]] = {
    "WXT": ({"package.json": WXT}, ".output/*", {".output/firefox-mv2/manifest.json": FIREFOX}),
    "WXT in a folder": (
        {"apps/x/package.json": WXT},
        "apps/x/.output/*",
        {"apps/x/.output/chrome-mv3/manifest.json": CHROME},
    ),
    "CRXJS": (
        {"package.json": WXT.replace('"wxt"', '"@crxjs/vite-plugin"').replace("wxt build", "vite build")},
        "dist",
        {"dist/manifest.json": CHROME},
    ),
}


@pytest.mark.parametrize("is_built", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("tool", BUILD_TOOLS)
def test_build_output_gets_an_entry(tool: str, is_built: bool, capsys: pytest.CaptureFixture[str]) -> None:
    files, glob, built = BUILD_TOOLS[tool]
    write({**files, ".gitignore": ".output\ndist\n", **(built if is_built else {})})
    assert main(["init"]) == 0
    assert capsys.readouterr().err == ""
    text = Path("extlint.toml").read_text("utf-8")
    assert tomllib.loads(text) == {"extension": [{"path": glob}]}
    assert f'path = "{glob}"  # made by {tool.split()[0]}: npm run build\n' in text
    write(built)
    main(["check", "--output-format", "json"])
    answer = json.loads(capsys.readouterr().out)
    assert [each["targets_from"] in ("name", "manifest") for each in answer["extensions"]] == [True]


@pytest.mark.parametrize("file", ["extlint.toml", ".extlint.toml", "pyproject.toml", "package.json"])
def test_configuration_is_the_same_in_every_file_format(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        {
            "x/a/manifest.json": CHROME,
            "x/b/manifest.json": FIREFOX,
            "package.json": "{}",
            "pyproject.toml": "",
        }
    )
    assert main(["init", "x", "--file", "extlint.toml", "--print"]) == 0
    expected = tomllib.loads(capsys.readouterr().out)
    write({"x/package.json": '{\n\t"name": "x"\n}\n', "x/pyproject.toml": "[project]\r\nname = 'x'\r\n"})
    assert main(["init", "x", "--file", file]) == 0
    data = Path("x", file).read_bytes()
    if file == "package.json":
        assert json.loads(data) == {"name": "x", "extlint": expected}
        assert data.startswith(b'{\n\t"name": "x",\n\t"extlint": {\n\t\t"extension": [')
        assert data.endswith(b"\n\t}\n}\n")
    elif file == "pyproject.toml":
        assert tomllib.loads(data.decode()) == {"project": {"name": "x"}, "tool": {"extlint": expected}}
        assert data.count(b"\n") == data.count(b"\r\n")
    else:
        assert tomllib.loads(data.decode()) == expected


REJECTED: dict[str, tuple[dict[str, str], list[str], str]] = {
    "a configuration": ({"extlint.toml": ""}, [], "extlint.toml is the configuration of this folder already"),
    "one of another form": (
        {"package.json": '{"extlint": {}}'},
        [],
        "package.json is the configuration of this folder already",
    ),
    "one above": ({"extlint.toml": ""}, ["ext"], "extlint.toml is the configuration of this folder already"),
    "a broken one": ({"extlint.toml": "="}, [], "extlint.toml:1:1: invalid TOML: invalid statement"),
    "no such folder": ({}, ["nowhere"], "no such folder: nowhere"),
    "a file": ({}, ["ext/manifest.json"], "no such folder: ext/manifest.json"),
    "no package.json": ({}, ["--file", "package.json"], "no such file or folder: package.json"),
    "no pyproject.toml": ({}, ["--file", "pyproject.toml"], "no such file or folder: pyproject.toml"),
    "a list": ({"package.json": "[]"}, ["--file", "package.json"], "package.json is not a JSON object"),
    "broken TOML": (
        {"pyproject.toml": "x ="},
        ["--file", "pyproject.toml"],
        "pyproject.toml:1:4: invalid TOML: invalid value",
    ),
    "an inline table": (
        {"pyproject.toml": "tool = {a = 1}"},
        ["--file", "pyproject.toml"],
        "[tool.extlint] cannot be added to pyproject.toml",
    ),
    "another file": (
        {},
        ["--file", "extlint.tml"],
        "no such configuration file: extlint.tml; did you mean extlint.toml?",
    ),
    "nothing to check": ({"empty/file": ""}, ["empty"], "no manifest.json in or below empty"),
}


@pytest.mark.parametrize("name", REJECTED)
def test_rejected_run_changes_no_file(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    files, arguments, sentence = REJECTED[name]
    write({"ext/manifest.json": CHROME, **files})
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    assert main(["init", *arguments]) == 2
    assert capsys.readouterr() == ("", f"extlint: {sentence}\n")
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before


def test_print_works_despite_an_existing_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    write({"manifest.json": CHROME, "extlint.toml": 'target = "firefox"'})
    assert main(["init", "--print"]) == 0
    assert tomllib.loads(capsys.readouterr().out) == {"target": ["chrome"]}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{}", '{\n  "extlint": {\n    "a": 1\n  }\n}'),
        ('{"b": 2}', '{"b": 2, "extlint": {"a": 1}}'),
        ('{\n    "b": [\n    ]\n}', '{\n    "b": [\n    ],\n    "extlint": {\n        "a": 1\n    }\n}'),
        ('\ufeff{\r\n "b": 2 }\r\n', '\ufeff{\r\n "b": 2,\r\n "extlint": {\r\n  "a": 1\r\n } }\r\n'),
    ],
)
def test_json_member_is_added(before: str, after: str) -> None:
    assert with_member(before.encode(), "extlint", {"a": 1}, "package.json").decode() == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "[t]\n"),
        ("a = 1", "a = 1\n\n[t]\n"),
        ("a = 1\r\n", "a = 1\r\n\r\n[t]\r\n"),
        ("a = 1\n\n", "a = 1\n\n[t]\n"),
    ],
)
def test_toml_table_is_added(before: str, after: str) -> None:
    assert with_table(before.encode(), "[t]\n").decode() == after
