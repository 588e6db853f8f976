"""The configuration of an extension: its lookup, its values, and the errors in it."""

from __future__ import annotations

import io
import json
import os
import sys
import zipfile
from pathlib import Path

import pytest
from harness import manifest
from packages import write
from test_startup import modules_after

from extlint.cli.main import main

MISTAKE = manifest(permissions=["managment"])
"""A manifest with one warning: unknown-permission."""

TOML = 'ignore = "unknown-permission"'
PYPROJECT = f"[tool.extlint]\n{TOML}"
PACKAGE = '{"extlint": {"ignore": ["unknown-permission"]}}'
QUIET = ("-q", "--output-format", "concise", "--fail-level", "info")

MAIL = {"namespace": "mail", "functions": [{"name": "fetch", "type": "function", "parameters": []}]}


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test runs in a separate folder without the user's environment variables."""
    monkeypatch.chdir(tmp_path)
    for name in ("EXTLINT_DEBUG", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


FOUND = {
    "extlint.toml": {"a/ext/extlint.toml": TOML},
    "a hidden file": {"a/ext/.extlint.toml": TOML},
    "a table of pyproject.toml": {"a/ext/pyproject.toml": PYPROJECT},
    "a key of package.json": {"a/ext/package.json": PACKAGE},
    "a text that begins with a byte order mark": {"a/ext/package.json": f"\ufeff{PACKAGE}"},
    "one folder above": {"a/extlint.toml": TOML},
    "two folders above": {"package.json": PACKAGE},
    "the nearest of two": {"a/ext/extlint.toml": TOML, "a/extlint.toml": ""},
    "the first of a folder": {"a/.extlint.toml": TOML, "a/pyproject.toml": "[tool.extlint]"},
    "the second of a folder": {"a/pyproject.toml": PYPROJECT, "a/package.json": '{"extlint": {}}'},
    "above a pyproject.toml without the table": {
        "a/extlint.toml": TOML,
        "a/ext/pyproject.toml": "[project]\nname = 'extlint-user'",
    },
    "above a package.json without the key": {
        "a/extlint.toml": TOML,
        "a/ext/package.json": '{"devDependencies": {"extlint": "1"}}',
    },
    "above a package.json of no object": {"a/extlint.toml": TOML, "a/ext/package.json": '["extlint"]'},
    "above a broken file that does not speak of extlint": {"a/extlint.toml": TOML, "a/ext/package.json": "{"},
}

NOT_FOUND = {
    "no file": {},
    "a file below": {"a/ext/js/extlint.toml": TOML},
    "a file in a sibling folder": {"a/other/extlint.toml": TOML},
    "an empty file hides those above": {"a/extlint.toml": TOML, "a/ext/extlint.toml": ""},
    "an empty key hides those above": {"a/extlint.toml": TOML, "a/ext/package.json": '{"extlint": {}}'},
    "a folder of that name": {"a/extlint.toml/file": TOML},
}


@pytest.mark.parametrize("files", FOUND.values(), ids=FOUND.keys())
@pytest.mark.parametrize("path", ["a/ext", "a", "a/ext/manifest.json"])
def test_configuration_is_found(files: dict[str, str], path: str) -> None:
    write({"a/ext/manifest.json": MISTAKE, **files})
    assert main(["check", path, *QUIET]) == 0


@pytest.mark.parametrize("files", NOT_FOUND.values(), ids=NOT_FOUND.keys())
def test_other_files_are_not_a_configuration(files: dict[str, str]) -> None:
    write({"a/ext/manifest.json": MISTAKE, **files})
    assert main(["check", "a/ext", *QUIET]) == 1


@pytest.mark.parametrize(("folder", "status"), [("out", 0), (".", 0), ("ext", 1)])
def test_archive_uses_the_configuration_of_its_folder(folder: str, status: int) -> None:
    write({f"{folder}/extlint.toml": TOML, "out/empty": ""})
    with zipfile.ZipFile("out/ext.zip", "w") as archive:
        archive.writestr("manifest.json", MISTAKE)
        archive.writestr("extlint.toml", TOML)
    Path("out/empty").unlink()
    assert main(["check", "out/ext.zip", *QUIET]) == status


@pytest.mark.parametrize(
    ("place", "options", "status"),
    [
        pytest.param(".", [], 0, id="the current folder's"),
        pytest.param("ext", [], 1, id="not another folder's"),
        pytest.param("ext", ["--stdin-filename", "ext/manifest.json"], 0, id="the named file's folder's"),
    ],
)
def test_standard_input_uses_the_current_folder(
    place: str, options: list[str], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({f"{place}/extlint.toml": TOML})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(MISTAKE.encode())))
    assert main(["check", "-", *options, *QUIET]) == status


