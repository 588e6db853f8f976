"""Builds the program for the current platform: extlint, its libraries, and the Python of this process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import Distribution, distributions
from pathlib import Path
from tempfile import TemporaryDirectory

from extlint_pack.archives import extract_archive, files_of_folder, write_archive
from extlint_pack.bytecode import compile_modules
from extlint_pack.interpreter import copy_interpreter
from extlint_pack.launchers import write_launcher
from extlint_pack.licenses import third_party_text
from extlint_pack.platforms import Platform, current_platform

CHECKOUT = Path(__file__).resolve().parents[2]

EXTRAS = ("lsp", "re2", "watch")
"""The extras in a program. Those for services and for scans of stores are several times as large."""

_OMITTED_FILES = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")
_OMITTED_FOLDERS = ("bin", "Scripts", "include", "share")
"""The parts of an installation that belong to its environment."""

_EXAMPLE = CHECKOUT / "examples" / "read-later"


def build_program(target: Path, wheel: Path | None) -> Path:
    """Writes the archive with the program to a folder, and returns its path.

    It contains extlint from a wheel, or without one from this checkout. Raises OSError if the program
    does not run, LookupError on other platforms.
    """
    platform = current_platform()
    with TemporaryDirectory(prefix="extlint-pack-") as temporary:
        if wheel is None:
            wheel = _build_wheel(Path(temporary, "wheel"))
        folder = Path(temporary, "program")
        version = write_program(folder, wheel, platform)
        target.mkdir(parents=True, exist_ok=True)
        archive = target / platform.archive_name(version)
        write_archive(archive, files_of_folder(folder, platform.folder_name(version)))
        extract_archive(archive, Path(temporary, "moved to another folder"))
        shutil.rmtree(folder)
        try_program(
            Path(temporary, "moved to another folder", platform.folder_name(version)), version, platform
        )
    return archive


def write_program(folder: Path, wheel: Path, platform: Platform) -> str:
    """Writes the files of a program to a new folder, and returns its version."""
    python, packages = folder / "python", folder / "packages"
    libraries = copy_interpreter(python)
    _run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
            *("--no-compile", "--target", str(packages), f"{wheel.resolve()}[{','.join(EXTRAS)}]"),
        ]
    )
    (extlint,) = (each for each in distributions(path=[str(packages)]) if each.name == "extlint")
    version = extlint.version
    folder.joinpath("THIRD-PARTY.txt").write_text(
        third_party_text(packages, libraries), "utf-8", newline="\n"
    )
    for name in ("LICENSE", "NOTICE"):
        folder.joinpath(name).write_text(_license_file(extlint, name), "utf-8", newline="\n")
    _remove_traces_of_installation(packages)
    for root in (packages, *_library_folders(python)):
        compile_modules(root)
    write_launcher(folder, is_windows=platform.is_windows)
    return version


def try_program(folder: Path, version: str, platform: Platform) -> None:
    """Runs the program in a folder without the environment of this process. Raises OSError if it fails."""
    program = folder / ("extlint.exe" if platform.is_windows else "extlint")
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP", "TMPDIR") if name in os.environ}
    environment = {**kept, "PATH": os.defpath, "EXTLINT_CACHE_DIR": str(folder / "cache")}

    def output(*arguments: str) -> str:
        found = subprocess.run(
            [program, *arguments], capture_output=True, text=True, env=environment, check=False
        )
        if found.stderr:
            raise OSError(f"{program.name} {' '.join(arguments)} prints {found.stderr}")
        return found.stdout

    if (printed := output("--version")) != f"extlint {version}\n":
        raise OSError(f"{program.name} --version prints {printed!r}")
    report = json.loads(output("check", str(_EXAMPLE), "--output-format", "json"))
    if report["summary"]["errors"] == 0:
        raise OSError(f"{program.name} finds no errors in an example that has some")


def _build_wheel(folder: Path) -> Path:
    _run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], CHECKOUT)
    (wheel,) = folder.glob("*.whl")
    return wheel


def _license_file(extlint: Distribution, name: str) -> str:
    (found,) = (each for each in extlint.files or () if each.name == name)
    return Path(str(found.locate())).read_text("utf-8")


def _remove_traces_of_installation(packages: Path) -> None:
    for name in _OMITTED_FOLDERS:
        shutil.rmtree(packages / name, ignore_errors=True)
    for name in _OMITTED_FILES:
        for path in packages.glob(f"*.dist-info/{name}"):
            path.unlink()


def _library_folders(python: Path) -> list[Path]:
    """Returns the standard library of a copied Python: `Lib`, or `lib/python3.13`."""
    return [path.parent for path in [*python.glob("Lib/os.py"), *python.glob("lib/python3*/os.py")]][:1]


def _run(command: list[str], folder: Path | None = None) -> None:
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if found.returncode != 0:
        raise OSError(f"{' '.join(command)} failed:\n{found.stdout}{found.stderr}")
