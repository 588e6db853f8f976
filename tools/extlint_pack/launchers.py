"""The files that start extlint in the folder of a program."""

from __future__ import annotations

import io
import zipfile
from importlib.resources import files
from pathlib import Path

_CTRL_C = """\
import sys
from _signal import SIG_IGN, SIGINT, getsignal, signal

try:
    from posix import _exit, write
except ImportError:
    from nt import _exit, write


def stop(*_):
    write(2, b"extlint: interrupted\\n")
    _exit(128 + SIGINT)


if __name__ == "__main__" and getsignal(SIGINT) != SIG_IGN:
    signal(SIGINT, stop)

import os
"""
"""Handles Ctrl-C as extlint does, but before Python reads a file."""

MAIN = f'''\
"""Starts extlint with the libraries next to this file."""

{_CTRL_C}
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "packages"))

from extlint.cli.main import main

if __name__ == "__main__":  # not in worker processes, which import this file on some systems
    sys.exit(main())
'''

_INTERPRETER = b"#!<launcher_dir>\\python\\python.exe -IS\r\n"
"""The line that the launcher reads; it replaces the first word with its own folder."""

_WINDOWS_MAIN = f"""\
{_CTRL_C}
sys.path[0] = os.path.join(os.path.dirname(sys.path[0]), "packages")
from extlint.cli.main import main
sys.exit(main())
"""

_SHELL = """\
#!/bin/sh
# Starts extlint with the Python next to this file, also through symbolic links.
self=$0
while [ -h "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=${self%/*}/$link ;;
  esac
done
case $self in
  */*) folder=${self%/*} ;;
  *) folder=. ;;
esac
exec "$folder/python/bin/python3" -IS "$folder/main.py" "$@"
"""
"""The options ignore the environment and the site packages of the user, and `PYTHONPATH` in particular."""


def write_launcher(folder: Path, *, is_windows: bool) -> None:
    """Writes the files that start extlint, as the user and as the npm package do."""
    folder.joinpath("main.py").write_text(MAIN, "utf-8", newline="\n")
    if is_windows:
        folder.joinpath("extlint.exe").write_bytes(windows_program())
        return
    program = folder / "extlint"
    program.write_text(_SHELL, "utf-8", newline="\n")
    program.chmod(0o755)


def windows_program() -> bytes:
    """Returns `extlint.exe`: the launcher that pip uses for commands, the interpreter, and code for it."""
    launcher = files("distlib").joinpath("t64.exe").read_bytes()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(zipfile.ZipInfo("__main__.py"), _WINDOWS_MAIN)
    return launcher + _INTERPRETER + stream.getvalue()