RULES = {
    "select": ('select = ["invalid-json", "duplicate-key"]', [], 0),
    "select, separated by commas": ('select = "invalid-json, unknown-permission"', [], 1),
    "an empty list is ignored": ("select = []", [], 1),
    "extend-select": ('select = "invalid-json"\nextend-select = "unknown-permission"', [], 1),
    "ignore": ('ignore = ["unknown-permission"]', [], 0),
    "a group": ('select = "manifest"', [], 1),
    "a group without the rule": ('select = "uses, files, stores"', [], 0),
    "a group to ignore": ('ignore = ["manifest"]', [], 0),
    "a group in addition": ('select = "uses"\nextend-select = "manifest"', [], 1),
    "--select wins over select": ('select = "invalid-json"', ["--select", "unknown-permission"], 1),
    "--ignore wins over ignore": (TOML, ["--ignore", "invalid-json"], 1),
    "--select keeps ignore": (TOML, ["--select", "unknown-permission,invalid-json"], 0),
}


@pytest.mark.parametrize(("text", "options", "status"), RULES.values(), ids=RULES.keys())
def test_rule_selection(text: str, options: list[str], status: int) -> None:
    write({"manifest.json": MISTAKE, "extlint.toml": text})
    assert main(["check", *options, *QUIET]) == status


@pytest.mark.parametrize(
    ("text", "options", "status"),
    [
        pytest.param("", [], 0, id="error is the default"),
        pytest.param('fail-level = "warning"', [], 1, id="the file's"),
        pytest.param('fail-level = "warning"', ["--fail-level", "error"], 0, id="the option wins"),
    ],
)
def test_fail_level(text: str, options: list[str], status: int) -> None:
    write({"manifest.json": MISTAKE, "extlint.toml": text})
    assert main(["check", *options]) == status


def extension(folder: str, source: str) -> dict[str, str]:
    keys = {"manifest_version": 2, "background": {"scripts": ["b.js"]}, "sidebar_action": {}}
    return {f"{folder}/manifest.json": manifest(**keys), f"{folder}/b.js": source}


