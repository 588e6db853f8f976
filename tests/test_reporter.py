"""The output formats, applied to handwritten findings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from packages import package_of

from extlint.finding import Edit, Finding, Fix, Related, Severity
from extlint.project.target_detection.choice import Choice, Origin, chosen_by_option
from extlint.report.formats.json_output import JsonReporter
from extlint.report.formats.text_output import ConciseReporter, TextReporter
from extlint.report.report import Report, Summary
from extlint.report.reporter import Options, Reporter, page_url, reporter_of
from extlint.report.terminal import Style, wrap_line
from extlint.schema.targets import Target
from extlint.text.positions import Position, Span

FILES = {"bg.js": "let a;\nchrome.management.getAll();\n", "manifest.json": '{"name": 1, "name": 2}\n'}

PERMISSION = Finding(
    "missing-permission",
    Severity.ERROR,
    "it needs a permission",
    "bg.js",
    Span(Position(2, 1), Position(2, 25)),
    api="management.getAll",
    help="request it",
)
DUPLICATE = Finding(
    "duplicate-key",
    Severity.WARNING,
    "it is there twice",
    "manifest.json",
    Span(Position(1, 13), Position(1, 19)),
    related=(Related("manifest.json", Span(Position(1, 2), Position(1, 8)), "first here"),),
)


def render(reporter: Reporter, *reports: Report) -> str:
    summary = Summary()
    for report in reports:
        summary.add(report)
    return reporter.output([reporter.extension(report) for report in reports], summary)


def report_of(
    *findings: Finding, name: str = "ext", files: Mapping[str, str | bytes] = FILES, count: int = 2
) -> Report:
    return Report(package_of(files, name), findings, count, chosen_by_option([Target("reference")]))


def test_text_shows_code_related_positions_and_help() -> None:
    assert (
        render(TextReporter(Style()), report_of(PERMISSION, DUPLICATE))
        == """\
ext/bg.js:2:1: error[missing-permission] it needs a permission
  2 | chrome.management.getAll();
    | ^^^^^^^^^^^^^^^^^^^^^^^^
  help: request it

ext/manifest.json:1:13: warning[duplicate-key] it is there twice
  1 | {"name": 1, "name": 2}
    |             ^^^^^^
  ext/manifest.json:1:2: first here
  1 | {"name": 1, "name": 2}
    |  ^^^^^^

Found 1 error and 1 warning in 1 extension (2 files).
checked for reference: --target says so
"""
    )


def test_concise_has_one_line_per_finding() -> None:
    assert (
        render(ConciseReporter(Style()), report_of(PERMISSION, DUPLICATE))
        == """\
