"""Scripts with the name of a missing one: the sources of a build, or just scripts in other folders."""

from __future__ import annotations

import pytest
from harness import Files, manifest
from packages import package_in

from extlint.checker import check_package
from extlint.schema.targets import Target

WRONG: Files = {
    "manifest.json": manifest(background={"service_worker": "background.js"}),
    "background/background.js": "window.close(); chrome.runtime.id;",
}


@pytest.mark.parametrize(
    ("files", "is_checked"),
    [
        pytest.param({}, False, id="nothing builds"),
        pytest.param({"README.md": "", "popup.html": ""}, False, id="other files"),
        pytest.param({"package.json": "{}"}, True, id="a package of npm"),
        pytest.param({"Makefile": ""}, True, id="a makefile"),
        pytest.param({"scripts/copy.sh": ""}, True, id="a program for the shell"),
        pytest.param({"tools/copy.py": ""}, True, id="a program in another language"),
        pytest.param({".github/workflows/a.yml": ""}, True, id="a workflow"),
    ],
)
def test_script_in_another_folder_is_a_source_only_if_something_may_build(
    files: Files, is_checked: bool
) -> None:
    package = package_in({**WRONG, **files}, "")
    found = check_package(package, [Target("chrome")], ["missing-global"]).findings
    assert [each.path for each in found] == ["background/background.js"] * is_checked


def test_source_in_another_language_requires_no_build() -> None:
    files = {"manifest.json": WRONG["manifest.json"], "src/background.ts": "chrome.runtime.onMesage;"}
    found = check_package(package_in(files, ""), [Target("chrome")], ["unknown-api"]).findings
    assert [each.path for each in found] == ["src/background.ts"]


@pytest.mark.parametrize("other", ["background.json", "manifest-v3.json"])
def test_script_of_another_manifest_is_not_the_source_of_a_misspelled_one(other: str) -> None:
    files = {
        "manifest.json": manifest(background={"service_worker": "service_worker.js"}),
        "service-worker.js": "window.close(); chrome.runtime.id;",
        other: manifest(manifest_version=2, background={"scripts": ["service-worker.js"]}),
    }
    found = check_package(package_in(files, ""), [Target("chrome")], ["missing-global"]).findings
    assert bool(found) is (other == "background.json")
