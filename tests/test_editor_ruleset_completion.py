"""Completion in rule files of declarativeNetRequest, and of locales. `|` is the cursor."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from editor_cases import BOTH, at_cursor, items_at, settings
from packages import package_of

from extlint.services.editor.completion import completions
from extlint.services.editor.documents.text_cursor import Completion

MANIFEST = {
    "manifest_version": 3,
    "name": "a",
    "version": "1",
    "declarative_net_request": {"rule_resources": [{"id": "a", "enabled": True, "path": "rules/a.json"}]},
}


def found(marked: str, path: str = "rules/a.json") -> Mapping[str, Completion]:
    return items_at(marked, path, manifest=MANIFEST)


CASES = {
    "a key": ("[{|}]", {"id", "action", "condition", "priority"}),
    "a key after others": ('[{"id": 1, |}]', {"action"}),
    "a key of an action": ('[{"action": {|}}]', {"type", "redirect"}),
    "a value": ('[{"action": {"type": "|"}}]', {"block", "redirect"}),
    "an item": ('[{"condition": {"resourceTypes": ["script", "|"]}}]', {"image"}),
    "a truth value": ('[{"condition": {"isUrlFilterCaseSensitive": |}}]', {"true", "false"}),
    "the second rule": ('[{"id": 1}, {"action": {"type": "|', {"allow"}),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_rules_are_completed(text: str, expected: set[str]) -> None:
    assert expected <= found(text).keys()


def test_keys_and_items_that_exist_are_not_offered_again() -> None:
    assert "id" not in found('[{"id": 1, |}]')
    assert "script" not in found('[{"condition": {"resourceTypes": ["script", "|"]}}]')


def test_other_files_and_places_have_no_completions() -> None:
    assert not found("[{|}]", "other.json")
    assert not found("{|}")
    assert not found("[|]")
    assert not found('[{"condition": {"urlFilter": "|"}}]')


def test_required_keys_come_first() -> None:
    rules = found("[{|}]")
    assert rules["action"].sort < rules["priority"].sort
    assert rules["action"].insert == '"action": '


def test_the_locales_of_the_package_are_completed() -> None:
    text, position = at_cursor('{"default_locale": "|"}')
    files = {"manifest.json": text, "_locales/de/messages.json": "{}", "_locales/en/messages.json": "{}"}
    items = completions(package_of(files), settings(BOTH), "manifest.json", text, position)
    assert {each.label for each in items} == {"de", "en"}


def test_the_sizes_of_icons_are_completed() -> None:
    text = json.dumps({**MANIFEST, "icons": {"16": "a.png", "CURSOR": ""}}).replace('"CURSOR": ""', "|")
    assert items_at(text, "manifest.json").keys() == {"32", "48", "128"}
