"""Forks the processes that check packages for a scan or a service: a new Python takes longer than checks."""

from __future__ import annotations

import os
import subprocess
import sys
import traceback
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NoReturn

from processes import PIPES, options_of

MODULES = {
    "extlint.services.scan.checker": "extlint.services.warm_up",
    "extlint.services.serve.nursery": "extlint.services.serve.nursery",
}
"""The modules that are run, with those from which they get the function that warms them up."""

FORK_MODULES = "from forked_modules import use_forked_modules; use_forked_modules()\n"
"""The statement for a program that forks such processes."""


class _ForkedModule(subprocess.Popen[Any]):
    """A process that runs a module as a new Python does. It has loaded what this process has."""

    def _execute_child(self, *given: Any) -> None:
        options = options_of(given)
        match options["args"]:
            case [sys.executable, "-P", "-m", module, *arguments] if module in MODULES:
                process = os.fork()
            case _:
                super()._execute_child(*given)  # type: ignore[misc]
                return
        if process == 0:
            _run(module, arguments, options)
        self.pid = process
        self._child_created = True
        self._close_pipe_fds(*(options[each] for each in PIPES))  # type: ignore[attr-defined]


def _run(module: str, arguments: list[str], options: Mapping[str, Any]) -> NoReturn:
    """Runs a module, and only the first step of its warm-up: the others load what is loaded."""
    try:
        for number, name in enumerate(("p2cread", "c2pwrite", "errwrite")):
            if options[name] != -1:
                os.dup2(options[name], number)
        start = 3
        for kept in (*sorted(options["pass_fds"]), 1 << 10):
            os.closerange(start, kept)
            start = kept + 1
        if options["cwd"] is not None:
            os.chdir(options["cwd"])
        sys.stdin = os.fdopen(0)
        sys.argv = [module, *arguments]
        place: Any = import_module(MODULES[module])
        all_steps = place.warm_up
        place.warm_up = lambda *given: iter([next(all_steps(*given))])
        import_module(module).main()
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def use_forked_modules() -> None:
    """Makes this process, and those that it forks, fork such processes."""
    subprocess.Popen = _ForkedModule  # type: ignore[misc]
