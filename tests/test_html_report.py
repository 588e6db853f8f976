"""The HTML report: its contents, and the escaping of any text from a package."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from msgspec.structs import replace
from test_reporter import DUPLICATE, PERMISSION, report_of
from test_reports_for_ci import FIXABLE, render_format
from test_reports_of_arbitrary_text import reports
from thorough import examples

from extlint.cli.main import main
from extlint.finding import Severity
from extlint.report.formats.html_document import element, message
from extlint.report.formats.html_output import excerpt
from extlint.report.report import Report
from extlint.text.positions import Position, Span

VOID = {"meta", "input", "br"}


class Page(HTMLParser):
    """The elements and the text of a page. Raises AssertionError if elements are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def element_names(self) -> set[str]:
        return {name for name, _ in self.elements}

    def attributes_of(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for each, attributes in self.elements if each == name]


def test_finding_has_filter_attributes() -> None:
    page = Page(render_format("html", report_of(PERMISSION)))
    (article,) = page.attributes_of("article")
    assert article == {
        "class": "finding error",
        "data-severity": "error",
        "data-rule": "missing-permission",
        "data-file": "ext/bg.js",
    }
    assert "it needs a permission" in page.text
    assert "help: request it" in page.text


def test_fix_and_related_locations_are_shown() -> None:
    page = Page(render_format("html", report_of(FIXABLE, DUPLICATE)))
    assert "--fix: Request the permission management" in page.text
    assert "first here ext/manifest.json:1:2" in page.text


def test_policy_allows_only_the_own_style_and_script() -> None:
    text = render_format("html", report_of(PERMISSION))
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', text)
    kinds = dict(each.split(" ", 1) for each in policy.split("; "))
    for kind, name in (("style-src", "style"), ("script-src", "script")):
        (content,) = re.findall(rf"<{name}>(.*?)</{name}>", text, re.DOTALL)
        assert kinds.pop(kind) == f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"
    assert kinds == {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'"}
    assert not re.search(r"https?://(?!(?:github\.com|extlint\.github\.io)/extlint/)", text)
    assert Page(text).element_names().isdisjoint({"link", "img", "iframe", "object"})


def test_permission_table_shows_findings() -> None:
    text = '{"permissions": ["tabs", "<b>"], "optional_host_permissions": ["*://a.b/*"]}'
    unused = replace(
        DUPLICATE,
        rule="unused-permission",
        message="`tabs` is not used",
        span=Span(Position(1, 18), Position(1, 24)),
    )
    page = render_format("html", report_of(PERMISSION, PERMISSION, unused, files={"manifest.json": text}))
    rows = [
        re.sub(r"<[^>]+>", " ", row.replace("</td>", "|")).split("|")[:3]
        for row in re.findall(r"<tr>(<td>.*?)</tr>", page)
        if "<button" not in row
    ]
    assert [[" ".join(cell.split()) for cell in row] for row in rows] == [
        ["tabs", "permissions line 1", "tabs is not used"],
        ["&lt;b&gt;", "permissions line 1", ""],
        ["*://a.b/*", "optional_host_permissions line 1", ""],
        ["missing", "", "it needs a permission (2 places)"],
    ]
    assert "Permissions: 3 requested, 1 missing" in page


@pytest.mark.parametrize("manifest", ["", "[]", '{"permissions": 1}', '{"name": "x"}'])
def test_permission_table_is_omitted_without_permissions(manifest: str) -> None:
    assert "Permissions:" not in render_format("html", report_of(files={"manifest.json": manifest}))


def test_clean_and_unchecked_extensions_are_shown() -> None:
    page = Page(render_format("html", report_of(), unchecked=("cannot read <x>",)))
    assert "No findings." in page.text
    assert "cannot read <x>" in page.text
    assert "Nothing was checked." in Page(render_format("html", unchecked=("cannot read x",))).text


def test_checkbox_for_each_severity_in_the_report() -> None:
    text = render_format("html", report_of(PERMISSION, replace(DUPLICATE, severity=Severity.INFO)))
    assert re.findall(r'checkbox" value="(\w+)" checked> ([^<]+)<', text) == [
        ("error", "1 error"),
        ("info", "1 note"),
    ]


LINES = ["", "one();", "two(a);", "", "\tfour();", "five(); " * 100]


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        pytest.param((2, 1), (2, 4), "2[one]();\n3two(a);", id="lines around it, no empty one at an end"),
        pytest.param((3, 5), (3, 5), "2one();\n3two([\u200b]a);\n4\n5\tfour();", id="a place without width"),
        pytest.param(
            (2, 5), (3, 4), "2one([);]\n3[two](a);\n4\n5\tfour();", id="a span over the end of a line"
        ),
        pytest.param((5, 2), (5, 6), "3two(a);\n4\n5\t[four]();\n6" + LINES[5][:200], id="a tab"),
    ],
)
def test_excerpt_lines(start: tuple[int, int], end: tuple[int, int], expected: str) -> None:
    found = excerpt(
        lambda number: LINES[number - 1] if number <= len(LINES) else "",
        Span(Position(*start), Position(*end)),
    )
    shown = found.replace("<mark>", "[").replace("</mark>", "]").replace("&#8203;", "\u200b")
    assert re.sub(r"<[^>]+>", "", shown) == expected


def test_long_line_is_truncated_around_the_span() -> None:
    line = "x" * 5000 + "HERE" + "y" * 5000
    found = re.sub(r"<[^>]+>", "", excerpt(lambda _: line, Span(Position(1, 5001), Position(1, 5005))))
    own = found.splitlines()[0]
    assert own == "1…" + "x" * 40 + "HERE" + "y" * 156 + "…"


def test_excerpt_of_empty_file_is_empty() -> None:
    assert excerpt(lambda _: "", Span(Position(1, 1), Position(1, 1))) == ""


def test_message_and_attributes_are_escaped() -> None:
    assert message("`a<b` & c") == "<code>a&lt;b</code> &amp; c"
    assert element("p", "x", class_='a"b') == '<p class="a&quot;b">x</p>'


SITES = ("https://github.com/extlint/", "https://extlint.github.io/extlint/")
OWN = Page(render_format("html", report_of(FIXABLE, DUPLICATE), unchecked=("x",))).element_names()
ATTRIBUTES = set(
    "aria-label aria-live charset checked class content data-file data-rule data-severity hidden href "
    "http-equiv id lang name placeholder rel scope type value".split()
)


@given(reports())
@settings(max_examples=examples(40))
def test_any_text_is_escaped(report: Report) -> None:
    output = render_format("html", report, unchecked=(report.findings[0].message,))
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff\ufffe\uffff]", output)
    page = Page(output)
    assert page.element_names() <= OWN | {"br", "code", "td", "th"}
    assert {name for _, attributes in page.elements for name in attributes} <= ATTRIBUTES
    assert len(page.attributes_of("script")) == len(page.attributes_of("style")) == 1
    assert all((each["href"] or "").startswith(SITES) for each in page.attributes_of("a"))
    json.dumps(output).encode("ascii")


def test_heading_of_the_current_folder_is_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "reading-list"
    folder.mkdir()
    (folder / "manifest.json").write_text('{"manifest_version": 3, "name": "A", "version": "1"}', "utf-8")
    monkeypatch.chdir(folder)
    main(["check", "--output-format", "html"])
    assert "<h2>reading-list</h2>" in capsys.readouterr().out
    monkeypatch.chdir(tmp_path)
    main(["check", "--output-format", "html"])
    assert "<h2>reading-list</h2>" in capsys.readouterr().out
