from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from extlint_facts.chrome.facts import chrome_since, undated_parts
from extlint_facts.compat import api_files, manifest_file, remove_unconfirmed
from extlint_facts.releases import gaps
from extlint_facts.version_ranges import widest


def node(**support: Any) -> dict[str, Any]:
    """Returns a node of browser-compat-data: versions by browser, as strings, False, or entire statements."""
    return {"__compat": {"support": {name: statement_of(each) for name, each in support.items()}}}


def statement_of(value: Any) -> Any:
    if isinstance(value, list):
        return [statement_of(each) for each in value]
    return value if isinstance(value, dict) else {"version_added": value}


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        pytest.param([{"version_added": "45"}], ["45"], id="one statement"),
        pytest.param([{"version_added": False}], False, id="never"),
        pytest.param([{"version_added": "5", "version_removed": "79"}], ["5", "79"], id="taken away again"),
        pytest.param(
            [{"version_added": "79"}, {"version_added": "14", "version_removed": "79"}],
            ["14"],
            id="two ranges that touch are one",
        ),
        pytest.param(
            [{"version_added": "85"}, {"version_added": "54", "version_removed": "79"}],
            ["54"],
            id="temporary removal counts as support",
        ),
        pytest.param(
            [
                {"version_added": "9", "version_removed": "10"},
                {"version_added": "2", "version_removed": "8"},
            ],
            ["2", "10"],
            id="versions are numbers, not texts",
        ),
        pytest.param(
            [
                {"version_added": "18"},
                {"version_added": "14", "version_removed": "18", "partial_implementation": True},
            ],
            ["14"],
            id="partial support alongside full support",
        ),
        pytest.param(
            [{"version_added": "14", "partial_implementation": True}], ["14"], id="nothing but a part of it"
        ),
        pytest.param([{"version_added": "67", "flags": [{"name": "x"}]}], None, id="only with a flag"),
        pytest.param(
            [
                {"version_added": "127"},
                {
                    "version_added": "118",
                    "version_removed": "127",
                    "notes": "In this time, was only available to policy installed extensions.",
                },
            ],
            ["127"],
            id="first only for extensions that a policy installs",
        ),
        pytest.param([{"version_added": "preview"}], None, id="not yet released"),
        pytest.param([{"version_added": "≤69"}], ["<=69"], id="it may be older"),
        pytest.param(
            [{"version_added": "69"}, {"version_added": "≤69", "version_removed": "71"}],
            ["<=69"],
            id="uncertain older version wins",
        ),
        pytest.param([], None, id="no statements"),
    ],
)
def test_statements_are_merged_into_one_range(statements: list[Mapping[str, Any]], expected: object) -> None:
    assert widest(statements) == expected


def test_member_paths_include_their_namespace() -> None:
    api = {"tabs": {**node(chrome="1"), "query": {**node(chrome="16"), "info": node(chrome=False)}}}
    assert api_files(api, {})["tabs"]["members"] == {
        "tabs": {"chrome": ["1"]},
        "tabs.query": {"chrome": ["16"]},
        "tabs.query.info": {"chrome": False},
    }


def test_properties_of_parameters_have_one_notation() -> None:
    members = {"set": {**node(firefox="45"), "details_id_parameter": node(firefox="62")}}
    found = api_files({"tabs": members}, {})["tabs"]["members"]
    assert found == {"tabs.set": {"firefox": ["45"]}, "tabs.set.details.id": {"firefox": ["62"]}}


def test_nested_namespaces_are_in_the_file_of_the_outer_one() -> None:
    api = {"devtools": {"panels": {**node(chrome="18"), "create": node(chrome="18")}}}
    assert list(api_files(api, {})["devtools"]["members"]) == ["devtools.panels", "devtools.panels.create"]


def test_alternative_names_are_ignored() -> None:
    scripts = {"version_added": "18", "version_removed": "38", "alternative_name": "scripts"}
    inside = {"version_added": "14", "alternative_name": "inPrivate"}
    api = {"x": {"sources": node(chrome=["38", scripts]), "incognito": node(edge=inside)}}
    assert api_files(api, {})["x"]["members"] == {
        "x.incognito": {"edge": False},
        "x.sources": {"chrome": ["38"]},
    }


ALIAS = {"version_added": "6", "alternative_name": "contextMenus"}
OLD_ALIAS = {"version_added": "48", "alternative_name": "contextMenus"}
MENUS = {
    "menus": {
        **node(chrome=ALIAS, firefox=["55", OLD_ALIAS]),
        "create": {**node(chrome=ALIAS, firefox="55"), "icons": node(chrome=False, firefox="56")},
        "tabs": node(chrome="26", firefox="57"),
    }
}


def test_context_menus_become_a_separate_namespace() -> None:
    assert api_files(MENUS, {})["contextMenus"]["members"] == {
        "contextMenus": {"chrome": ["6"], "firefox": ["48"]},
        "contextMenus.create": {"chrome": ["6"], "firefox": ["55"]},
        "contextMenus.create.icons": {"chrome": False, "firefox": ["56"]},
        "contextMenus.tabs": {"chrome": ["26"], "firefox": ["57"]},
    }


def test_browser_with_only_context_menus_does_not_have_menus() -> None:
    members = api_files(MENUS, {})["menus"]["members"]
    assert {path: each["chrome"] for path, each in members.items()} == dict.fromkeys(members, False)
    assert members["menus.tabs"]["firefox"] == ["57"]


