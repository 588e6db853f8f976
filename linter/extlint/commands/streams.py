"""Standard output and standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TextIO

from extlint.reporter.visible import visible


def use_color(choice: str, stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to write in color: `always`, `never`, or by what `auto` finds.

    NO_COLOR with any text in it means no. Then FORCE_COLOR means yes, or no if it is 0. Then a
    terminal gets color, unless TERM is `dumb`.
    """
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    forced = environment.get("FORCE_COLOR")
    if forced:
        return forced != "0"
    return environment.get("TERM") != "dumb" and stream.isatty()


def complain(sentence: str) -> None:
    """Tells the user on standard error, in one line, why something could not be done."""
    sys.stderr.write(f"extlint: {visible(sentence)}\n")


def write(text: str) -> None:
    """Writes to standard output what its encoding can hold, and the rest escaped."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
    sys.stdout.flush()
