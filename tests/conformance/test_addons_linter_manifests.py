"""The manifest cases of Mozilla's linter: valid or not, and where; each disagreement has its reason.

The cases stand beside the checkout, and are skipped where they do not. Warnings are not compared: for
that tool too a manifest with warnings is valid.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from extlint.checker import check_package
from extlint.finding import Finding, Severity
from extlint.manifest.json_values import Node
from extlint.manifest.reading import read_manifest
from extlint.package.files import Package
from extlint.target import Target
from extlint.text import Span

CASES = (
    Path(__file__).resolve().parents[3] / "shared" / "conformance" / "addons-linter" / "manifest_schema.json"
)
RULES = (
    "conflicting-keys",
    "deprecated-key",
    "invalid-value",
    "missing-key",
    "refused-by-store",
    "unknown-key",
    "unknown-permission",
    "wrong-manifest-version",
)
LEAST_AGREEMENT = 0.97

REFUSED_BY_CODE = frozenset({"BACKGROUND_SERVICE_WORKER_NOFALLBACK", "VERSION_FORMAT_INVALID"})
"""Errors that the tool tells beside its schema, so that the case counts as valid there."""

WARNED_BY_CODE = frozenset(
    {
        "IGNORED_APPLICATIONS_PROPERTY",
        "MANIFEST_CSP",
        "MANIFEST_CSP_UNSAFE_EVAL",
        "MANIFEST_FIELD_UNSUPPORTED",
        "VERSION_FORMAT_DEPRECATED",
    }
)
"""Warnings of the tool about what extlint may refuse."""

REASONS = {
    "color": "`rgb(255, 255, 255),` is no color for its comma, and Firefox shows none",
    "policy": "Firefox drops a policy whose script-src does not name 'self'; it was asked",
    "author": "Firefox warns of an author that is an object, which Chrome's documentation asks for",
    "message": "no name of a message has such letters, so that Firefox reads the text as it is",
}


def cases() -> list[dict[str, Any]]:
    return json.loads(CASES.read_bytes()) if CASES.exists() else []


def findings(manifest: dict[str, Any]) -> tuple[Finding, ...]:
    text = json.dumps(manifest).encode()
    package = Package("ext", {"manifest.json": lambda: text}, complete=False)
    return check_package(package, [Target("firefox")], RULES).findings


def refused(found: tuple[Finding, ...]) -> list[Finding]:
    """What the tool refuses too: errors, and permissions that do not exist."""
    return [each for each in found if each.severity is Severity.ERROR or each.rule == "unknown-permission"]


def reason(case: dict[str, Any]) -> str | None:
    """Why the tool and Firefox differ about a case, if they do."""
    manifest = case["manifest"]
    if "rgb(255, 255, 255)," in json.dumps(manifest):
        return "color"
    if "script-src 'none'" in str(manifest.get("content_security_policy")):
        return "policy"
    if isinstance(manifest.get("author"), dict):
        return "author"
    return "message" if manifest.get("homepage_url") == "__MSG_foo^&#__" else None


def agrees_on_validity(case: dict[str, Any], found: tuple[Finding, ...]) -> bool:
    """Whether both refuse a manifest, or neither does; what the tool refuses extlint may warn of."""
    codes = set(case["asserted"]["codes"])
    if not case["expect"]["valid"] or codes & REFUSED_BY_CODE:
        return bool(found)
    return not refused(found) or bool(codes & WARNED_BY_CODE)


def agrees_on_place(case: dict[str, Any], found: tuple[Finding, ...]) -> bool:
    """Whether there is a finding at each place that the tool names, in it or around it, or at its key."""
    document = read_manifest("manifest.json", json.dumps(case["manifest"]).encode())
    root = document.document.root
    assert root is not None
    ours = [each.span for each in found]
    for error in case["expect"]["errors"]:
        steps = steps_of(root, error["instance_path"])
        value, holder = root.get(*steps), root.get(*steps[:-1])
        keys = (
            [member.key for key, member in holder.members() if key == steps[-1]] if steps and holder else []
        )
        spans = [document.span(each) for each in ([value.span] if value else []) + keys]
        if not any(within(mine, span) or within(span, mine) for mine in ours for span in spans):
            return False
    return True


def steps_of(root: Node, pointer: str) -> tuple[str | int, ...]:
    """The keys and indexes of a JSON pointer."""
    steps: tuple[str | int, ...] = ()
    for step in pointer.split("/")[1:]:
        holder = root.get(*steps)
        steps += (int(step) if holder is not None and holder.items() else step,)
    return steps


def within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


@pytest.mark.skipif(not CASES.exists(), reason="the cases are not beside the checkout")
def test_agreement_with_the_manifest_cases_of_mozillas_linter() -> None:
    unexplained = []
    agreeing = 0
    for case in cases():
        found = findings(case["manifest"])
        same = agrees_on_validity(case, found) and agrees_on_place(case, found)
        agreeing += same
        if not same and reason(case) not in REASONS:
            unexplained.append((case["id"], [(each.rule, each.message) for each in found]))
    assert unexplained == []
    share = agreeing / len(cases())
    assert share >= LEAST_AGREEMENT, f"{agreeing} of {len(cases())}"
