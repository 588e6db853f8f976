"""Markdown for a terminal."""

from __future__ import annotations

import re
from io import StringIO

from rich.console import Console
from rich.markdown import Markdown

MAX_WIDTH = 110
"""The maximum number of columns; longer lines are hard to read."""

_FILE_OF_CODE = re.compile(r"^```(\w+) (\S+)$", re.MULTILINE)
_HEADING = re.compile(r"\A(.*)\n")


def render_markdown(page: str, columns: int) -> str:
    """Renders a page of Markdown with escape sequences, for a terminal with this many columns.

    Its first line is a title.

    The names of files in the first lines of code blocks are shown before the blocks.
    """
    text = _HEADING.sub(r"# \1\n", _FILE_OF_CODE.sub(r"`\2`\n\n```\1", page), count=1)
    out = StringIO()
    console = Console(file=out, force_terminal=True, color_system="standard", width=min(columns, MAX_WIDTH))
    console.print(Markdown(text, code_theme="ansi_dark"))
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())
