"""Pinned packages: their archives are read, and any other archive is rejected."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest

from extlint_facts.packages import npm
from extlint_facts.packages.access import Packages
from extlint_facts.packages.downloaded import find, read_member
from extlint_facts.packages.pin import PINNED, PackageError, Pin, integrity, pins

ROOT = Path(__file__).resolve().parents[2]


def archive(folder: Path, **files: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "some-1.0.0.tgz"
    with tarfile.open(path, "w:gz") as opened:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(text.encode())
            opened.addfile(entry, io.BytesIO(text.encode()))
    return path


@pytest.fixture
def npm_that_packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An `npm` that always returns one archive, and records how often it is called."""
    tarball = archive(tmp_path, main="text")
    client = tmp_path / "bin" / "npm"
    client.parent.mkdir()
    client.write_text(
        f'#!/bin/sh\necho "$2" >> {tmp_path}/asked\nfor last; do :; done\n'
        f'cp {tarball} "$last/some-1.0.0.tgz"\n'
    )
    client.chmod(0o755)
    monkeypatch.setattr(npm, "which", lambda _: str(client))
    return tmp_path


def make_pin(path: Path) -> Pin:
    return Pin("@some/package", "1.0.0", integrity((path / "some-1.0.0.tgz").read_bytes()), "MIT")


def packages(folder: Path, pin: Pin) -> Packages:
    downloads = folder / "downloads"
    downloads.mkdir()
    return Packages({pin.package: pin}, lambda each: npm.download(each, downloads))


def test_pinned_package_is_fetched_once(npm_that_packs: Path) -> None:
    found = packages(npm_that_packs, make_pin(npm_that_packs))
    assert [found.read("@some/package", "main"), found.read("@some/package", "main")] == ["text", "text"]
    assert (npm_that_packs / "asked").read_text() == "@some/package@1.0.0\n"


def test_archive_with_wrong_integrity_is_rejected(npm_that_packs: Path) -> None:
    pin = Pin("@some/package", "1.0.0", "sha512-other", "MIT")
    with pytest.raises(PackageError, match=r"the integrity of @some/package 1\.0\.0 is not the one in"):
        packages(npm_that_packs, pin).read("@some/package", "main")


def test_missing_npm_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(npm, "which", lambda _: None)
    with pytest.raises(PackageError, match="npm is not installed"):
        packages(tmp_path, Pin("some", "1.0.0", "sha512-", "MIT")).read("some", "main")


def test_missing_file_in_package_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="no file other"):
        read_member(archive(tmp_path, main="text"), "other")


NAMED = json.dumps({"name": "@some/package", "version": "1.0.0"})
OLDER = json.dumps({"name": "@some/package", "version": "0.9.0"})


def unpacked(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(text)
    (folder / "main").write_text("text")
    return folder


def test_archive_in_folder_is_found_by_its_package_name(tmp_path: Path) -> None:
    tarball = archive(tmp_path / "folder", main="text", **{"package.json": NAMED})
    (tmp_path / "folder" / "broken.tgz").write_text("no archive")
    pin = Pin("@some/package", "1.0.0", integrity(tarball.read_bytes()), "MIT")
    assert find(pin, tmp_path / "folder") == tarball
    assert (
        Packages({pin.package: pin}, lambda each: find(each, tarball.parent)).read(pin.package, "main")
        == "text"
    )


def test_archive_in_folder_with_wrong_integrity_is_rejected(tmp_path: Path) -> None:
    archive(tmp_path, main="text", **{"package.json": NAMED})
    with pytest.raises(PackageError, match=r"the integrity of @some/package 1\.0\.0 is not the one in"):
        find(Pin("@some/package", "1.0.0", "sha512-other", "MIT"), tmp_path)


@pytest.mark.parametrize("place", [".", "package", "@some/package", "node_modules/@some/package"])
def test_unpacked_package_is_found(place: str, tmp_path: Path) -> None:
    package_folder = unpacked(tmp_path / "folder" / place, NAMED)
    pin = Pin("@some/package", "1.0.0", "sha512-", "MIT")
    assert find(pin, tmp_path / "folder").samefile(package_folder)
    assert read_member(package_folder, "main") == "text"


@pytest.mark.parametrize("text", [OLDER, '{"name": "other", "version": "1.0.0"}', "[]", "{", ""])
def test_folder_without_the_pinned_version_is_an_error(text: str, tmp_path: Path) -> None:
    unpacked(tmp_path / "package", text)
    with pytest.raises(PackageError, match=r"does not have @some/package 1\.0\.0"):
        find(Pin("@some/package", "1.0.0", "sha512-", "MIT"), tmp_path)


def test_integrity_has_the_format_of_npm() -> None:
    assert integrity(b"") == (
        "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="
    )


def test_source_of_facts_names_package_version_and_hash() -> None:
    assert Pin("some", "1.0.0", "sha512-abc==", "MIT").source() == {
        "package": "some",
        "version": "1.0.0",
        "sha512": "abc==",
    }


def test_the_notice_names_every_package_with_its_version_and_license() -> None:
    notice = (ROOT / "NOTICE").read_text("utf-8")
    assert pins()
    for pin in pins().values():
        assert f"\n{pin.package} {pin.version}\n" in notice
        assert pin.license in notice


def test_pins_are_unique_and_keyed_by_package() -> None:
    listed = json.loads(PINNED.read_text("utf-8"))
    assert [each["package"] for each in listed] == list(pins())
