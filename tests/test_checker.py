"""The data flow of a check: contents of a package's report."""

from __future__ import annotations

from functools import partial

import pytest
from harness import Files, lint, manifest
from packages import package_of

from extlint.checker import check_package
from extlint.finding import Finding, Severity
from extlint.linting.merge import across_targets
from extlint.package.files import Package, UnreadableError
from extlint.package.tolerant import TolerantPackage
from extlint.registry import RULES
from extlint.schema.targets import Target
from extlint.text.positions import Position, Span

TARGETS = (Target("reference"),)
EVERY_RULE = tuple(RULES)
USE = "browser.management.getAll();\n"


def finding(
    rule: str = "a", path: str = "x", line: int = 1, message: str = "m", target: str = "t"
) -> Finding:
    span = Span(Position(line, 1), Position(line, 2))
    return Finding(rule, Severity.ERROR, message, path, span, targets=(target,))


def package_with(files: Files, *unreadable: str) -> Package:
    """Returns a package with these files and some unreadable ones."""

    def refuse(path: str) -> bytes:
        raise UnreadableError(f"cannot read {path}: broken")

    readable = {path: partial(package_of(files).read, path) for path in files}
    return Package("ext", {**readable, **{path: partial(refuse, path) for path in unreadable}})


def test_findings_are_sorted_by_path_position_and_rule() -> None:
    ordered = [
        finding("a", "x", 1),
        finding("b", "x", 1),
        finding("a", "x", 2),
        finding("a", "x", 10),
        finding("a", "y", 1),
    ]
    assert list(across_targets(reversed(ordered))) == ordered


@pytest.mark.parametrize(
    ("other", "count"),
    [
        pytest.param(finding(), 1, id="the same finding"),
        pytest.param(finding(target="u"), 1, id="the same for another target"),
        pytest.param(finding("b"), 2, id="another rule"),
        pytest.param(finding(path="y"), 2, id="another file"),
        pytest.param(finding(line=2), 2, id="another place"),
        pytest.param(finding(message="n"), 2, id="another message"),
    ],
)
def test_duplicate_findings_are_merged(other: Finding, count: int) -> None:
    assert len(across_targets([finding(), other])) == count


def test_merged_finding_names_all_targets() -> None:
    assert across_targets([finding(target="t"), finding(target="u")])[0].targets == ("t", "u")


def test_finding_names_its_target() -> None:
    report = check_package(package_of({"manifest.json": "[]"}), TARGETS, EVERY_RULE)
    assert [each.targets for each in report.findings] == [("reference",)]


def test_only_selected_rules_run() -> None:
    files = {"manifest.json": '{"name": "a", "name": "b"}'}
    assert {each.rule for each in lint(files)} == {"duplicate-key", "missing-key"}
    assert {each.rule for each in lint(files, ["duplicate-key"])} == {"duplicate-key"}


def test_checked_files_are_counted() -> None:
    files: Files = {
        "manifest.json": manifest(action={"default_popup": "popup.html"}),
        "popup.html": "<script src=popup.js></script>",
        "popup.js": "let a;",
        "icon.png": b"\x89PNG",
    }
    assert check_package(package_of(files), TARGETS, EVERY_RULE).files == 3


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        pytest.param('{"name": ', ["invalid-json", "unsupported-api"], id="broken JSON"),
        pytest.param("", ["invalid-json", "unsupported-api"], id="an empty file"),
        pytest.param(b"\xff\xfe{\x00", ["invalid-json", "unsupported-api"], id="broken UTF-16"),
        pytest.param("[]", ["invalid-value", "unsupported-api"], id="a list"),
        pytest.param("null", ["invalid-value", "unsupported-api"], id="null"),
    ],
)
def test_scripts_are_checked_despite_invalid_manifest(text: str | bytes, rules: list[str]) -> None:
    found = lint({"manifest.json": text, "background.js": USE})
    assert sorted(each.rule for each in found) == rules


def test_unreadable_script_does_not_affect_other_files() -> None:
    files = {"manifest.json": manifest(background={"scripts": ["a.js", "b.js"]}), "b.js": USE}
    report = check_package(package_with(files, "a.js"), TARGETS, EVERY_RULE)
    assert report.unreadable == ("cannot read a.js: broken",)
    assert {each.path for each in report.findings} == {"b.js"}
    assert report.files == 2


def test_unreadable_locale_file_is_not_reported_as_invalid() -> None:
    report = check_package(
        package_with({"manifest.json": manifest(default_locale="en")}, "_locales/en/messages.json"),
        TARGETS,
        EVERY_RULE,
    )
    assert report.unreadable == ("cannot read _locales/en/messages.json: broken",)
    assert report.findings == ()


def test_unreadable_manifest_has_no_findings() -> None:
    report = check_package(package_with({"a.js": USE}, "manifest.json"), TARGETS, EVERY_RULE)
    assert report.unreadable == ("cannot read manifest.json: broken",)
    assert report.findings == ()


def test_tolerant_package_reads_each_file_once() -> None:
    reads: list[str] = []

    def read() -> bytes:
        reads.append("a")
        return b"text"

    tolerant = TolerantPackage(Package("ext", {"a": read, "b": read}))
    assert [tolerant.read("a"), tolerant.read("a")] == [b"text", b"text"]
    assert reads == ["a"]
    assert tolerant.used == {"a"}


def test_tolerant_package_delegates_to_original() -> None:
    package = Package("name", {"A": lambda: b"", "b": lambda: b""}, "other.json", complete=False)
    tolerant = TolerantPackage(package)
    assert (tolerant.name, tolerant.manifest_path, tolerant.complete) == ("name", "other.json", False)
    assert tolerant.paths == ("A", "b")
    assert tolerant.other_case("a") == "A"
    assert "c" not in tolerant
    with pytest.raises(KeyError):
        tolerant.read("c")


def test_tolerant_package_reads_unlisted_files() -> None:
    package = Package("name", {}, unlisted={"inner/a.js": lambda: b"x"}.get)
    assert TolerantPackage(package).read("inner/a.js") == b"x"


@pytest.mark.parametrize("content", ["let a = 1;", "browser.runtime.id;"], ids=["no API", "some API"])
def test_unknown_files_of_incomplete_package_are_not_reported(content: str) -> None:
    text = manifest(background={"scripts": ["a.js"]})
    package = Package("ext", {"manifest.json": text.encode, "b.js": content.encode}, complete=False)
    assert check_package(package, TARGETS, EVERY_RULE).findings == ()
