"""Completion of words and names of rules in comments, and of configurations. `|` is the cursor."""

from __future__ import annotations

import pytest
from editor_cases import completed, items_at

COMMENTS = {
    "a script": ("a.js", "// extlint-disable-next-line |\nfoo()"),
    "after a name": ("a.js", "// extlint-disable-line unknown-api, |"),
    "in a name": ("a.js", "/* extlint-disable miss|ing */"),
    "on a second line": ("a.js", "/* extlint-disable unknown-api,\n * |\n */"),
    "a page": ("a.html", "<!-- extlint-disable-next-line | -->"),
    "a manifest": ("manifest.json", "{ // extlint-disable-next-line |\n}"),
    "a style sheet": ("a.css", "/* extlint-disable | */"),
}


@pytest.mark.parametrize(("path", "text"), COMMENTS.values(), ids=COMMENTS)
def test_names_of_rules_are_completed_in_comments(path: str, text: str) -> None:
    assert items_at(text, path).keys() >= {"missing-file", "manifest"}


NOTHING = {
    "a reason": "// extlint-disable-line unknown-api -- becau|se",
    "another comment": "// see |",
    "after a comment": "/* extlint-disable unknown-api */ |",
    "the next line": "// extlint-disable-line unknown-api\n|",
    "an address": "x = 'http://extlint|'",
    "code": "extlint|",
}


@pytest.mark.parametrize("text", NOTHING.values(), ids=NOTHING)
def test_other_comments_have_no_completions(text: str) -> None:
    assert not items_at(text)


def test_the_first_word_is_completed() -> None:
    assert items_at("foo() // extl|").keys() == {
        "extlint-disable",
        "extlint-disable-line",
        "extlint-disable-next-line",
        "extlint-enable",
    }
    text = completed("foo() // ext|lint-x", "extlint-disable-line")
    assert text == "foo() // extlint-disable-line|"


def test_a_name_is_replaced_and_not_offered_again() -> None:
    text = "// extlint-disable-line unknown-api, miss|xx -- a"
    assert "unknown-api" not in items_at(text)
    assert completed(text, "missing-file") == "// extlint-disable-line unknown-api, missing-file| -- a"


def test_a_rule_has_its_severity_and_a_summary() -> None:
    item = items_at("// extlint-disable-line |")["missing-file"]
    assert item.kind == "rule"
    assert item.detail == "error"
    assert "missing-file" in item.documentation


CONFIGURATIONS = {
    "a key": ("extlint.toml", "sel|", "select", "select = |"),
    "a key with a value": ("extlint.toml", 'sel| = "uses"', "select", 'select| = "uses"'),
    "a rule": ("extlint.toml", 'select = ["|"]', "unknown-api", 'select = ["unknown-api|"]'),
    "a rule without quotes": ("extlint.toml", "select = [|]", "uses", 'select = ["uses"|]'),
    "an unfinished string": ("extlint.toml", 'ignore = "|', "unknown-api", 'ignore = "unknown-api"|'),
    "over lines": (
        "extlint.toml",
        'select = [\n  "uses",\n  "|",\n]',
        "files",
        'select = [\n  "uses",\n  "files|",\n]',
    ),
    "a table": ("extlint.toml", "[severity]\nunk|", "unknown-api", "[severity]\nunknown-api = |"),
    "a severity": ("extlint.toml", '[severity]\nuses = "|"', "error", '[severity]\nuses = "error|"'),
    "an inline table": ("extlint.toml", 'severity = { uses = "|" }', "info", 'severity = { uses = "info|" }'),
    "a truth value": ("extlint.toml", "gitignore = |", "false", "gitignore = false|"),
    "a target": ("extlint.toml", 'target = ["|"]', "firefox", 'target = ["firefox|"]'),
    "an entry": ("extlint.toml", "[[extension]]\n|", "path", "[[extension]]\npath = |"),
    "pyproject": ("pyproject.toml", "[tool.extlint]\n|", "select", "[tool.extlint]\nselect = |"),
    "package.json": (
        "package.json",
        '{"extlint": {"select": ["|"]}}',
        "uses",
        '{"extlint": {"select": ["uses|"]}}',
    ),
    "a key in package.json": ("package.json", '{"extlint": {|}}', "select", '{"extlint": {"select": |}}'),
}


@pytest.mark.parametrize(("path", "text", "label", "expected"), CONFIGURATIONS.values(), ids=CONFIGURATIONS)
def test_configurations_are_completed(path: str, text: str, label: str, expected: str) -> None:
    assert completed(text, label, path) == expected


OTHER_TEXT = {
    "a comment": ("extlint.toml", "# |"),
    "a header": ("extlint.toml", "[sev|]"),
    "another table": ("pyproject.toml", "[tool.ruff]\n|"),
    "another key": ("package.json", '{"scripts": {|}}'),
    "a free text": ("extlint.toml", 'baseline = "|"'),
}


@pytest.mark.parametrize(("path", "text"), OTHER_TEXT.values(), ids=OTHER_TEXT)
def test_other_text_has_no_completions(path: str, text: str) -> None:
    assert not items_at(text, path)


def test_keys_and_rules_that_exist_are_not_offered_again() -> None:
    assert "select" not in items_at('|\nselect = "uses"', "extlint.toml")
    assert "select" not in items_at('select = "uses"\n|', "extlint.toml")
    assert "select" in items_at('[severity]\nuses = "info"\n[[extension]]\n|', "extlint.toml")
    assert "uses" not in items_at('select = ["|", "uses"]', "extlint.toml")
