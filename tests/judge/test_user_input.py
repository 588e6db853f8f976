"""The contexts in which Firefox allows calls that require a user action; skipped if it is not installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.user_input import CALLS, EVENTS, FROM_PAGE, REFUSAL, START, disagreements, observe
from extlint_rules.lost_user_gesture import EVENTS_WITHOUT_GESTURE_IN_FIREFOX, GESTURE_CALLS_IN_FIREFOX


@pytest.mark.parametrize("browser", ["firefox"])
def test_user_action_requirements_match_extlint(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip("there is no firefox")
    observed = observe(browser, command, tmp_path)
    assert [*disagreements(observed)] == []
    assert len(observed) == len(CALLS) * len((START, *EVENTS, FROM_PAGE))
    assert all(REFUSAL in each for each in observed.values())


def test_all_calls_and_events_are_covered() -> None:
    assert {".".join(path) for path in GESTURE_CALLS_IN_FIREFOX} == {*CALLS}
    assert {".".join(path) for path in EVENTS_WITHOUT_GESTURE_IN_FIREFOX} == {*EVENTS}
