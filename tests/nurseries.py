"""Processes from which others are forked, and what those are asked to do: see `nursery`."""

from __future__ import annotations

import atexit
import json
import os
import resource
import signal
import socket
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import nursery

_SCANS = ("extlint.services.scan", "fsspec", "multiprocessing.popen_fork")

SERVICES = {
    "lsp": ("extlint.services.lsp",),
    "scan": _SCANS,
    "report": _SCANS,
    "serve": ("extlint.services.serve",),
}
"""The modules and packages with the libraries of a command."""

READ_AT_START = ("PYTHON", "LC_", "LANG", "LD_", "MALLOC_", "TZ")
"""The prefixes of the environment variables that a new process reads before it runs a program."""


PATH = "PYTHONPATH"
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != PATH}
"""The environment of processes from which others are forked."""

LIMITS = [getattr(resource, each) for each in dir(resource) if each.startswith("RLIMIT_")]
"""All limits of a process."""


def fork(options: Mapping[str, Any]) -> int | None:
    """Returns the number of a forked process, or None if options of `subprocess` require a new one."""
    command, env = options["args"], options["env"] or os.environ
    if isinstance(command, str) or not _is_usual_start(options, env):
        return None
    python, *arguments = map(os.fspath, command)
    if python != sys.executable:
        return None
    match arguments:
        case ["-m", "extlint", *rest]:
            loaded = SERVICES.get("".join(rest[:1]), ())
        case ["-c", _, *_]:
            loaded = ()
        case [path, *rest] if path.endswith(".py"):
            loaded = SERVICES.get("".join(rest[:1]), ())
        case _:
            return None
    descriptors = {each: each for each in options["pass_fds"]}
    for number, name in enumerate(("p2cread", "c2pwrite", "errwrite")):
        descriptors[number] = number if options[name] == -1 else options[name]
    group = options["process_group"]
    return nursery_with(*loaded).fork(
        arguments,
        env,
        descriptors,
        folder=options["cwd"] or ".",
        new_session=options["start_new_session"],
        group=-1 if group is None else group,
    )


def _is_usual_start(options: Mapping[str, Any], env: Mapping[str, str]) -> bool:
    """Whether a process differs from others only in what the nursery can change."""
    if options["shell"] or options["preexec_fn"] or options["executable"]:
        return False
    if any(options[each] not in (-1, None) for each in ("uid", "gid", "gids", "umask")):
        return False
    folders = env.get(PATH, "").split(os.pathsep)
    return _read_at_start(env) == _read_at_start(ENVIRONMENT) and {*folders} <= {"", *sys.path}


def _read_at_start(env: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in env.items() if key.startswith(READ_AT_START) and key != PATH}


class Nursery:
    """A process that forks others. It is forked itself if it loads more than the modules of extlint."""

    def __init__(self, *loaded: str) -> None:
        self._lock = threading.Lock()
        self._requests, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with its, Path(os.devnull).open("r+b") as null:
            descriptors = {0: null.fileno(), 1: null.fileno(), 2: 2, 3: its.fileno()}
            program = [nursery.__file__, "3"]
            forked = nursery_with().fork([*program, *loaded], ENVIRONMENT, descriptors) if loaded else None
            if forked is None:
                actions = [(os.POSIX_SPAWN_DUP2, each, number) for number, each in descriptors.items()]
                command = [sys.executable, *program, *nursery.PACKAGES, *loaded]
                forked = os.posix_spawn(sys.executable, command, ENVIRONMENT, file_actions=actions)
        self._process = forked
        assert self._requests.recv(100) == nursery.READY
        atexit.register(self.end)

    def end(self) -> None:
        """Ends the process."""
        atexit.unregister(self.end)
        self._requests.close()
        os.waitpid(self._process, 0)

    def fork(
        self,
        arguments: Sequence[str],
        env: Mapping[str, str],
        descriptors: Mapping[int, int],
        *,
        folder: str | Path = ".",
        new_session: bool = False,
        group: int = -1,
    ) -> int | None:
        """Returns the number of a new process, or None if the system does not permit this.

        `descriptors` has what each descriptor of the process is here. A group of -1 is that of this process.
        """
        umask = os.umask(0)
        os.umask(umask)
        request = {
            "arguments": arguments,
            "environment": dict(env),
            "descriptors": [*descriptors],
            "umask": umask,
            "limits": [(kind, resource.getrlimit(kind)) for kind in LIMITS],
            "ignores_interrupt": signal.getsignal(signal.SIGINT) is signal.SIG_IGN,
            "new_session": new_session,
            "group": group,
        }
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            with self._lock:
                data = json.dumps(request).encode()
                socket.send_fds(self._requests, [data], [opened, *descriptors.values()])
                process = int(self._requests.recv(100))
        finally:
            os.close(opened)
        return None if process < 0 else process


@cache
def nursery_with(*loaded: str) -> Nursery:
    """Returns the process that has loaded extlint, and other modules or packages."""
    return Nursery(*loaded)
