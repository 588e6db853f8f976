"""Reads the corrections: `chrome.json`, `firefox.json` and the other files next to this module."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

FOLDER = Path(__file__).parent
EVERY_BROWSER = "every_browser"

PLATFORMS = "platforms"
ASKED_SYSTEM = "linux"

Subject: TypeAlias = Literal[
    "api",
    "manifest",
    "manifest key",
    "namespace",
    "nested type",
    "permission",
    "permission list",
    "replacement",
    "request rule",
    "versions",
]
"""The subject of a correction. README.md describes how each subject names places, and which keys it can
set.
"""


class Correction(Struct, frozen=True, forbid_unknown_fields=True, rename={"keys": "set"}):
    """The keys set at some places, with the reason and the source: who says so, and how old that is."""

    of: Subject
    at: list[str]
    keys: dict[str, Any]
    reason: str
    source: str


class CorrectionError(Exception):
    """A correction that cannot be applied. The message is a sentence for users."""


class StaleCorrectionError(CorrectionError):
    """A correction that no longer matches or changes anything."""


def _require_possible_evidence(row: Correction) -> None:
    """Raises CorrectionError for a claim that no browser here can show.

    All browsers that are asked run on Linux. They can show that Linux does not have a member, but not that
    other systems do not have it: only the packages can say that.
    """
    if ASKED_SYSTEM in row.keys.get(PLATFORMS, ()):
        raise CorrectionError(
            f"corrections: {', '.join(row.at)} cannot be limited to {', '.join(row.keys[PLATFORMS])}: "
            f"all browsers that are asked run on {ASKED_SYSTEM}, and cannot show what other systems lack"
        )


_collected: ContextVar[dict[str, None] | None] = ContextVar("extlint_facts_stale", default=None)


def report_stale(sentence: str) -> None:
    """Reports a stale correction, which the caller then skips.

    Raises StaleCorrectionError, except within a block that collects all of them.
    """
    collected = _collected.get()
    if collected is None:
        raise StaleCorrectionError(sentence)
    collected[sentence] = None


@contextmanager
def collecting_stale() -> Iterator[None]:
    """Raises StaleCorrectionError at the end of the block, with a line for each stale correction in it."""
    found: dict[str, None] = {}
    before = _collected.set(found)
    try:
        yield
    except Exception:
        if not found:
            raise
    finally:
        _collected.reset(before)
    if found:
        raise StaleCorrectionError("\n".join(found))


def corrections(browser: str, subject: Subject) -> list[Correction]:
    """Returns the corrections of one subject for a browser, in the order in which they are applied."""
    return [each for each in load(browser) if each.of == subject]


def corrected_values(browser: str, subject: Subject, key: str) -> dict[str, Any]:
    """Returns the values that the corrections of one subject set for a key, by the places that they name."""
    return {
        at: each.keys[key] for each in corrections(browser, subject) if key in each.keys for at in each.at
    }


@cache
def load(browser: str) -> tuple[Correction, ...]:
    """Returns every correction for a browser. Raises CorrectionError for an invalid file."""
    path = FOLDER / f"{browser}.json"
    if not path.exists():
        return ()
    try:
        rows = msgspec.json.decode(path.read_bytes(), type=tuple[Correction, ...])
        for row in rows:
            _require_possible_evidence(row)
        return rows
    except msgspec.DecodeError as error:
        # A message ends in "at `$[3].of`", where 3 is the fourth row.
        raise CorrectionError(f"corrections/{path.name}: {error} (`$[0]` is the first row)") from None
