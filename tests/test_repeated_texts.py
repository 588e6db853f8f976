"""One mistake is one finding, whose help says each thing once."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest
from images import png
from packages import package_of

from extlint.checker import check_package
from extlint.schema.targets import Target

BACKGROUND = {"service_worker": "b.js", "scripts": ["b.js"]}


@pytest.mark.parametrize(
    ("rule", "keys", "expected"),
    [
        ("unused-permission", {"permissions": ["alarms", "tabs", "alarms"]}, {"alarms": 1, "tabs": 0}),
        ("unused-permission", {"permissions": ["alarms", "tabs"]}, {"alarms": 0, "tabs": 0}),
        ("unknown-permission", {"permissions": ["nope", "tabs", "nope", "nope"]}, {"nope": 2}),
        ("unknown-permission", {"permissions": ["nope", "nix"]}, {"nope": 0, "nix": 0}),
        ("unknown-permission", {"permissions": ["nope"], "optional_permissions": ["nope"]}, {"nope": 0}),
    ],
)
def test_permission_that_is_listed_again(
    rule: str, keys: dict[str, object], expected: dict[str, int]
) -> None:
    files = {
        "manifest.json": manifest(background=BACKGROUND, **keys),
        "b.js": "chrome.runtime.id",
    }
    found = lint(files, [rule], "chrome")
    names = {each.message.split("`")[1]: len(each.related) for each in found}
    assert names == expected
    assert {related.message for each in found for related in each.related} <= {"it is listed again here"}


@pytest.mark.parametrize(
    ("permissions", "edits"),
    [(["alarms", "tabs"], 1), (["alarms", "alarms", "tabs"], 2), (["tabs", "alarms", "alarms"], None)],
)
def test_fix_removes_each_place_of_a_permission(permissions: list[str], edits: int | None) -> None:
    own = manifest(background=BACKGROUND, permissions=permissions)
    files = {"manifest.json": own, "b.js": "chrome.tabs.query({}, (all) => f(all[0].url))"}
    (finding,) = lint(files, ["unused-permission"], "chrome")
    assert (None if finding.fix is None else len(finding.fix.edits)) == edits


@pytest.mark.parametrize(
    ("rule", "script", "help"),
    [
        (
            "restarted-alarm",
            "chrome.alarms.create('a', { periodInMinutes: 60 }); chrome.tabs.onCreated.addListener(f);",
            "create it only if `alarms.get` does not find it",
        ),
        (
            "duplicate-menu",
            "chrome.contextMenus.create({ id: 'a', title: 'A' });",
            "create the menu in a listener of `runtime.onInstalled`",
        ),
    ],
)
def test_help_for_backgrounds_of_two_browsers(rule: str, script: str, help: str) -> None:
    own = manifest(background=BACKGROUND, permissions=["alarms", "contextMenus"])
    package = package_of({"manifest.json": own, "b.js": script})
    (finding,) = check_package(package, [Target("chrome"), Target("firefox")], [rule]).findings
    assert " each time the background starts" in finding.message
    assert finding.help == help


@pytest.mark.parametrize(
    ("image", "rules"),
    [(png(20), ["wrong-image-size"]), (png(20)[:-10], ["invalid-image"]), (png(48), [])],
)
def test_size_of_a_damaged_icon_does_not_matter(image: bytes, rules: list[str]) -> None:
    files: Files = {"manifest.json": manifest(icons={"48": "a.png"}), "a.png": image}
    found = lint(files, ["invalid-image", "wrong-image-size"], "chrome")
    assert [each.rule for each in found] == rules