def test_manifest_v2_user_scripts_are_separate() -> None:
    api = {
        "userScripts": {"register": node(firefox="136")},
        "userScripts_legacy": {"register": node(firefox="68")},
    }
    assert api_files(api, {}) == {
        "userScripts": {
            "members": {"userScripts.register": {"firefox": ["136"]}},
            "members_mv2": {"userScripts.register": {"firefox": ["68"]}},
        }
    }


def test_chrome_types_fill_unknown_chrome_versions() -> None:
    api = {"a": {"b": node(chrome="20", firefox="50"), "c": node(chrome=False, firefox="51")}}
    assert api_files(api, {"a.b": "30", "a.c": "31", "a.d": "32", "other": "33"}) == {
        "a": {
            "members": {
                "a.b": {"chrome": ["20"], "firefox": ["50"]},
                "a.c": {"chrome": ["31"], "firefox": ["51"]},
                "a.d": {"chrome": ["32"]},
            }
        },
        "other": {"members": {"other": {"chrome": ["33"]}}},
    }


@pytest.mark.parametrize(
    ("compat", "documented", "expected"),
    [
        pytest.param("20", "<=30", ["20"], id="documented later"),
        pytest.param("20", "<=20", ["20"], id="documented at once"),
        pytest.param("20", "<=15", ["<=15"], id="documented before: two sources disagree"),
        pytest.param("≤20", "<=15", ["<=15"], id="at most, by both"),
        pytest.param("≤20", "<=30", ["<=20"], id="at most, by one that is earlier"),
        pytest.param(False, "<=30", ["<=30"], id="unsupported, but documented"),
        pytest.param(["5", {"version_added": "5", "version_removed": "40"}], "<=9", ["5"], id="there again"),
        pytest.param(
            {"version_added": "9", "version_removed": "40"}, "<=5", ["<=5", "40"], id="removed later"
        ),
    ],
)
def test_earlier_version_of_two_sources_is_used(compat: Any, documented: str, expected: object) -> None:
    assert api_files({"a": {"b": node(chrome=compat)}}, {"a.b": documented})["a"]["members"] == {
        "a.b": {"chrome": expected}
    }


@pytest.mark.parametrize(
    ("namespace", "member", "expected"),
    [
        pytest.param("109", None, "109", id="the version of its namespace"),
        pytest.param("109", "109", "109", id="the same version, said again"),
        pytest.param("109", "150", "<=150", id="documented later than its namespace"),
        pytest.param(None, "150", "<=150", id="documented later, in a namespace as old as can be"),
    ],
)
def test_documentation_date_is_not_used_as_first_version(
    namespace: str | None, member: str | None, expected: str
) -> None:
    part = {"name": "hasDocument"} if member is None else {"name": "hasDocument", "since": member}
    whole: dict[str, Any] = {"namespace": "offscreen", "functions": [part]}
    found = chrome_since([whole if namespace is None else {**whole, "since": namespace}])
    assert found["offscreen.hasDocument"] == expected


def test_permissions_are_stored_by_their_own_names() -> None:
    tree = {
        "manifest": {
            "action": {**node(chrome="88"), "default_icon": node(chrome="89")},
            "permissions": {
                **node(chrome="1"),
                "downloads_open": node(chrome="31"),
                "tabs": node(chrome="2"),
            },
        }
    }
    assert manifest_file(tree) == {
        "members": {
            "action": {"chrome": ["88"]},
            "action.default_icon": {"chrome": ["89"]},
            "permissions": {"chrome": ["1"]},
        },
        "permissions": {"downloads.open": {"chrome": ["31"]}, "tabs": {"chrome": ["2"]}},
        "optional_permissions": {},
    }


@pytest.mark.parametrize(
    ("releases", "expected"),
    [
        pytest.param(["1", "2", "2.5", "3"], [], id="none"),
        pytest.param(["10", "9", "11"], [], id="in another order"),
        pytest.param(["68.11", "79", "80", "83"], [["69", "79"], ["81", "83"]], id="two"),
        pytest.param([], [], id="no release"),
    ],
)
def test_gaps_between_releases(releases: list[str], expected: list[list[str]]) -> None:
    assert [*gaps(releases)] == expected


def test_parts_of_parameters_without_confirmed_version_have_none() -> None:
    connect = {
        "name": "connect",
        "parameters": [
            {"name": "connectInfo", "properties": {"name": {}, "documentId": {"since": "106"}}},
            {"name": "options", "since": "50", "properties": {"all": {}}},
        ],
    }
    versions = {
        "tabs.connect": ["5"],
        "tabs.connect.connectInfo": ["41"],
        "tabs.connect.connectInfo.name": ["41"],
        "tabs.connect.connectInfo.documentId": ["106"],
        "tabs.connect.options.all": ["50"],
        "tabs.connect.name": ["4"],
    }
    members: Any = {path: {"chrome": each, "firefox": ["45"]} for path, each in versions.items()}
    remove_unconfirmed(members, undated_parts([{"namespace": "tabs", "functions": [connect]}]))
    assert [path for path in versions if "chrome" not in members[path]] == [
        "tabs.connect.connectInfo",
        "tabs.connect.connectInfo.name",
    ]
