"""The recorded observations of a browser."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct


class ContextMembers(Struct, frozen=True):
    """The members of the API in one context of one extension.

    `context` is extlint's name for a kind of context, `members` are kinds of members by
    path. `manifest` is that of the extension.
    """

    manifest: dict[str, object]
    context: str
    members: dict[str, str]


class Answer(Struct, frozen=True):
    """The browser's response to a call, whose source is `call`. `message` is empty if it was accepted."""

    call: str
    manifest_version: int
    message: str


class Record(Struct, frozen=True):
    """All observations of a browser in one run. `unseen` are sentences about failures."""

    browser: str
    version: str
    places: list[ContextMembers]
    answers: list[Answer]
    unseen: list[str]


def write(record: Record, path: Path) -> None:
    """Writes a record as JSON, with a line for each context and answer."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=1))


def read(path: Path) -> Record:
    """Reads a record. Raises msgspec.ValidationError for an invalid file."""
    return msgspec.json.decode(path.read_bytes(), type=Record)
