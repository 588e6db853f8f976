"""Manual corrections: each changes the part it names, and fails when it is no longer required."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from extlint_facts.corrections import rows
from extlint_facts.corrections.api import correct, new_namespaces
from extlint_facts.corrections.rows import (
    FOLDER,
    Correction,
    CorrectionError,
    StaleCorrectionError,
    corrected_values,
    load,
)
from extlint_facts.corrections.versions import correct_versions


def namespaces() -> list[dict[str, Any]]:
    return [
        {
            "namespace": "tabs",
            "permissions": ["a", "b"],
            "functions": [{"name": "get"}, {"name": "get"}],
            "events": [
                {
                    "name": "onMoved",
                    "parameters": [{"name": "tab", "type": "any"}],
                    "extraParameters": [{"name": "filter", "type": "any"}],
                }
            ],
            "types": [
                {"id": "Tab", "properties": {"url": {"type": "any"}}, "functions": [{"name": "go"}]},
                {"id": "Some", "choices": [{"type": "null"}, {"type": "array", "items": {"type": "any"}}]},
                {"id": "Rest", "type": "object", "additionalProperties": {"type": "any"}},
            ],
        },
        {"namespace": "tabs.inner", "properties": {"ID": {"value": 1}}},
    ]


def make_row(at: str, **keys: Any) -> Correction:
    return Correction("api", [at], keys, "it is so", "a page, 2026")


@pytest.mark.parametrize(
    ("at", "where"),
    [
        ("tabs", lambda found: [found[0]]),
        ("tabs.get", lambda found: found[0]["functions"]),
        ("tabs.onMoved", lambda found: found[0]["events"]),
        ("tabs.onMoved.tab", lambda found: found[0]["events"][0]["parameters"]),
        ("tabs.onMoved.filter", lambda found: found[0]["events"][0]["extraParameters"]),
        ("tabs.Tab", lambda found: found[0]["types"][:1]),
        ("tabs.Some.1", lambda found: found[0]["types"][1]["choices"][1:]),
        ("tabs.Some.1.items", lambda found: [found[0]["types"][1]["choices"][1]["items"]]),
        ("tabs.Rest.additionalProperties", lambda found: [found[0]["types"][2]["additionalProperties"]]),
        ("tabs.Tab.go", lambda found: found[0]["types"][0]["functions"]),
        ("tabs.Tab.url", lambda found: [found[0]["types"][0]["properties"]["url"]]),
        ("tabs.inner", lambda found: [found[1]]),
        ("tabs.inner.ID", lambda found: [found[1]["properties"]["ID"]]),
    ],
)
def test_row_sets_keys_of_the_named_part(at: str, where: Any) -> None:
    found = namespaces()
    correct(found, "firefox", [make_row(at, since="1")])
    assert [each["since"] for each in where(found)] == ["1"] * len(where(found))


def test_properties_are_added_to_existing_ones() -> None:
    found = namespaces()
    correct(found, "firefox", [make_row("tabs.inner", properties={"MORE": {"value": 2}})])
    assert found[1]["properties"] == {"ID": {"value": 1}, "MORE": {"value": 2}}


def test_members_are_added_to_existing_ones() -> None:
    found = namespaces()
    correct(found, "chrome", [make_row("tabs", functions=[{"name": "hide"}], events=[{"name": "onMoved"}])])
    assert [each["name"] for each in found[0]["functions"]] == ["get", "get", "hide"]
    assert found[0]["events"] == [{"name": "onMoved"}], "the new member replaces one of the same name"
    with pytest.raises(StaleCorrectionError, match="is so without it"):
        correct(found, "chrome", [make_row("tabs", functions=[{"name": "hide"}])])


def test_namespace_that_no_package_has_is_added() -> None:
    row = make_row("tabs.other", functions=[{"name": "get"}])
    assert new_namespaces(namespaces(), [row]) == [
        {"namespace": "tabs.other", "functions": [{"name": "get"}]}
    ]
    with pytest.raises(StaleCorrectionError, match="the packages have tabs; delete the row"):
        new_namespaces(namespaces(), [make_row("tabs", functions=[])])


def test_row_that_adds_an_existing_property_is_stale() -> None:
    with pytest.raises(StaleCorrectionError, match=r"tabs\.inner in firefox is so without it"):
        correct(namespaces(), "firefox", [make_row("tabs.inner", properties={"ID": {"value": 1}})])


def test_null_removes_a_key() -> None:
    found = namespaces()
    correct(found, "firefox", [make_row("tabs", permissions=None)])
    assert "permissions" not in found[0]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (make_row("tabs.nothing", since="1"), "there is no tabs.nothing in firefox"),
        (make_row("tabs.Some.2", since="1"), "there is no tabs.Some.2 in firefox"),
        (make_row("nothing", since="1"), "there is no nothing in firefox"),
        (make_row("tabs", permissions=["a", "b"]), "tabs in firefox is so without it"),
        (make_row("tabs.get", permissions=None), "tabs.get in firefox is so without it"),
    ],
)
def test_unnecessary_row_is_an_error(row: Correction, expected: str) -> None:
    with pytest.raises(StaleCorrectionError, match=expected):
        correct(namespaces(), "firefox", [row])


def test_error_for_missing_place_lists_existing_names() -> None:
    with pytest.raises(StaleCorrectionError, match=r"tabs\.inner has ID\."):
        correct(namespaces(), "firefox", [make_row("tabs.inner.nothing.at", since="1")])


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"optinal": True}, "'optinal', which is no key"),
        ({"parameters": [{"nam": "a"}]}, "'nam', which is no key"),
        ({"permissions": "tabs"}, "'permissions' to a string"),
    ],
)
def test_row_with_unknown_key_is_an_error(keys: dict[str, Any], expected: str) -> None:
    with pytest.raises(CorrectionError, match=expected):
        correct(namespaces(), "firefox", [make_row("tabs.get", **keys)])


FILES = sorted(FOLDER.glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_correction_has_places_a_reason_and_a_source(path: Path) -> None:
    found = load(path.stem)
    assert found
    assert all(row.at and row.keys and row.reason.endswith((".", '"')) and row.source for row in found)


def test_manual_corrections_are_in_one_folder() -> None:
    tool = FOLDER.parent
    pinned, recorded = tool / "packages" / "pinned.json", tool / "recorded"
    other_files = {path for path in tool.rglob("*.json") if path.parent != FOLDER}
    assert other_files == {pinned, *recorded.glob("*.json")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[{"of": "api", "at": ["tabs"], "set": {}, "reason": "It is so."}]', "source"),
        ('[{"of": "apis", "at": ["tabs"], "set": {}, "reason": "It is so.", "source": "a page"}]', "apis"),
        ('[{"of": "api", "at": "tabs", "set": {}, "reason": "It is so.", "source": "a page"}]', "array"),
        ('[{"of": "api", "at": [], "set": {}, "reason": "", "source": "", "why": ""}]', "why"),
    ],
)
def test_invalid_correction_file_is_an_error(
    text: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other.json").write_text(text)
    monkeypatch.setattr(rows, "FOLDER", tmp_path)
    with pytest.raises(CorrectionError, match=expected):
        load.__wrapped__("other")


@pytest.mark.parametrize(
    ("platforms", "is_possible"),
    [(["linux"], False), (["linux", "mac"], False), (["win"], True), (["chromeos", "win"], True)],
)
def test_claim_about_other_systems_is_an_error(
    platforms: list[str], is_possible: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {"of": "api", "at": ["tabs.hide"], "set": {"platforms": platforms}, "reason": "a", "source": "b"}
    (tmp_path / "other.json").write_text(json.dumps([row]))
    monkeypatch.setattr(rows, "FOLDER", tmp_path)
    if is_possible:
        assert len(load.__wrapped__("other")) == 1
        return
    with pytest.raises(CorrectionError, match=r"tabs\.hide cannot be limited to linux"):
        load.__wrapped__("other")


def test_settings_are_grouped_by_place() -> None:
    assert corrected_values("firefox", "permission list", "takes_hosts_in") == {
        "permissions": [2],
        "optional_permissions": [2, 3],
    }
    assert corrected_values("firefox", "permission", "nothing") == {}
    assert corrected_values("nowhere", "permission", "ignored") == {}


def versions_row(at: str, **keys: Any) -> Correction:
    return Correction("versions", [at], keys, "it is so", "a page, 2026")


def test_row_sets_the_versions_of_one_browser() -> None:
    members: dict[str, dict[str, Any]] = {
        "a.b": {"edge": False, "chrome": ["2"]},
        "a.c": {"edge": False},
        "a.d": {},
    }
    found = [
        versions_row("a.b", versions=["3"]),
        versions_row("a.c", versions=None),
        versions_row("a.d", versions=["4", "5"]),
    ]
    correct_versions(members, "edge", found)
    assert members == {"a.b": {"edge": ["3"], "chrome": ["2"]}, "a.c": {}, "a.d": {"edge": ["4", "5"]}}


@pytest.mark.parametrize(
    ("row", "error", "expected"),
    [
        (
            versions_row("a.b", versions=["2"]),
            StaleCorrectionError,
            "the packages say the same of a.b in edge",
        ),
        (
            versions_row("a.c", versions=None),
            StaleCorrectionError,
            "the packages say the same of a.c in edge",
        ),
        (versions_row("a.d", versions=["2"]), StaleCorrectionError, "no versions of a.d"),
        (versions_row("a.b", since="2"), CorrectionError, "must set 'versions' and nothing else"),
    ],
)
def test_unnecessary_versions_are_an_error(row: Correction, error: type[Exception], expected: str) -> None:
    with pytest.raises(error, match=expected):
        correct_versions({"a.b": {"edge": ["2"]}, "a.c": {"chrome": ["2"]}}, "edge", [row])
