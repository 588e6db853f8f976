"""The page as a screen reader sees it: the accessibility tree of Chromium in each state of the page."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from page_service import Service, serving
from page_user import User, using, wait
from serving import archive

from extlint_judge.browsers.processes import find

IS_DONE = "!document.getElementById('result').hidden && document.getElementById('progress').hidden"

CONTROLS = {
    *("button", "link", "textbox", "searchbox", "checkbox", "combobox", "radio", "progressbar"),
    *("DisclosureTriangle", "table", "dialog"),
}
"""Roles whose elements must have a name."""

PACKAGE = archive(
    {
        "manifest.json": '{"manifest_version": 3, "name": "a", "version": "1", "permisions": [], '
        '"permissions": ["tabs"], "background": {"service_worker": "a.js"}}',
        "a.js": "chrome.tabs.qery({}, (tabs) => tabs);\n",
    }
)


@contextmanager
def visit(folder: Path) -> Iterator[tuple[User, Service]]:
    command = find("chromium")
    if command is None:
        pytest.skip("there is no chromium")
    (folder / "browser").mkdir()
    (folder / "a.zip").write_bytes(PACKAGE)
    with serving() as service, using("chromium", command, folder / "browser", f"{service.address}/") as user:
        yield user, service


def tree(user: Any) -> list[tuple[str, str, dict[str, Any]]]:
    """Returns the role, name and properties of everything that a screen reader announces."""
    found = []
    for each in user.accessibility():
        if each["ignored"]:
            continue
        role = each.get("role", {}).get("value", "")
        properties = {item["name"]: item["value"].get("value") for item in each.get("properties", ())}
        found.append((role, each.get("name", {}).get("value", "").strip(), properties))
    unnamed = [(role, properties) for role, name, properties in found if role in CONTROLS and not name]
    assert unnamed == []
    return found


def names(user: User, role: str) -> list[str]:
    return [name for each, name, _ in tree(user) if each == role]


def live(user: User, role: str) -> dict[str, Any]:
    (found,) = [properties for each, _, properties in tree(user) if each == role]
    return found


def test_start(tmp_path: Path) -> None:
    with visit(tmp_path) as (user, _):
        assert names(user, "heading") == ["extlint"]
        assert {"Choose a package", "Choose a folder", "Try an example"} <= {*names(user, "button")}
        assert names(user, "DisclosureTriangle") == ["Paste a manifest", "Options"]
        assert names(user, "region") == ["Extension to check"]
        assert {"banner", "main", "contentinfo"} <= {role for role, _, _ in tree(user)}
        assert live(user, "status")["live"] == "polite"
        user.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        assert "Manifest" in names(user, "textbox")
        assert "Firefox for Android" in names(user, "checkbox")
        assert "Browsers to check for" in names(user, "group")


def test_progress(tmp_path: Path) -> None:
    with visit(tmp_path) as (user, service):
        service.busy = 1  # the page waits for a second
        user.choose("package", tmp_path / "a.zip")
        wait(user, "document.getElementById('doing').textContent.includes('busy')")
        assert names(user, "progressbar") == ["The service is busy; trying again in 1 s"]
        assert "Cancel" in names(user, "button")


def test_result(tmp_path: Path) -> None:
    with visit(tmp_path) as (user, _):
        user.choose("package", tmp_path / "a.zip")
        wait(user, IS_DONE)
        user.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        regions = names(user, "region")
        assert {"Extension to check", "Result", "Table of permissions"} <= {*regions}
        assert len(regions) == len({*regions})
        assert user.evaluate("document.activeElement.id") == "result"
        assert user.evaluate("document.querySelector('[role=status]').textContent").startswith("a.zip: ")
        assert "a.zip" in names(user, "heading")
        assert names(user, "table") == ["Permissions"]
        levels = [properties["level"] for role, _, properties in tree(user) if role == "heading"]
        assert all(after <= before + 1 for before, after in pairwise(levels)), levels


def test_problem_is_an_alert(tmp_path: Path) -> None:
    with visit(tmp_path) as (user, service):
        service.token = "open sesame"
        user.choose("package", tmp_path / "a.zip")
        wait(user, "document.activeElement.id === 'token'")
        assert live(user, "alert")["live"] == "assertive"
        assert "Token" in names(user, "textbox")
        end = time.monotonic() + 5
        while not any("Enter the token" in name for _, name, _ in tree(user)):
            assert time.monotonic() < end
