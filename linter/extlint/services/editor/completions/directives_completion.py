"""Completes the comments that suppress findings: their first word, and names of rules."""

from __future__ import annotations

from collections.abc import Sequence

from extlint.linting.suppression.comment import Directive
from extlint.services.editor.documents.completion import Completion
from extlint.services.editor.documents.text_cursor import TextCursor
from extlint.services.editor.rule_names import all_names, rule_detail, rule_documentation
from extlint.text.patterns import lazy

MAX_COMMENT = 4_000
"""The number of characters before the cursor in which the beginning of a comment is searched for."""

_NAMES = lazy(
    r"(?:(?<![:\w])//|/\*|<!--)[\s*]*(?P<word>extlint-(?:disable|enable)[\w-]*):?"
    r"(?P<names>(?:[\s,*]+[\w-]+)*?)[\s,*]+(?P<name>[\w-]*)\Z"
)
_WORD = lazy(r"(?:(?<![:\w])//|/\*|<!--)[\s*]*(?P<word>e[\w-]*)\Z")
_REST = lazy(r"[\w-]*")
_WORDS = lazy(r"[\w-]+")
_REASON = lazy(r"\s--")

_ABOUT = {
    Directive.NEXT_LINE: "suppresses findings in the next line",
    Directive.LINE: "suppresses findings in this line",
    Directive.DISABLE: "suppresses findings from here on",
    Directive.ENABLE: "ends `extlint-disable`",
}


def directive_completions(cursor: TextCursor) -> Sequence[Completion] | None:
    """Returns the words or names that fit in a comment at the cursor, or None elsewhere."""
    before = cursor.text[max(0, cursor.offset - MAX_COMMENT) : cursor.offset]
    rest = _REST.match(cursor.text, cursor.offset)
    end = cursor.position(cursor.offset if rest is None else rest.end())
    start_of_comment = max(before.rfind("//"), before.rfind("/*"), before.rfind("<!--"))
    comment = before[max(start_of_comment - 1, 0) :] if start_of_comment >= 0 else ""
    if _is_closed(comment):
        return None
    word = _WORD.search(comment)
    if word is not None and "extlint-".startswith(word["word"][: len("extlint-")]):
        start = cursor.position(cursor.offset - len(word["word"]))
        return [
            Completion(each.value, "directive", about, "", start, end, each.value)
            for each, about in _ABOUT.items()
        ]
    found = _NAMES.search(comment)
    if found is None or _REASON.search(found["names"]) or found["name"].startswith("--"):
        return None
    present = set(_WORDS.findall(found["names"]))
    start = cursor.position(cursor.offset - len(found["name"]))
    return [
        Completion(
            each,
            "rule",
            rule_detail(each),
            rule_documentation(each),
            start,
            end,
            each,
            sort=f"{int(not rule_documentation(each))}{each}",
        )
        for each in all_names()
        if each not in present
    ]


def _is_closed(comment: str) -> bool:
    """Whether a comment ends before the end of a text that begins with it."""
    if "/*" in comment[:3]:
        return "*/" in comment
    if "<!--" in comment[:5]:
        return "-->" in comment
    return "\n" in comment or "\r" in comment or not comment
