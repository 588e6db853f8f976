"""Markdown for the site's pages."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NAMED_BLOCK = re.compile(r"^```(\w+) (\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"^(:{3,}|`{3,}).*?^\1$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
_ADDRESS = re.compile(r"(?<![<(\[])\bhttps://[^\s<>]*[^\s<>.,;:)]")
_SPECIAL = re.compile(r"([\\*_<>\[\]|])")


def with_captions(text: str) -> str:
    """Returns a text whose named code blocks, as in ```` ```js background.js ````, show the name."""
    return _NAMED_BLOCK.sub(lambda found: code(found[3], found[1], found[2]), text)


def code(text: str, language: str, caption: str = "") -> str:
    """Returns a code block, with a caption if there is one."""
    options = f":caption: {caption}\n" if caption else ""
    return f"````{{code-block}} {language}\n{options}\n{text.rstrip()}\n````"


def code_span(text: str) -> str:
    """Returns a text as code, also with backticks in it."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def outside_code(pattern: re.Pattern[str], replacement: str, text: str) -> str:
    """Returns a text with each match outside code replaced."""
    parts, end = [], 0
    for found in _CODE.finditer(text):
        parts += [pattern.sub(replacement, text[end : found.start()]), found[0]]
        end = found.end()
    return "".join([*parts, pattern.sub(replacement, text[end:])])


def with_links(text: str) -> str:
    """Returns a text whose addresses are links."""
    return outside_code(_ADDRESS, r"<\g<0>>", text)


def escape(text: str) -> str:
    """Returns Markdown that displays this text literally, except for code in backticks."""
    return outside_code(_SPECIAL, r"\\\1", text)


def table(heading: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Returns a table; its cells are Markdown."""
    lines = [list(heading), *map(list, rows)]
    text = ["| " + " | ".join(line) + " |\n" for line in lines]
    return "".join([text[0], "|" + "---|" * len(lines[0]) + "\n", *text[1:]])


def hidden_toctree(names: Iterable[str]) -> str:
    """Returns a hidden table of contents that adds pages to the navigation."""
    return "```{toctree}\n:hidden:\n\n" + "\n".join(names) + "\n```\n"
