"""Finds patterns whose time grows faster than their text: `python benchmarks/patterns.py [NAME...]`.

Each pattern of extlint is searched for in texts that repeat one piece: a character, or a word of the pattern
and a character, after any beginning of such a kind. A pattern that takes more than `MIN_SECONDS` for one of
them, and over `MAX_RATIO` times as long for twice the text, is printed with that text. Patterns that are only
applied to short texts, such as the name of a function, may be steep.
"""

from __future__ import annotations

import re
import signal
from argparse import ArgumentParser
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from time import process_time
from types import FrameType
from typing import Any, NamedTuple

import extlint
import extlint_rules

SIZE = 8000
"""The characters of the longer text."""

MIN_SECONDS = 0.02
MAX_RATIO = 2.8

MAX_SECONDS = 4
"""The seconds of processor time after which a search ends."""

_CHARACTERS = ("a", "0", "_", *" \n\"'`\\()-/*.<={[,$+:&|%#", "a ", "a.", "a,", "a=", "\\\\")
_WORD = re.compile(r"(?<!\\)[A-Za-z_]{2,}|(?<!\\)[<{@%:.=+'\"`]|(?<=\\)[({[.*+?$|]")
_MAX_WORDS = 9


class Steep(NamedTuple):
    """The beginning and the repeated piece of a text, and the seconds for it and for its first half."""

    beginning: str
    piece: str
    whole: float
    half: float


def patterns() -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Yields the patterns that are constants of modules, or items of constants, with their names."""
    for package in (extlint, extlint_rules):
        for found in walk_packages(package.__path__, f"{package.__name__}."):
            if found.name.endswith(("__main__", "on_ray")):
                continue
            for name, value in vars(import_module(found.name)).items():
                items = value.values() if isinstance(value, dict) else value
                for each in items if isinstance(items, (tuple, type({}.values()))) else [value]:
                    if hasattr(type(each), "finditer") or hasattr(each, "_source"):
                        yield f"{found.name}.{name}", each


def steepest(pattern: re.Pattern[Any]) -> Steep | None:
    """Returns the text in which a pattern takes the longest, if the time grows faster than the text."""
    found = None
    for beginning, piece in _texts(pattern):
        text: Any = beginning + piece * (SIZE // len(piece))
        text = text.encode() if isinstance(pattern.pattern, bytes) else text
        whole = _seconds(pattern, text)
        if whole > max(MIN_SECONDS, found.whole if found else 0):
            half = _seconds(pattern, text[: len(text) // 2])
            if whole > MAX_RATIO * half:
                found = Steep(beginning, piece, whole, half)
    return found


def _texts(pattern: re.Pattern[Any]) -> dict[tuple[str, str], None]:
    source = pattern.pattern
    words = _WORD.findall(source.decode("latin-1") if isinstance(source, bytes) else source)
    words = list(dict.fromkeys(words))[:_MAX_WORDS]
    beginnings = ["", *words, *("".join(words[:count]) for count in (2, 3, 4))]
    pieces = [*_CHARACTERS, *words, *(word + each for word in words for each in " a\n")]
    return dict.fromkeys(
        (beginning, piece) for beginning in beginnings for piece in (pieces if not beginning else _CHARACTERS)
    )


def _seconds(pattern: re.Pattern[Any], text: Any) -> float:
    start = process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, MAX_SECONDS)
    try:
        for _ in pattern.finditer(text):
            pass
    except TimeoutError:
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return process_time() - start


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError


def main() -> None:
    parser = ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("name", nargs="*", help="a part of the name of a pattern; all by default")
    options = parser.parse_args()
    signal.signal(signal.SIGVTALRM, _stop)
    for name, pattern in patterns():
        if options.name and not any(part in name for part in options.name):
            continue
        found = steepest(pattern)
        if found is not None:
            times = f"{found.whole:.2f} s for {SIZE} characters, {found.half:.2f} s for half of them"
            print(f"{name}: {times}: {found.beginning!r}, then {found.piece!r} repeated", flush=True)


if __name__ == "__main__":
    main()
