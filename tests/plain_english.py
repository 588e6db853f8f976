"""Words that plain English avoids, and a search for them in texts, docstrings and names."""

from __future__ import annotations

import re

MESSAGES = {
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
    r"may run in \d+": "the extension also runs in …",
    r"cannot be told|not told apart": "cannot be determined, are the same",
    r"for (?:the \w+|it|this|that|there|they) (?:has|have|is|are|does|may)": "because",
    r"works for no": "requires …, and the manifest requests none",
    r"stands? (?:here|there|beside|unread|in|at|after|before)": "is, is not allowed here",
    r"reads no|unread|(?:has|have) no effect": "is ignored",
    r"gives? an?(?= (?-i:[`A-Z]))": "returns",
    r"says of|whereof|of which none|(?:is|are) to be": "a plain clause",
    r"(?:refuse|accept|read|know|support)s? none": "does not …",
}
"""Patterns of words that neither messages nor documents contain, each with an alternative."""

INTERNAL = {
    r"(?:is|are) none(?! of)": "does not exist, is unknown, or None",
    r"(?<=[.;,] )none (?:if|where|without)": "or None if …",
    r"none (?:that|which|who|but)": "nothing that, no file that",
    r"nobody|nowhere(?! else)|somebody": "nothing, no code, the user",
    r"mend(?:s|ed|ing)?": "fix",
    r"ask(?:s|ed|ing)? (?:of|again|what|who|whether)": "queries, verified in",
    r"stand(?:s|ing)?(?! for)|stood": "is, occurs, starts",
    r"beside": "next to, in addition to",
    r"of which|of whom|to whom|for whom?": "a plain clause",
    r"circles?": "cycle",
    r"work(?:s|ed|ing)? out": "computes",
    r"(?:no|not any) more(?! than)": "no longer",
    r"(?<!there )(?:is|are) one(?! of)(?=[,.;:]| if)": "the noun again",
    r"otherwise than|in another way than": "differently from",
    r"bring(?:s|ing)?|brought": "adds, causes, supplies",
    r"t(?:akes?|aken|ook) for(?! granted)": "treats as",
    r"the more so|be it|as it were|whereby|wherein|therein|thereof|thereby": "a plain clause",
    r"lies?": "is",
    r"goes by|gone": "is identified by, removed",
    r"say(?:s|ing)? (?:of|no|nothing|something|anything)|said (?:of|about)|(?:is|are) said": "describes",
    r"hand(?:s|ed)? (?:over|to|on)": "passes",
    r"(?<=[.;] )(?:what|who|whoever|which|whatever)(?! (?:is|are|do|does|can) )": "a noun first",
}
"""More patterns, of words that documents, docstrings and names do not contain."""

_START = re.compile(
    r"(?:what|who|whom|whose|where|wherever|whatever|which|that|those|of|by|from|to|into|under|ask|say|take|tell)\b",
    re.IGNORECASE,
)
"""Words that no docstring starts with. It starts with a noun, "Whether", or a verb ("Returns")."""

_QUOTED = re.compile(
    r"^```.*?^```$|`[^`\n]*`|\"[^\"\n]*\"|^ +\d* \|[^\n]*$|https?://\S+|^\$ [^\n]*$", re.DOTALL | re.MULTILINE
)
"""Code blocks, inline code, strings, source lines below a finding, addresses, and commands."""

_INDENTED = re.compile(r"^ {4,}[^\n]*$", re.MULTILINE)


def _pattern(*words: str) -> re.Pattern[str]:
    return re.compile(_expression(*words), re.IGNORECASE)


def _expression(*words: str) -> str:
    return rf"(?<![\w-])(?:{'|'.join(words)})(?![\w-])"


_ALL = {_pattern(each): instead for each, instead in (MESSAGES | INTERNAL).items()}
_MESSAGES = dict([*_ALL.items()][: len(MESSAGES)])

_ANY, _ANY_IN_MESSAGE = (
    re.compile(_expression(*each).lower()) for each in ((*MESSAGES, *INTERNAL), MESSAGES)
)
"""Match in lower case each text that one of the patterns matches, in less time than all of them."""


def bad_words(text: str, patterns: dict[re.Pattern[str], str] = _ALL) -> list[str]:
    """Returns each match with the words around it and an alternative; a paragraph counts as one line."""
    return [
        f"…{paragraph[max(0, match.start() - 50) : match.end() + 50]}…: "
        f"instead of {match.group()!r}, write {instead!r}"
        for paragraph in map(" ".join, map(str.split, _QUOTED.sub("`…`", text).split("\n\n")))
        if _ANY.search(paragraph.lower())
        for words, instead in patterns.items()
        for match in words.finditer(paragraph)
    ]


def bad_words_of_message(text: str) -> list[str]:
    """Returns the matches in text that users read."""
    return bad_words(text, _MESSAGES)


def has_message_pattern(text: str) -> bool:
    """Whether a pattern may match, in quoted text too."""
    return _ANY_IN_MESSAGE.search(text.lower()) is not None


def bad_docstring(text: str) -> list[str]:
    """Returns the matches in a docstring, including its first word. Indented code is ignored."""
    start = _START.match(text.strip())
    return [
        *([] if start is None else [f"{text.strip()[:60]!r}: start with a noun, 'Whether' or a verb"]),
        *bad_words(_INDENTED.sub("`…`", text)),
    ]


def bad_name(name: str) -> list[str]:
    """Returns the matches in the words of a name with underscores."""
    return bad_words(" ".join(name.split("_")))
