"""The committed browser versions, and facts about Chrome that no test of a form can check."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import extlint_schemas

ROOT = Path(extlint_schemas.__file__).parent
COMPAT = sorted(path.name for path in (ROOT / "compat").glob("*.json"))
BROWSERS = {"chrome", "edge", "firefox", "firefox_android", "opera", "safari", "safari_ios"}


@cache
def content(path: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / path).read_bytes())
    return found


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("tabs.query", {"chrome": ["16"], "edge": ["14"], "firefox": ["45"]}, id="a function"),
        pytest.param("tabs.hide", {"chrome": False, "firefox": ["61"]}, id="unsupported in Chrome"),
        pytest.param("readingList.query", {"chrome": ["120"]}, id="one of a namespace that only Chrome has"),
        pytest.param("contextMenus.create", {"chrome": ["6"], "firefox": ["48"]}, id="contextMenus"),
        pytest.param("menus.create", {"chrome": False, "firefox": ["55"]}, id="menus"),
    ],
)
def test_committed_versions_of_members(path: str, expected: dict[str, Any]) -> None:
    members = content(f"compat/{path.partition('.')[0]}.json")["members"]
    assert {browser: members[path].get(browser) for browser in expected} == expected


@pytest.mark.parametrize("name", COMPAT)
def test_versions_are_well_formed(name: str) -> None:
    found = content(f"compat/{name}")
    for key in found:
        for path, ranges in found[key].items():
            assert set(ranges) <= BROWSERS
            for bounds in ranges.values():
                is_range = isinstance(bounds, list) and 1 <= len(bounds) <= 2
                assert bounds is False or (is_range and all(isinstance(each, str) for each in bounds)), path


@pytest.mark.parametrize(
    ("section", "name", "browser", "expected"),
    [
        pytest.param("members", "action", "firefox", ["109"], id="a key of the manifest"),
        pytest.param("members", "background.service_worker", "firefox", False, id="a key inside a key"),
        pytest.param("permissions", "downloads.open", "chrome", ["31"], id="a permission with a dot"),
    ],
)
def test_committed_versions_of_the_manifest(section: str, name: str, browser: str, expected: object) -> None:
    assert content("compat/manifest.json")[section][name][browser] == expected
