from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from packages import write

from extlint.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

BACKGROUND = {"background": {"scripts": ["b.js"]}, "options_page": "o.html"}


def _manifest(version: str = "1.0", **keys: object) -> str:
    return json.dumps({"manifest_version": 2, "name": "a", "version": version, **BACKGROUND, **keys})


CODE = {"b.js": "", "o.html": ""}
NEW = {"new/manifest.json": _manifest("2.0"), "new/b.js": "", "new/o.html": ""}

CASES: dict[str, tuple[dict[str, str], list[str]]] = {
    "an older manifest without the files": ({"manifest.json": _manifest("1.9"), **NEW}, ["manifest.json"]),
    "an older one without one of them": (
        {"site/manifest.json": _manifest("1.10"), "site/b.js": "", **NEW},
        ["site/manifest.json"],
    ),
    "the same version without code": ({"manifest.json": _manifest("2.0"), **NEW}, []),
    "a folder for backups": (
        {"manifest.json": _manifest(), **CODE, "backup/manifest.json": _manifest(), "backup/b.js": ""},
        ["backup/manifest.json"],
    ),
    "two old folders, and one old version in neither": (
        {
            **NEW,
            "site (old)/manifest.json": _manifest(),
            "archive/2/manifest.json": _manifest("3.0"),
            "other/manifest.json": _manifest("1.0"),
            **{f"other/{path}": text for path, text in CODE.items()},
        },
        ["archive/2/manifest.json", "site (old)/manifest.json"],
    ),
    "an old folder, a longer name and another manifest version": (
        {
            "manifest.json": _manifest(name="Notes", manifest_version=3),
            "old-notes/manifest.json": _manifest(name="notes - Dev"),
        },
        ["old-notes/manifest.json"],
    ),
    "an old folder with another extension": (
        {"manifest.json": _manifest(name="Notes"), "old/manifest.json": _manifest(name="Nodes")},
        [],
    ),
    "an old folder for another browser": (
        {"manifest.json": _manifest(), "legacy/manifest.json": _manifest(applications={"gecko": {}})},
        [],
    ),
    "an older one with its files": ({"manifest.json": _manifest(), **CODE, **NEW}, []),
    "the same version with code": ({"manifest.json": _manifest("2.0"), "b.js": "", **NEW}, []),
    "a newer one": ({"manifest.json": _manifest("2.1"), "b.js": "", **NEW}, []),
    "a file that neither has": (
        {"manifest.json": _manifest(icons={"16": "a.png"}), "b.js": "", **NEW},
        [],
    ),
    "the output of a build": (
        {
            "manifest.json": _manifest(),
            "a.js": "",
            **{path.replace("new", "dist"): text for path, text in NEW.items()},
        },
        [],
    ),
    "another name": ({"manifest.json": _manifest(name="b"), **NEW}, []),
    "another manifest version": ({"manifest.json": _manifest(manifest_version=3), **NEW}, []),
    "another browser": ({"manifest.json": _manifest(browser_specific_settings={"gecko": {}}), **NEW}, []),
    "only old folders": ({"old/manifest.json": _manifest(), "backup/manifest.json": _manifest()}, []),
    "a word in another one": ({**NEW, "folder/manifest.json": _manifest("2.0"), "folder/b.js": ""}, []),
}


@pytest.mark.parametrize(("files", "copies"), CASES.values(), ids=CASES.keys())
def test_old_copies_are_not_checked(
    files: dict[str, str],
    copies: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write(files)
    main(["check", "--output-format", "json"])
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert report["skipped"] == [{"path": path, "reason": "copy"} for path in copies]
    assert not {each["path"] for each in report["findings"]} & {*copies}


def test_old_copy_is_named_and_can_be_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write({"manifest.json": _manifest("1.9"), **NEW})
    main(["check"])
    line = "not checked: manifest.json is an old copy of the extension; to check it, give its path\n"
    assert capsys.readouterr().out.endswith(line)
    main(["check", "manifest.json"])
    assert "the package has no file `b.js`" in capsys.readouterr().out
    write({"old/manifest.json": _manifest()})
    main(["check"])
    line = "manifest.json and old/manifest.json are old copies of the extension; to check one of them, give"
    assert f"not checked: {line} its path\n" in capsys.readouterr().out
