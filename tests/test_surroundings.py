"""The project around an extension's folder: where compilers and bundlers are configured."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from extlint.package.discovery.find import find_packages
from extlint.package.files import Package
from extlint.package.surroundings import DiskSurroundings
from extlint.project.resolution.resolver import ModuleResolver

MANIFEST = '{"manifest_version": 3, "name": "x", "version": "1"}'
ALIASES = '{"compilerOptions": {"paths": {"@/*": ["./%s/*"]}}}'


def write(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name.replace("__", ".").replace("_", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def find_package(path: Path) -> Package:
    (package,) = find_packages([str(path)])
    assert isinstance(package, Package)
    return package


def resolved_import(path: Path) -> str | None:
    return ModuleResolver(find_package(path)).find("@/b", "a.ts")


@pytest.mark.parametrize("place", ["", "src", "src/a.ts"], ids=["the project", "the extension", "one file"])
def test_resolution_does_not_depend_on_the_given_path(tmp_path: Path, place: str) -> None:
    write(tmp_path, package__json="{}", tsconfig__json=ALIASES % "src", src_manifest__json=MANIFEST)
    write(tmp_path, src_a__ts="", src_b__ts="")
    assert resolved_import(tmp_path / place) == "b.ts"


def test_project_extends_to_the_repository_root(tmp_path: Path) -> None:
    write(
        tmp_path, tsconfig__json=ALIASES % "ext/src", ext_package__json="{}", ext_src_manifest__json=MANIFEST
    )
    write(tmp_path, ext_src_b__ts="")
    assert resolved_import(tmp_path / "ext/src") is None
    (tmp_path / ".git").mkdir()
    assert resolved_import(tmp_path / "ext/src") == "b.ts"


@pytest.mark.parametrize(
    ("ignoring", "expected"), [([""], "b.ts"), (["", "ext/src"], None), ([], None)], ids=str
)
def test_repository_without_git_folder_extends_to_nearest_gitignore(
    tmp_path: Path, ignoring: list[str], expected: str | None
) -> None:
    write(tmp_path, tsconfig__json=ALIASES % "ext/src", ext_src_manifest__json=MANIFEST, ext_src_b__ts="")
    for each in ignoring:
        (tmp_path / each / ".gitignore").write_text("")
    assert resolved_import(tmp_path / "ext/src") == expected
    write(tmp_path, ext_package__json="{}")
    assert resolved_import(tmp_path / "ext/src") == ("b.ts" if "" in ignoring else None)


def test_workspaces_belong_to_one_project(tmp_path: Path) -> None:
    write(
        tmp_path, tsconfig__json=ALIASES % "ext/src", ext_package__json="{}", ext_src_manifest__json=MANIFEST
    )
    write(tmp_path, ext_src_b__ts="", package__json="{}")
    assert resolved_import(tmp_path / "ext/src") is None
    write(tmp_path, package__json='{"workspaces": ["ext"]}')
    assert resolved_import(tmp_path / "ext/src") == "b.ts"


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("rsync -a ../a/ ./ext/popup", "b.ts"),
        ("cp -r ext/src out", "b.ts"),
        ("node ext", None),
        ("cp -r next/src my-ext/src out", None),
    ],
)
def test_package_json_that_names_a_folder_belongs_to_its_project(
    tmp_path: Path, script: str, expected: str | None
) -> None:
    write(
        tmp_path, tsconfig__json=ALIASES % "ext/src", ext_package__json="{}", ext_src_manifest__json=MANIFEST
    )
    write(tmp_path, ext_src_b__ts="", package__json=json.dumps({"scripts": {"copy": script}}))
    assert resolved_import(tmp_path / "ext/src") == expected


def test_files_above_the_repository_are_ignored(tmp_path: Path) -> None:
    write(tmp_path, tsconfig__json=ALIASES % "in/src", package__json="{}")
    write(tmp_path, in_src_manifest__json=MANIFEST, in_src_b__ts="")
    (tmp_path / "in/.git").mkdir()
    assert resolved_import(tmp_path / "in/src") is None


def test_link_out_of_the_project_is_ignored(tmp_path: Path) -> None:
    write(tmp_path, tsconfig__json=ALIASES % "src")
    write(tmp_path, in_package__json="{}", in_src_manifest__json=MANIFEST, in_src_b__ts="")
    (tmp_path / "in/tsconfig.json").symlink_to(tmp_path / "tsconfig.json")
    assert resolved_import(tmp_path / "in/src") is None


@pytest.mark.parametrize(
    "path", ["a.js", "./a.js", "/a.js", "in//a.js", "missing/../a.js", "in/../a.js", "in/l.js"]
)
def test_files_of_the_project_are_found_by_any_path(tmp_path: Path, path: str) -> None:
    write(tmp_path, a__js="", in_a__js="")
    (tmp_path / "in/l.js").symlink_to(tmp_path / "a.js")
    assert DiskSurroundings(str(tmp_path)).has(path)


@pytest.mark.parametrize("path", ["b.js", "in", "in/b.js", "a.js/b.js", "missing/../b.js", "in/../../b.js"])
def test_other_paths_are_not_found(tmp_path: Path, path: str) -> None:
    write(tmp_path, project_a__js="", project_in_a__js="", b__js="")
    assert not DiskSurroundings(str(tmp_path / "project")).has(path)


def test_archive_does_not_use_files_outside_it(tmp_path: Path) -> None:
    write(tmp_path, tsconfig__json=ALIASES % ".", package__json="{}")
    with ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("manifest.json", MANIFEST)
        archive.writestr("b.ts", "")
    with ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("src/manifest.json", MANIFEST)
        archive.writestr("src/b.ts", "")
        archive.writestr("tsconfig.json", ALIASES % "src")
    assert (resolved_import(tmp_path / "a.zip"), resolved_import(tmp_path / "b.zip")) == (None, "b.ts")
