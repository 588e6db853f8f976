"""What the analysis of a file left out, and why."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from extlint.text.positions import ByteSpan


class Reason(Enum):
    """Why a file was analyzed only in part, or not at all."""

    WORK = "following some expressions takes too much work"
    EVAL = "`eval` runs a string that is not analyzed"
    PARSER = "the parser gave up"
    SCRIPT_SIZE = "the script is too large"
    TEMPLATE = "the manifest is not JSON until a build fills it in"
    PAGE_SIZE = "the page is too large"
    FILE_SIZE = "the file is too large"
    UNREADABLE = "the file cannot be read"
    FAILURE = "extlint itself failed"


class Omission(Struct, frozen=True):
    """Why a script was analyzed only in part, and the places that were given up, if it was begun."""

    reason: Reason
    places: tuple[ByteSpan, ...] = ()
