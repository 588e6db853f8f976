"""The files of programs for people without Python: names, archives, launchers, licenses, manifests."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from hashlib import sha256
from importlib.machinery import SourcelessFileLoader
from pathlib import Path

import pytest

from extlint_pack.archives import File, extract_archive, files_of_archive, files_of_folder, write_archive
from extlint_pack.bytecode import compile_modules
from extlint_pack.interpreter import is_omitted
from extlint_pack.launchers import windows_program, write_launcher
from extlint_pack.licenses import third_party_text
from extlint_pack.package_managers import homebrew_formula, scoop_manifest, write_manifests
from extlint_pack.platforms import PLATFORMS, Platform, find_archives, npm_version, tarball_name

LINUX = Platform("linux", "x64")
WINDOWS = Platform("win32", "x64")


@pytest.fixture
def all_archives(tmp_path: Path) -> Path:
    """A folder with an archive for each platform."""
    folder = tmp_path / "archives"
    folder.mkdir()
    for each in PLATFORMS:
        content = [File(f"{each.folder_name('1.2.0')}/extlint", each.name.encode(), is_program=True)]
        write_archive(folder / each.archive_name("1.2.0"), content)
    return folder


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("1.2.0", "1.2.0"),
        ("0.2.0rc1", "0.2.0-rc.1"),
        ("0.2.0a12", "0.2.0-alpha.12"),
        ("0.2.0b2", "0.2.0-beta.2"),
        ("0.2.0.dev3", "0.2.0-dev.3"),
    ],
)
def test_versions_are_those_of_npm(version: str, expected: str) -> None:
    assert npm_version(version) == expected


@pytest.mark.parametrize("version", ["1.2", "1.2.0+local", "1.2.0.post1", "1.2.0rc1.dev2", ""])
def test_other_versions_are_not_released(version: str) -> None:
    with pytest.raises(ValueError, match="not the version of a release"):
        npm_version(version)


def test_file_names() -> None:
    assert LINUX.archive_name("1.2.0") == "extlint-1.2.0-linux-x64.tar.gz"
    assert WINDOWS.archive_name("1.2.0rc1") == "extlint-1.2.0rc1-win32-x64.zip"
    assert tarball_name("@extlint/linux-x64", "1.2.0") == "extlint-linux-x64-1.2.0.tgz"
    assert tarball_name("extlint", "1.2.0") == "extlint-1.2.0.tgz"


def test_archives_are_found_in_the_order_of_the_platforms(all_archives: Path) -> None:
    all_archives.joinpath("extlint-1.2.0-py3-none-any.whl").touch()
    found = find_archives(all_archives, only_found=False)
    assert [each.platform for each in found] == list(PLATFORMS)
    assert {each.version for each in found} == {"1.2.0"}


def test_missing_archive_is_an_error_unless_only_some_are_expected(all_archives: Path) -> None:
    all_archives.joinpath(LINUX.archive_name("1.2.0")).unlink()
    with pytest.raises(ValueError, match=r"is for linux-x64$"):
        find_archives(all_archives, only_found=False)
    assert LINUX not in {each.platform for each in find_archives(all_archives, only_found=True)}


def test_archives_of_two_versions_are_an_error(all_archives: Path) -> None:
    all_archives.joinpath(LINUX.archive_name("1.1.0")).touch()
    with pytest.raises(ValueError, match=r"have 1\.1\.0 and 1\.2\.0 version"):
        find_archives(all_archives, only_found=True)


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz", "a.tgz"])
def test_archives_keep_paths_contents_and_permissions(name: str, tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "inner").mkdir(parents=True)
    (source / "inner" / "data").write_bytes(b"\0data")
    (source / "program").write_bytes(b"#!/bin/sh\n")
    (source / "program").chmod(0o700)
    written = [*files_of_folder(source, "top")]
    assert written == [
        File("top/inner/data", b"\0data"),
        File("top/program", b"#!/bin/sh\n", is_program=True),
    ]
    for path in (tmp_path / name, tmp_path / f"again-{name}"):
        write_archive(path, written)
        os.utime(source / "program", (1_000_000_000, 1_000_000_000))
    assert (tmp_path / name).read_bytes() == (tmp_path / f"again-{name}").read_bytes()
    assert [*files_of_archive(tmp_path / name)] == written
    extract_archive(tmp_path / name, tmp_path / "target")
    assert [*files_of_folder(tmp_path / "target" / "top", "top")] == written


@pytest.mark.skipif(sys.platform == "win32", reason="the launcher is a shell script")
@pytest.mark.parametrize("link", [None, "absolute", "relative"])
def test_launcher_finds_its_folder(link: str | None, tmp_path: Path) -> None:
    folder = tmp_path / "folder with spaces"
    python = folder / "python" / "bin" / "python3"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\nprintf "%s|" "$0" "$@"\nexit 3\n')
    python.chmod(0o755)
    write_launcher(folder, is_windows=False)
    program, expected = folder / "extlint", folder
    if link is not None:
        (tmp_path / "bin").mkdir()
        inner = tmp_path / "bin" / "inner"
        inner.symlink_to(program if link == "absolute" else Path("..", folder.name, "extlint"))
        program = tmp_path / "bin" / "extlint"
        program.symlink_to("inner")
        expected = folder if link == "absolute" else tmp_path / "bin" / ".." / folder.name
    found = subprocess.run([program, "check", "a b", ""], capture_output=True, text=True, check=False)
    started, *arguments = found.stdout.split("|")
    assert (found.returncode, started) == (3, f"{expected}/python/bin/python3")
    assert arguments == ["-IS", f"{expected}/main.py", "check", "a b", "", ""]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_ctrl_c_before_extlint_is_loaded(tmp_path: Path) -> None:
    write_launcher(tmp_path, is_windows=False)
    packages = tmp_path / "packages" / "extlint"
    packages.mkdir(parents=True)
    packages.joinpath("__init__.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    command = [sys.executable, "-IS", str(tmp_path / "main.py")]
    found = subprocess.run(command, capture_output=True, check=False, preexec_fn=use_ctrl_c)
    assert (found.returncode, found.stderr) == (130, b"extlint: interrupted\n")


def use_ctrl_c() -> None:
    """Restores the handler, because shells make background jobs ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_windows_program_is_a_launcher_with_its_interpreter_and_code(tmp_path: Path) -> None:
    content = windows_program()
    assert content.startswith(b"MZ")
    assert b"#!<launcher_dir>\\python\\python.exe -IS\r\nPK" in content
    path = tmp_path / "extlint.exe"
    path.write_bytes(content)
    # The code of the archive runs with its own folder at the start of the path, as on Windows.
    packages = tmp_path / "packages" / "extlint" / "cli"
    packages.mkdir(parents=True)
    packages.joinpath("main.py").write_text("import sys\ndef main(): print(sys.path[0]); return 5\n")
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == ["__main__.py"]
    found = subprocess.run([sys.executable, "-IS", path], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (5, f"{tmp_path / 'packages'}\n")


def test_modules_run_from_bytecode_and_only_own_sources_stay(tmp_path: Path) -> None:
    for name in ("extlint/__init__.py", "library/__init__.py", "library/module.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("PATH = (lambda: 1).__code__.co_filename\n")
    compile_modules(tmp_path)
    os.utime(tmp_path / "extlint" / "__init__.py", (0, 0))
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    program = "import extlint, library.module as m; print(extlint.PATH, m.PATH, type(m.__loader__).__name__)"
    found = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    own = str(tmp_path / "extlint" / "__init__.py")
    assert found.stdout.split() == [own, "library/module.py", SourcelessFileLoader.__name__]
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before
    assert [path.name for path in tmp_path.rglob("*.py")] == ["__init__.py"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("test", True),
        ("config-3.13-x86_64-linux-gnu", True),
        ("_sqlite3.cpython-313-x86_64-linux-gnu.so", True),
        ("ssl.py", False),
        ("_ctypes.cpython-313-x86_64-linux-gnu.so", False),
        ("json", False),
        ("zlib.pyd", False),
        ("sqlite3.dll", True),
        ("libffi-8.dll", False),
    ],
)
def test_omitted_parts_of_python(name: str, expected: bool) -> None:
    assert is_omitted(name) is expected


def test_licenses_of_libraries_are_included(tmp_path: Path) -> None:
    information = tmp_path / "library-2.0.dist-info"
    (information / "licenses").mkdir(parents=True)
    metadata = "Metadata-Version: 2.4\nName: library\nVersion: 2.0\nLicense-Expression: MIT\n"
    (information / "METADATA").write_text(metadata)
    (information / "licenses" / "LICENSE.md").write_text("Permission is granted.\n")
    (information / "RECORD").write_text(
        "library-2.0.dist-info/METADATA,,\nlibrary-2.0.dist-info/licenses/LICENSE.md,,\n"
    )
    text = third_party_text(tmp_path)
    assert "PYTHON SOFTWARE FOUNDATION LICENSE" in text
    assert text.endswith("library 2.0\n\nMIT\n\nPermission is granted.\n")


def test_homebrew_formula_names_each_archive_and_its_hash(all_archives: Path) -> None:
    formula = homebrew_formula(find_archives(all_archives, only_found=False))
    for each in PLATFORMS:
        path = all_archives / each.archive_name("1.2.0")
        part = (
            f'      url "https://github.com/extlint/extlint/releases/download/v1.2.0/{path.name}"\n'
            f'      sha256 "{sha256(path.read_bytes()).hexdigest()}"\n'
        )
        assert (part in formula) is not each.is_windows
    before_linux, _, linux = formula.partition("  on_linux do")
    assert "on_macos" in before_linux
    assert before_linux.count("darwin") == linux.count("linux-") == 2
    assert formula.count(" do\n") + 2 == formula.count("end\n")  # the class and the method, too


def test_scoop_manifest_has_the_archive_for_windows(all_archives: Path) -> None:
    text = scoop_manifest(find_archives(all_archives, only_found=False))
    assert text is not None
    manifest = json.loads(text)
    archive = all_archives / "extlint-1.2.0-win32-x64.zip"
    part: Mapping[str, str] = manifest["architecture"]["64bit"]
    assert part["url"].endswith(f"/v1.2.0/{archive.name}")
    assert part["hash"] == sha256(archive.read_bytes()).hexdigest()
    assert part["extract_dir"] == "extlint-1.2.0-win32-x64"
    newer: Mapping[str, str] = manifest["autoupdate"]["architecture"]["64bit"]
    assert newer["url"].endswith("/v$version/extlint-$version-win32-x64.zip")


def test_manifests_are_written_for_what_was_built(all_archives: Path, tmp_path: Path) -> None:
    found = find_archives(all_archives, only_found=False)
    only_linux = [each for each in found if each.platform == LINUX]
    written = write_manifests(only_linux, tmp_path / "linux")
    assert [path.name for path in written] == ["extlint.rb"]
    written = write_manifests(found, tmp_path / "all")
    assert [path.name for path in written] == ["extlint.rb", "extlint.json"]
