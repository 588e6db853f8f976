"""Messages, documents, docstrings and test names are in plain English."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import pytest
from plain_english import bad_docstring, bad_name, bad_words, bad_words_of_message, has_message_pattern

from extlint.cli.main import main
from extlint.cli.program import COMMANDS
from extlint.registry import GROUPS, RULES
from extlint.text.wording import with_article

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "text",
    [
        "the manifest lacks the required key `version`",
        "`*` is no match pattern",
        "`tabs` has no member `qery`; did you mean `query`?",
        "`tabs.executeScript` ended with manifest version 2",
        "`tabs.get` gives a Tab, which has no field `uri`",
        "the command `a` does nothing, for the manifest has no `page_action`",
        "`sidePanel.open` came with Chrome 116; this may run in 100",
        "In Chrome this is\nno permission.",
        "    --select RULE  Run these rules alone.",
        '  1 | f("a")\n    |   ^^^\n  help: `f` needs a number',
        "```js\nf(a);\n```\nIt is told of.\n```js\nf(b);\n```",
    ],
)
def test_odd_words_in_messages_are_found(text: str) -> None:
    assert bad_words_of_message(text)


@pytest.mark.parametrize(
    "text",
    [
        "`needs lacks` is not a valid match pattern",
        "`commands` is no longer supported",
        "  12 |   // this needs the permission, there is no way without\n     |      ^^^^^",
        '```js\n// told of no effect\nf("alone");\n```',
        "the archive is unreadable: see https://example.com/what-it-needs",
        "a stand-alone program",
    ],
)
def test_plain_words_and_quoted_text_are_accepted(text: str) -> None:
    assert bad_words(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Take a video for no script that nothing loads",
        "Whether a mistake is none before a build has completed the manifest.",
        "The value of a parameter; None if it is none that is known.",
        "What a call passes.",
        "Asked of Chromium 156.",
        "Ends the process, unless somebody traces it.",
        "The folder beside the manifest.",
        "Scripts that import one another in a circle.",
        "A name that differs in letter case is one.",
    ],
)
def test_odd_words_in_docstrings_are_found(text: str) -> None:
    assert bad_docstring(text)


@pytest.mark.parametrize(
    "text",
    [
        "Returns the value passed to a module function's parameter, or None if unknown.",
        "Whether a build may still fix this mistake.",
        "The folder next to the manifest.",
        "Example of a bundle:\n\n    // what a loader needs stands here\n    load(a);",
    ],
)
def test_plain_docstrings_are_accepted(text: str) -> None:
    assert bad_docstring(text) == []


@pytest.mark.parametrize("name", ["test_what_pages_lack", "test_a_key_that_is_none", "test_a_file_beside_it"])
def test_odd_names_are_found(name: str) -> None:
    assert bad_name(name)


SNAPSHOTS = sorted((ROOT / "tests/snapshots").rglob("*.txt"))
DOCUMENTS = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "tools").rglob("*.md")),
]


def _relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", SNAPSHOTS, ids=_relative)
def test_outputs_are_plain_english(path: Path) -> None:
    assert bad_words_of_message(path.read_text("utf-8")) == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=_relative)
def test_documents_are_plain_english(path: Path) -> None:
    assert bad_words(path.read_text("utf-8")) == []


COMMAND_LINES = [
    "--help",
    *(f"{command} --help" for command in COMMANDS),
    *(f"rule {name}".strip() for name in ("", *GROUPS, *RULES)),
]


@pytest.mark.parametrize("command", COMMAND_LINES)
def test_help_and_rule_pages_are_plain_english(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command.split()) == 0
    text = capsys.readouterr().out
    assert text
    assert bad_words_of_message(text) == []


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def strings(source: str) -> Iterator[str]:
    """Yields the strings of several words that are not docstrings: messages are built from these."""
    nodes = [*ast.walk(ast.parse(source))]
    documenting = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    parts = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            text = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "`…`" for part in node.values
            )
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and not {id(node)} & (documenting | parts)
        ):
            text = node.value
        else:
            continue
        if " " in text.strip():
            yield text


def may_have_odd_words(source: str) -> bool:
    """Whether a message may have odd words, without the syntax tree, which takes longer than all else."""
    joined = re.sub(r'["\']\s*[bfr]?["\']', "", source)
    text = re.sub(r"\{[^{}]*\}", "`…`", joined).replace("\\n", " ")
    return has_message_pattern(" ".join(text.split()))


@pytest.mark.parametrize(
    "source",
    [
        'f("there is " "no key")',
        'f(\n    "there is "\n    f"no {a}"\n)',
        "f('`a` lacks \"b\"')",
        'f(f"`{a}` gives a {b}")',
        'f("the key is\\nno member")',
        'f("""\nit\nneeds this""")',
    ],
)
def test_odd_words_in_strings_are_found(source: str) -> None:
    assert may_have_odd_words(source)
    assert any(bad_words_of_message(text) for text in strings(source))


def test_strings_that_messages_are_built_from_are_plain_english() -> None:
    assert [
        f"{_relative(path)}: {each}"
        for path in sources("rules/extlint_rules", "linter/extlint")
        for source in (path.read_text("utf-8"),)
        if may_have_odd_words(source)
        for text in strings(source)
        for each in bad_words_of_message(text)
    ] == []


BLOCK = re.compile(r'"""(.*?)"""', re.DOTALL)
"""Matches each docstring, and other strings of several lines."""


def has_bad_block(source: str) -> bool:
    """Whether a docstring may be bad, without the syntax tree, which takes longer than all else."""
    return any(bad_docstring(cleandoc(each[1])) for each in BLOCK.finditer(source))


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """Yields the line and the text of each docstring, and of each string below an attribute or a constant."""
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, ast.Expr):
            for name in STATEMENTS:
                waiting += getattr(node, name, ())
        elif isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, cleandoc(node.value.value)


STATEMENTS = ("body", "orelse", "finalbody", "handlers", "cases")
"""The fields of nodes that contain statements."""


@pytest.mark.parametrize("folder", ["linter", "rules", "schemas", "tools", "benchmarks", "tests"])
def test_docstrings_are_plain_english(folder: str) -> None:
    assert [
        f"{_relative(path)}:{line}: {each}"
        for path in sources(folder)
        for source in (path.read_text("utf-8"),)
        if has_bad_block(source)
        for line, text in docstrings(source)
        for each in bad_docstring(text)
    ] == []


def names_of_tests(path: Path) -> Iterator[str]:
    """Yields the name of a module of tests, of its tests, and of their cases."""
    text = path.read_text("utf-8")
    yield path.stem
    yield from re.findall(r"^ *def (test_\w+)", text, re.MULTILINE)
    yield from re.findall(r'\bid="([^"]+)"', text)


def test_names_of_tests_are_plain_english() -> None:
    assert [
        f"{_relative(path)}: {each}"
        for path in sources("tests")
        for name in names_of_tests(path)
        for each in bad_name(name)
    ] == []


ODD_NAMES = frozenset(
    "tell tells telling told mend mends mended lack lacks lacking beside stands stood".split()
)
"""Words that no name of a function or a class contains."""


@pytest.mark.parametrize("folder", ["linter", "rules", "schemas", "tools", "benchmarks", "tests"])
def test_names_of_definitions_are_plain_english(folder: str) -> None:
    definition = re.compile(r"^ *(?:def|class) (\w+)", re.MULTILINE)
    assert [
        f"{_relative(path)}: {name}"
        for path in sources(folder)
        for name in definition.findall(path.read_text("utf-8"))
        if ODD_NAMES & set(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().split("_"))
    ] == []


@pytest.mark.parametrize(
    "phrase",
    [
        "an object",
        "a string",
        "a Window",
        "an ExtensionInfo",
        "an SVG image",
        "a PNG image",
        "a URL",
        "an ID",
    ],
)
def test_articles(phrase: str) -> None:
    assert with_article(phrase.partition(" ")[2]) == phrase
