"""With arbitrary names and code in a package, each format is well-formed and contains the same text."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from test_reporter import DUPLICATE, PERMISSION, report_of
from test_reports_for_ci import render_format
from thorough import examples

from extlint.finding import Finding
from extlint.report.report import Report
from extlint.report.visible import visible

DANGEROUS = (
    "`", "]]>", "<!--", "-->", "&amp;", "</script>", "<script>", '"', "'", "\\", "%0A", "\n", "\r", "::",
    "##[", "\x00", "\x1b[2J", "\ufffe", "\udc80", "\ud800", "\u202e", "|", "@a", "#1", "{{", "](", "🙂", "漢",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(DANGEROUS) | st.characters(), max_size=8).map("".join)
NAMES = TEXTS.map(lambda each: each.replace("\0", "").lstrip("/") or "x")


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """Returns an extension with one finding, in which every text from the package is arbitrary."""
    base = draw(st.sampled_from([PERMISSION, DUPLICATE]))
    path = draw(NAMES)
    related = tuple(replace(each, path=path, message=draw(TEXTS)) for each in base.related)
    finding = replace(base, path=path, message=draw(TEXTS), help=draw(st.none() | TEXTS), related=related)
    code = draw(TEXTS).encode("utf-8", "surrogatepass")
    return report_of(finding, name=draw(NAMES), files={path: b"let a;\nx" + code})


def only_finding(report: Report) -> Finding:
    return report.findings[0]


@given(reports())
@settings(max_examples=examples(30))
def test_json_of_arbitrary_text(report: Report) -> None:
    for form in ("json", "sarif", "gitlab"):
        output = render_format(form, report, unchecked=(only_finding(report).message,))
        output.encode("ascii")
        json.loads(output)
    lines = render_format("json-lines", report).splitlines()
    assert [json.loads(each)["rule"] for each in lines] == [only_finding(report).rule]


@given(reports())
@settings(max_examples=examples(30))
def test_uri_of_arbitrary_path_is_escaped_ascii(report: Report) -> None:
    (run,) = json.loads(render_format("sarif", report))["runs"]
    place: Any = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert re.fullmatch(r"(file:///)?[\w.~/%-]+", place["uri"], re.ASCII)


@given(reports())
@settings(max_examples=examples(30))
def test_xml_of_arbitrary_text(report: Report) -> None:
    """Parsing it returns the output of `visible`, because XML does not allow control characters."""
    message = visible(only_finding(report).message).replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")
    root = ElementTree.fromstring(render_format("checkstyle", report).encode())
    (error,) = root.iter("error")
    assert (error.get("message") or "").startswith(message)
    suites = ElementTree.fromstring(
        render_format("junit", report, unchecked=(only_finding(report).message,)).encode()
    )
    assert [each.get("message") for each in suites.iter("error")] == [message]


def decode_like_github(text: str, escapes: dict[str, str]) -> str:
    """Returns a text as GitHub's runner reads it: it replaces these escapes in order, with `%25` last."""
    for written_so, character in escapes.items():
        text = text.replace(written_so, character)
    return text


@given(reports())
@settings(max_examples=examples(30))
def test_workflow_commands_of_arbitrary_text(report: Report) -> None:
    """Only extlint's own line is a command, and no text can change its end or its properties."""
    lines = render_format("github", report).split("\n")
    commands = [each for each in lines if each.lstrip().startswith("::")]
    assert len(commands) == 1
    found = re.fullmatch(r"::(error|warning) ([^:]*)::(.*)", commands[0])
    assert found is not None
    properties = dict(each.split("=", 1) for each in found[2].split(","))
    assert list(properties) == ["title", "file", "line", "col", "endLine", "endColumn"]
    read = decode_like_github(
        properties["file"], {"%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ",", "%25": "%"}
    )
    assert read.endswith(visible(only_finding(report).path))
    message, _, help_text = decode_like_github(found[3], {"%0D": "\r", "%0A": "\n", "%25": "%"}).partition(
        "\nhelp: "
    )
    assert message.endswith(f": {visible(only_finding(report).message)}")
    assert help_text == visible(only_finding(report).help or "")
    assert not any("##[" in each for each in lines if each not in commands)


@given(reports())
@settings(max_examples=examples(30))
def test_markdown_table_of_arbitrary_text(report: Report) -> None:
    """A row has three cells, and no HTML except that of extlint."""
    output = render_format("markdown", report, unchecked=(only_finding(report).message,))
    (row,) = [each for each in output.split("\n") if re.match(r"\| (❌|⚠️)", each)]
    assert row.count("|") == 4
    own = re.sub(r"<br>|</?code>|<!-- (?:extlint )?-->|`[^`]*`", "", output)
    assert "<" not in own
    assert "@" not in re.sub(r"@<!-- -->|`[^`]*`", "", output)


@pytest.mark.parametrize("form", ["text", "concise", "grouped", "github"])
@given(report=reports())
@settings(max_examples=examples(30))
def test_control_characters_do_not_reach_the_terminal(form: str, report: Report) -> None:
    output = render_format(form, report)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", output)
