"""Predicted globals of a realm, available when its scripts are first analyzed."""

from __future__ import annotations

from typing import Any

import pytest
from harness import Files, lint, manifest

from extlint.analysis import analyze

USED = {
    "a variable that others name": ["const state = { on: 1 };\nif (state.on) USE", "state.on = false; USE"],
    "a function that others call": ["function show(own) { USE }\nshow(1);", "show(2); USE"],
    "a variable of the same name in others": ["let at = 1;\nif (at) USE", "{ let at = 2; if (at) USE }"],
    "a property of that name in others": ["let at = [1];\nif (at[0]) USE", "USE.at = 2;"],
}


def analysis_order(monkeypatch: pytest.MonkeyPatch, *scripts: str) -> list[str]:
    """Returns the scripts of a background in order of analysis."""
    found: list[str] = []
    find = analyze.analyze

    def counted(text: bytes, path: str, *others: Any) -> Any:
        found.append(path)
        return find(text, path, *others)

    monkeypatch.setattr(analyze, "analyze", counted)
    names = [f"{at}.js" for at in range(len(scripts))]
    files: Files = {
        "manifest.json": manifest(manifest_version=2, background={"scripts": names}),
        **{
            name: each.replace("USE", "browser.management.getSelf()")
            for name, each in zip(names, scripts, strict=True)
        },
    }
    lint(files)
    return found


@pytest.mark.parametrize("scripts", USED.values(), ids=USED)
def test_names_used_by_other_scripts_cause_no_second_analysis(
    scripts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert analysis_order(monkeypatch, *scripts) == ["0.js", "1.js"]


def test_known_value_assigned_by_another_script_causes_second_analysis(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = "var all = { own: browser };\nif (all.other) all.own.management.getSelf()"
    assert analysis_order(monkeypatch, own, "all.other = chrome; USE") == ["0.js", "1.js", "0.js", "1.js"]
