"""Adds the shared libraries that a Python for Linux uses, so that it runs on systems without them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from os.path import relpath
from pathlib import Path

_SYSTEM = re.compile(r"(?:linux-vdso|ld-linux.*|lib(?:c|dl|m|nsl|pthread|rt|util|gcc_s|stdc\+\+))\.so\.\d+")
"""The libraries that every system with glibc has, as wheels for it assume, too."""

_FOUND = re.compile(r"^\s*(\S+) => (\S+) \(", re.MULTILINE)
_MISSING = re.compile(r"^\s*(\S+) => not found", re.MULTILINE)
_MAGIC = b"\x7fELF"


def add_shared_libraries(python: Path) -> list[Path]:
    """Copies the libraries of a Python to its `lib` folder, and makes its files look for them there.

    Removes the symbols of the files first, which are several times as large as the code. Returns the paths
    that it copied. Raises OSError if a library is missing.
    """
    folder = python / "lib"
    files = [*_binaries(python)]
    by_file = {each: _libraries(each) for each in files}
    _strip(files)
    sources = sorted({path for found in by_file.values() for path in found})
    copied = {}
    for source in sources:
        copied[source.name] = folder / source.name
        shutil.copy(source.resolve(), copied[source.name])
    _strip([*copied.values()])
    for file, found in (*by_file.items(), *((each, [each]) for each in copied.values())):
        if found:
            _run(_patchelf(), "--set-rpath", f"$ORIGIN/{relpath(folder, file.parent)}", str(file))
    return sources


def license_of_library(path: Path) -> str:
    """Returns the copyright file of the Debian package of a library, empty on other systems."""
    try:
        owner = _run("dpkg-query", "--search", str(path.resolve())).partition(":")[0]
        return Path("/usr/share/doc", owner, "copyright").read_text("utf-8")
    except OSError:
        return ""


def _libraries(file: Path) -> list[Path]:
    """Returns the libraries that a file loads, directly or not, without those of the system."""
    listed = _run("ldd", str(file))
    if missing := _MISSING.findall(listed):
        raise OSError(f"{file} requires {', '.join(missing)}, which is not installed")
    return [Path(path) for name, path in _FOUND.findall(listed) if not _SYSTEM.fullmatch(name)]


def _binaries(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with path.open("rb") as file:
                if file.read(len(_MAGIC)) == _MAGIC:
                    yield path


def _strip(files: list[Path]) -> None:
    if files and shutil.which("strip"):
        _run("strip", "--strip-unneeded", *map(str, files))


def _patchelf() -> str:
    """Returns the path of patchelf, which is next to the interpreter of a virtual environment."""
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    found = shutil.which("patchelf", path=places)
    if found is None:
        raise OSError("patchelf is not installed")
    return found


def _run(*command: str) -> str:
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode != 0:
        if "not a dynamic executable" in found.stderr or "statically linked" in found.stdout:
            return ""
        raise OSError(f"{' '.join(command)}: {found.stderr.strip()}")
    return found.stdout
