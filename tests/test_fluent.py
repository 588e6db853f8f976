"""Fluent files of language packs: the first entry with a mistake."""

from __future__ import annotations

import pytest
from harness import lint, manifest

from extlint_rules.helpers.fluent import fluent_mistake


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# A comment\n\na = A\n",
        "a =\n  two\n  lines\nb = B",
        "a = A\n    .title = B\n    .label = { $c }\n",
        "a =\n    .title = B\n",
        '-brand = Firefox\na = { -brand } { -brand(case: "x") }\n',
        "a = { $n ->\n    [one] One\n   *[other] Other { $n }\n }\n",
        'a = { NUMBER($n, minimum: 2) }{ "\\u0041" }{ b.c }{ { $x } }\n',
        "a = { -t.x ->\n  [y] 1\n *[z] 2\n}\n",
        "a = " + "{" * 90 + "1" + "}" * 90,
        "a = " + "{" * 5000,
    ],
)
def test_right_file(text: str) -> None:
    assert fluent_mistake(text) is None


@pytest.mark.parametrize(
    "mistake",
    [
        "a",
        "a =",
        "1 = A",
        "a = {",
        "a = { b",
        "a = }",
        "a = { $n -> [one] One *[other] Other }",
        "a = { $n ->\n [one] One\n}",
        "a = { b ->\n *[one] One\n}",
        "a = { -t.x }",
        "a = { f($n) }",
        "a = { F(x: 1, $n) }",
        "-t =\n  .x = X",
        "#comment",
        'a = { "\\x" }',
        "a = " + "{" * 90 + "1" + "}" * 89,
    ],
)
def test_first_mistake_is_found(mistake: str) -> None:
    assert fluent_mistake(f"b = B\n\n{mistake}\nc = C\n") in (7, 8)


def test_mistake_is_reported_at_its_line() -> None:
    files = {"manifest.json": manifest(langpack_id="de"), "a/b.ftl": "a = A\r\nb\r\n"}
    (finding,) = lint(files, ["refused-by-store"], "firefox")
    assert (finding.path, finding.span.start.line, finding.severity.name) == ("a/b.ftl", 2, "WARNING")