ext/bg.js:2:1: error[missing-permission] it needs a permission
ext/manifest.json:1:13: warning[duplicate-key] it is there twice
Found 1 error and 1 warning in 1 extension (2 files).
checked for reference: --target says so
"""
    )


SAFE = replace(PERMISSION, fix=Fix(True, (), "Do it"))
UNSAFE = replace(DUPLICATE, fix=Fix(False, (), "Do it"))


@pytest.mark.parametrize(
    ("form", "begin"),
    [
        ("concise", "ext/bg.js:2:1: error[missing-permission] [*] it needs a permission\n"),
        ("text", "ext/bg.js:2:1: error[missing-permission] [*] it needs a permission\n"),
        ("grouped", "ext/bg.js\n  2:1  error[missing-permission] [*] it needs a permission\n"),
    ],
)
def test_fixable_finding_has_a_mark_explained_at_the_end(form: str, begin: str) -> None:
    output = render(reporter_of(form, Options()), report_of(SAFE, UNSAFE))
    assert output.startswith(begin)
    assert "warning[duplicate-key] [~] it is there twice\n" in output
    explanation = "[*] 1 can be fixed with --fix; [~] 1 more can be fixed with --fix --unsafe-fixes\n"
    assert explanation in output


@pytest.mark.parametrize("form", ["github", "markdown", "html"])
def test_formats_without_marks_do_not_explain_them(form: str) -> None:
    output = render(reporter_of(form, Options()), report_of(SAFE, UNSAFE))
    assert "1 can be fixed with --fix; 1 more can be fixed" in output.replace("\\-", "-")
    assert "[*]" not in output
    assert "[~]" not in output


def test_statistics_list_the_most_frequent_rule_first() -> None:
    reporter = ConciseReporter(Style(), quiet=True, statistics=True)
    assert render(reporter, report_of(DUPLICATE, DUPLICATE, PERMISSION)).endswith(
        "\n\n2 warning duplicate-key\n1 error   missing-permission\n"
    )


@pytest.mark.parametrize(
    ("severities", "extensions", "expected"),
    [
        pytest.param("", 1, "No findings in 1 extension (2 files).", id="nothing"),
        pytest.param("", 3, "No findings in 3 extensions (6 files).", id="nothing in several extensions"),
        pytest.param("E", 1, "Found 1 error in 1 extension (2 files).", id="one error"),
        pytest.param("EEW", 1, "Found 2 errors and 1 warning in 1 extension (2 files).", id="two severities"),
        pytest.param("EWI", 1, "Found 1 error, 1 warning and 1 note in 1 extension (2 files).", id="three"),
        pytest.param("II", 2, "Found 2 notes in 2 extensions (4 files).", id="notes only"),
    ],
)
def test_closing_line_counts_findings(severities: str, extensions: int, expected: str) -> None:
    by_letter = {"E": Severity.ERROR, "W": Severity.WARNING, "I": Severity.INFO}
    found = [Finding("rule", by_letter[each], "m", "bg.js", PERMISSION.span) for each in severities]
    reports = [report_of(*found)] + [report_of() for _ in range(extensions - 1)]
    assert render(ConciseReporter(Style()), *reports).splitlines()[-2] == expected


CHROME, FIREFOX = Target("chrome"), Target("firefox")
WORKER = Choice((CHROME,), Origin.MANIFEST, ("the background is a service worker",))
PANEL = Choice((CHROME,), Origin.MANIFEST, ("the manifest has `side_panel`",))
FOLDER = Choice((CHROME,), Origin.NAME, ("the folder is named `chrome-mv3`",))
BOTH = Choice((FIREFOX, CHROME), Origin.OPTION, ("--target says so",))
NEITHER = Choice((Target("reference"),), Origin.DEFAULT, ("nothing names a browser",))
THUNDERBIRD = Choice(
    NEITHER.targets, Origin.DEFAULT, ("Thunderbird is not a target",), is_of_thunderbird=True
)


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        pytest.param(
            [WORKER], ["checked for chrome: the background is a service worker"], id="one extension"
        ),
        pytest.param(
            [BOTH, BOTH, BOTH],
            ["checked for firefox and chrome: --target says so"],
            id="targets chosen by the user",
        ),
        pytest.param(
            [WORKER, PANEL, WORKER], ["checked for chrome: their manifests say so"], id="different reasons"
        ),
        pytest.param(
            [WORKER, FOLDER], ["checked for chrome: their manifests or names say so"], id="of different kinds"
        ),
        pytest.param(
            [NEITHER, WORKER, PANEL],
            [
                "checked for chrome (2 extensions): their manifests say so",
                "checked for reference (ext0): nothing names a browser",
            ],
            id="different targets, the largest group first",
        ),
        pytest.param(
            [NEITHER, THUNDERBIRD],
            ["checked for reference: nothing names a target"],
            id="different reasons for the default target",
        ),
    ],
)
def test_last_lines_name_the_targets_and_reasons(choices: list[Choice], expected: list[str]) -> None:
    reports = [replace(report_of(name=f"ext{at}"), choice=each) for at, each in enumerate(choices)]
    assert render(TextReporter(Style()), *reports).splitlines()[1:] == expected


def test_json_contains_targets_per_extension_and_in_total() -> None:
    reports = (
        replace(report_of(name="b"), choice=WORKER),
        replace(report_of(name="a", count=1), choice=NEITHER),
    )
    output = json.loads(render(JsonReporter(), *reports))
    assert list(output) == ["version", "findings", "extensions", "skipped", "unused_entries", "summary"]
    assert output["extensions"] == [
        {
            "path": "a",
            "targets": ["reference"],
            "targets_from": "default",
            "files": 1,
            "incomplete": 0,
            "only_in": {},
            "unbuilt": [],
            "unchecked": [],
            "broken": [],
        },
        {
            "path": "b",
            "targets": ["chrome"],
            "targets_from": "manifest",
            "files": 2,
            "incomplete": 0,
            "only_in": {},
            "unbuilt": [],
            "unchecked": [],
            "broken": [],
        },
    ]
    assert output["summary"]["targets"] == ["chrome", "reference"]


def test_quiet_output_contains_only_findings() -> None:
    assert render(TextReporter(Style(), quiet=True), report_of()) == ""


def test_closing_line_is_omitted_without_extensions() -> None:
    assert render(TextReporter(Style())) == ""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param(".", "bg.js:2:1: ", id="the current folder"),
        pytest.param("a/b", "a/b/bg.js:2:1: ", id="a folder"),
        pytest.param("a/b/", "a/b/bg.js:2:1: ", id="a folder with a slash at its end"),
        pytest.param("a.zip", "a.zip/bg.js:2:1: ", id="an archive"),
        pytest.param("a\x1b[2Jb", "a\\x1b[2Jb/bg.js:2:1: ", id="a hostile name"),
    ],
)
def test_position_starts_with_an_openable_path(name: str, expected: str) -> None:
    output = render(ConciseReporter(Style()), report_of(PERMISSION, name=name))
    assert output.startswith(expected)


def test_finding_for_some_targets_names_them() -> None:
    reporter = ConciseReporter(Style(), quiet=True)
    report = replace(report_of(PERMISSION), choice=chosen_by_option([Target("one"), Target("reference")]))
    assert render(reporter, report).endswith("it needs a permission (reference)\n")


def test_color_adds_only_escape_sequences() -> None:
    plain = render(TextReporter(Style()), report_of(PERMISSION, DUPLICATE))
    colored = render(TextReporter(Style(True)), report_of(PERMISSION, DUPLICATE))
    assert "\x1b[1;31merror[missing-permission]\x1b[0m" in colored
    assert "".join(part.partition("m")[2] for part in f"\x1bm{colored}".split("\x1b")) == plain


def test_unreadable_file_has_no_excerpt() -> None:
    output = render(TextReporter(Style(), quiet=True), report_of(PERMISSION, files={}))
    assert output == "ext/bg.js:2:1: error[missing-permission] it needs a permission\n  help: request it\n\n"


def test_json_contains_every_key_of_a_finding() -> None:
    output = json.loads(render(JsonReporter(), report_of(PERMISSION, DUPLICATE)))
    assert output == {
        "version": 1,
        "findings": [
            {
                "rule": "missing-permission",
                "severity": "error",
                "message": "it needs a permission",
                "path": "bg.js",
                "start": {"line": 2, "column": 1},
                "end": {"line": 2, "column": 25},
                "extension": "ext",
                "api": "management.getAll",
                "targets": ["reference"],
                "related": [],
                "help": "request it",
                "fix": None,
                "url": page_url("missing-permission"),
            },
            {
                "rule": "duplicate-key",
                "severity": "warning",
                "message": "it is there twice",
                "path": "manifest.json",
                "start": {"line": 1, "column": 13},
                "end": {"line": 1, "column": 19},
                "extension": "ext",
                "api": None,
                "targets": ["reference"],
                "related": [
                    {
                        "path": "manifest.json",
                        "start": {"line": 1, "column": 2},
                        "end": {"line": 1, "column": 8},
                        "message": "first here",
                    }
                ],
                "help": None,
                "fix": None,
                "url": page_url("duplicate-key"),
            },
        ],
        "extensions": [
            {
                "path": "ext",
                "targets": ["reference"],
                "targets_from": "option",
                "files": 2,
                "incomplete": 0,
                "only_in": {},
                "unbuilt": [],
                "unchecked": [],
                "broken": [],
            }
        ],
        "skipped": [],
        "unused_entries": [],
        "summary": {
            "extensions": 1,
            "files": 2,
            "errors": 1,
            "warnings": 1,
            "infos": 0,
            "suppressed": 0,
            "fixable": 0,
            "fixable_unsafely": 0,
            "fixed": 0,
            "fixed_later": 0,
            "unfixed": 0,
            "incomplete": 0,
            "targets": ["reference"],
        },
    }


def test_json_contains_the_edits_of_a_fix() -> None:
    at = Position(1, 13)
    fix = Fix(True, (Edit("manifest.json", Span(at, Position(1, 19)), '"id"'),), "Rename it")
    unsafe = Fix(False, (Edit("bg.js", Span(at, at), "é"),), "Insert it")
    output = json.loads(
        render(
            JsonReporter(),
            report_of(replace(PERMISSION, fix=fix), PERMISSION),
            report_of(replace(PERMISSION, fix=fix), replace(DUPLICATE, fix=unsafe), name="b"),
        )
    )
    start = {"line": 1, "column": 13}
    assert [each["fix"] for each in output["findings"][2:]] == [
        {
            "safe": True,
            "message": "Rename it",
            "edits": [
                {
                    "path": "manifest.json",
                    "start": start,
                    "end": {"line": 1, "column": 19},
                    "text": '"id"',
                }
            ],
        },
        {
            "safe": False,
            "message": "Insert it",
            "edits": [{"path": "bg.js", "start": start, "end": start, "text": "é"}],
        },
    ]
    assert (output["summary"]["fixable"], output["summary"]["fixable_unsafely"]) == (2, 1)


@pytest.mark.parametrize("reports", [0, 1, 3], ids=["no extension", "one extension", "several extensions"])
def test_json_without_findings_is_complete(reports: int) -> None:
    output = json.loads(render(JsonReporter(), *(report_of() for _ in range(reports))))
    assert output["findings"] == []
    assert output["summary"]["extensions"] == reports


def test_json_lists_findings_between_clean_extensions() -> None:
    reports = (report_of(), report_of(PERMISSION, name="b"), report_of(), report_of(DUPLICATE, name="c"))
    output = json.loads(render(JsonReporter(), *reports))
    assert [each["extension"] for each in output["findings"]] == ["b", "c"]


def test_json_statistics_count_rules() -> None:
    output = json.loads(render(JsonReporter(statistics=True), report_of(DUPLICATE, DUPLICATE, PERMISSION)))
    assert output["statistics"] == {"duplicate-key": 2, "missing-permission": 1}


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        pytest.param("漢 🙂", "漢 🙂", id="any script"),
        pytest.param("a\x1b[2J\n", "a\x1b[2J\n", id="control characters are JSON's to escape"),
        pytest.param("a\ud800b", "a\ufffdb", id="a lone surrogate is replaced"),
        pytest.param("a\udc80", "a\ufffd", id="nor is a byte that is not UTF-8"),
        pytest.param("\ud83d\ude42", "🙂", id="two surrogates that are a character"),
    ],
)
def test_json_is_ascii(message: str, expected: str) -> None:
    finding = Finding("rule", Severity.INFO, message, "bg.js", PERMISSION.span)
    output = render(JsonReporter(), report_of(finding))
    assert output.isascii()
    found: Any = json.loads(output)
    assert found["findings"][0]["message"] == expected


LINKED = Style(links=True, file_links=True)


def test_rules_and_files_are_links() -> None:
    output = render(ConciseReporter(LINKED, quiet=True), report_of(PERMISSION))
    rule = f"\x1b]8;;{page_url('missing-permission')}\x1b\\missing-permission\x1b]8;;\x1b\\"
    path = f"\x1b]8;;{(Path.cwd() / 'ext' / 'bg.js').as_uri()}\x1b\\ext/bg.js\x1b]8;;\x1b\\"
    assert output == f"{path}:2:1: error[{rule}] it needs a permission\n"


def test_file_in_an_archive_is_not_linked(tmp_path: Path) -> None:
    archive = tmp_path / "a.zip"
    archive.touch()
    output = render(ConciseReporter(LINKED, quiet=True), report_of(PERMISSION, name=str(archive)))
    assert output.startswith(f"{archive}/bg.js:2:1: error[\x1b]8;;")


def test_hostile_path_does_not_end_the_link() -> None:
    output = render(ConciseReporter(LINKED, quiet=True), report_of(PERMISSION, name="a\x1b\\b"))
    assert "/a%1B%5Cb/bg.js\x1b\\a\\x1b\\b/bg.js\x1b]8;;" in output


@pytest.mark.parametrize(
    ("line", "width", "expected"),
    [
        pytest.param("x" * 30 + " " + "y" * 9, 40, "x" * 30 + " " + "y" * 9, id="it fits"),
        pytest.param("x" * 30 + " " + "y" * 10, 40, "x" * 30 + "\n    " + "y" * 10, id="one too many"),
        pytest.param("  a " + "x" * 50, 40, "  a\n    " + "x" * 50, id="a long word is not broken"),
        pytest.param("漢 " * 20 + "a", 40, "漢 " * 12 + "漢\n    " + "漢 " * 7 + "a", id="wide characters"),
        pytest.param(
            "\x1b[1m" + "x" * 36 + "\x1b[0m ab c",
            40,
            "\x1b[1m" + "x" * 36 + "\x1b[0m ab\n    c",
            id="colors do not count as columns",
        ),
        pytest.param("ab " * 14, 1, "ab " * 12 + "ab\n    ab ", id="no terminal is so narrow"),
    ],
)
def test_line_is_wrapped_between_words(line: str, width: int, expected: str) -> None:
    assert wrap_line(line, width, 4) == expected


def test_text_fits_the_terminal_width() -> None:
    words = replace(PERMISSION, message="word " * 30 + "end", help="help " * 30)
    code = {"bg.js": "let a;\n" + " " * 60 + "chrome.management.getAll();" + " more();" * 9}
    placed = replace(words, span=Span(Position(2, 61), Position(2, 85)))
    report = report_of(placed, DUPLICATE, files={**code, "manifest.json": '{"name": 1, "name": 2}'})
    output = render(TextReporter(Style(), width=60, quiet=True), report)
    lines = output.splitlines()
    assert max(map(len, lines)) <= 60
    caret = next(at for at, line in enumerate(lines) if "^" in line)
    start, end = lines[caret].index("^"), lines[caret].rindex("^") + 1
    assert lines[caret - 1][start:end] == "chrome.management.getAll"
    assert output.count("word") == 30
