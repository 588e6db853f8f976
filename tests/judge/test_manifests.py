"""Manifests passed to browsers, and the comparison of their verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.manifests import probes
from extlint_judge.manifests.browser_verdicts import chromium_verdicts, firefox_verdicts
from extlint_judge.manifests.comparison import compare_verdicts
from extlint_judge.manifests.probes import Probe, Probes
from extlint_judge.manifests.verdicts import ACCEPTED, REFUSED, WARNED, Verdict, verdict, write_extension
from extlint_schemas import json_schema

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string"},
        "list": {"type": "array", "items": {"$ref": "#/definitions/item"}},
        "gone": {"not": {}, "x-only-in": 2},
    },
    "definitions": {
        "item": {
            "type": "object",
            "properties": {"a": {"type": "integer"}, "b": {"type": "boolean"}},
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
        }
    },
}

BASE = {"manifest_version": 3, "name": "judge", "version": "1"}


def probed_manifest(path: str, what: str) -> Any:
    (found,) = (each for each in Probes(SCHEMA, 3).all() if (each.path, each.what) == (path, what))
    return found.manifest


@pytest.mark.parametrize(
    ("path", "what", "manifest"),
    [
        ("", "an unknown key", {"manifest_version": 3, "name": "judge", "judge": 1}),
        ("", "without name", {"manifest_version": 3}),
        ("name", "null", {"manifest_version": 3, "name": None}),
        ("list", '[{"a": 1}]', {"manifest_version": 3, "name": "judge", "list": [{"a": 1}]}),
        ("list", "an item twice", {"manifest_version": 3, "name": "judge", "list": [{"a": 1}] * 2}),
        ("list[]", "{}", {"manifest_version": 3, "name": "judge", "list": [{}]}),
        ("list[].b", "false", {"manifest_version": 3, "name": "judge", "list": [{"a": 1, "b": False}]}),
        ("gone", "1", {"manifest_version": 3, "name": "judge", "gone": 1}),
    ],
)
def test_each_location_is_probed(path: str, what: str, manifest: dict[str, Any]) -> None:
    assert probed_manifest(path, what) == manifest


@pytest.mark.parametrize("browser", ["firefox", "chromium"])
def test_every_key_of_the_facts_is_probed(browser: str) -> None:
    probed_keys = {each.path.partition(".")[0].partition("[")[0] for each in probes(browser)}
    target = {"firefox": "firefox", "chromium": "chrome"}[browser]
    schema = json_schema(f"manifests/{target}_3")
    while "else" in schema:
        schema = schema["else"]
    assert schema["properties"].keys() - {"manifest_version"} <= probed_keys


@pytest.mark.parametrize(
    ("errors", "warnings", "outcome"),
    [([], [], ACCEPTED), ([], ["a"], WARNED), (["a"], [], REFUSED), (["a"], ["b"], REFUSED)],
)
def test_verdict_is_the_most_severe_message(errors: list[str], warnings: list[str], outcome: str) -> None:
    assert verdict(errors, warnings) == Verdict(outcome, (*errors, *warnings))


def test_extension_has_the_files_named_by_its_manifest(tmp_path: Path) -> None:
    folder = tmp_path / "extension"
    write_extension({**BASE, "icons": {"16": "a/b.png"}, "default_locale": "en"}, folder)
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert there == {"manifest.json", "a/b.png", "_locales/en/messages.json"}


def test_one_sided_objection_is_a_difference(tmp_path: Path) -> None:
    wrong, right = Probe("icons", "1", {**BASE, "icons": 1}), Probe("icons", "{}", {**BASE, "icons": {}})
    observed = [(wrong, Verdict(REFUSED, ("No.",))), (right, Verdict(ACCEPTED))]
    assert compare_verdicts(observed, "chrome", tmp_path / "extension").different == []
    observed = [(wrong, Verdict(ACCEPTED)), (right, Verdict(WARNED, ("Hm.",)))]
    differences = compare_verdicts(observed, "chrome", tmp_path / "extension").different
    assert [(each.path, each.where, each.browser, each.facts.partition(":")[0]) for each in differences] == [
        ("icons", "1 in 3", "accepted", "error invalid-value"),
        ("icons", "{} in 3", "warned: Hm.", "nothing"),
    ]


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_real_browser_judges_manifests(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    get_verdicts = chromium_verdicts if browser == "chromium" else firefox_verdicts
    manifests = [BASE, {**BASE, "judge": 1}, {**BASE, "icons": 1}]
    assert [each.outcome for each in get_verdicts(command, manifests, tmp_path)] == [
        ACCEPTED,
        WARNED,
        REFUSED,
    ]
