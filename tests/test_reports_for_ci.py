"""The formats for CI systems: SARIF, GitHub, GitLab, JUnit, Checkstyle, and Markdown for a comment."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace
from packages import package_of
from test_reporter import DUPLICATE, PERMISSION, report_of

from extlint.cli.main import main
from extlint.finding import Edit, Fix, Severity
from extlint.project.target_detection.choice import chosen_by_option
from extlint.report.formats.github_output import escape_commands
from extlint.report.formats.human_readable import Lines, fingerprints
from extlint.report.formats.markdown_output import MAX_CHARACTERS, code, text, utf16_length
from extlint.report.formats.sarif_output import MAX_SNIPPET
from extlint.report.paths import Paths, uri
from extlint.report.report import Report, Summary
from extlint.report.reporter import Options, page_url, reporter_of
from extlint.schema.targets import Target
from extlint.text.positions import Position, Span

TWO_UNITS = "\N{PARTY POPPER}"
"""A character that is one code point, and two code units in UTF-16."""

FIXABLE = replace(
    PERMISSION,
    fix=Fix(
        True,
        (Edit("manifest.json", Span(Position(1, 2), Position(1, 2)), '"permissions": ["management"], '),),
        "Request the permission `management`",
    ),
)


def render_format(form: str, *reports: Report, unchecked: tuple[str, ...] = (), **options: bool) -> str:
    reporter = reporter_of(form, Options(**options))
    summary = Summary()
    for report in reports:
        summary.add(report)
    summary.unchecked.extend(unchecked)
    return reporter.output([reporter.extension(each) for each in reports], summary)


def sarif(*reports: Report, unchecked: tuple[str, ...] = ()) -> dict[str, Any]:
    log = json.loads(render_format("sarif", *reports, unchecked=unchecked))
    (run,) = log["runs"]
    return dict(run)


def test_sarif_result() -> None:
    (result,) = sarif(report_of(FIXABLE))["results"]
    assert len(result.pop("partialFingerprints")["extlintFinding/v1"]) == 32
    assert result == {
        "ruleId": "missing-permission",
        "level": "error",
        "message": {"text": "it needs a permission\nrequest it"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "ext/bg.js", "uriBaseId": "SRCROOT"},
                    "region": {
                        "startLine": 2,
                        "startColumn": 1,
                        "endLine": 2,
                        "endColumn": 25,
                        "snippet": {"text": "chrome.management.getAll"},
                    },
                    "contextRegion": {
                        "startLine": 2,
                        "snippet": {"text": "chrome.management.getAll();"},
                    },
                }
            }
        ],
        "fixes": [
            {
                "description": {"text": "Request the permission `management`"},
                "artifactChanges": [
                    {
                        "artifactLocation": {"uri": "ext/manifest.json", "uriBaseId": "SRCROOT"},
                        "replacements": [
                            {
                                "deletedRegion": {
                                    "startLine": 1,
                                    "startColumn": 2,
                                    "endLine": 1,
                                    "endColumn": 2,
                                },
                                "insertedContent": {"text": '"permissions": ["management"], '},
                            }
                        ],
                    }
                ],
            }
        ],
        "properties": {"extension": "ext", "api": "management.getAll", "targets": ["reference"]},
    }


def test_sarif_describes_columns_and_rules() -> None:
    run = sarif(report_of(PERMISSION, DUPLICATE))
    assert run["columnKind"] == "unicodeCodePoints"
    rules = {each["id"]: each for each in run["tool"]["driver"]["rules"]}
    assert list(rules) == ["duplicate-key", "missing-permission"]
    rule = rules["missing-permission"]
    assert rule["name"] == "MissingPermission"
    assert rule["helpUri"] == page_url("missing-permission")
    assert rule["help"]["markdown"].startswith(rule["shortDescription"]["text"])
    assert "## Example" in rule["help"]["markdown"]
    assert rule["fullDescription"]["text"].startswith("Checks every use of an API")
    assert rule["defaultConfiguration"] == {"level": "error"}
    assert [each["level"] for each in run["results"]] == ["error", "warning"]


@pytest.mark.parametrize(
    ("content", "span", "snippet", "line"),
    [
        pytest.param("a.b();", (1, 1, 1, 4), "a.b", "a.b();", id="a part of a line"),
        pytest.param("\ta.é;", (1, 2, 1, 5), "a.é", "\ta.é;", id="after a tab"),
        pytest.param("a.b", (1, 1, 1, 4), "a.b", None, id="a whole line"),
        pytest.param("a.b();", (1, 1, 1, 1), None, "a.b();", id="no code"),
        pytest.param("a.\nb", (1, 1, 2, 2), None, None, id="several lines"),
        pytest.param(f"a.b{' ' * MAX_SNIPPET}", (1, 1, 1, 4), None, None, id="a line that is too long"),
        pytest.param(b"a.b; \xff", (1, 1, 1, 4), None, None, id="no text"),
        pytest.param("a.b; \x1b", (1, 1, 1, 4), None, None, id="a terminal control character"),
    ],
)
def test_sarif_contains_code_snippets(
    content: str | bytes, span: tuple[int, int, int, int], snippet: str | None, line: str | None
) -> None:
    first, start, last, end = span
    found = replace(PERMISSION, span=Span(Position(first, start), Position(last, end)))
    (result,) = sarif(report_of(found, files={"bg.js": content}))["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["region"].get("snippet", {}).get("text") == snippet
    assert place.get("contextRegion", {}).get("snippet", {}).get("text") == line


def test_sarif_contains_related_locations() -> None:
    (result,) = sarif(report_of(DUPLICATE))["results"]
    (related,) = result["relatedLocations"]
    assert related["message"] == {"text": "first here"}
    assert related["physicalLocation"]["region"]["endColumn"] == 8


@pytest.mark.parametrize(
    ("version", "semantic"),
    [("1.2.0", "1.2.0"), ("1.3.0.dev0", "1.3.0-dev0"), ("1.3.0.dev0+g12345678", "1.3.0-dev0+g12345678")],
)
def test_sarif_version_is_semantic(version: str, semantic: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("extlint.report.formats.sarif_output.__version__", version)
    assert sarif(report_of())["tool"]["driver"]["semanticVersion"] == semantic


@pytest.mark.parametrize("unchecked", [(), ("no such file or folder: nowhere",)])
def test_sarif_reports_unchecked_paths(unchecked: tuple[str, ...]) -> None:
    (invocation,) = sarif(report_of(), unchecked=unchecked)["invocations"]
    messages = [each["message"]["text"] for each in invocation["toolExecutionNotifications"]]
    assert messages == list(unchecked)
    assert invocation["executionSuccessful"] is (not unchecked)


def test_brackets_in_sarif_messages_are_escaped() -> None:
    (result,) = sarif(report_of(replace(PERMISSION, message="see [here](1)", help=None)))["results"]
    assert result["message"]["text"] == "see \\[here\\](1)"


@pytest.mark.parametrize(
    ("top", "current", "name", "expected"),
    [
        pytest.param("/repo", "/repo", ".", "", id="the top itself"),
        pytest.param("/repo", "/repo", "a/b/", "a/b/", id="a folder below it"),
        pytest.param("/repo", "/repo/a", ".", "a/", id="the current folder below the top"),
        pytest.param("/repo", "/repo/a", "..", "", id="the folder above the current one"),
        pytest.param("/repo", "/repo/a", "../b", "b/", id="next to the current folder"),
        pytest.param("/repo", "/repo", "/repo/dist/x.zip", "dist/x.zip/", id="an archive by its whole path"),
        pytest.param("/repo", "/repo", "../other", "/other/", id="outside the repository"),
        pytest.param("/repo", "/repo", "..a", "..a/", id="a name that begins with two dots"),
    ],
)
def test_paths_start_at_the_repository_root(top: str, current: str, name: str, expected: str) -> None:
    assert Paths(top, current).folder(package_of({}, name)) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a b/ü.js", "a%20b/%C3%BC.js"),
        ("a#b?c%d.js", "a%23b%3Fc%25d.js"),
        ("c:d/e.js", "c%3Ad/e.js"),
        ("/tmp/a b.js", "file:///tmp/a%20b.js"),
        ("a\udcff.js", "a%FF.js"),
    ],
)
def test_path_as_uri(path: str, expected: str) -> None:
    assert uri(path) == expected


def test_paths_in_a_subfolder_of_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a subfolder of a repository, only GitHub and GitLab paths start at the repository root."""
    (tmp_path / ".git").mkdir()
    folder = tmp_path / "packages" / "one two"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    report = report_of(PERMISSION, name=".")
    assert "file=packages/one two/bg.js," in render_format("github", report)
    assert json.loads(render_format("gitlab", report))[0]["location"]["path"] == "packages/one two/bg.js"
    (result,) = sarif(report)["results"]
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place["uri"] == "packages/one%20two/bg.js"
    assert '<file name="bg.js">' in render_format("checkstyle", report)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param(
            {},
            "::error title=extlint (missing-permission),file=ext/bg.js,line=2,col=1,endLine=2,endColumn=25"
            "::ext/bg.js:2:1: it needs a permission%0Ahelp: request it",
            id="an error",
        ),
        pytest.param(
            {"severity": Severity.INFO, "help": None, "span": Span(Position(1, 1), Position(2, 3))},
            "::notice title=extlint (missing-permission),file=ext/bg.js,line=1,endLine=2"
            "::ext/bg.js:1:1: it needs a permission",
            id="a note on two lines, without columns for GitHub",
        ),
        pytest.param(
            {"path": "a,b:c%.js", "severity": Severity.WARNING, "help": None, "message": "50% a, b: c"},
            "::warning title=extlint (missing-permission),file=ext/a%2Cb%3Ac%25.js,line=2,col=1,endLine=2,"
            "endColumn=25::ext/a,b:c%25.js:2:1: 50%25 a, b: c",
            id="special characters of a command",
        ),
    ],
)
def test_github_workflow_command(change: Mapping[str, Any], expected: str) -> None:
    assert render_format("github", report_of(replace(PERMISSION, **change))).splitlines()[0] == expected