def test_each_extension_uses_its_own_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    source = "browser.sidebarAction.open(1, 2); browser.mail.fetch(1);"
    write(
        {
            **extension("all/chrome", source),
            **extension("all/firefox", source),
            "all/chrome/extlint.toml": 'target = "chrome"\nselect = "unknown-api"',
            "all/firefox/package.json": json.dumps(
                {
                    "extlint": {
                        "target": ["firefox>=115"],
                        "schemas": "../mail.*",
                        "select": "wrong-argument-count",
                    }
                }
            ),
            "all/mail.json": json.dumps([MAIL]),
        }
    )
    assert main(["check", "all", "--output-format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)["findings"]
    reported = {(each["extension"], each["rule"], each["api"], *each["targets"]) for each in found}
    assert reported == {
        ("all/chrome", "unknown-api", "sidebarAction", "chrome"),
        ("all/chrome", "unknown-api", "mail", "chrome"),
        ("all/firefox", "wrong-argument-count", "sidebarAction.open", "firefox"),
        ("all/firefox", "wrong-argument-count", "mail.fetch", "firefox"),
    }


def test_fail_level_applies_per_extension() -> None:
    write({"all/a/manifest.json": MISTAKE, "all/b/manifest.json": manifest()})
    write({"all/b/extlint.toml": 'fail-level = "info"'})
    assert main(["check", "all"]) == 0
    write({"all/a/extlint.toml": 'fail-level = "info"'})
    assert main(["check", "all"]) == 1


def test_target_option_overrides_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    write(
        {
            **extension(".", "browser.sidebarAction.open();"),
            "extlint.toml": 'target = "firefox"\nselect = "unknown-api"',
        }
    )
    assert main(["check"]) == 0
    assert "checked for firefox: extlint.toml says so" in capsys.readouterr().out
    assert main(["check", "--target", "chrome"]) == 1
    out = capsys.readouterr().out
    assert "unknown-api" in out
    assert "checked for chrome: --target says so" in out


def test_json_names_the_origin_of_targets(capsys: pytest.CaptureFixture[str]) -> None:
    write({"all/a/manifest.json": manifest(), "all/b/manifest.json": manifest(key="YQ==")})
    write({"all/a/extlint.toml": 'target = ["chrome", "firefox>=115"]'})
    main(["check", "all", "--output-format", "json"])
    own = json.loads(capsys.readouterr().out)["extensions"]
    assert [(each["path"], each["targets"], each["targets_from"]) for each in own] == [
        ("all/a", ["chrome", "firefox"], "configuration"),
        ("all/b", ["chrome"], "manifest"),
    ]
    main(["check", "all", "--target", "edge", "--output-format", "json"])
    from_option = json.loads(capsys.readouterr().out)["extensions"]
    assert [(each["targets"], each["targets_from"]) for each in from_option] == [(["edge"], "option")] * 2


MISTAKES = {
    "an unknown key": ('targets = "chrome"', ":1:1", "no such key: targets; did you mean target?"),
    "a key that is far from any": (
        "x = 1",
        ":1:1",
        "no such key: x; the keys are extends, target, schemas, select, ignore, extend-select, severity, "
        "per-file-ignores, fail-level, baseline, exclude, gitignore and extension",
    ),
    "an unknown rule": (
        'ignore = "unknown-ap"',
        ":1:11",
        "no such rule: unknown-ap; did you mean unknown-api?",
    ),
    "an unknown target": ('target = ["chrom"]', ":1:12", "no such target: chrom; did you mean chrome?"),
    "a target in two versions": (
        'target = ["chrome>=1", "chrome>=2"]',
        ":1:10",
        "the target chrome is given twice, with different versions",
    ),
    "an unknown level": ('fail-level = "warn"', ":1:14", "no such fail level: warn; did you mean warning?"),
    "a number for names": ("select = 1", ":1:10", "select must be a string or a list of strings"),
    "a number among names": (
        'target = ["chrome", 1]',
        ":1:21",
        "target must be a string or a list of strings",
    ),
    "a table for globs": ("[schemas]", ":1:2", "schemas must be a string or a list of strings"),
    "a list for a level": ('fail-level = ["error"]', ":1:14", "fail-level must be error, warning or info"),
    "a glob without files": ('schemas = "*.none"', ":1:12", "no schema file matches a/*.none"),
    "no rule left": (
        'select = "invalid-json"\nignore = "invalid-json"',
        "",
        "no rules to run: --ignore excludes every selected rule",
    ),
}


@pytest.mark.parametrize(("text", "place", "sentence"), MISTAKES.values(), ids=MISTAKES.keys())
def test_mistake_is_reported_once_with_its_file(
    text: str, place: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write({"a/one/manifest.json": MISTAKE, "a/two/manifest.json": MISTAKE, "a/extlint.toml": text})
    assert main(["check", "a", *QUIET]) == 2
    assert capsys.readouterr() == ("", f"extlint: a/extlint.toml{place}: {sentence}\n")


BROKEN = {
    "no TOML": ("extlint.toml", "a =", ":1:4: invalid TOML: invalid value"),
    "a TOML line": (
        "extlint.toml",
        "\nselect = x",
        ":2:10: invalid TOML: invalid value; a string requires quotes",
    ),
    "a word without quotes": (
        "extlint.toml",
        "select = uses",
        ":1:10: invalid TOML: invalid value; a string requires quotes",
    ),
    "no JSON": (
        "package.json",
        '{"extlint":\n }',
        ":2:2: a value is missing before `}`",
    ),
    "no UTF-8": ("extlint.toml", b"\xff", " is not UTF-8 text"),
    "deep JSON": ("package.json", '{"extlint":' + "[" * 100_000, " is nested too deeply"),
    "deep TOML": ("extlint.toml", "a = " + "[" * 100_000, " is nested too deeply"),
    "a key of many parts": (
        "extlint.toml",
        ".".join("a" * 9_000) + " = 1",
        ":1:1: more than 500 dots in a line",
    ),
    "a long number": ("extlint.toml", "a = " + "1" * 9_000, ": invalid TOML: exceeds the limit"),
    "a large file": ("extlint.toml", "#" * 300_000, " is larger than 256 KiB"),
    "a list for a table": ("package.json", '{"extlint": []}', ":1:13: the configuration must be a table"),
}


@pytest.mark.parametrize(("name", "content", "sentence"), BROKEN.values(), ids=BROKEN.keys())
def test_broken_configuration_affects_only_its_extension(
    name: str, content: str | bytes, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write({"all/a/manifest.json": MISTAKE, "all/b/manifest.json": MISTAKE})
    Path("all/a", name).write_bytes(content if isinstance(content, bytes) else content.encode())
    assert main(["check", "all", *QUIET]) == 2
    output, errors = capsys.readouterr()
    assert output.startswith("all/b/manifest.json:1:")
    assert output.count("\n") == 1
    assert errors.startswith(f"extlint: all/a/{name}{sentence}")
    assert errors.count("\n") == 1


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("link", "no such file or folder: extlint.toml"),
        ("pipe", "cannot read extlint.toml: it is not a regular file"),
    ],
)
def test_unreadable_configuration_is_an_error(
    kind: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write({"manifest.json": MISTAKE})
    if kind == "link":
        Path("extlint.toml").symlink_to("nowhere")
    else:
        os.mkfifo("extlint.toml")
    assert main(["check"]) == 2
    assert capsys.readouterr() == ("", f"extlint: {sentence}\n")


@pytest.mark.parametrize(
    ("files", "loaded"),
    [
        pytest.param({}, False, id="no file"),
        pytest.param({"pyproject.toml": "[project]"}, False, id="a file that does not speak of extlint"),
        pytest.param({"pyproject.toml": PYPROJECT}, True, id="a file"),
    ],
)
def test_toml_modules_are_loaded_only_for_configurations(
    files: dict[str, str], loaded: bool, tmp_path: Path
) -> None:
    write({"manifest.json": MISTAKE, **files})
    modules = modules_after("check", str(tmp_path))[1]
    assert ("tomllib" in modules) == loaded
    assert ("extlint.linting.configuration.keys" in modules) == loaded
    assert "tree_sitter_toml" not in modules
