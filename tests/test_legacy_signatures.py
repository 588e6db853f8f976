"""Calls that are written as an older API takes them, or another one: one finding, and how to write it."""

from __future__ import annotations

import json

import pytest
from harness import lint

from extlint.checks.calls.legacy_signature_table import TABLE
from extlint.finding import Finding
from extlint.targets.target import schema_set

ARGUMENTS = ["invalid-argument", "wrong-argument-count"]
BROWSERS = ("chrome", "firefox")
SAMPLES = {"a": "['1']", "b": "true", "f": "() => 1", "n": "5", "o": "{a: 1}", "s": "'a'", "_": "5"}
PRIVACY = "privacy.network.networkPredictionEnabled.set"


def found(call: str, target: str, version: int) -> list[Finding]:
    """What is wrong with the arguments of a call in the background of an extension."""
    background = {"scripts": ["a.js"]} if version == 2 or target == "firefox" else {"service_worker": "a.js"}
    manifest = {
        "manifest_version": version,
        "name": "A",
        "version": "1",
        "background": background,
        "optional_permissions": ["tabs"],
    }
    files = {"manifest.json": json.dumps(manifest), "a.js": f"chrome.{call};"}
    return lint(files, ARGUMENTS, f"{target}<=130" if target == "chrome" and version == 2 else target)


def sample(part: str) -> str:
    """An argument that a part of a signature is about."""
    kinds, *keys = part.split("-")[0].split("+")
    return f"{{{keys[0]}: 'a'}}" if keys else SAMPLES[kinds[0]]


ROWS = [
    pytest.param(api.replace("privacy.*.set", PRIVACY), shape, takes, write, id=f"{api}({shape})")
    for api, rows in TABLE.items()
    for shape, takes, write in rows
]


@pytest.mark.parametrize(("api", "shape", "takes", "write"), ROWS)
def test_each_signature_is_refused_and_what_stands_instead_is_taken(
    api: str, shape: str, takes: str, write: str
) -> None:
    refused = 0
    wrong = f"{api}({', '.join(map(sample, shape.split()))})"
    right = write.replace("@", api)
    for target in BROWSERS:
        for version in (2, 3):
            told = found(wrong, target, version)
            if told:
                (finding,) = told
                assert (finding.message, finding.help) == (f"`{api}` {takes}", f"write `{right}`")
                assert found(right, target, version) == []
                refused += 1
    assert refused


def test_each_function_is_one_of_some_browser() -> None:
    known = {name for target in BROWSERS for name in schema_set(target).names}
    assert {api.split(".")[0] for api in TABLE} <= {name.split(".")[0] for name in known}
