"""Configurations that extend others: a file, or a file of a package."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from harness import manifest
from packages import write

from extlint.cli.main import main

MISTAKES = manifest(permissions=["managment"], homepage="https://example.org")
"""A manifest with two warnings: unknown-permission and unknown-key."""


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def rules_found(capsys: pytest.CaptureFixture[str], files: dict[str, str], path: str = "a") -> list[str]:
    """Returns the rule and severity of each finding in an extension `a` with two mistakes."""
    write({"a/manifest.json": MISTAKES, **files})
    assert main(["check", path, "--output-format", "json", "--no-cache"]) in (0, 1)
    return [f"{each['rule']} {each['severity']}" for each in json.loads(capsys.readouterr().out)["findings"]]


ALL = ["unknown-key warning", "unknown-permission warning"]
IGNORE = 'ignore = "unknown-permission"\n'

EXTENDED = {
    "a file in the same folder": {"extlint.toml": 'extends = "./base.toml"', "base.toml": IGNORE},
    "a file above": {"a/extlint.toml": 'extends = "../base.toml"', "base.toml": IGNORE},
    "a table of pyproject.toml": {
        "extlint.toml": 'extends = ["./tools/pyproject.toml"]',
        "tools/pyproject.toml": f"[tool.extlint]\n{IGNORE}",
    },
    "the configuration of a folder": {"extlint.toml": 'extends = "./tools"', "tools/.extlint.toml": IGNORE},
    "a chain": {
        "extlint.toml": 'extends = "./one/base.toml"',
        "one/base.toml": 'extends = "../two/base.toml"',
        "two/base.toml": IGNORE,
    },
    "an npm package": {
        "extlint.toml": 'extends = "@team/config"',
        "node_modules/@team/config/extlint.toml": IGNORE,
    },
    "an npm package's package.json": {
        "package.json": '{"extlint": {"extends": ["config"]}}',
        "node_modules/config/package.json": '{"extlint": {"ignore": ["unknown-permission"]}}',
    },
    "an npm package above": {
        "a/extlint.toml": 'extends = "config/strict.toml"',
        "node_modules/config/strict.toml": IGNORE,
    },
    "a package that extends another one": {
        "extlint.toml": 'extends = "config"',
        "node_modules/config/extlint.toml": 'extends = "@team/base"',
        "node_modules/@team/base/extlint.toml": IGNORE,
    },
}


@pytest.mark.parametrize("files", EXTENDED.values(), ids=EXTENDED.keys())
def test_values_of_extended_file_apply(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert rules_found(capsys, files) == ALL[:1]


def test_package_of_python_is_found_without_import(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "site-packages")])
    files = {
        "extlint.toml": 'extends = "team-config/strict.toml"',
        "site-packages/team_config/strict.toml": IGNORE,
        "site-packages/team_config/__init__.py": "raise SystemExit('imported')",
    }
    assert rules_found(capsys, files) == ALL[:1]


PRECEDENCE = {
    "own value": (f'extends = "./base.toml"\n{IGNORE}', 'ignore = "unknown-key"', ALL[:1]),
    "table by entry": (
        'extends = "./base.toml"\n[severity]\nunknown-key = "info"',
        '[severity]\nunknown-key = "error"\nunknown-permission = "error"',
        ["unknown-permission error", "unknown-key info"],
    ),
    "ignores by glob": (
        'extends = "./base.toml"\n[per-file-ignores]\n"manifest.json#/permissions" = "unknown-permission"',
        '[per-file-ignores]\n"*.json" = "unknown-key"',
        [],
    ),
    "ignores of the same glob": (
        'extends = "./base.toml"\n[per-file-ignores]\n"*.json" = "unknown-permission"',
        '[per-file-ignores]\n"*.json" = "unknown-key"',
        ALL[:1],
    ),
    "last of two": (
        'extends = ["./base.toml", "./second.toml"]',
        'ignore = "unknown-key"',
        ALL[:1],
    ),
}


@pytest.mark.parametrize(("own", "base", "found"), PRECEDENCE.values(), ids=PRECEDENCE.keys())
def test_precedence(own: str, base: str, found: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    files = {"extlint.toml": own, "base.toml": base, "second.toml": IGNORE}
    assert rules_found(capsys, files) == found


def test_globs_are_relative_to_the_project_and_schemas_to_their_file(
    capsys: pytest.CaptureFixture[str],
) -> None:
    mail = {"namespace": "mail", "functions": [{"name": "fetch", "type": "function", "parameters": []}]}
    files = {
        "extlint.toml": 'extends = "config"',
        "node_modules/config/extlint.toml": 'exclude = "a/skipped.js"\nschemas = "schemas/*.json"',
        "node_modules/config/schemas/mail.json": json.dumps([mail]),
        "a/manifest.json": manifest(background={"service_worker": "b.js"}, content_scripts=[]),
        "a/b.js": "importScripts('skipped.js'); chrome.mail.fetch(); chrome.mail.fetsh();",
        "a/skipped.js": "chrome.tabs.qery({});",
    }
    found = rules_found(capsys, files)
    assert [each for each in found if "unknown-api" in each] == ["unknown-api error"]


ERRORS = {
    "a missing file": (
        {"extlint.toml": 'extends = ["./base.toml", "./other.toml"]', "base.toml": ""},
        "extlint.toml:1:27: extends names a file that does not exist: ./other.toml",
    ),
    "a missing package": (
        {"extlint.toml": 'extends = "@team/config/strict.toml"'},
        "extlint.toml:1:11: no such package: @team/config; it is neither in a node_modules folder above "
        "nor a package of Python",
    ),
    "a file without a dot": (
        {"extlint.toml": 'extends = "base.toml"', "base.toml": ""},
        "extlint.toml:1:11: no such package: base.toml; did you mean ./base.toml?",
    ),
    "a package without a configuration": (
        {"extlint.toml": 'extends = "config"', "node_modules/config/package.json": "{}"},
        "extlint.toml:1:11: no configuration in node_modules/config/package.json",
    ),
    "a package without the file": (
        {"extlint.toml": 'extends = "config/a.toml"', "node_modules/config/package.json": "{}"},
        "extlint.toml:1:11: the package config has no file a.toml: node_modules/config",
    ),
    "a file that extends itself": (
        {"extlint.toml": 'extends = "./extlint.toml"'},
        "extlint.toml:1:11: a configuration cannot extend itself: extlint.toml extends extlint.toml",
    ),
    "a cycle": (
        {"extlint.toml": 'extends = "./b/base.toml"', "b/base.toml": '\nextends = "../extlint.toml"'},
        "b/base.toml:2:11: a configuration cannot extend itself: extlint.toml extends b/base.toml, "
        "which extends extlint.toml",
    ),
    "a mistake in the extended file": (
        {"extlint.toml": 'extends = "./b/base.toml"', "b/base.toml": 'ignore = "unknown-permision"'},
        "b/base.toml:1:11: no such rule: unknown-permision; did you mean unknown-permission?",
    ),
    "an entry": (
        {"extlint.toml": '[[extension]]\npath = "a"\nextends = "./base.toml"'},
        "extlint.toml:3:1: extends is for the whole project: write it above the [[extension]] entries",
    ),
    "no text": ({"extlint.toml": 'extends = " "'}, "extlint.toml:1:11: extends is empty"),
}


@pytest.mark.parametrize(("files", "sentence"), ERRORS.values(), ids=ERRORS.keys())
def test_error_names_file_and_position(
    files: dict[str, str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write({"a/manifest.json": MISTAKES, **files})
    assert main(["check", "a"]) == 2
    assert capsys.readouterr().err == f"extlint: {sentence}\n"


def test_long_chain_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    write({"a/manifest.json": MISTAKES})
    write({"extlint.toml": 'extends = "./0.toml"'})
    for number in range(30):
        write({f"{number}.toml": f'extends = "./{number + 1}.toml"'})
    assert main(["check", "a"]) == 2
    assert "more than 20 configurations extend one another" in capsys.readouterr().err


def test_repeated_extensions_are_read_once(capsys: pytest.CaptureFixture[str]) -> None:
    files = {
        f"{number}.toml": f'extends = ["./{number + 1}.toml", "./{number + 1}.toml"]' for number in range(18)
    }
    files |= {"extlint.toml": 'extends = "./0.toml"', "18.toml": IGNORE}
    assert rules_found(capsys, files) == ALL[:1]


def test_config_command_names_the_file_of_each_value(capsys: pytest.CaptureFixture[str]) -> None:
    write({"a/manifest.json": MISTAKES})
    write({"extlint.toml": 'extends = "./base.toml"\n[severity]\nunknown-key = "info"'})
    write({"base.toml": f'{IGNORE}[severity]\nunknown-api = "info"\n[[extension]]\npath = "a"'})
    assert main(["config", "a"]) == 0
    text = capsys.readouterr().out
    assert "# configuration: extlint.toml, with the [[extension]] entry in line 4\n" in text
    assert "# extlint.toml:1\n" in text
    assert "# base.toml:1\n" in text
    assert 'severity = {unknown-api = "info", unknown-key = "info"}' in text


def test_only_own_entries_are_reported_as_unused(capsys: pytest.CaptureFixture[str]) -> None:
    write({"a/manifest.json": manifest()})
    entries = '[per-file-ignores]\n"{}.js" = "unknown-key"'
    write({"base.toml": entries.format("theirs")})
    write({"extlint.toml": f'extends = "./base.toml"\n{entries.format("ours")}'})
    main(["check", "."])
    text = capsys.readouterr().out
    assert "ours.js" in text
    assert "theirs.js" not in text
