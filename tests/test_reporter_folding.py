"""Findings with the same message: text output shows three and lists the positions of the others."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from packages import package_of

from extlint.finding import Finding, Fix, Related, Severity
from extlint.project.target_detection.choice import chosen_by_option
from extlint.report.formats.human_readable import MAX_WIDTH
from extlint.report.formats.json_output import JsonReporter
from extlint.report.formats.text_output import ConciseReporter, TextReporter
from extlint.report.report import Report, Summary
from extlint.report.reporter import Reporter
from extlint.report.terminal import Style
from extlint.schema.targets import Target
from extlint.text.positions import Position, Span


def finding_at(line: int, message: str = "`a` is deprecated", path: str = "a.js") -> Finding:
    span = Span(Position(line, 1), Position(line, 2))
    return Finding("deprecated-api", Severity.WARNING, message, path, span)


def render(findings: Sequence[Finding], reporter: Reporter, name: str = "ext") -> str:
    files = dict.fromkeys(("a.js", "b.js", "漢字.js"), "a;\n" * 1000)
    report = Report(
        package_of(files, name), tuple(findings), 3, chosen_by_option([Target("one"), Target("reference")])
    )
    summary = Summary()
    summary.add(report)
    return reporter.output([reporter.extension(report)], summary)


def text_output(findings: Sequence[Finding], name: str = "ext") -> str:
    return render(findings, TextReporter(Style(), quiet=True), name)


def test_three_findings_are_shown_and_the_others_listed() -> None:
    assert (
        text_output(
            [
                finding_at(1),
                finding_at(2),
                finding_at(3),
                finding_at(4),
                finding_at(7),
                finding_at(2, path="b.js"),
            ]
        )
        == """\
ext/a.js:1:1: warning[deprecated-api] `a` is deprecated (reference)
  1 | a;
    | ^

ext/a.js:2:1: warning[deprecated-api] `a` is deprecated (reference)
  2 | a;
    | ^

ext/a.js:3:1: warning[deprecated-api] `a` is deprecated (reference)
  3 | a;
    | ^
  the same in 3 more places:
    ext/a.js:4:1, 7:1
    ext/b.js:2:1

"""
    )


def test_findings_in_different_files_are_folded() -> None:
    output = text_output(
        [finding_at(1, path=f"_locales/{name}/messages.json") for name in ("de", "en", "fr", "ja")]
    )
    assert output.endswith("  the same in 1 more place:\n    ext/_locales/ja/messages.json:1:1\n\n")


def test_fixable_findings_are_folded_separately() -> None:
    fix = Fix(True, (), "Do it")
    output = text_output([replace(finding_at(line), fix=fix if line > 4 else None) for line in range(1, 10)])
    assert (
        "  the same in 1 more place:\n    ext/a.js:4:1\n\next/a.js:5:1: warning[deprecated-api] [*] "
        in output
    )
    assert output.endswith("  the same in 2 more places:\n    ext/a.js:8:1, 9:1\n\n")


OTHER = finding_at(1, "`b` is deprecated")


@pytest.mark.parametrize(
    ("findings", "shown"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param(
            [finding_at(1), finding_at(2), finding_at(3)], [1, 2, 3], id="three findings are not folded"
        ),
        pytest.param([finding_at(line) for line in range(1, 90)], [1, 2, 3], id="many"),
        pytest.param(
            [
                finding_at(1),
                OTHER,
                finding_at(2),
                OTHER,
                finding_at(3),
                OTHER,
                finding_at(4),
                OTHER,
                finding_at(5),
            ],
            [1, 1, 2, 1, 3, 1],
            id="two messages in turn keep their order",
        ),
        pytest.param(
            [finding_at(1, f"`a{number}` is deprecated") for number in range(5)], [1] * 5, id="five messages"
        ),
        pytest.param(
            [replace(finding_at(1), help=f"use `b{number}`") for number in range(5)],
            [1] * 5,
            id="different help",
        ),
        pytest.param(
            [replace(finding_at(1), rule=f"rule-{number}") for number in range(5)],
            [1] * 5,
            id="different rules",
        ),
        pytest.param(
            [finding_at(1), finding_at(2), finding_at(3), replace(finding_at(4), severity=Severity.ERROR)],
            [1, 2, 3, 4],
            id="a different severity",
        ),
        pytest.param(
            [finding_at(1), finding_at(2), finding_at(3), replace(finding_at(4), targets=("one",))],
            [1, 2, 3, 4],
            id="a different target",
        ),
        pytest.param(
            [
                replace(finding_at(line), related=(Related("b.js", finding_at(line).span, "the first one"),))
                for line in (1, 2, 3, 4, 5)
            ],
            [1, 2, 3],
            id="related places of their own",
        ),
    ],
)
def test_only_findings_with_the_same_message_are_folded(
    findings: Sequence[Finding], shown: list[int]
) -> None:
    sentences = [
        line for line in text_output(findings).splitlines() if " warning[" in line or " error[" in line
    ]
    assert [int(line.split(":")[1]) for line in sentences] == shown
    listed = text_output(findings).count(":1, ") + text_output(findings).count(":1\n")
    assert len(sentences) + listed == len(findings)


def test_each_message_has_its_own_positions() -> None:
    output = text_output(
        [each for line in range(1, 6) for each in (finding_at(line), finding_at(line, "`b` is deprecated"))]
    )
    after = [part.splitlines()[-2:] for part in output.split("\n\n") if "the same" in part]
    assert after == [["  the same in 2 more places:", "    ext/a.js:4:1, 5:1"]] * 2


@pytest.mark.parametrize("path", ["a.js", "漢字.js", "a\x1b[2Jb.js"])
def test_long_position_list_has_several_lines_with_the_path(path: str) -> None:
    output = text_output([finding_at(line, path=path) for line in range(1, 104)])
    lines = output[output.index("the same in 100 more places:") :].splitlines()[1:-1]
    paths, positions = zip(*(line.split(":", 1) for line in lines), strict=True)
    assert len({*paths}) == 1
    assert "\x1b" not in output
    assert all(len(each) <= MAX_WIDTH for each in positions)
    assert ", ".join(positions).split(", ") == [f"{line}:1" for line in range(4, 104)]


def test_position_in_the_current_folder_is_its_path() -> None:
    assert "\n    a.js:4:1\n" in text_output([finding_at(line) for line in range(1, 5)], name=".")


@pytest.mark.parametrize(
    "reporter", [ConciseReporter(Style(), quiet=True), JsonReporter()], ids=["concise", "json"]
)
def test_other_formats_contain_every_finding(reporter: Reporter) -> None:
    output = render([finding_at(line) for line in range(1, 30)], reporter)
    assert output.count("`a` is deprecated") == 29


def test_folded_findings_are_counted() -> None:
    findings = [finding_at(line) for line in range(1, 30)]
    assert "Found 29 warnings" in render(findings, TextReporter(Style()))
    assert json.loads(render(findings, JsonReporter()))["summary"]["warnings"] == 29


def test_color_does_not_change_the_folded_text() -> None:
    findings = [finding_at(line) for line in range(1, 9)]
    colored = render(findings, TextReporter(Style(True)))
    assert "\x1b[1mext/a.js\x1b[0m:4:1, 5:1, 6:1, 7:1, 8:1\n" in colored
    plain = render(findings, TextReporter(Style()))
    assert "".join(part.partition("m")[2] for part in f"\x1bm{colored}".split("\x1b")) == plain
