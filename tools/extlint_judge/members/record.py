"""What a browser was seen to do."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct


class ContextMembers(Struct, frozen=True):
    """The members of the API in one context of one extension.

    `context` is the name of a kind of context as extlint has it, `members` are kinds of members by
    their paths. `manifest` is that of the extension.
    """

    manifest: dict[str, object]
    context: str
    members: dict[str, str]


class Answer(Struct, frozen=True):
    """What the browser said to a call, of which `call` is the source; `message` is empty if it took it."""

    call: str
    manifest_version: int
    message: str


class Record(Struct, frozen=True):
    """Everything that was seen of a browser in one run. `unseen` are sentences about what was not."""

    browser: str
    version: str
    places: list[ContextMembers]
    answers: list[Answer]
    unseen: list[str]


def write(record: Record, path: Path) -> None:
    """Writes a record as JSON, a line for each place and answer."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=1))


def read(path: Path) -> Record:
    """Reads a record. Raises msgspec.ValidationError for what is none."""
    return msgspec.json.decode(path.read_bytes(), type=Record)
