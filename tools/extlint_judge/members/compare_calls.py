"""Compares a browser's verdicts on calls with extlint's."""

from __future__ import annotations

import re
from collections.abc import Iterable

from extlint.schema.model import SchemaSet
from extlint_judge.differences import Comparison, Difference
from extlint_judge.members.calls import MARK, Call, problems
from extlint_judge.members.record import Record

ACCEPTED = "it is accepted"

UNEXPLAINED = "Invalid invocation"
"""Chromium's message for settings, without details. With the mark, the mark may be the cause."""

_PREFIX = re.compile(
    r"Error in invocation of \S+\(.*?\): (?=Error at|No matching)|^Type error for parameter "
)


def compare(record: Record, calls: Iterable[Call], schemas: SchemaSet) -> Comparison:
    """Compares the calls that the browser responded to."""
    answers = {(answer.call, answer.manifest_version): answer.message for answer in record.answers}
    result = Comparison(0, [])
    for call in calls:
        message = answers.get((call.source, call.version))
        if message is None or (call.marked and message == UNEXPLAINED):
            continue
        result.number += 1
        call_problems = problems(call, schemas)
        browser = browser_error(call, message)
        if (browser == ACCEPTED) != (not call_problems):
            facts = call_problems[0].message if call_problems else ACCEPTED
            result.different.append(Difference(call.api, f"{call.what}: {call.source}", browser, facts))
    return result


def browser_error(call: Call, message: str) -> str:
    """Returns the browser's error for a call, apart from the mark."""
    if not message or (call.marked and f"'{MARK}'" in message):
        return ACCEPTED
    return _PREFIX.sub("", message)
