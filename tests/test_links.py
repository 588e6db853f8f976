"""Symbolic links in an extension: those inside its folder count, and others lead to unknown files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from extlint.checker import check_package
from extlint.package.discovery.find import find_packages
from extlint.package.files import Package
from extlint.report.report import Report
from extlint.schema.targets import Target

pytestmark = pytest.mark.skipif(not hasattr(Path, "symlink_to"), reason="there are no links here")


def report_on_folder(root: Path, **keys: object) -> Report:
    """Returns the report on the folder `ext` for Chrome. The `keys` complete its manifest."""
    manifest = {"manifest_version": 3, "name": "A", "version": "1", **keys}
    (root / "ext").mkdir(exist_ok=True)
    (root / "ext/manifest.json").write_text(json.dumps(manifest))
    (package,) = find_packages([str(root / "ext")])
    assert isinstance(package, Package)
    select = ("incomplete-analysis", "missing-file", "missing-permission", "unmatched-resource")
    return check_package(package, (Target("chrome"),), select)


def lint_folder(root: Path, **keys: object) -> list[tuple[str, str]]:
    """Returns the rule and file of each mistake that `report_on_folder` contains."""
    found = report_on_folder(root, **keys).findings
    return [(each.rule, each.path) for each in found if each.rule != "incomplete-analysis"]


def write(root: Path, path: str, text: str = "") -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def link(root: Path, path: str, target: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).symlink_to(target)


MESSAGES = '{"name": {"message": "A"}}'


def test_linked_locales_exist(tmp_path: Path) -> None:
    write(tmp_path, "ext/shared/en/messages.json", MESSAGES)
    link(tmp_path, "ext/_locales", "shared")
    assert lint_folder(tmp_path, default_locale="en") == []
    assert lint_folder(tmp_path, default_locale="de") == [("missing-file", "manifest.json")]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [("linked/*.png", []), ("linked/*.gif", ["unmatched-resource"]), ("out/*.gif", [])],
)
def test_resource_pattern_of_linked_files(tmp_path: Path, pattern: str, expected: list[str]) -> None:
    write(tmp_path, "ext/images/a.png")
    write(tmp_path, "other/b.png")
    link(tmp_path, "ext/linked", "images")
    link(tmp_path, "ext/out", "../other")
    resources = [{"resources": [pattern], "matches": ["*://*/*"]}]
    assert [rule for rule, _ in lint_folder(tmp_path, web_accessible_resources=resources)] == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("inside.png", [], id="a link to a file of the package"),
        pytest.param("out.png", [], id="a link out of it"),
        pytest.param("folder/a.png", [], id="below a link out of it"),
        pytest.param("nowhere/a.png", [], id="below a link to what is not fetched"),
        pytest.param("broken.png", ["missing-file"], id="a link to no file of the package"),
        pytest.param("linked/b.png", ["missing-file"], id="no file below a link in the package"),
        pytest.param("gone.png", ["missing-file"], id="no link at all"),
    ],
)
def test_existence_of_linked_icons(tmp_path: Path, name: str, expected: list[str]) -> None:
    write(tmp_path, "ext/images/a.png")
    write(tmp_path, "other/a.png")
    link(tmp_path, "ext/inside.png", "images/a.png")
    link(tmp_path, "ext/linked", "images")
    link(tmp_path, "ext/out.png", "../other/a.png")
    link(tmp_path, "ext/folder", "../other")
    link(tmp_path, "ext/nowhere", "../../submodule")
    link(tmp_path, "ext/broken.png", "images/none.png")
    assert [rule for rule, _ in lint_folder(tmp_path, icons={"16": name})] == expected


def test_linked_script_is_reported_at_the_loaded_path(tmp_path: Path) -> None:
    write(tmp_path, "ext/source/a.js", "chrome.alarms.create({ periodInMinutes: 1 });")
    link(tmp_path, "ext/lib", "source")
    found = [("missing-permission", "lib/a.js")]
    assert lint_folder(tmp_path, background={"service_worker": "lib/a.js"}) == found
    found = [("missing-permission", "source/a.js")]
    assert lint_folder(tmp_path, background={"service_worker": "source/a.js"}) == found
    assert lint_folder(tmp_path) == found


def test_script_linked_from_outside_is_not_analyzed(tmp_path: Path) -> None:
    write(tmp_path, "other/a.js", "chrome.alarms.create({ periodInMinutes: 1 });")
    link(tmp_path, "ext/a.js", "../other/a.js")
    assert lint_folder(tmp_path, background={"service_worker": "a.js"}) == []


@pytest.mark.parametrize(
    ("target", "notes", "unchecked"),
    [
        pytest.param(
            "../other/a.js", ["`a.js` was not checked: the link leads out of the folder"], [], id="out"
        ),
        pytest.param("none.js", [], ["a.js"], id="to no file of the package"),
    ],
)
def test_unchecked_linked_script_is_named_once(
    tmp_path: Path, target: str, notes: list[str], unchecked: list[str]
) -> None:
    write(tmp_path, "package.json", '{"scripts": {"build": "webpack"}}')
    write(tmp_path, "other/a.js")
    link(tmp_path, "ext/a.js", target)
    report = report_on_folder(tmp_path, background={"service_worker": "a.js"})
    assert [each.message for each in report.findings] == notes
    assert [name for code in report.unchecked_code for name in code.names] == unchecked
