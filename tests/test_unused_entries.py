"""Configuration entries that match nothing are reported if a run covers the entire project."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from harness import manifest

from extlint.cli.main import main

WORKER = manifest(background={"service_worker": "bg.js"}, permissions=["tabs"])
FILES = {"a/manifest.json": WORKER, "a/bg.js": "", "a/lib/x.js": "", "b/manifest.json": WORKER, "b/bg.js": ""}


@pytest.fixture(autouse=True)
def _in_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for path, text in FILES.items():
        write(path, text)


def write(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)


def unused_entries(capsys: pytest.CaptureFixture[str], *options: str) -> list[tuple[str, int, int, str]]:
    main(["check", "--output-format", "json", *options])
    entries = json.loads(capsys.readouterr().out)["unused_entries"]
    return [(each["path"], *each["start"].values(), each["message"]) for each in entries]


NO_VALUE = "in per-file-ignores matches no value in a file of an extension"
NO_FILE = "in per-file-ignores matches no file of an extension"

UNUSED = {
    "a glob of files": (
        'per-file-ignores = {"bg.js" = "uses", "lib/*.jz" = "uses"}',
        [(1, 39, f"`lib/*.jz` {NO_FILE}")],
    ),
    "a pointer": (
        '[per-file-ignores]\n"manifest.json#/name" = "uses"\n"manifest.json#/permissions/1" = "uses"',
        [(3, 1, f"`manifest.json#/permissions/1` {NO_VALUE}")],
    ),
    "excluded files": (
        'exclude = ["a/lib/", "/bg.js", "vendor"]',
        [
            (1, 23, "`/bg.js` in exclude matches nothing of an extension"),
            (1, 33, "`vendor` in exclude matches nothing of an extension"),
        ],
    ),
    "one excluded pattern": ('exclude = "c"', [(1, 12, "`c` in exclude matches nothing of an extension")]),
    "an excluded extension": ('exclude = "b"', []),
    "extensions": (
        '[[extension]]\npath = "a"\n[[extension]]\npath = "c*"\nignore = "uses"\n',
        [(3, 1, "this [[extension]] entry applies to no extension")],
    ),
    "the files of another extension": (
        '[[extension]]\npath = "b"\nper-file-ignores = {"lib/x.js" = "uses"}',
        [(3, 21, f"`lib/x.js` {NO_FILE}")],
    ),
    "build output": ('exclude = ["dist/", "a/build"]\n[[extension]]\npath = ".output/*"', []),
    "paths ignored by Git": (
        'exclude = ["/made", "gone"]',
        [(1, 22, "`gone` in exclude matches nothing of an extension")],
    ),
}


@pytest.mark.parametrize(("configuration", "expected"), UNUSED.values(), ids=UNUSED.keys())
def test_unused_entries_are_reported(
    configuration: str, expected: list[tuple[int, int, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    write(".gitignore", "/made/")
    write("extlint.toml", configuration)
    assert unused_entries(capsys) == [("extlint.toml", *each) for each in expected]


def test_unused_entries_are_reported_only_for_entire_projects(capsys: pytest.CaptureFixture[str]) -> None:
    write("extlint.toml", 'exclude = "c"')
    assert len(unused_entries(capsys, ".")) == 1
    assert unused_entries(capsys, "a", "b") == []
    assert unused_entries(capsys, "a") == []
    assert unused_entries(capsys, "a/bg.js") == []
    write("broken/manifest.json", WORKER)
    write("broken/extlint.toml", "x = 1")
    assert unused_entries(capsys) == []


def test_unused_entry_of_nested_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    write("a/extlint.toml", 'per-file-ignores = {"y.js" = "uses"}')
    assert unused_entries(capsys) == [("a/extlint.toml", 1, 21, f"`y.js` {NO_FILE}")]


def test_closing_lines_list_unused_entries(capsys: pytest.CaptureFixture[str]) -> None:
    write("extlint.toml", 'exclude = "c"')
    main(["check", "--ignore", "manifest"])
    last = "extlint.toml:1:12: `c` in exclude matches nothing of an extension\n"
    assert capsys.readouterr().out.endswith(last)
    main(["check", "--ignore", "manifest", "--quiet"])
    assert "exclude" not in capsys.readouterr().out
    main(["config"])
    assert capsys.readouterr().out.endswith(
        "# extlint.toml:1: `c` in exclude matches nothing of an extension\n"
    )


def test_sarif_notifications_list_unused_entries(capsys: pytest.CaptureFixture[str]) -> None:
    write("extlint.toml", 'exclude = "c"')
    main(["check", "--output-format", "sarif"])
    (invocation,) = json.loads(capsys.readouterr().out)["runs"][0]["invocations"]
    (notification,) = invocation["toolConfigurationNotifications"]
    assert notification["level"] == "warning"
    assert notification["message"]["text"].startswith("extlint.toml:1:12: ")
