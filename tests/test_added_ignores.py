"""Comments and configuration entries that `--add-ignores` adds for all findings."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from harness import manifest
from packages import write

from extlint.cli.main import main
from extlint.linting.configuration.insertion import with_ignores
from extlint.linting.configuration.source import source_at
from extlint.linting.suppression.ignores import suppressing_edits
from extlint.package.files import UnreadableError

REASON = "known since May"
COMMENT = f"extlint-disable-next-line unknown-api -- {REASON}"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def add(*options: str) -> int:
    return main(["check", "--target", "chrome", "--add-ignores", REASON, "--no-cache", *options])


def contents() -> dict[str, bytes]:
    return {each.as_posix(): each.read_bytes() for each in Path().rglob("*") if each.is_file()}


def remaining(capsys: pytest.CaptureFixture[str], path: str = ".") -> list[str]:
    capsys.readouterr()
    main(["check", path, "--target", "chrome", "--output-format", "json", "--no-cache"])
    return [each["rule"] for each in json.loads(capsys.readouterr().out)["findings"]]


SCRIPTS = {
    "a line": ("a.js", "chrome.tabs.qery({});\n", f"// {COMMENT}\nchrome.tabs.qery({{}});\n"),
    "no line end": ("a.js", "chrome.tabs.qery({});", f"// {COMMENT}\nchrome.tabs.qery({{}});"),
    "indented": (
        "a.js",
        "if (self) {\n\tchrome.tabs.qery({});\n}\n",
        f"if (self) {{\n\t// {COMMENT}\n\tchrome.tabs.qery({{}});\n}}\n",
    ),
    "CRLF": (
        "a.js",
        "self();\r\nchrome.tabs.qery({});\r\n",
        f"self();\r\n// {COMMENT}\r\nchrome.tabs.qery({{}});\r\n",
    ),
    "a byte order mark": (
        "a.js",
        "\ufeffchrome.tabs.qery({});\n",
        f"\ufeff// {COMMENT}\nchrome.tabs.qery({{}});\n",
    ),
    "two in a line": (
        "a.js",
        "chrome.tabs.qery({}); chrome.tabs.gett(1);\n",
        f"// {COMMENT}\nchrome.tabs.qery({{}}); chrome.tabs.gett(1);\n",
    ),
    "two rules in a line": (
        "a.js",
        "chrome.tabs.qery({}); chrome.history.search({text: ''});\n",
        f"// {COMMENT.replace('unknown-api', 'unknown-api, missing-permission')}\n"
        "chrome.tabs.qery({}); chrome.history.search({text: ''});\n",
    ),
    "a comment above": (
        "a.js",
        "// extlint-disable-next-line missing-permission -- x\n"
        "chrome.tabs.qery({}); chrome.history.search({text: ''});\n",
        "// extlint-disable-next-line missing-permission, unknown-api -- x\n"
        "chrome.tabs.qery({}); chrome.history.search({text: ''});\n",
    ),
    "each of two lines": (
        "a.js",
        "chrome.tabs.qery({});\nchrome.tabs.qery({});\n",
        f"// {COMMENT}\nchrome.tabs.qery({{}});\n" * 2,
    ),
}


@pytest.mark.parametrize(("name", "before", "after"), SCRIPTS.values(), ids=SCRIPTS.keys())
def test_comment_is_inserted_and_nothing_else_changes(
    name: str, before: str, after: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write({"manifest.json": manifest(background={"service_worker": name})})
    Path(name).write_bytes(before.encode())
    assert add() == 0
    assert Path(name).read_bytes().decode() == after
    assert remaining(capsys) == []
    state = contents()
    assert add() == 0
    assert contents() == state


def test_script_of_a_page_gets_a_comment(capsys: pytest.CaptureFixture[str]) -> None:
    page = '<img src="missing.png">\n<script src="a.js"></script>\n'
    files = {"a.html": page, "a.js": "chrome.tabs.qery({});"}
    write({"manifest.json": manifest(action={"default_popup": "a.html"}), **files})
    assert add() == 0
    assert Path("a.html").read_text() == (
        f"<!-- extlint-disable-next-line missing-file -- {REASON} -->\n{page}"
    )
    assert remaining(capsys) == []


def test_line_in_a_template_has_no_comment(capsys: pytest.CaptureFixture[str]) -> None:
    code = "self(`\n${chrome.tabs.qery({})}`);\n"
    write({"manifest.json": manifest(background={"service_worker": "a.js"}), "a.js": code})
    assert add() == 1
    assert Path("a.js").read_text() == code
    assert remaining(capsys) == ["unknown-api"]


def test_json_in_a_string_of_several_lines_is_skipped_for_each_form() -> None:
    assert suppressing_edits(b"self(`\n\n`);\n", "a.js", {2: ("unknown-api",)}, REASON) == {}
    edits = suppressing_edits(b"<p>\n  {a}\n</p>", "a.jsx", {2: ("unknown-api",)}, REASON)
    assert edits[2].text == f"  {{/* {COMMENT} */}}\n"


MANIFEST = manifest(permissions=["storage", "tabz"], homepage="x")


def test_manifest_gets_entries_in_a_new_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    write({"a/manifest.json": MANIFEST})
    assert add("a", "--fail-level", "info") == 0
    assert Path("a/manifest.json").read_text() == MANIFEST
    assert Path("extlint.toml").read_text() == (
        f"[per-file-ignores]\n# {REASON}\n"
        '"manifest.json#/permissions/1" = ["unknown-permission"]\n'
        '"manifest.json#/homepage" = ["unknown-key"]\n'
    )
    assert remaining(capsys) == []
    state = contents()
    assert add("a") == 0
    assert contents() == state


NEW = {"manifest.json#/a": ["unknown-key"], "b.json": ["unknown-key", "missing-key"]}
LINES = f'# {REASON}\n"manifest.json#/a" = ["unknown-key"]\n"b.json" = ["unknown-key", "missing-key"]\n'

CONFIGURATIONS = {
    "empty": ("extlint.toml", "", f"[per-file-ignores]\n{LINES}"),
    "other keys": (
        "extlint.toml",
        'ignore = "uses" # why\n\n[severity]\nmissing-key = "info"',
        f'ignore = "uses" # why\n\n[severity]\nmissing-key = "info"\n\n[per-file-ignores]\n{LINES}',
    ),
    "a table": (
        "extlint.toml",
        '[per-file-ignores]\n"x" = "uses" # why\n\n[severity]\nmissing-key = "info"\n',
        f'[per-file-ignores]\n"x" = "uses" # why\n{LINES}\n[severity]\nmissing-key = "info"\n',
    ),
    "an empty table": ("extlint.toml", "[per-file-ignores] # a", f"[per-file-ignores] # a\n{LINES}"),
    "a table with one of the entries": (
        "extlint.toml",
        '[per-file-ignores]\n"b.json" = "unknown-key" # why\n',
        '[per-file-ignores]\n"b.json" = ["unknown-key", "missing-key"] # why\n'
        f'# {REASON}\n"manifest.json#/a" = ["unknown-key"]\n',
    ),
    "an inline table": (
        "extlint.toml",
        'per-file-ignores = {x = "uses"}\nignore = "uses"\n',
        'per-file-ignores = {x = "uses", "manifest.json#/a" = ["unknown-key"], '
        '"b.json" = ["unknown-key", "missing-key"]}\nignore = "uses"\n',
    ),
    "an empty inline table": (
        "extlint.toml",
        "per-file-ignores = {}",
        'per-file-ignores = {"manifest.json#/a" = ["unknown-key"], '
        '"b.json" = ["unknown-key", "missing-key"]}',
    ),
    "CRLF": (
        "extlint.toml",
        '[per-file-ignores]\r\nx = "uses"\r\n',
        '[per-file-ignores]\r\nx = "uses"\r\n' + LINES.replace("\n", "\r\n"),
    ),
    "a byte order mark": (
        "extlint.toml",
        "\ufeffignore = 'uses'\n",
        f"\ufeffignore = 'uses'\n\n[per-file-ignores]\n{LINES}",
    ),
    "pyproject.toml": (
        "pyproject.toml",
        '[project]\nname = "a"\n',
        f'[project]\nname = "a"\n\n[tool.extlint.per-file-ignores]\n{LINES}',
    ),
    "a table of pyproject.toml": (
        "pyproject.toml",
        '[tool.extlint.per-file-ignores]\nx = "uses"\n[project]\n',
        f'[tool.extlint.per-file-ignores]\nx = "uses"\n{LINES}[project]\n',
    ),
    "package.json": (
        "package.json",
        '{\n  "name": "a",\n  "extlint": {"ignore": "uses"}\n}\n',
        '{\n  "name": "a",\n  "extlint": {\n    "ignore": "uses",\n    "per-file-ignores": {\n'
        '      "manifest.json#/a": [\n        "unknown-key"\n      ],\n      "b.json": [\n'
        '        "unknown-key",\n        "missing-key"\n      ]\n    }\n  }\n}\n',
    ),
    "package.json in one line": (
        "package.json",
        '{"extlint": {}}',
        '{"extlint": {"per-file-ignores": {"manifest.json#/a": ["unknown-key"], '
        '"b.json": ["unknown-key", "missing-key"]}}}',
    ),
}


@pytest.mark.parametrize(("name", "before", "after"), CONFIGURATIONS.values(), ids=CONFIGURATIONS.keys())
def test_entries_are_added_to_a_configuration(name: str, before: str, after: str) -> None:
    assert with_ignores(source_at(name), before.encode(), NEW, REASON).decode() == after


def test_dotted_keys_are_an_error() -> None:
    text = b'per-file-ignores."x" = "uses"\n[severity]\n'
    with pytest.raises(UnreadableError, match=r"^per-file-ignores cannot be added to extlint.toml$"):
        with_ignores(source_at("extlint.toml"), text, NEW, REASON)


def test_extension_entries_stay_as_they_are() -> None:
    text = "[[extension]]\npath = 'a'\n[extension.per-file-ignores]\nx = 'uses'\n"
    new = with_ignores(source_at("extlint.toml"), text.encode(), NEW, REASON).decode()
    assert new.startswith(text)
    assert tomllib.loads(new) == {**tomllib.loads(text), "per-file-ignores": NEW}


def test_present_entry_keeps_its_rules(capsys: pytest.CaptureFixture[str]) -> None:
    write({"manifest.json": manifest(permissions=["tabz", "tabz"])})
    write({"extlint.toml": '[per-file-ignores]\n"manifest.json#/permissions/0" = "duplicate-key"\n'})
    assert add("--select", "unknown-permission") == 0
    rules = tomllib.loads(Path("extlint.toml").read_text())["per-file-ignores"]
    assert rules["manifest.json#/permissions/0"] == ["duplicate-key", "unknown-permission"]


def test_extension_entry_that_replaces_the_entries_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    text = '[[extension]]\npath = "a"\nper-file-ignores = {"x.js" = "uses"}\n'
    write({"a/manifest.json": MANIFEST, "extlint.toml": text})
    assert add("a") == 2
    assert "an [[extension]] entry replaces them" in capsys.readouterr().err
    assert Path("extlint.toml").read_text() == text


def test_closing_lines_count_suppressions(capsys: pytest.CaptureFixture[str]) -> None:
    worker = manifest(background={"service_worker": "a.js"}, permissions=["tabz"])
    write({"manifest.json": worker, "a.js": "chrome.tabs.qery({});\n", "extlint.toml": ""})
    assert add() == 0
    text = capsys.readouterr().out
    assert "\nadded suppressions of 2 findings to a.js and extlint.toml\n2 findings were suppressed\n" in text


def test_other_findings_keep_their_fixes(capsys: pytest.CaptureFixture[str]) -> None:
    code = "self(`\n${chrome.tabs.qery({})}`);\nchrome.tabs.qery({});\n"
    write({"manifest.json": manifest(background={"service_worker": "a.js"}), "a.js": code})
    assert add("--output-format", "json") == 1
    report = json.loads(capsys.readouterr().out)
    (finding,) = report["findings"]
    assert finding["fix"]["edits"][0]["text"] == "query"
    assert report["summary"]["ignored"] == 1
    assert report["summary"]["fixed"] == 0


def test_archive_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    import zipfile

    with zipfile.ZipFile("a.zip", "w") as archive:
        archive.writestr("manifest.json", MANIFEST)
    assert add("a.zip") == 2
    assert capsys.readouterr().err == (
        "extlint: cannot add comments to a.zip: files in archives are not changed\n"
    )


def test_configuration_that_cannot_be_written_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    worker = manifest(background={"service_worker": "a.js"}, permissions=["tabz"])
    write({"manifest.json": worker, "a.js": "chrome.tabs.qery({});\n"})
    Path("extlint.toml").mkdir()
    assert add() == 2
    error = capsys.readouterr().err
    assert error.startswith("extlint: ")
    assert "extlint.toml" in error
    assert error.count("\n") == 1
    assert Path("a.js").read_text() == f"// {COMMENT}\nchrome.tabs.qery({{}});\n"
    assert Path("manifest.json").read_text() == worker


ERRORS = {
    "no reason": (["--add-ignores", " "], "--add-ignores requires a reason"),
    "the end of a comment": (
        ["--add-ignores", "a */ b"],
        "the reason of --add-ignores must not contain */, which ends a comment",
    ),
    "with fixes": (["--add-ignores", "a", "--fix"], "--add-ignores cannot be combined with --fix or --diff"),
    "with changes": (
        ["--add-ignores", "a", "--changed-since", "HEAD"],
        "--changed-since cannot be combined with --add-ignores",
    ),
    "with standard input": (
        ["--add-ignores", "a", "-"],
        "--add-ignores cannot be combined with standard input (-)",
    ),
    "with watch mode": (["--add-ignores", "a", "--watch"], "--watch cannot be combined with --add-ignores"),
}


@pytest.mark.parametrize(("arguments", "sentence"), ERRORS.values(), ids=ERRORS.keys())
def test_wrong_use_is_an_error(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *arguments]) == 2
    assert capsys.readouterr().err == f"extlint: {sentence}\n"
