"""The parts of a file that the analysis left out, and the reason."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from extlint.text.positions import ByteSpan


class Reason(Enum):
    """The reasons why a file was analyzed only in part, or not at all."""

    WORK = "following some expressions takes too much work"
    EVAL = "`eval` runs a string that is not analyzed"
    PARSER = "the parser gave up"
    SCRIPT_SIZE = "the script is too large"
    TEMPLATE = "the manifest is not JSON until a build fills it in"
    PAGE_SIZE = "the page is too large"
    FILE_SIZE = "the file is too large"
    MEMORY = "the file takes too much memory"
    UNREADABLE = "the file cannot be read"
    FAILURE = "extlint itself failed"


class Omission(Struct, frozen=True):
    """The reason why a script was only partly analyzed, and the places given up, if analysis began."""

    reason: Reason
    places: tuple[ByteSpan, ...] = ()