def test_github_log_contains_code_and_closing_lines() -> None:
    lines = render_format("github", report_of(PERMISSION)).splitlines()
    assert lines[1] == "  2 | chrome.management.getAll();"
    assert lines[-2] == "Found 1 error in 1 extension (2 files)."


def test_repeated_findings_are_separate_github_annotations() -> None:
    output = render_format("github", report_of(*[PERMISSION] * 11))
    assert output.count("::error ") == 11
    assert output.count("chrome.management.getAll();") == 3
    assert output.endswith("GitHub annotates only the first 10 errors, warnings and notes of a step\n")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("  3 | x = '##[add-mask]a'", "  3 | x = '##\\x5badd-mask]a'"),
        ("  ::stop-commands::x", "  \\x3a:stop-commands::x"),
        ("  3 | std::vector", "  3 | std::vector"),
    ],
)
def test_code_in_the_github_log_is_escaped(line: str, expected: str) -> None:
    assert escape_commands(line) == expected


def test_gitlab_item() -> None:
    (item,) = json.loads(render_format("gitlab", report_of(PERMISSION)))
    assert re.fullmatch("[0-9a-f]{32}", item.pop("fingerprint"))
    assert item == {
        "description": "it needs a permission; help: request it",
        "check_name": "missing-permission",
        "severity": "major",
        "location": {"path": "ext/bg.js", "lines": {"begin": 2, "end": 2}},
    }


