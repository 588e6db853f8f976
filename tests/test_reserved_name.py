"""Names that prevent Chrome from loading an extension: `reserved-name`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from harness import Files, lint, manifest

from extlint.cli.main import main

RULE = "reserved-name"


def found(names: list[str], target: str = "chrome") -> list[str]:
    """Returns the messages about a package that contains files with these names and a manifest."""
    files: Files = {"manifest.json": manifest(), **dict.fromkeys(names, "")}
    findings = lint(files, [RULE], target)
    assert {(each.path, each.span.start.line, each.span.start.column) for each in findings} <= {
        ("manifest.json", 1, 1)
    }
    return [each.message.removeprefix("Chrome does not load an extension with the ") for each in findings]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param(["_next/a.js", "_next/b.js"], ["folder `_next`"], id="a folder"),
        pytest.param(["_config.yml"], ["file `_config.yml`"], id="a file"),
        pytest.param(["_a.js", "__b/c.js"], ["file `_a.js`", "folder `__b`"], id="several"),
        pytest.param(["_Locales/a.txt", "__macosx/a"], ["folder `_Locales`", "folder `__macosx`"], id="case"),
        pytest.param(["_locales/en/messages.json", "_platform_specific/a", "__MACOSX/a"], [], id="known"),
        pytest.param(
            ["_metadata/verified_contents.json", "_metadata/computed_hashes.json"], [], id="of a store"
        ),
        pytest.param(["_metadata/generated_indexed_rulesets/_ruleset1"], [], id="of Chrome itself"),
        pytest.param(["_metadata/notes.txt"], ["folder `_metadata`"], id="other data"),
        pytest.param(["a/_b.js", "a/_next/b.js", "a_b.js"], [], id="further down"),
    ],
)
def test_reserved_names_are_reported(names: list[str], expected: list[str]) -> None:
    assert found(names) == expected


@pytest.mark.parametrize("target", ["reference", "firefox"])
def test_other_targets_accept_all_names(target: str) -> None:
    assert found(["_next/a.js"], target) == []


def test_name_is_reported_once_for_several_targets() -> None:
    assert found(["_next/a.js"], "chrome,edge,firefox") == ["folder `_next`"]


@pytest.mark.parametrize(
    ("scripts", "expected"),
    [
        pytest.param({"build": "webpack"}, [], id="a build"),
        pytest.param({"zip": "web-ext build"}, [RULE], id="an archive of the folder"),
    ],
)
def test_source_of_a_build_is_not_reported(
    scripts: dict[str, str], expected: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "__tests__").mkdir()
    (tmp_path / "__tests__" / "a.js").touch()
    (tmp_path / "manifest.json").write_text(manifest())
    (tmp_path / "package.json").write_text(json.dumps({"scripts": scripts}))
    main(["check", str(tmp_path), "--select", RULE, "--target", "chrome", "--output-format", "json"])
    assert [each["rule"] for each in json.loads(capsys.readouterr().out)["findings"]] == expected
