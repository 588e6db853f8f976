"""Forks the processes that start the checks of a scan, because a new Python takes longer than the checks."""

from __future__ import annotations

import os
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

from processes import PIPES, options_of

from extlint.services import warm_up
from extlint.services.scan import checker


class _ForkedChecker(subprocess.Popen[bytes]):
    """A process that does what the command of a checker does. It has loaded what this one has."""

    def _execute_child(self, *given: Any) -> None:
        options = options_of(given)
        process = os.fork()
        if process == 0:
            _serve(options["args"][-1], options["p2cread"], options["c2pwrite"])
        self.pid = process
        self._child_created = True
        self._close_pipe_fds(*(options[each] for each in PIPES))  # type: ignore[attr-defined]


def _serve(settings: str, requests: int, answers: int) -> NoReturn:
    try:
        os.dup2(requests, 0)
        os.dup2(answers, 1)
        os.closerange(3, 1 << 10)
        sys.stdin = os.fdopen(0)
        sys.argv = ["checker", settings]
        checker.main()
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def use_forked_checkers() -> None:
    """Makes this process, and those that it forks, fork their checkers, which only take the first step."""
    all_steps = warm_up.warm_up

    def first_step(checks: Sequence[Callable[[bytes], object]]) -> Iterator[None]:
        return iter([next(all_steps(checks))])

    warm_up.warm_up = first_step
    subprocess.Popen = _ForkedChecker  # type: ignore[assignment, misc]
