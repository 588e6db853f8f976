"""When a service worker may make calls that require a user action; skipped if Chromium is not installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.gestures import EVENTS, WAITS, disagreements, observe, script_of
from extlint_rules.lost_user_gesture import EVENTS_WITHOUT_GESTURE


def test_gesture_requirements_match_extlint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = find("chromium")
    if command is None:
        pytest.skip("there is no chromium")
    some = ["at once", "after `await null`", "in the callback of a call"]
    monkeypatch.setattr("extlint_judge.commands.gestures.WAITS", {name: WAITS[name] for name in some})
    monkeypatch.setattr(
        "extlint_judge.commands.gestures.EVENTS", {"alarms.onAlarm": EVENTS["alarms.onAlarm"]}
    )
    observed = observe("chromium", command, tmp_path)
    assert [*disagreements(observed)] == []
    assert observed["permissions.request, at once"] == "allowed"
    assert observed["permissions.request, after `await null`"] == (
        "This function must be called during a user gesture"
    )


def test_all_events_except_startup_are_covered() -> None:
    assert {".".join(path) for path in EVENTS_WITHOUT_GESTURE} - EVENTS.keys() == {"runtime.onStartup"}


def test_script_contains_the_listener_and_the_call() -> None:
    assert script_of("in a timer of no delay") == (
        "chrome.action.onClicked.addListener(() => { setTimeout(() => CALL, 0); });"
    )


def test_disagreements_are_listed() -> None:
    observed = {"sidePanel.open, at once": "… a user gesture.", "sidePanel.open, alarms.onAlarm": "allowed"}
    assert [*disagreements(observed)] == [
        "sidePanel.open, at once: extlint says that it works",
        "sidePanel.open, alarms.onAlarm: extlint says that it fails",
    ]
