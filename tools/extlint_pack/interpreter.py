"""Copies the Python of this process to a folder, without the parts that extlint does not use."""

from __future__ import annotations

import os
import shutil
import sys
from fnmatch import fnmatchcase
from pathlib import Path

from extlint_pack.shared_libraries import add_shared_libraries

OMITTED = """
__pycache__ __phello__ config-* dist-packages site-packages LICENSE.txt
antigravity.py curses dbm distutils ensurepip idlelib lib2to3 pydoc_data sqlite3 test tests this.py tkinter
turtle.py turtledemo unittest venv wsgiref
_crypt.* _ctypes_test.* _curses.* _curses_panel.* _dbm.* _gdbm.* _hashlib.* _sqlite3.* _test*.*
_tkinter.* _uuid.* _xx*.* audioop.* nis.* ossaudiodev.* readline.* spwd.* xx*.*
sqlite3.dll tcl*.dll tk*.dll
""".split()
"""Patterns of names in the standard library, and of extension modules, that no program uses.

Hashes have implementations of their own. `ssl` stays, because the library for `--watch` imports it.
"""

_WINDOWS_FILES = ("python.exe", "python3.dll", f"python3{sys.version_info.minor}.dll", "vcruntime*.dll")


def copy_interpreter(target: Path) -> list[Path]:
    """Copies this Python to a new folder, which may be moved anywhere.

    Returns the paths of shared libraries that it copied as well.
    """
    if sys.platform == "win32":
        _copy_on_windows(target)
    else:
        _copy_elsewhere(target)
    return add_shared_libraries(target) if sys.platform == "linux" else []


def interpreter_path(*, is_windows: bool) -> str:
    """Returns the path of the interpreter in the folder of a copy."""
    return "python.exe" if is_windows else "bin/python3"


def is_omitted(name: str) -> bool:
    """Whether a file or folder of the standard library is not copied."""
    return any(fnmatchcase(name, each) for each in OMITTED)


def library_licenses() -> list[Path]:
    """Returns the licenses of the libraries in this Python, which some distributions have in a folder."""
    return sorted(Path(sys.base_prefix, "licenses").glob("*.txt"))


def python_license() -> str:
    """Returns the license of this Python. Raises FileNotFoundError if it has no file with one."""
    folders = (_standard_library(), Path(sys.base_prefix), Path(sys.base_prefix, "share/doc/python3"))
    for path in (each / name for each in folders for name in ("LICENSE.txt", "LICENSE", "copyright")):
        if path.is_file():
            return path.read_text("utf-8")
    raise FileNotFoundError(f"the Python in {sys.base_prefix} has no license file")


def _copy_elsewhere(target: Path) -> None:
    program = target / interpreter_path(is_windows=False)
    program.parent.mkdir(parents=True)
    shutil.copy(os.path.realpath(sys.executable), program)
    library = target / "lib" / f"python3.{sys.version_info.minor}"
    _copy_library(_standard_library(), library)
    modules = library / "lib-dynload"
    modules.mkdir(exist_ok=True)
    if not any(modules.iterdir()):
        # Python looks for this folder, and archives have no empty ones.
        modules.joinpath("README.txt").write_text("All extension modules are in the interpreter.\n")


def _copy_on_windows(target: Path) -> None:
    source = Path(sys.base_prefix)
    target.mkdir(parents=True)
    for pattern in _WINDOWS_FILES:
        for path in source.glob(pattern):
            shutil.copy(path, target)
    _copy_library(_standard_library(), target / "Lib")
    _copy_library(source / "DLLs", target / "DLLs")


def _copy_library(source: Path, target: Path) -> None:
    """Copies a folder; symbolic links become files, because npm drops them."""
    shutil.copytree(
        source, target, ignore=lambda _folder, names: {each for each in names if is_omitted(each)}
    )


def _standard_library() -> Path:
    return Path(os.path.realpath(os.__file__)).parent
