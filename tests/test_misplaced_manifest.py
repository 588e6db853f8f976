"""Archives without a manifest at the top level: `misplaced-manifest`."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from harness import manifest

from extlint.cli.main import main


def found(tmp_path: Path, names: list[str], capsys: pytest.CaptureFixture[str], *options: str) -> list[str]:
    """Returns the messages about an archive with these file names, under the default rules."""
    path = tmp_path / "ext.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, manifest(icons={}) if name.endswith("manifest.json") else "")
    main(["check", str(path), "--output-format", "json", *options])
    findings = json.loads(capsys.readouterr().out)["findings"]
    return [each["message"] for each in findings if each["rule"] == "misplaced-manifest"]


MESSAGE = "the manifest is in the folder `top` of the archive, not at its top"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param(["manifest.json", "a.js"], [], id="at the top"),
        pytest.param(["top/manifest.json", "top/a.js"], [MESSAGE], id="in a folder"),
        pytest.param(["top/manifest.json", "__MACOSX/top/._a.js"], [MESSAGE], id="with what Finder adds"),
        pytest.param(["top/manifest.json", "other/manifest.json"], [], id="several extensions"),
        pytest.param(["top/src/manifest.json", "top/README"], [], id="a project"),
    ],
)
def test_manifest_location_in_an_archive(
    names: list[str], expected: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert found(tmp_path, names, capsys) == expected


def test_folder_is_not_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "top").mkdir()
    (tmp_path / "top" / "manifest.json").write_text(manifest())
    main(["check", str(tmp_path), "--select", "misplaced-manifest", "--output-format", "json"])
    assert json.loads(capsys.readouterr().out)["findings"] == []


def test_cache_distinguishes_manifest_locations(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    in_folder, at_top = ["top/manifest.json"], ["manifest.json"]
    assert [len(found(tmp_path, each, capsys)) for each in (in_folder, at_top, in_folder)] == [1, 0, 1]
