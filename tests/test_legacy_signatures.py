"""Calls that use the signature of an older or different API: one finding, with the correct form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache

import pytest
from harness import lint

from extlint.checks.calls.legacy_signatures import TABLE
from extlint.finding import Finding
from extlint.schema.targets import schema_set

ARGUMENTS = ["invalid-argument", "wrong-argument-count"]
BROWSERS = ("chrome", "firefox")
OTHERS = ("Chrome", "Firefox")
"""The browsers that may accept a call that another rejects."""
SAMPLES = {"a": "['1']", "b": "true", "f": "() => 1", "n": "5", "o": "{a: 1}", "s": "'a'", "_": "5"}
PRIVACY = "privacy.network.networkPredictionEnabled.set"


@cache
def found(target: str, version: int) -> Mapping[str, list[Finding]]:
    """Returns the findings about the arguments of the calls in all rows, in one background script."""
    calls = [*dict.fromkeys(call for api, shape, _, write in ROWS for call in calls_of(api, shape, write))]
    background = {"scripts": ["a.js"]} if version == 2 or target == "firefox" else {"service_worker": "a.js"}
    manifest = {
        "manifest_version": version,
        "name": "A",
        "version": "1",
        "background": background,
        "optional_permissions": ["tabs"],
        "side_panel": {"default_path": "panel.html"},
    }
    files = {"manifest.json": json.dumps(manifest), "a.js": "".join(f"chrome.{call};\n" for call in calls)}
    findings_by_call: dict[str, list[Finding]] = {call: [] for call in calls}
    for each in lint(files, ARGUMENTS, f"{target}<=130" if target == "chrome" and version == 2 else target):
        findings_by_call[calls[each.span.start.line - 1]].append(each)
    return findings_by_call


def sample(part: str) -> str:
    """Returns a sample argument for a part of a signature."""
    kinds, *keys = part.split("-")[0].split("+")
    return f"{{{keys[0]}: 'a'}}" if keys else SAMPLES[kinds[0]]


def calls_of(api: str, shape: str, write: str) -> tuple[str, str]:
    """Returns a call in the old form, and its replacement."""
    return f"{api}({', '.join(map(sample, shape.split()))})", write.replace("@", api)


ROWS = [
    (api.replace("privacy.*.set", PRIVACY), shape, takes, write)
    for api, rows in TABLE.items()
    for shape, takes, write in rows
]


@pytest.mark.parametrize(
    ("api", "shape", "takes", "write"), ROWS, ids=[f"{api}({shape})" for api, shape, *_ in ROWS]
)
def test_old_signature_is_rejected_and_its_replacement_accepted(
    api: str, shape: str, takes: str, write: str
) -> None:
    refused = 0
    wrong, right = calls_of(api, shape, write)
    help_text = f"write `{right}`"
    for target in BROWSERS:
        for version in (2, 3):
            findings_by_call = found(target, version)
            if findings_by_call[wrong]:
                (finding,) = findings_by_call[wrong]
                assert finding.message == f"`{api}` {takes}"
                assert finding.help in (help_text, *(f"{help_text}; {other} accepts it" for other in OTHERS))
                assert findings_by_call[right] == []
                refused += 1
    assert refused


def test_every_function_exists_in_some_browser() -> None:
    known = {name for target in BROWSERS for name in schema_set(target).names}
    assert {api.split(".")[0] for api in TABLE} <= {name.split(".")[0] for name in known}