def test_gitlab_output_without_findings_is_an_empty_array() -> None:
    assert json.loads(render_format("gitlab", report_of())) == []


CODE = "chrome.management.getAll();\n"


def fingerprints_of(
    script: str, *lines: int, name: str = "ext", rule: str = "missing-permission"
) -> list[str]:
    findings = [
        replace(PERMISSION, rule=rule, span=Span(Position(line, 1), Position(line, 25))) for line in lines
    ]
    return fingerprints(f"{name}/", findings, Lines(package_of({"bg.js": script}, name)))


@pytest.mark.parametrize(
    ("script", "line"),
    [
        pytest.param("let a;\nlet b;\n" + CODE, 3, id="a line above"),
        pytest.param(CODE.replace(";", ", more();"), 1, id="other code on the line"),
    ],
)
def test_fingerprint_is_stable(script: str, line: int) -> None:
    assert fingerprints_of(script, line) == fingerprints_of(CODE, 1)


def test_fingerprints_are_unique() -> None:
    both = fingerprints_of(CODE + CODE, 1, 2)
    different = (
        fingerprints_of(CODE, 1, rule="unknown-api")
        + fingerprints_of(CODE, 1, name="other")
        + fingerprints_of(CODE.swapcase(), 1)
    )
    assert len({*both, *different}) == 5
    assert both[0] == fingerprints_of(CODE, 1)[0]


def junit(*reports: Report, unchecked: tuple[str, ...] = ()) -> ElementTree.Element:
    return ElementTree.fromstring(render_format("junit", *reports, unchecked=unchecked).encode())


def test_junit_test_suite() -> None:
    (suite,) = junit(report_of(PERMISSION, DUPLICATE))
    assert suite.attrib == {"name": "ext", "tests": "2", "failures": "1", "errors": "0", "skipped": "1"}
    error, warning = suite
    assert error.attrib == {"name": "missing-permission at 2:1", "classname": "ext/bg.js"}
    assert error[0].tag == "failure"
    assert error[0].attrib == {"message": "error: it needs a permission", "type": "missing-permission"}
    assert error[0].text == (
        "ext/bg.js:2:1: error[missing-permission] it needs a permission\nhelp: request it"
    )
    assert warning[0].tag == "skipped"


@pytest.mark.parametrize(
    ("level", "failures"), [(Severity.ERROR, "0"), (Severity.WARNING, "1"), (Severity.INFO, "1")]
)
def test_junit_failures_depend_on_the_fail_level(level: Severity, failures: str) -> None:
    (suite,) = junit(replace(report_of(DUPLICATE), fail_level=level))
    assert suite.get("failures") == failures


