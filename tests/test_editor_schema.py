"""`extlint schema --manifest`: a JSON Schema for editors, interpreted by a common validator."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft7Validator

from extlint.cli.main import main
from extlint.cli.program import extlint
from extlint.services.api_lookup.manifest_keys import editor_schema
from extlint_schemas import TARGETS

BROWSERS = TARGETS[1:]
EXAMPLES = Path(__file__).parents[1] / "examples"
BASE = {"name": "x", "version": "1"}


def mistakes(targets: tuple[str, ...], manifest: dict[str, Any]) -> list[str]:
    found = Draft7Validator(editor_schema(targets)).iter_errors(manifest)
    return sorted("/".join(map(str, each.absolute_path)) for each in found)


@pytest.mark.parametrize("target", BROWSERS)
def test_schema_is_valid_draft_7(target: str) -> None:
    schema = editor_schema((target,))
    Draft7Validator.check_schema(schema)
    text = json.dumps(schema)
    references = {*re.findall(r'"\$ref": "#/definitions/([^"]+)"', text)}
    assert references <= {*schema["definitions"]}
    assert '"x-' not in text


@pytest.mark.parametrize(
    ("targets", "manifest", "where"),
    [
        (("chrome",), {"manifest_version": 3, **BASE}, []),
        (("chrome", "firefox"), {"manifest_version": 3, **BASE, "permissions": ["storage"]}, []),
        (("chrome",), {"manifest_version": 3, **BASE, "background": {"service_worker": "a.js"}}, []),
        (
            ("firefox",),
            {"manifest_version": 3, **BASE, "background": {"service_worker": "a.js"}},
            ["background"],
        ),
        (("chrome",), {"manifest_version": 4, **BASE}, ["manifest_version", "manifest_version"]),
        (("chrome",), {"manifest_version": 3, "name": "x"}, ["", ""]),
        (
            ("chrome",),
            {"manifest_version": 3, **BASE, "action": {"default_title": 1}},
            ["action/default_title"],
        ),
        (("chrome",), {"manifest_version": 2, **BASE, "permissions": "storage"}, ["permissions"]),
    ],
)
def test_mistakes_are_rejected(targets: tuple[str, ...], manifest: dict[str, Any], where: list[str]) -> None:
    assert mistakes(targets, manifest) == where


def test_clean_example_is_valid() -> None:
    manifest = json.loads((EXAMPLES / "clean" / "manifest.json").read_text())
    assert mistakes(("chrome", "edge"), manifest) == []


def test_command_prints_the_schema() -> None:
    printed = CliRunner().invoke(
        extlint, ["schema", "--manifest", "--target", "chrome"], standalone_mode=False
    )
    assert json.loads(printed.output) == editor_schema(("chrome",))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["tabs"], "--manifest prints the whole schema; it cannot be combined with a NAME"),
        (["--target", "reference"], "the target reference has no manifest of its own; name a browser"),
    ],
)
def test_invalid_options_are_errors(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["schema", "--manifest", *arguments]) == 2
    assert capsys.readouterr() == ("", f"extlint: {sentence}\n")
