"""Calls that fail in Firefox without an add-on id: `missing-add-on-id`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

from extlint_rules.missing_add_on_id import MAX_PLACES

RULES = ("missing-add-on-id",)
CALL = "browser.storage.sync.get()"


def found(script: str, target: str = "firefox", **keys: object) -> list[str]:
    """Returns the source text of each finding in a background script with the required permissions."""
    background = {"permissions": ["identity", "storage", "sessions"], "background": {"scripts": ["a.js"]}}
    files = {"manifest.json": manifest(**{**background, **keys}), "a.js": script}
    return [text for _, text in reported(files, RULES, target)]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        pytest.param("browser.storage.sync.set({a: 1});", ["browser.storage.sync.set"], id="synced"),
        pytest.param("const {sync} = chrome.storage; sync.get();", ["sync.get"], id="by another name"),
        pytest.param("browser.storage.managed.get();", ["browser.storage.managed.get"], id="managed"),
        pytest.param(
            "browser.sessions.setTabValue(1, 'a', 1);", ["browser.sessions.setTabValue"], id="a tab"
        ),
        pytest.param(
            "browser.identity.getRedirectURL();", ["browser.identity.getRedirectURL"], id="an address"
        ),
        pytest.param(f"{CALL}; {CALL};", ["browser.storage.sync.get"], id="two calls"),
        pytest.param(
            f"browser.identity.getRedirectURL(); {CALL};",
            ["browser.storage.sync.get"],
            id="an address, and what fails",
        ),
        pytest.param(
            "browser.runtime.onMessageExternal.addListener(f);",
            ["browser.runtime.onMessageExternal.addListener"],
            id="messages of other add-ons",
        ),
        pytest.param(
            "const {runtime} = chrome; runtime.onConnectExternal.addListener(f);",
            ["runtime.onConnectExternal.addListener"],
            id="connections of other add-ons",
        ),
        pytest.param("browser.runtime.onMessage.addListener(f);", [], id="own messages"),
        pytest.param("browser.storage.local.set({a: 1});", [], id="local"),
        pytest.param("browser.storage.sync.onChanged.addListener(f);", [], id="an event"),
        pytest.param("browser.sessions.getRecentlyClosed();", [], id="no value"),
        pytest.param(
            f"try {{ await {CALL} }} catch {{ await browser.storage.local.get() }}", [], id="caught"
        ),
        pytest.param(f"export const f = () => {CALL};", [], id="exported, and not imported"),
        pytest.param(
            f"export const f = () => {CALL}; chrome.storage.sync.set(a);",
            ["chrome.storage.sync.set"],
            id="after a use that never runs",
        ),
        pytest.param(
            f"export const f = () => {CALL}; onmessage = f;", ["browser.storage.sync.get"], id="exported"
        ),
    ],
)
def test_calls_that_require_an_add_on_id(script: str, expected: list[str]) -> None:
    assert found(script) == expected


@pytest.mark.parametrize(
    ("keys", "is_reported"),
    [
        ({}, True),
        ({"manifest_version": 2}, True),
        ({"browser_specific_settings": {}}, True),
        ({"browser_specific_settings": {"gecko": {"strict_min_version": "115.0"}}}, True),
        ({"browser_specific_settings": {"gecko": {"id": "a@example.com"}}}, False),
        ({"manifest_version": 2, "applications": {"gecko": {"id": "a@example.com"}}}, False),
        ({"browser_specific_setting": {"gecko": {"id": "a@example.com"}}}, False),
    ],
)
def test_finding_depends_on_the_manifest(keys: dict[str, object], is_reported: bool) -> None:
    assert bool(found(CALL, "firefox", **keys)) is is_reported


@pytest.mark.parametrize("target", ["chrome", "safari", "reference"])
def test_other_targets_are_not_checked(target: str) -> None:
    assert found(CALL, target) == []


def test_call_without_permission_is_not_reported() -> None:
    assert found(CALL, permissions=[]) == []


def test_all_calls_are_one_finding() -> None:
    files = {
        "manifest.json": manifest(permissions=["storage"], background={"scripts": ["a.js", "b.js"]}),
        "a.js": f"{CALL}; browser.storage.sync.set({{a: 1}});",
        "b.js": f"{CALL};" * 20,
    }
    (finding,) = lint(files, RULES, "firefox")
    assert finding.message == "`storage.sync.get` requires an add-on id, which the manifest is missing"
    assert [each.path for each in finding.related] == ["a.js", *["b.js"] * (MAX_PLACES - 1)]
    assert finding.related[0].message == "`storage.sync.set` requires it too"
