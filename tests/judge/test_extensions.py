"""The extensions for which browsers are queried."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from extlint.analysis.facts.context import ContextKind
from extlint_judge.extensions import KEYS, PAGES, VERSION_KEYS, Case, cases, describe, files_of, write_files


def case_for(manifest: dict[str, object]) -> Case:
    return Case({"manifest_version": 3, **manifest}, frozenset())


def test_each_permission_has_its_own_case_per_manifest_version() -> None:
    manifests = [
        case.manifest for case in cases("firefox", ["alarms", "tabs"]) if case.manifest.get("permissions")
    ]
    requested = [(each["manifest_version"], each["permissions"]) for each in manifests]
    for name in ("alarms", "tabs"):
        assert [version for version, names in requested if names == [name]] == [3, 2]


def test_chromium_cases_use_one_manifest_version() -> None:
    assert {case.manifest["manifest_version"] for case in cases("chromium", ["tabs"])} == {3}


@pytest.mark.parametrize("version", [2, 3])
def test_manifests_do_not_have_keys_of_the_other_version(version: int) -> None:
    for case in cases("firefox", ["tabs"]):
        if case.manifest["manifest_version"] == version:
            assert not VERSION_KEYS[5 - version] & case.manifest.keys()


@pytest.mark.parametrize(
    ("browser", "kinds"),
    [
        pytest.param(
            "firefox",
            {
                ContextKind.BACKGROUND,
                ContextKind.CONTENT_SCRIPT,
                ContextKind.DEVTOOLS_PAGE,
                ContextKind.EXTENSION_PAGE,
            },
            id="Firefox",
        ),
        pytest.param(
            "chromium",
            {
                ContextKind.CONTENT_SCRIPT,
                ContextKind.DEVTOOLS_PAGE,
                ContextKind.EXTENSION_PAGE,
                ContextKind.OFFSCREEN,
                ContextKind.SANDBOX,
                ContextKind.SERVICE_WORKER,
            },
            id="Chromium",
        ),
    ],
)
def test_cases_cover_every_kind_of_context(browser: str, kinds: set[ContextKind]) -> None:
    assert {kind for case in cases(browser, ["offscreen", "tabs"]) for kind in case.contexts} == kinds


def test_permissions_granted_later_are_optional_in_firefox() -> None:
    manifests = [
        case.manifest for case in cases("firefox", ["userScripts"]) if not KEYS.keys() & case.manifest.keys()
    ]
    assert ["userScripts"] in [each.get("optional_permissions") for each in manifests]
    assert ["userScripts"] not in [each.get("permissions") for each in manifests]


@pytest.mark.parametrize(
    ("case", "text"),
    [
        pytest.param(case_for({}), "manifest version 3 with nothing", id="nothing"),
        pytest.param(case_for({"permissions": ["tabs"]}), "manifest version 3 with tabs", id="a permission"),
        pytest.param(case_for({"action": {}}), "manifest version 3 with action", id="a key"),
        pytest.param(
            case_for({"permissions": ["a", "b", "c", "d"]}), "manifest version 3 with a, b, c, ...", id="many"
        ),
    ],
)
def test_case_has_a_short_description(case: Case, text: str) -> None:
    assert describe(case) == text


def test_each_extension_context_has_its_own_script() -> None:
    files = files_of(case_for({}), "http://127.0.0.1:1/")
    assert json.loads(files["manifest.json"]) == {"manifest_version": 3}
    for page in PAGES:
        script = page.replace(".html", ".js")
        assert f'src="{script}"' in files[page]
        assert PAGES[page].value in files[script]


def test_previous_extension_is_removed(tmp_path: Path) -> None:
    write_files({"a.js": "1"}, tmp_path / "extension")
    write_files({"b.js": "2"}, tmp_path / "extension")
    assert [path.name for path in (tmp_path / "extension").iterdir()] == ["b.js"]
