"""`extlint config`: the values in effect and their origins."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from harness import manifest

from extlint.cli.main import main
from extlint.linting.configuration.toml import toml_value

FILE = """\
ignore = "stores"
severity = { missing-key = "info" }
exclude = ["a b", 'c"d']

[[extension]]
path = "b"
target = "firefox>=115"
severity = { stores = "error" }
"""


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, keys in {"a": {"key": "YQ=="}, "b": {}}.items():
        Path(name).mkdir()
        Path(name, "manifest.json").write_text(manifest(**keys))
    Path("extlint.toml").write_text(FILE)


def shown_extensions(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["config", *arguments, "--output-format", "json"]) == 0
    return {each["path"]: each for each in json.loads(capsys.readouterr().out)["extensions"]}


def origin(found: dict[str, Any], key: str) -> tuple[object, str, object]:
    value = found["values"][key]
    return value["value"], value["from"], value["start"] and value["start"]["line"]


def test_values_have_origins(capsys: pytest.CaptureFixture[str]) -> None:
    found = shown_extensions(capsys, "--fail-level", "info")
    assert origin(found["a"], "target") == (["chrome"], "manifest", None)
    assert origin(found["a"], "ignore") == ("stores", "configuration", 1)
    assert origin(found["a"], "severity") == ({"missing-key": "info"}, "configuration", 2)
    assert origin(found["a"], "fail-level") == ("info", "option", None)
    assert origin(found["a"], "gitignore") == (True, "default", None)
    assert origin(found["b"], "target") == ("firefox>=115", "extension", 7)
    assert origin(found["b"], "severity") == ({"stores": "error"}, "extension", 8)
    assert origin(found["b"], "ignore") == ("stores", "configuration", 1)
    assert found["a"]["extension_entry"] is None
    assert found["b"]["extension_entry"]["line"] == 5
    assert found["a"]["rules"]["missing-key"] == "info"
    assert found["b"]["rules"]["missing-key"] == "error"
    assert "long-name" not in found["a"]["rules"]


def test_options_override_the_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    found = shown_extensions(capsys, "b", "--target", "chrome>=120,edge", "--ignore", "uses")["b"]
    assert origin(found, "target") == (["chrome>=120", "edge"], "option", None)
    assert origin(found, "ignore") == (["uses"], "option", None)
    assert "long-name" not in found["rules"]
    assert "unknown-api" not in found["rules"]


def test_text_output_is_a_valid_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "a"]) == 0
    text = capsys.readouterr().out
    assert tomllib.loads(text)["exclude"] == ["a b", 'c"d']
    Path("other.toml").write_text(text)
    assert main(["check", "a", "--config", "other.toml"]) == 0


def test_ignored_configuration_files_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    Path("package.json").write_text('{"extlint": {}}')
    Path("pyproject.toml").write_text("[tool.other]\nname = 'extlint'")
    Path(".extlint.toml").write_text("=")
    assert shown_extensions(capsys, "a")["a"]["ignored_files"] == [".extlint.toml", "package.json"]
    main(["config", "a"])
    assert (
        "# package.json is ignored, because extlint.toml is in the same folder\n" in capsys.readouterr().out
    )


def test_unchecked_extensions_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("dist", "a b"):
        Path(name).mkdir()
        Path(name, "manifest.json").write_text(manifest())
    Path(".gitignore").write_text("dist")
    assert main(["config"]) == 0
    out = capsys.readouterr().out
    assert "\n\n# a b is not checked, because the configuration excludes it\n" in out
    assert "\n# dist is not checked, because Git ignores it\n" in out
    assert main(["config", "--output-format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["skipped"] == [
        {"path": "a b", "reason": "exclude"},
        {"path": "dist", "reason": "gitignore"},
    ]


def test_manifest_variants_are_shown_separately(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a/manifest.firefox.json").write_text(manifest())
    Path("extlint.toml").write_text('[[extension]]\nmanifest = "a/manifest.firefox.json"\nignore = "uses"')
    assert main(["config", "a", "--output-format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["extensions"]
    assert [(each["manifest"], each["values"]["ignore"]["value"]) for each in found] == [
        ("manifest.json", None),
        ("manifest.firefox.json", "uses"),
    ]


def test_variant_for_other_targets_is_not_checked(capsys: pytest.CaptureFixture[str]) -> None:
    Path("manifest.chrome.json").write_text(manifest())
    Path("manifest.firefox.json").write_text(manifest())
    assert main(["config", "--target", "firefox>=120,firefox_android"]) == 0
    out = capsys.readouterr().out
    assert "with the manifest manifest.firefox.json" in out
    assert 'target = ["firefox>=120", "firefox_android"]' in out
    assert "with the manifest manifest.chrome.json" not in out
    assert "# manifest.chrome.json is not checked, because it is for none of the targets" in out


def test_unused_extension_entries_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    Path("extlint.toml").write_text(
        f'{FILE}\n[[extension]]\npath = "b"\n[[extension]]\nmanifest = "c/*.json"'
    )
    assert main(["config"]) == 0
    sentence = "this [[extension]] entry applies to no extension"
    assert capsys.readouterr().out.endswith(
        f"\n# extlint.toml:10: {sentence}\n# extlint.toml:12: {sentence}\n"
    )
    assert main(["config", "b"]) == 0
    assert sentence not in capsys.readouterr().out
    assert main(["config", "--output-format", "json"]) == 0
    unused = json.loads(capsys.readouterr().out)["unused_entries"]
    assert [(each["path"], each["start"]["line"]) for each in unused if "exclude" not in each["message"]] == [
        ("extlint.toml", 10),
        ("extlint.toml", 12),
    ]


def test_folder_without_extension_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    Path("c").mkdir()
    assert main(["config", "c", "a"]) == 2
    output = capsys.readouterr()
    assert output.err == "extlint: c is empty\n"
    assert output.out.startswith("# c contains no extension\n# configuration: extlint.toml\nignore = ")
    assert "\n\n# a\n" in output.out


def test_missing_path_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "nowhere"]) == 2
    assert capsys.readouterr() == ("", "extlint: no such file or folder: nowhere\n")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("select = 1", "extlint.toml:1:10: select must be a string or a list of strings"),
        ("=", "extlint.toml:1:1: invalid TOML: invalid statement"),
    ],
)
def test_invalid_configuration_is_an_error(
    text: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("extlint.toml").write_text(text)
    assert main(["config"]) == 2
    assert capsys.readouterr() == ("", f"extlint: {sentence}\n")


@pytest.mark.parametrize(
    "value", [True, 3, "a", 'a"\\\n\x7f\x00é😀', ["a", 1], {"a-b": {"c d": []}, "": [{}]}, {"\n": "\t"}]
)
def test_toml_value_round_trip(value: object) -> None:
    assert tomllib.loads(f"value = {toml_value(value)}")["value"] == value
