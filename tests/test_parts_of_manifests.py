"""Scripts and pages that only a part of a manifest names, which a build merges with the manifest."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from harness import manifest
from packages import package_in

from extlint.checker import check_package
from extlint.schema.targets import target_of

USE = "window.close(); chrome.runtime.id;"
WORKER = json.dumps({"background": {"service_worker": "bg.js"}})
PAGE = json.dumps({"background": {"scripts": ["bg.js"]}})


def reported(files: Mapping[str, str], target: str) -> tuple[list[str], list[str]]:
    """Returns the rules of what is reported in the script, and why code was not checked."""
    own = {"package.json": '{"scripts": {"build": "node build.js"}}', "src/bg.js": USE}
    own_target = target_of(target)
    assert own_target is not None
    report = check_package(package_in({**own, **files}, "src/"), [own_target], ["missing-global"])
    return [each.rule for each in report.findings], [each.cause.value for each in report.unchecked_code]


BASE = manifest()
ROWS: dict[str, tuple[dict[str, str], str, list[str], list[str]]] = {
    "a worker": (
        {"src/manifest.json": BASE, "src/manifest-chromium.json": WORKER},
        "chrome",
        ["missing-global"],
        [],
    ),
    "a page": ({"src/manifest.json": BASE, "src/manifest-firefox.json": PAGE}, "firefox", [], []),
    "both, where the page runs": (
        {
            "src/manifest.json": BASE,
            "src/manifest-firefox.json": PAGE,
            "src/manifest-chrome.json": WORKER,
        },
        "firefox",
        [],
        [],
    ),
    "a part of the same key": (
        {"src/manifest.json": manifest(background={}), "src/manifest-chrome.json": WORKER},
        "chrome",
        [],
        ["unconnected"],
    ),
    "a whole manifest": (
        {"src/manifest.json": BASE, "src/manifest-x.json": manifest(background={"service_worker": "bg.js"})},
        "chrome",
        [],
        ["unconnected"],
    ),
    "a part for no browser": (
        {"src/manifest.json": BASE, "src/manifest-dev.json": WORKER},
        "chrome",
        [],
        ["unconnected"],
    ),
    "a part in another folder": (
        {"src/manifest.json": BASE, "src/a/manifest-chrome.json": WORKER},
        "chrome",
        [],
        ["unconnected"],
    ),
}


@pytest.mark.parametrize(("files", "target", "rules", "causes"), ROWS.values(), ids=ROWS.keys())
def test_script_of_a_part(files: dict[str, str], target: str, rules: list[str], causes: list[str]) -> None:
    assert reported(files, target) == (rules, causes)
