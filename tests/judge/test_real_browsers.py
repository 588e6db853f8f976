"""The members of an extension without permissions in a real browser; skipped if none is installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.values import Kind, Literal
from extlint_facts.corrections.rows import Correction, corrections
from extlint_judge.browsers.firefox import firefox as running_firefox
from extlint_judge.browsers.processes import find, version_of
from extlint_judge.commands.embedded_schemas import FILE
from extlint_judge.embedded_schemas import embedded_schemas_of, read
from extlint_judge.extensions import Case, cases
from extlint_judge.members import chromium as members_of_chromium
from extlint_judge.members import firefox as members_of_firefox
from extlint_judge.members.calls import Call
from extlint_judge.members.record import ContextMembers
from extlint_judge.members.samples import FUNCTION


def _observed_members(browser: str, tested_cases: Iterable[Case], folder: Path) -> list[ContextMembers]:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    unseen: list[str] = []
    if browser == "chromium":
        found = list(members_of_chromium.context_members(command, tested_cases, folder, unseen))
    else:
        with running_firefox(command, folder) as session:
            found = list(
                members_of_firefox.context_members(session, tested_cases, folder / "extension", unseen)
            )
    assert unseen == []
    return found


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_members_of_an_extension_without_permissions(browser: str, tmp_path: Path) -> None:
    bare = [case for case in cases(browser, []) if case.contexts > {ContextKind.EXTENSION_PAGE}]
    bare = [case for case in bare if "omnibox" not in case.manifest]
    members = {place.context: place.members for place in _observed_members(browser, bare[:1], tmp_path)}
    assert members["extension page"]["runtime.onMessage"] == "event"
    assert members["extension page"]["tabs.query"] == "function"
    assert members["extension page"].get("alarms", "undefined") == "undefined"
    assert "runtime.sendMessage" in members["content script"]
    assert members["content script"].get("tabs", "undefined") == "undefined"


def refuted_claims(rows: Iterable[Correction], members: Mapping[str, str]) -> list[str]:
    """Returns the members that corrections deny to Linux, and that the browser has."""
    return [
        at
        for row in rows
        if "linux" not in row.keys.get("platforms", ["linux"]) or row.keys.get("unsupported")
        for at in row.at
        if members.get(at, "undefined") != "undefined"
    ]


@pytest.mark.parametrize(
    ("browser", "target", "permissions", "existing"),
    [
        (
            "chromium",
            "chrome",
            ["accessibilityFeatures.read", "privacy", "storage"],
            "accessibilityFeatures.animationPolicy",
        ),
        ("firefox", "firefox", ["storage"], "storage.local.get"),
    ],
)
def test_members_that_corrections_deny_do_not_exist(
    browser: str, target: str, permissions: list[str], existing: str, tmp_path: Path
) -> None:
    bare = [case for case in cases(browser, []) if case.contexts > {ContextKind.EXTENSION_PAGE}]
    case = replace(bare[0], manifest={**bare[0].manifest, "permissions": permissions})
    members = {place.context: place.members for place in _observed_members(browser, [case], tmp_path)}
    claim = Correction("api", [existing], {"platforms": ["win"]}, "It is false.", "nobody")
    rows = (*corrections(target, "api"), claim)
    assert refuted_claims(rows, members["extension page"]) == [existing]


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_browser_version_is_read(browser: str) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    assert version_of(command)[0].isdigit()


def test_stored_schemas_match_chromium(tmp_path: Path) -> None:
    command, committed = find("chromium"), read(FILE)
    if command is None or version_of(command) != committed.version:
        pytest.skip("there is no chromium of that version")
    names = frozenset(each["namespace"] for each in committed.namespaces)
    assert embedded_schemas_of(command, committed.version, names, tmp_path) == committed


def test_firefox_checks_arguments_without_side_effects(tmp_path: Path) -> None:
    command = find("firefox")
    if command is None:
        pytest.skip("there is no firefox")
    tabs = Literal(Kind.NUMBER, 1.0)
    tested_calls = [
        Call("tabs.remove", 3, (tabs,), "right"),
        Call("tabs.remove", 3, (FUNCTION, tabs), "wrong"),
    ]
    with running_firefox(command, tmp_path) as session:
        found = {
            answer.call: answer.message for answer in members_of_firefox.observe_calls(session, tested_calls)
        }
    assert found == {
        "tabs.remove(1)": "",
        "tabs.remove(() => {}, 1)": "Incorrect argument types for tabs.remove.",
    }
