"""Browsers as processes: finds their commands, and runs them with cleanup."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import which

from extlint.schema.engine import Engine
from extlint.schema.targets import FACTS_OF

COMMANDS = {
    "firefox": ("firefox-esr", "firefox"),
    "chromium": ("chromium", "chromium-browser"),
}
"""The commands of each browser, those of Debian first."""

ENGINES = {"firefox": Engine.GECKO, "chromium": Engine.CHROMIUM}


def facts_target(browser: str) -> str:
    """Returns the target whose facts a browser is compared with."""
    return FACTS_OF[ENGINES[browser]]


_STUBBED = ("xdg-desktop-menu", "xdg-icon-resource")
"""Scripts that Chromium runs for each extension that it uninstalls, for desktop menus. They are stubbed
out.
"""


class BrowserError(Exception):
    """A browser failed to do something. The message is a sentence for users."""


def find(browser: str) -> str | None:
    """Returns the path of a browser's command, or None if it is not installed."""
    return next((path for name in COMMANDS[browser] if (path := which(name)) is not None), None)


def version_of(command: str) -> str:
    """Returns the version of a browser (`153.7.0esr`). Raises BrowserError."""
    done = subprocess.run([command, "--version"], capture_output=True, text=True, timeout=30, check=False)
    found = re.search(r"\d+(\.\w+)+", done.stdout)
    if found is None:
        raise BrowserError(f"{command} does not tell its version")
    return found.group()


@contextmanager
def running(
    command: Sequence[str], home: Path, pass_fds: Sequence[int] = ()
) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a process in its own group, which is killed at the end. `home` is its home directory."""
    folders = {each: str(home) for each in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    environment = {
        **os.environ,
        **folders,
        "PATH": os.pathsep.join([_create_stubs(home), os.environ["PATH"]]),
    }
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        pass_fds=tuple(pass_fds),
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _create_stubs(home: Path) -> str:
    """Creates a folder with programs that do nothing, and returns its path."""
    folder = home / "stand-ins"
    folder.mkdir()
    for name in _STUBBED:
        (folder / name).symlink_to("/bin/true")
    return str(folder)
