"""Conditions decided by the manifest: dead branches have no findings, and live ones are checked."""

from __future__ import annotations

import json

import pytest
from harness import lint

from extlint.analysis.analyze import analyze

OLD = "browser.tabs.executeScript({code: 'a'})"
"""A call that only Manifest V2 supports."""

VERSION = "browser.runtime.getManifest().manifest_version"


Keys = dict[str, object]


def reported(source: str, version: int = 3, target: str = "firefox", keys: Keys | None = None) -> list[str]:
    """Returns the rules of the findings in a script that is the only background script."""
    background = {"background": {"scripts": ["a.js"]}}
    written = {"manifest_version": version, "name": "x", "version": "1", **background, **(keys or {})}
    files = {"manifest.json": json.dumps(written), "a.js": source.replace("OLD", OLD)}
    found = lint(files, ["wrong-manifest-version", "unknown-api", "invalid-argument"], target)
    return [each.rule for each in found if each.path == "a.js"]


DEAD_BRANCHES = {
    "equal": f"if ({VERSION} === 2) OLD",
    "loosely equal": f"if ({VERSION} == 2) OLD",
    "turned": f"if (2 === {VERSION}) OLD",
    "less": f"if ({VERSION} < 3) OLD",
    "not equal": f"if ({VERSION} !== 3) OLD",
    "a negation": f"if (!({VERSION} >= 3)) OLD",
    "else": f"if ({VERSION} === 3) {{}} else OLD",
    "a ternary": f"{VERSION} > 2 ? 0 : OLD",
    "and": f"{VERSION} === 2 && OLD",
    "or": f"{VERSION} === 3 || OLD",
    "and more": f"if (x && {VERSION} === 2 && y) OLD",
    "an early return": f"function f() {{ if ({VERSION} === 3) return; OLD }}",
    "chrome": "if (chrome.runtime.getManifest().manifest_version === 2) OLD",
    "an optional call": "if (browser.runtime.getManifest?.().manifest_version === 2) OLD",
    "the manifest with a name": (
        "const manifest = browser.runtime.getManifest(); if (manifest.manifest_version < 3) OLD"
    ),
    "the version with a name": f"const version = {VERSION}; if (version === 2) OLD",
    "the test with a name": f"const isOld = {VERSION} === 2; if (isOld) OLD",
    "a test whose name says version": f"const isMV3 = {VERSION} === 3; if (!isMV3) OLD",
    "taken out": (
        "const { manifest_version } = browser.runtime.getManifest(); if (manifest_version === 2) OLD"
    ),
    "taken out under another name": (
        "const { manifest_version: mv } = browser.runtime.getManifest(); if (mv !== 3) OLD"
    ),
    "a function": f"function isMv2() {{ return {VERSION} === 2 }} if (isMv2()) OLD",
    "an arrow function": f"const isMv3 = () => {VERSION} === 3; if (isMv3()) {{}} else OLD",
    "a function that gives the version": f"const version = () => {VERSION}; if (version() === 2) OLD",
    "a property": f"const env = {{ mv3: {VERSION} === 3 }}; if (!env.mv3) OLD",
    "a static field": f"class Env {{ static mv3 = {VERSION} === 3 }} if (!Env.mv3) OLD",
    "a case": f"switch ({VERSION}) {{ case 2: OLD; break; case 3: x() }}",
    "the default": f"switch ({VERSION}) {{ case 3: x(); break; default: OLD }}",
    "a number of it": f"if (Number({VERSION}) === 2) OLD",
    "in a caller": f"function old() {{ OLD }} if ({VERSION} === 2) old()",
}


@pytest.mark.parametrize("target", ["firefox", "chrome", "reference"])
@pytest.mark.parametrize("source", DEAD_BRANCHES.values(), ids=DEAD_BRANCHES.keys())
def test_dead_branch_is_not_checked(source: str, target: str) -> None:
    assert reported(source, target=target) == []


@pytest.mark.parametrize("source", DEAD_BRANCHES.values(), ids=DEAD_BRANCHES.keys())
def test_branch_is_checked_in_the_other_manifest_version(source: str) -> None:
    assert reported(source.replace(OLD, "OLD").replace("OLD", "browser.tabs.create({url: 1})"), 2) == [
        "invalid-argument"
    ]