def test_junit_extension_without_findings_passes() -> None:
    (suite,) = junit(report_of())
    assert (suite.get("tests"), [len(each) for each in suite]) == ("1", [0])


def test_junit_reports_unchecked_paths_as_errors() -> None:
    _, suite = junit(report_of(), unchecked=("cannot read <x>",))
    assert suite.get("errors") == "1"
    assert [each.get("message") for each in suite.iter("error")] == ["cannot read <x>"]


def test_checkstyle_lists_each_file_once() -> None:
    output = render_format("checkstyle", report_of(PERMISSION, PERMISSION, DUPLICATE))
    root = ElementTree.fromstring(output.encode())
    assert [(each.get("name"), len(each)) for each in root] == [("ext/bg.js", 2), ("ext/manifest.json", 1)]
    assert root[1][0].attrib == {
        "line": "1",
        "column": "13",
        "severity": "warning",
        "message": "it is there twice",
        "source": "extlint.duplicate-key",
    }


def test_every_format_names_the_targets_of_a_finding() -> None:
    choice = chosen_by_option([Target("chrome"), Target("reference")])
    report = replace(report_of(PERMISSION), choice=choice)
    for form in ("sarif", "github", "gitlab", "junit", "checkstyle", "markdown"):
        assert "it needs a permission (reference)" in render_format(form, report), form


def test_markdown_table_lists_the_most_severe_first() -> None:
    assert (
        render_format("markdown", report_of(replace(DUPLICATE, severity=Severity.INFO), PERMISSION))
        == f"""\
<!-- extlint -->
### extlint

Found 1 error and 1 note in 1 extension (2 files).

| | Place | Finding |
|---|---|---|
| ❌ error | `ext/bg.js:2:1` | it needs a permission<br>help: request it<br>[missing-permission] |
| ℹ️ note | `ext/manifest.json:1:13` | it is there twice<br>[duplicate-key] |

checked for reference: --target says so

[duplicate-key]: {page_url("duplicate-key")}
[missing-permission]: {page_url("missing-permission")}
"""
    )


def test_markdown_has_one_table_per_extension_with_findings() -> None:
    output = render_format(
        "markdown", report_of(PERMISSION, name="a"), report_of(name="b"), report_of(DUPLICATE)
    )
    assert re.findall("^#### .*", output, re.MULTILINE) == ["#### `a`", "#### `ext`"]
    assert output.count("|---|---|---|") == 2


@pytest.mark.parametrize("message", ["it needs `a` permission", TWO_UNITS * 200, "`|`@#" * 30])
def test_markdown_fits_into_a_github_comment(message: str) -> None:
    findings = [replace(PERMISSION, message=message)] * 2000
    output = render_format(
        "markdown", report_of(*findings), unchecked=("cannot read x",) * 200, statistics=True
    )
    assert 0.97 * MAX_CHARACTERS < utf16_length(output) <= MAX_CHARACTERS
    rows = output.count("| ❌ error |")
    assert f"\n{2000 - rows} more findings did not fit into a comment of 65,536 characters.\n" in output
    assert "checked for reference" in output


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("`tabs` needs it", "`tabs` needs it"),
        ("<b> | *a* _b_ [c](d)", "&#60;b&#62; &#124; &#42;a&#42; &#95;b&#95; &#91;c&#93;(d)"),
        ("ask @octocat about #1", "ask @<!-- -->octocat about #<!-- -->1"),
        ("one ` alone", "one &#96; alone"),
        ("`a|b`", "<code>a&#124;b</code>"),
        ("a\nb", "a\\x0ab".replace("\\", "&#92;")),
    ],
)
def test_text_is_escaped_in_markdown(message: str, expected: str) -> None:
    assert text(message) == expected


def test_names_are_code_in_markdown() -> None:
    assert code("a.js") == "`a.js`"
    assert code("`</code>") == "<code>&#96;&#60;&#47;code&#62;</code>"


def test_markdown_states_that_nothing_was_checked() -> None:
    output = render_format("markdown", unchecked=("no such file or folder: nowhere",))
    assert "Nothing was checked." in output
    assert "* no such file or folder: nowhere\n" in output


def test_run_reports_unchecked_paths_in_each_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    forms = {"sarif": "notifications", "junit": "<error", "markdown": "Not checked"}
    options = [f"--output-format={form}:{form}" for form in forms]
    assert main(["check", "nowhere", *options]) == 2
    for form in forms:
        assert "no such file or folder: nowhere" in (tmp_path / form).read_text("utf-8")
