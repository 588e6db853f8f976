"""The output of extlint is plain English, as in compilers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from extlint.commands.main import main
from extlint.commands.program import COMMANDS
from extlint.registry import GROUPS, RULES
from extlint.text.wording import with_article

ROOT = Path(__file__).parent.parent

BANNED = {
    r"(?:is|are) no(?! longer| more)": "is not a …, does not exist",
    r"there (?:is|are) no": "unknown …, … does not exist",
    r"has no (?:member|key|permission)": "… does not exist, unknown …",
    r"lack(?:s|ed|ing)?": "is missing",
    r"need(?:s|ed)?": "requires",
    r"t(?:ell|ells|old)": "reports, says",
    r"alone": "only",
    r"takes? (?:no|only|any)": "accepts only, does not accept",
    r"(?:[Mm]anifest|of|in) versions? [23]": "Manifest V2, Manifest V3",
    r"ended with": "was removed in",
    r"came with": "was added in",
    r"never given": "is always undefined",
    r"may run in \d+": "the extension supports …",
    r"cannot be told|not told apart": "cannot be determined, are the same",
    r"for (?:the \w+|it|this|that|there|they) (?:has|have|is|are|does|may)": "because",
    r"works for no": "requires …, and the manifest requests none",
    r"stands? (?:here|there|beside|unread|in|at|after|before)": "is, is not allowed here",
    r"reads no|unread|(?:has|have) no effect": "is ignored",
    r"gives? an?(?= (?-i:[`A-Z]))": "returns",
    r"says of|whereof|of which none|(?:is|are) to be": "a plain clause",
    r"(?:refuse|accept|read|know|support)s? none": "does not …",
}
"""Wording that user-visible texts must not contain, each with its replacement."""

_BANNED = {
    re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE): instead
    for words, instead in BANNED.items()
}

_QUOTED = re.compile(
    r"^```.*?^```$|`[^`\n]*`|\"[^\"\n]*\"|^ +\d* \|[^\n]*$|https?://\S+|^\$ [^\n]*$", re.DOTALL | re.MULTILINE
)
"""Code blocks, code, strings, source excerpts and addresses, whose wording is not extlint's."""


def banned_phrases(text: str) -> list[str]:
    """Returns each banned phrase with its context and its replacement. Lines of a paragraph are joined."""
    return [
        f"…{paragraph[max(0, match.start() - 50) : match.end() + 50]}…: write {instead!r}"
        for paragraph in map(" ".join, map(str.split, _QUOTED.sub("`…`", text).split("\n\n")))
        for words, instead in _BANNED.items()
        for match in words.finditer(paragraph)
    ]


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
def test_banned_phrase_is_found(text: str) -> None:
    assert banned_phrases(text)


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
def test_plain_or_quoted_text_is_accepted(text: str) -> None:
    assert banned_phrases(text) == []


OUTPUTS = [*sorted((ROOT / "tests/snapshots").rglob("*.txt")), ROOT / "README.md", ROOT / "CHANGELOG.md"]


@pytest.mark.parametrize("path", OUTPUTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_outputs_and_documents_are_plain_english(path: Path) -> None:
    assert banned_phrases(path.read_text("utf-8")) == []


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
    assert banned_phrases(text) == []


SOURCES = sorted(
    path for folder in ("rules/extlint_rules", "linter/extlint") for path in (ROOT / folder).rglob("*.py")
)


def message_strings(source: str) -> Iterator[str]:
    """Yields the strings in a source that messages are built from: several words, and no docstring."""
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


def test_message_strings_are_plain_english() -> None:
    assert [
        f"{path.relative_to(ROOT).as_posix()}: {each}"
        for path in SOURCES
        for text in message_strings(path.read_text("utf-8"))
        for each in banned_phrases(text)
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
def test_indefinite_article(phrase: str) -> None:
    assert with_article(phrase.partition(" ")[2]) == phrase
