"""Compares a browser's members and responses with the predictions of extlint."""

from __future__ import annotations

from typing import Any

import pytest

from extlint.schema.engine import Engine
from extlint.schema.model import SchemaSet
from extlint_judge.commands.members import REASONS
from extlint_judge.differences import Difference, group, lines
from extlint_judge.explained import Row, rows, sort
from extlint_judge.facts import Limits
from extlint_judge.members import compare_calls, compare_enums, compare_members
from extlint_judge.members.calls import Call, calls
from extlint_judge.members.record import Answer, ContextMembers, Record

ALARMS: dict[str, Any] = {
    "namespace": "alarms",
    "permissions": ["alarms"],
    "functions": [
        {
            "name": "create",
            "type": "function",
            "parameters": [
                {
                    "name": "info",
                    "type": "object",
                    "properties": {"when": {"type": "number", "optional": True}},
                }
            ],
        },
        {"name": "getOld", "type": "function", "parameters": [], "max_manifest_version": 2},
    ],
    "events": [{"name": "onAlarm", "type": "function", "parameters": []}],
}
SCHEMAS = SchemaSet("chrome", [ALARMS], engine=Engine.CHROMIUM)
ALL = {
    "alarms": "object",
    "alarms.create": "function",
    "alarms.onAlarm": "event",
}


def differences_of(
    members: dict[str, str],
    permissions: tuple[str, ...] = ("alarms",),
    context: str = "service worker",
    limits: dict[str, Limits] | None = None,
) -> list[tuple[str, str, str]]:
    manifest: dict[str, object] = {"manifest_version": 3, "permissions": list(permissions)}
    record = Record("chromium", "156.0.1", [ContextMembers(manifest, context, members)], [], [])
    found = compare_members.compare(record, SCHEMAS, limits or {}).different
    return [(each.path, each.browser, each.facts) for each in found]


@pytest.mark.parametrize(
    ("members", "permissions", "context", "expected"),
    [
        pytest.param(ALL, ("alarms",), "service worker", [], id="all as the facts say"),
        pytest.param({}, (), "service worker", [], id="nothing without the permission"),
        pytest.param({}, ("alarms",), "content script", [], id="nothing in content scripts"),
        pytest.param(
            ALL,
            (),
            "service worker",
            [("alarms", "there", "absent")],
            id="only the shortest path that differs",
        ),
        pytest.param(
            {**ALL, "alarms.onAlarm": "function"},
            ("alarms",),
            "service worker",
            [("alarms.onAlarm", "function", "event")],
            id="another kind of member",
        ),
        pytest.param(
            {**ALL, "alarms.more": "function"},
            ("alarms",),
            "service worker",
            [("alarms.more", "function", "absent")],
            id="member missing from the facts",
        ),
        pytest.param(
            {**ALL, "alarms.create": "undefined"},
            ("alarms",),
            "service worker",
            [("alarms.create", "absent", "function")],
            id="a member that is undefined",
        ),
        pytest.param(
            {**ALL, "alarms.getOld": "function"},
            ("alarms",),
            "service worker",
            [("alarms.getOld", "function", "absent")],
            id="a member of another manifest version",
        ),
    ],
)
def test_members_are_compared(
    members: dict[str, str],
    permissions: tuple[str, ...],
    context: str,
    expected: list[tuple[str, str, str]],
) -> None:
    assert differences_of(members, permissions, context) == expected


@pytest.mark.parametrize(
    ("limits", "context"),
    [
        pytest.param(Limits(since=157), "service worker", id="a later version"),
        pytest.param(Limits(platforms=("chromeos",)), "service worker", id="another platform"),
        pytest.param(Limits(channel="dev"), "service worker", id="another channel"),
        pytest.param(Limits(no_service_worker=True), "service worker", id="not in service workers"),
    ],
)
def test_member_outside_its_limits_is_not_expected(limits: Limits, context: str) -> None:
    members = {name: kind for name, kind in ALL.items() if name != "alarms.onAlarm"}
    assert differences_of(members, context=context, limits={"alarms.onAlarm": limits}) == []


def test_member_within_its_limits_is_expected() -> None:
    limits = {"alarms.onAlarm": Limits(since=156, platforms=("linux",), no_service_worker=True)}
    assert differences_of(ALL, context="extension page", limits=limits) == []


def calls_by_source(refused_only: bool) -> dict[str, Call]:
    return {call.source: call for call in calls(SCHEMAS, refused_only)}


def test_rejected_calls_are_those_rejected_by_the_facts_or_marked() -> None:
    sources = calls_by_source(refused_only=True)
    assert 'alarms.create({"when": 3})' not in sources
    assert 'alarms.create({"when": 3, "extlintJudge": () => {}})' in sources
    assert 'alarms.create({"when": true})' in sources
    assert "alarms.create()" in sources


