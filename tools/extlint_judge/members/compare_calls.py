"""Compares what a browser said to calls with what extlint says of them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from extlint.schema.model import SchemaSet
from extlint_judge.differences import Compared, Difference
from extlint_judge.members.calls import MARK, Call, problems
from extlint_judge.members.record import Record

ACCEPTED = "it is accepted"

UNEXPLAINED = "Invalid invocation"
"""What Chromium says of settings without telling what is wrong: with the mark, that may be the mark."""

_WHOSE = re.compile(r"Error in invocation of \S+\(.*?\): (?=Error at|No matching)|^Type error for parameter ")


def compared(record: Record, calls: Iterable[Call], schemas: SchemaSet) -> Compared:
    """Each call to which the browser said something."""
    answers = {(answer.call, answer.manifest_version): answer.message for answer in record.answers}
    result = Compared(0, [])
    for call in calls:
        message = answers.get((call.source, call.version))
        if message is None or (call.marked and message == UNEXPLAINED):
            continue
        result.number += 1
        said = problems(call, schemas)
        browser = browser_says(call, message)
        if (browser == ACCEPTED) != (not said):
            facts = said[0].message if said else ACCEPTED
            result.different.append(Difference(call.api, f"{call.what}: {call.source}", browser, facts))
    return result


def browser_says(call: Call, message: str) -> str:
    """What a browser finds wrong in a call, apart from the mark."""
    if not message or (call.marked and f"'{MARK}'" in message):
        return ACCEPTED
    return _WHOSE.sub("", message)
