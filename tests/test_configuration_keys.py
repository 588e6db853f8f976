"""The keys of a configuration: allowed values, their meaning, and the errors for invalid ones."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from harness import manifest

from extlint.cli.commands.check import check_command
from extlint.cli.main import main
from extlint.finding import Severity
from extlint.linting.configuration.configuration import Configuration, PerFileIgnore
from extlint.linting.configuration.entries import entry_of, matches
from extlint.linting.configuration.keys import KEYS, RUN_OPTIONS, read_table
from extlint.linting.configuration.usage_error import ConfigurationError, Place


def read(text: str) -> Configuration:
    return Configuration(**read_table(tomllib.loads(text), Place("")), file="extlint.toml", folder="/project")


VALUES = {
    'severity = {stores = "error", missing-key = "info"}': (
        "severity",
        {"stores": Severity.ERROR, "missing-key": Severity.INFO},
    ),
    'exclude = "dist/"': ("exclude", ("dist/",)),
    'exclude = ["dist/", "!dist/chrome", "", "dist/"]': ("exclude", ("dist/", "!dist/chrome")),
    "gitignore = false": ("gitignore", False),
    'baseline = "known.json"': ("baseline", "known.json"),
    '[per-file-ignores]\n"*.min.js" = "uses, missing-key"': (
        "per_file_ignores",
        (PerFileIgnore("*.min.js", "*.min.js", None, ("uses", "missing-key")),),
    ),
    '[per-file-ignores]\n"manifest.json#/a~1b/c~0d/3" = ["unused-permission"]': (
        "per_file_ignores",
        (
            PerFileIgnore(
                "manifest.json#/a~1b/c~0d/3", "manifest.json", ("a/b", "c~d", "3"), ("unused-permission",)
            ),
        ),
    ),
    '[per-file-ignores]\ntarget = "uses"': (
        "per_file_ignores",
        (PerFileIgnore("target", "target", None, ("uses",)),),
    ),
    '[per-file-ignores]\n"manifest.json#" = "uses"': (
        "per_file_ignores",
        (PerFileIgnore("manifest.json#", "manifest.json", (), ("uses",)),),
    ),
}


@pytest.mark.parametrize("text", VALUES)
def test_parsed_value(text: str) -> None:
    field, expected = VALUES[text]
    assert getattr(read(text), field) == expected


MISTAKES = {
    'severity = "error"': ("severity must be a table from rules or groups to severities", "severity"),
    'severity = {missing-ky = "error"}': (
        "no such rule: missing-ky; did you mean missing-key?",
        "severity.missing-ky",
    ),
    'severity = {stores = "warn"}': ("no such severity: warn; did you mean warning?", "severity.stores"),
    "severity = {stores = 1}": ("stores must be error, warning or info", "severity.stores"),
    'severity = {stores = "off"}': (
        'a severity must be error, warning or info; for no findings, write ignore = "stores"',
        "severity.stores",
    ),
    'gitignore = "no"': ("gitignore must be true or false", "gitignore"),
    "baseline = 1": ("baseline must be a string", "baseline"),
    'baseline = ""': ("baseline is empty", "baseline"),
    "exclude = 1": ("exclude must be a string or a list of strings", "exclude"),
    'exclude = ["a", 1]': ("exclude must be a string or a list of strings", "exclude.1"),
    'per-file-ignores = "a"': ("per-file-ignores must be a table from globs to rules", "per-file-ignores"),
    '[per-file-ignores]\n"a.js" = "missing-ky"': (
        "no such rule: missing-ky; did you mean missing-key?",
        "per-file-ignores.a.js",
    ),
    '[per-file-ignores]\n"a.js" = ["uses", "missing-ky"]': (
        "no such rule: missing-ky; did you mean missing-key?",
        "per-file-ignores.a.js.1",
    ),
    '[per-file-ignores]\n"#/name" = "uses"': (
        "per-file-ignores requires a glob before the #",
        "per-file-ignores.#/name",
    ),
    '[per-file-ignores]\n"a.json#name" = "uses"': (
        "a JSON pointer begins with /: a.json#/name",
        "per-file-ignores.a.json#name",
    ),
    "extension = {}": ("extension must be a list of tables: write [[extension]]", "extension"),
    'extension = ["dist"]': ("extension must be a list of tables: write [[extension]]", "extension"),
    "[[extension]]": ("an extension entry requires path or manifest", "extension.0"),
    '[[extension]]\npath = "a"\nmanifest = "b"': (
        "an extension entry has either path or manifest, not both",
        "extension.0.manifest",
    ),
    '[[extension]]\nmanifest = "b"\npath = "a"': (
        "an extension entry has either path or manifest, not both",
        "extension.0.path",
    ),
    '[[extension]]\npath = "a"\nroot = "b"': (
        "root requires manifest, the file whose paths it is for",
        "extension.0.root",
    ),
    '[[extension]]\npath = "a"\ntargt = "chrome"': (
        "no such key: targt; did you mean target?",
        "extension.0.targt",
    ),
    '[[extension]]\npath = "a"\nexclude = "b"': (
        "exclude is for the whole project: write it above the [[extension]] entries",
        "extension.0.exclude",
    ),
    "[[extension]]\npath = 1": ("path must be a string", "extension.0.path"),
    '[severity]\nstores = "info"\nfail-level = "info"': (
        "fail-level is in the table severity: write it above [severity]",
        "severity.fail-level",
    ),
    '[per-file-ignores]\n"a.js" = "uses"\nfail-level = "info"': (
        "fail-level is in the table per-file-ignores: write it above [per-file-ignores]",
        "per-file-ignores.fail-level",
    ),
    'severity = {stores = "fatal"}': (
        "no such severity: fatal; the severities are error, warning and info",
        "severity.stores",
    ),
    '[rules]\nmissing-key = "off"': (
        "no such key: rules; severity is for severities, and select and ignore are for which rules run",
        "rules",
    ),
    '[tool.extlint]\nignore = "uses"': (
        "no such key: tool; [tool.extlint] is for pyproject.toml; write its keys without a table here",
        "tool",
    ),
    'output-format = "json"': (
        "output-format is about a run, not about an extension: use the option --output-format",
        "output-format",
    ),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistake_has_a_message_and_a_path(text: str) -> None:
    sentence, steps = MISTAKES[text]
    with pytest.raises(ConfigurationError) as error:
        read(text)
    assert error.value.sentence == sentence
    assert ".".join(map(str, error.value.steps)) == steps


def test_run_options_are_not_configuration_keys() -> None:
    options = {parameter.opts[-1][2:] for parameter in check_command.params if parameter.opts[0][0] == "-"}
    assert options - {*KEYS} >= RUN_OPTIONS


ENTRIES = """
ignore = "uses"
[[extension]]
path = "dist/chrome*"
target = "chrome"
[[extension]]
manifest = "src/manifest.*.json"
target = "firefox"
[[extension]]
path = "**"
target = "edge"
"""


@pytest.mark.parametrize(
    ("name", "manifest_path", "target"),
    [
        ("/project/dist/chrome-mv3", "manifest.json", "chrome"),
        ("/project/dist/chrome.zip", "manifest.json", "chrome"),
        ("/project/dist/chrome/inner", "manifest.json", "edge"),
        ("/project/src", "manifest.chrome.json", "firefox"),
        ("/project/src", "manifest.json", "edge"),
        ("/project", "manifest.json", "edge"),
    ],
)
def test_first_matching_entry_is_used(name: str, manifest_path: str, target: str) -> None:
    entry = entry_of(read(ENTRIES), name, manifest_path)
    assert entry is not None
    assert [each.name for each in entry.configuration.target] == [target]


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("dist", "dist", True),
        ("./dist/", "dist", True),
        (".", ".", True),
        ("dist", "dist/a", False),
        ("*", "dist/a", False),
        ("**/a", "dist/b/a", True),
        ("**/a", "a", True),
        ("dist/**", "dist", True),
        ("[cd]*", "chrome", True),
        ("Dist", "dist", False),
        ("**/" * 40 + "x", "a/" * 40 + "y", False),
    ],
)
def test_path_globs(glob: str, path: str, expected: bool) -> None:
    assert matches(glob, path) == expected


WARNING = manifest(permissions=["managment"])
"""A manifest with one warning of the group manifest: unknown-permission."""

SEVERITIES = {
    "none": ("", "warning", 0),
    "a rule's": ('severity = {unknown-permission = "error"}', "error", 1),
    "a group's": ('severity = {manifest = "error"}', "error", 1),
    "a rule's own before its group's": (
        'severity = {unknown-permission = "info", manifest = "error"}',
        "info",
        0,
    ),
    "another rule's": ('severity = {unknown-api = "error"}', "warning", 0),
    "an entry's before the project's": (
        'severity = {manifest = "info"}\n[[extension]]\npath = "."\nseverity = {manifest = "error"}',
        "error",
        1,
    ),
    "of a level that fails": ('fail-level = "info"\nseverity = {manifest = "info"}', "info", 1),
}


@pytest.mark.parametrize(("text", "severity", "status"), SEVERITIES.values(), ids=SEVERITIES.keys())
def test_severity_overrides(
    text: str,
    severity: str,
    status: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("manifest.json").write_text(WARNING)
    Path("extlint.toml").write_text(text)
    assert main(["check", "--output-format", "json"]) == status
    answer: Any = json.loads(capsys.readouterr().out)
    assert [each["severity"] for each in answer["findings"]] == [severity]
    assert answer["summary"][f"{severity}s"] == 1