def test_valid_calls_without_side_effects_are_made_unmarked() -> None:
    found = calls_by_source(refused_only=False)
    assert 'alarms.create({"when": 3})' in found
    assert not any(call.marked for call in found.values())


@pytest.mark.parametrize(
    ("source", "message", "differs"),
    [
        pytest.param("alarms.create()", "No matching signature.", False, id="both refuse it"),
        pytest.param("alarms.create()", "", True, id="the browser takes what the facts refuse"),
        pytest.param(
            'alarms.create({"when": 3, "extlintJudge": () => {}})',
            "Error at parameter 'info': Unexpected property: 'extlintJudge'.",
            False,
            id="marker argument rejected",
        ),
        pytest.param(
            'alarms.create({"when": 3, "extlintJudge": () => {}})',
            "Error at parameter 'info': Error at property 'when': Value must be at least 5.",
            True,
            id="the browser refuses what is right by the facts",
        ),
        pytest.param(
            'alarms.create({"when": true, "extlintJudge": () => {}})',
            "Error at parameter 'info': Unexpected property: 'extlintJudge'.",
            True,
            id="the browser finds no fault but the mark where the facts find one",
        ),
    ],
)
def test_calls_are_compared(source: str, message: str, differs: bool) -> None:
    call = calls_by_source(refused_only=True)[source]
    record = Record("chromium", "156", [], [Answer(source, call.version, message)], [])
    found = compare_calls.compare(record, [call], SCHEMAS)
    assert (found.number, len(found.different)) == (1, int(differs))


def test_calls_without_a_result_are_not_compared() -> None:
    record = Record("chromium", "156", [], [], [])
    assert compare_calls.compare(record, calls(SCHEMAS, refused_only=True), SCHEMAS).number == 0


ENUMS: dict[str, Any] = {
    "namespace": "downloads",
    "types": [{"id": "State", "type": "string", "enum": ["in_progress", "isComplete"]}],
}


@pytest.mark.parametrize(
    ("browser", "constants", "expected"),
    [
        pytest.param("chromium", "IN_PROGRESS|IS_COMPLETE", [], id="Chromium's names"),
        pytest.param("firefox", "IN_PROGRESS|ISCOMPLETE", [], id="Firefox's names"),
        pytest.param(
            "chromium", "IN_PROGRESS", [("IS_COMPLETE", "absent", "there")], id="one that is missing"
        ),
        pytest.param(
            "firefox", "IN_PROGRESS|ISCOMPLETE|NEW", [("NEW", "there", "absent")], id="one that is new"
        ),
    ],
)
def test_enum_constants_are_compared(
    browser: str, constants: str, expected: list[tuple[str, str, str]]
) -> None:
    place = ContextMembers(
        {"manifest_version": 3}, "extension page", {"downloads.State": f"enum:{constants}"}
    )
    found = compare_enums.compare(Record(browser, "156", [place], [], []), SchemaSet("any", [ENUMS]))
    assert [
        (each.path.removeprefix("downloads.State."), each.browser, each.facts) for each in found.different
    ] == expected


ONE = Difference("tabs.query", "page", "absent", "function")
OTHER = Difference("tabs.get", "page", "function", "absent")


@pytest.mark.parametrize(
    ("row", "explains"),
    [
        pytest.param(Row("firefox", ("tabs.query",), "why"), True, id="the path"),
        pytest.param(Row("firefox", ("menus", "tabs.*"), "why"), True, id="one of several patterns"),
        pytest.param(Row("firefox", ("tabs.*",), "why", "abs*"), True, id="observed value"),
        pytest.param(Row("firefox", ("tabs.*",), "why", "function"), False, id="not what the browser says"),
        pytest.param(Row("firefox", ("tabs.*",), "why", facts="event"), False, id="not what the facts say"),
        pytest.param(Row("firefox", ("tabs",), "why"), False, id="another path"),
    ],
)
def test_row_explains_a_difference(row: Row, explains: bool) -> None:
    found = sort([ONE], [row])
    assert (found.open == []) is explains
    assert (found.unused == []) is explains


def test_equal_differences_are_reported_once() -> None:
    more = [Difference("tabs.query", f"page {number}", "absent", "function") for number in range(3)]
    assert list(lines(group([OTHER, *more]))) == [
        "tabs.get: browser says function, facts say absent (page)",
        "tabs.query: browser says absent, facts say function (page 0; page 1 and 1 more)",
    ]


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_every_row_has_a_reason(browser: str) -> None:
    assert all(row.why and row.at for row in rows(browser, REASONS))
