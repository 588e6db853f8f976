"""Markdown as the site's pages have it."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NAMED_BLOCK = re.compile(r"^```(\w+) (\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"^(:{3,}|`{3,}).*?^\1$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
_ADDRESS = re.compile(r"(?<![<(\[])\bhttps://[^\s<>]*[^\s<>.,;:)]")
_SPECIAL = re.compile(r"([\\*_<>\[\]|])")


def captioned(text: str) -> str:
    """A text whose blocks of code with a name, as in ```` ```js background.js ````, show the name."""
    return _NAMED_BLOCK.sub(lambda found: code(found[3], found[1], found[2]), text)


def code(text: str, language: str, caption: str = "") -> str:
    """A block of code, with a caption if it has one."""
    options = f":caption: {caption}\n" if caption else ""
    return f"````{{code-block}} {language}\n{options}\n{text.rstrip()}\n````"


def outside_code(pattern: re.Pattern[str], replacement: str, text: str) -> str:
    """A text with a replacement for each match that is in no code."""
    parts, end = [], 0
    for found in _CODE.finditer(text):
        parts += [pattern.sub(replacement, text[end : found.start()]), found[0]]
        end = found.end()
    return "".join([*parts, pattern.sub(replacement, text[end:])])


def with_links(text: str) -> str:
    """A text whose addresses are links."""
    return outside_code(_ADDRESS, r"<\g<0>>", text)


def plain(text: str) -> str:
    """What shows this text in Markdown, except that code in backticks is code."""
    return outside_code(_SPECIAL, r"\\\1", text)


def table(heading: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table; its cells are Markdown."""
    lines = [list(heading), *map(list, rows)]
    text = ["| " + " | ".join(line) + " |\n" for line in lines]
    return "".join([text[0], "|" + "---|" * len(lines[0]) + "\n", *text[1:]])


def contents(names: Iterable[str]) -> str:
    """What puts pages into the navigation."""
    return "```{toctree}\n:hidden:\n\n" + "\n".join(names) + "\n```\n"
