"""The project around an extension's folder: where compilers and bundlers are configured."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from extlint.package.files import Package
from extlint.package.find import find_packages
from extlint.resolution.resolver import ModuleResolver

MANIFEST = '{"manifest_version": 3, "name": "x", "version": "1"}'
ALIASES = '{"compilerOptions": {"paths": {"@/*": ["./%s/*"]}}}'


def write(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name.replace("__", ".").replace("_", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def only(path: Path) -> Package:
    (package,) = find_packages([str(path)])
    assert isinstance(package, Package)
    return package


def meant(path: Path) -> str | None:
    return ModuleResolver(only(path)).find("@/b", "a.ts")


@pytest.mark.parametrize("place", ["", "src", "src/a.ts"], ids=["the project", "the extension", "one file"])
def test_the_answer_is_the_same_wherever_one_asks(tmp_path: Path, place: str) -> None:
    write(tmp_path, package__json="{}", tsconfig__json=ALIASES % "src", src_manifest__json=MANIFEST)
    write(tmp_path, src_a__ts="", src_b__ts="")
    assert meant(tmp_path / place) == "b.ts"


def test_a_repository_reaches_beyond_its_packages(tmp_path: Path) -> None:
    write(
        tmp_path, tsconfig__json=ALIASES % "ext/src", ext_package__json="{}", ext_src_manifest__json=MANIFEST
    )
    write(tmp_path, ext_src_b__ts="")
    assert meant(tmp_path / "ext/src") is None
    (tmp_path / ".git").mkdir()
    assert meant(tmp_path / "ext/src") == "b.ts"


def test_workspaces_are_of_one_project(tmp_path: Path) -> None:
    write(
        tmp_path, tsconfig__json=ALIASES % "ext/src", ext_package__json="{}", ext_src_manifest__json=MANIFEST
    )
    write(tmp_path, ext_src_b__ts="", package__json="{}")
    assert meant(tmp_path / "ext/src") is None
    write(tmp_path, package__json='{"workspaces": ["ext"]}')
    assert meant(tmp_path / "ext/src") == "b.ts"


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("rsync -a ../a/ ./ext/popup", "b.ts"),
        ("cp -r ext/src out", "b.ts"),
        ("node ext", None),
        ("cp -r next/src my-ext/src out", None),
    ],
)
def test_a_package_json_that_names_a_folder_is_of_its_project(
    tmp_path: Path, script: str, expected: str | None
) -> None:
    write(
        tmp_path, tsconfig__json=ALIASES % "ext/src", ext_package__json="{}", ext_src_manifest__json=MANIFEST
    )
    write(tmp_path, ext_src_b__ts="", package__json=json.dumps({"scripts": {"copy": script}}))
    assert meant(tmp_path / "ext/src") == expected


def test_nothing_above_the_repository_is_read(tmp_path: Path) -> None:
    write(tmp_path, tsconfig__json=ALIASES % "in/src", package__json="{}")
    write(tmp_path, in_src_manifest__json=MANIFEST, in_src_b__ts="")
    (tmp_path / "in/.git").mkdir()
    assert meant(tmp_path / "in/src") is None


def test_a_link_does_not_lead_out_of_the_project(tmp_path: Path) -> None:
    write(tmp_path, tsconfig__json=ALIASES % "src")
    write(tmp_path, in_package__json="{}", in_src_manifest__json=MANIFEST, in_src_b__ts="")
    (tmp_path / "in/tsconfig.json").symlink_to(tmp_path / "tsconfig.json")
    assert meant(tmp_path / "in/src") is None


def test_in_an_archive_the_archive_is_all_there_is(tmp_path: Path) -> None:
    write(tmp_path, tsconfig__json=ALIASES % ".", package__json="{}")
    with ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("manifest.json", MANIFEST)
        archive.writestr("b.ts", "")
    with ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("src/manifest.json", MANIFEST)
        archive.writestr("src/b.ts", "")
        archive.writestr("tsconfig.json", ALIASES % "src")
    assert (meant(tmp_path / "a.zip"), meant(tmp_path / "b.zip")) == (None, "b.ts")
