"""The parent's side of the child processes that run extlint."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from extlint_fuzz.bounds import MAX_ADDRESS_SPACE, seconds_for

WORKER = Path(__file__).parent / "worker.py"

MIN_WALL_SECONDS = 20.0
"""The minimum wall-clock limit of a run in seconds, for busy machines."""


class Outcome(Struct, frozen=True):
    """The result of a run.

    `cpu` is in seconds, `memory` in bytes beyond that of the idle process, or None if unknown.

    A run that raised an exception has no `status`; the traceback is `failure`. Neither has a process that
    died: `death` is the name of the signal, or "hang" for a process that neither computed nor ended.
    """

    status: int | None
    stdout: str
    stderr: str
    failure: str | None = None
    death: str | None = None
    cpu: float = 0.0
    memory: int | None = None


class Process:
    """A child process that runs extlint. A new one is started when the last one died.

    `patience` is a factor for the time limit of a run, `constants` are overrides of module constants.
    """

    def __init__(
        self,
        folder: Path,
        python: str = sys.executable,
        *,
        patience: float = 1,
        constants: Mapping[str, object] | None = None,
        **environment: str,
    ) -> None:
        self._constants = dict(constants or {})
        self._patience = patience
        self._folder = folder
        self._python = python
        self._environment = environment
        self._process: subprocess.Popen[str] | None = None
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, root: Path, arguments: tuple[str, ...], size: int) -> Outcome:
        """Runs `extlint check` with these arguments in a folder whose files have a total of `size` bytes."""
        seconds = self._patience * seconds_for(size)
        process = self._start()
        request = {"root": str(root), "arguments": ["check", *arguments], "seconds": seconds}
        answer = self._send(process, request, max(MIN_WALL_SECONDS, 8 * seconds))
        return Outcome(**answer)

    def _start(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            own = {
                "EXTLINT_DEBUG": "1",
                "PYTHONFAULTHANDLER": "1",
                "EXTLINT_CACHE_DIR": str(self._folder / "cache"),
                **self._environment,
            }
            self._process = subprocess.Popen(
                [self._python, str(WORKER), str(self._folder)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                env={**os.environ, **own},
                start_new_session=True,
            )
            self._warm_up(self._process)
        return self._process

    def _warm_up(self, process: subprocess.Popen[str]) -> None:
        """Imports everything that a run uses, and compiles schemas, so that no case is charged for it."""
        folder = self._folder / "first" / "ext"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "manifest.json").write_text('{"manifest_version": 3, "nme": 1, "permissions": ["tab"]}')
        (folder / "a.js").write_text("browser.tabs.query({ actve: 1 }); browser.tbs;")
        arguments = ["check", "ext", "--target", "firefox,chrome,reference"]
        request: dict[str, Any] = {"root": str(folder.parent), "arguments": arguments, "seconds": 120}
        self._send(process, {**request, "memory": MAX_ADDRESS_SPACE, "constants": self._constants}, 300)

    def _send(self, process: subprocess.Popen[str], request: dict[str, Any], wall: float) -> dict[str, Any]:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            until = time.monotonic() + wall
            while time.monotonic() < until:
                ready, _, _ = select.select([process.stdout], [], [], 0.5)
                if ready:
                    line = process.stdout.readline()
                    if line:
                        found: dict[str, Any] = json.loads(line)
                        return found
                    break
                if process.poll() is not None:
                    break
        except BrokenPipeError:
            pass
        death = "hang"
        if process.poll() is None and time.monotonic() < until:
            process.wait(10)
        if process.returncode is not None and process.returncode < 0:
            death = signal.Signals(-process.returncode).name
        elif process.returncode is not None:
            death = f"exit {process.returncode}"
        self.close()
        printed = [
            (self._folder / name).read_bytes().decode("utf-8", "backslashreplace")
            for name in ("stdout", "stderr")
        ]
        return {"status": None, "stdout": printed[0], "stderr": printed[1], "death": death}

    def close(self) -> None:
        """Ends the process and its children."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
