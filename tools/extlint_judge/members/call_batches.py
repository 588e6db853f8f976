"""Sends calls to a browser in batches, each as one script."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from extlint_judge.members.calls import Call
from extlint_judge.members.record import Answer
from extlint_judge.members.samples import source_of

MAX_CALLS_AT_ONCE = 2000

ANSWERS_TO = Path(__file__).with_name("calls.js").read_text(encoding="utf-8")


def script_of(calls: Sequence[Call]) -> str:
    """Returns an array of calls, each with its path and the function that creates its arguments."""
    entries = (
        f"[{json.dumps(call.api)}, () => [{', '.join(map(source_of, call.arguments))}]]" for call in calls
    )
    return f"[{','.join(entries)}]"


def query_calls(calls: Iterable[Call], query: Callable[[str], Sequence[str | None]]) -> Iterator[Answer]:
    """Yields the browser's result for each call, skipping calls of members that do not exist."""
    waiting = iter(calls)
    while batch := list(islice(waiting, MAX_CALLS_AT_ONCE)):
        for call, message in zip(batch, query(script_of(batch)), strict=True):
            if message is not None:
                yield Answer(call.source, call.version, message)
