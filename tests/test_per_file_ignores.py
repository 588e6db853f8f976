"""Rules that a configuration ignores in some files, or at some values of JSON files."""

from __future__ import annotations

from functools import cache

import pytest
from harness import Files
from packages import package_of

from extlint.checker import check_package
from extlint.checking.report_of import apply_configuration
from extlint.linting.configuration.configuration import Configuration
from extlint.linting.configuration.keys import KEYS
from extlint.linting.configuration.usage_error import Place
from extlint.report.report import Report
from extlint.schema.targets import Target

MANIFEST = """{
  // as Chrome accepts it
  "manifest_version": 3, "name": "a", "version": "1",
  "permissions": ["tabz", "bookmarkz"],
  "optional_permissions": ["tabz"],
  "hostpermissions": [],
  "a/b": {"c~d": 1},
  "background": {"service_worker": "lib/background.js", "typ": "module"},
  "content_scripts": [{"js": ["content.js"]}],
  "name": "b"
}"""
FILES: Files = {
    "manifest.json": MANIFEST,
    "lib/background.js": "chrome.management.gett();",
    "content.js": "chrome.management.gett(); // extlint-disable-line wrong-context",
}
RULES = ("unknown-permission", "unknown-key", "missing-key", "duplicate-key", "unknown-api", "wrong-context")
FOUND = {
    ("unknown-api", "lib/background.js", 1),
    ("unknown-permission", "manifest.json", 4),
    ("unknown-permission", "manifest.json", 5),
    ("unknown-key", "manifest.json", 6),
    ("unknown-key", "manifest.json", 7),
    ("unknown-key", "manifest.json", 8),
    ("missing-key", "manifest.json", 9),
    ("duplicate-key", "manifest.json", 10),
}


@cache
def checked() -> Report:
    return check_package(package_of(FILES), [Target("chrome")], RULES)


def report(entries: dict[str, object]) -> Report:
    ignores = KEYS["per-file-ignores"].kind.read(entries, Place(""))
    return apply_configuration(checked(), RULES, Configuration(per_file_ignores=ignores))


def test_everything_is_reported_without_entries() -> None:
    found = report({})
    assert {(each.rule, each.path, each.span.start.line) for each in found.findings} == FOUND
    assert len(found.findings) == len(FOUND) + 1
    assert found.suppressed == 1


@pytest.mark.parametrize(
    ("pattern", "rules", "lines"),
    [
        ("manifest.json", "unknown-permission", [4, 4, 5]),
        ("*.json", ["unknown-permission", "unknown-key"], [4, 4, 5, 6, 7, 8]),
        ("manifest.json", "manifest", [4, 4, 5, 6, 7, 8, 9, 10]),
        ("manifest.json#/permissions", "unknown-permission", [4, 4]),
        ("manifest.json#/permissions/1", "unknown-permission", [4]),
        ("*#/permissions/1", "unknown-permission", [4]),
        ("manifest.json#/permissions/2", "unknown-permission", []),
        ("manifest.json#/permissions/x", "unknown-permission", []),
        ("manifest.json#/permissions", "unknown-key", []),
        ("manifest.json#", "unknown-permission", [4, 4, 5]),
        ("manifest.json#/hostpermissions", "unknown-key", [6]),
        ("manifest.json#/a~1b", "unknown-key", [7]),
        ("manifest.json#/background", "unknown-key", [8]),
        ("manifest.json#/background/typ", "unknown-key", [8]),
        ("manifest.json#/background/service_worker", "unknown-key", []),
        ("manifest.json#/content_scripts/0", "missing-key", [9]),
        ("manifest.json#/content_scripts", "missing-key", [9]),
        ("manifest.json#/name", "duplicate-key", [10]),
        ("manifest.json#/nowhere/0", "unknown-key", []),
        ("lib/", "unknown-api", [1]),
        ("lib/**", "uses", [1]),
        ("**/background.js", "unknown-api", [1]),
        ("/background.js", "unknown-api", []),
        ("*.js", "unknown-api", [1]),
        ("*.js#/a", "unknown-api", []),
        ("*.ts", "unknown-api", []),
    ],
)
def test_matching_rules_are_ignored(pattern: str, rules: object, lines: list[int]) -> None:
    left = report({pattern: rules})
    ignored = {(each.rule, each.path, each.span.start.line) for each in report({}).findings} - {
        (each.rule, each.path, each.span.start.line) for each in left.findings
    }
    assert left.suppressed == 1 + len(lines)
    assert {line for _, _, line in ignored} <= {*lines}


def test_entries_are_combined() -> None:
    found = report({"manifest.json": "manifest", "*.js": "uses"})
    assert found.findings == ()
    assert found.suppressed == len(FOUND) + 2


def test_suppression_of_an_ignored_finding_counts_as_used() -> None:
    rules = (*RULES, "unused-suppression")
    raw = check_package(package_of(FILES), [Target("chrome")], rules)
    ignores = KEYS["per-file-ignores"].kind.read({"content.js": "uses"}, Place(""))
    found = apply_configuration(raw, rules, Configuration(per_file_ignores=ignores)).findings
    assert [each for each in found if each.rule == "unused-suppression"] == []