LIVE_BRANCHES = {
    "the version it is": f"if ({VERSION} === 3) OLD",
    "at least": f"if ({VERSION} >= 3) OLD",
    "else": f"if ({VERSION} === 2) {{}} else OLD",
    "an early return": f"function f() {{ if ({VERSION} === 2) return; OLD }}",
    "the test with a name": f"const isMV3 = {VERSION} === 3; if (isMV3) OLD",
    "an alternative": f"if ({VERSION} === 2 || x) OLD",
    "a branch that goes on": f"if ({VERSION} === 3) {{ x() }} OLD",
    "a case that is run into": f"switch ({VERSION}) {{ case 3: x(); case 2: OLD }}",
    "two cases": f"switch ({VERSION}) {{ case 2: case 3: OLD }}",
    "another key": "if (browser.runtime.getManifest().version === '2') OLD",
    "another object's": "if (settings.other === 2) OLD",
}


@pytest.mark.parametrize("source", LIVE_BRANCHES.values(), ids=LIVE_BRANCHES.keys())
def test_live_branch_is_checked(source: str) -> None:
    assert reported(source) == ["wrong-manifest-version"]


MANIFEST = "browser.runtime.getManifest()"
OTHER_KEYS = {
    "a permission that is not there": (f"if ({MANIFEST}.permissions.includes('tabs')) OLD", {}, [], []),
    "a permission that may be missing": (f"if ({MANIFEST}.permissions?.includes('tabs')) OLD", {}, [], []),
    "a list that may be missing": (f"if (({MANIFEST}.permissions || []).includes('tabs')) OLD", {}, [], []),
    "a list with a default": (
        f"const {{ permissions = [] }} = {MANIFEST}; if (permissions.includes('tabs')) OLD",
        {},
        [],
        [],
    ),
    "a position": (f"if ({MANIFEST}.permissions.indexOf('tabs') !== -1) OLD", {}, [], []),
    "a position from 0 on": (f"if (0 <= {MANIFEST}.permissions.indexOf('tabs')) OLD", {}, [], []),
    "an optional one": (f"if ({MANIFEST}.optional_permissions.includes('tabs')) OLD", {}, [], []),
    "a permission that is there": (
        f"if ({MANIFEST}.permissions.includes('tabs')) OLD",
        {"permissions": ["tabs"]},
        ["wrong-manifest-version"],
        ["wrong-manifest-version"],
    ),
    "no position": (
        f"if ({MANIFEST}.permissions.indexOf('tabs') < 0) OLD",
        {},
        ["wrong-manifest-version"],
        ["wrong-manifest-version"],
    ),
    "without one that is there": (
        f"if (!{MANIFEST}.permissions.includes('tabs')) OLD",
        {"permissions": ["tabs"]},
        ["wrong-manifest-version"],
        [],
    ),
    "a worker": (f"if ({MANIFEST}.background?.service_worker) OLD", {}, [], []),
    "no worker": (
        f"if (!{MANIFEST}.background.service_worker) OLD",
        {},
        ["wrong-manifest-version"],
        ["wrong-manifest-version"],
    ),
    "a key that is not there": (f"if ({MANIFEST}.side_panel) OLD", {}, [], []),
    "a key that is asked by in": (f"if ('side_panel' in {MANIFEST}) OLD", {}, [], []),
    "a key that is there": (
        f"if (!{MANIFEST}.side_panel) OLD",
        {"side_panel": {}},
        ["wrong-manifest-version"],
        [],
    ),
    "a key that Firefox fills in": (
        f"if ({MANIFEST}.incognito) OLD",
        {},
        ["wrong-manifest-version"],
        [],
    ),
    "a text": (f"if ({MANIFEST}.version === '2') OLD", {}, ["wrong-manifest-version"], []),
    "a message": (
        f"if ({MANIFEST}.description === 'a') OLD",
        {"description": "__MSG_a__"},
        ["wrong-manifest-version"],
        ["wrong-manifest-version"],
    ),
}


@pytest.mark.parametrize(("source", "keys", "firefox", "chrome"), OTHER_KEYS.values(), ids=OTHER_KEYS.keys())
def test_conditions_on_other_manifest_keys(
    source: str, keys: dict[str, object], firefox: list[str], chrome: list[str]
) -> None:
    assert (reported(source, keys=keys), reported(source, target="chrome", keys=keys)) == (firefox, chrome)


def test_fields_of_get_manifest_are_not_checked() -> None:
    facts = analyze(
        b"const m = browser.runtime.getManifest(); m.my_own_key; if (m.version === 1) x()", "a.js"
    )
    assert (facts.field_reads, facts.comparisons) == ((), ())


def test_misspelled_name_in_a_live_branch_is_reported() -> None:
    assert reported(f"if ({VERSION} === 3) browser.tabs.qurey({{}})") == ["unknown-api"]
