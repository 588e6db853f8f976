"""`extlint lsp`."""

from __future__ import annotations

import click

from extlint.cli.modules import missing_library
from extlint.cli.process import FAILED, FOUND, SUCCESS
from extlint.cli.streams import complain
from extlint.processes.resources import require_descriptors, shortage

LEVELS = ("debug", "info", "warning", "error")
"""The levels of the log."""

_DESCRIPTORS = 8
"""The files and pipes that the server opens."""


@click.command("lsp", short_help="Serve an editor over the Language Server Protocol.")
@click.option(
    "--log-level", type=click.Choice(LEVELS), default="warning", help="Level of the log.  [default: warning]"
)
@click.option("--log-file", metavar="FILE", help="File for the log.  [default: standard error]")
@click.option("--stdio", is_flag=True, hidden=True, help="Accepted for editors that pass it.")
def lsp_command(log_level: str, log_file: str | None, stdio: bool) -> int:  # noqa: ARG001
    """Serve an editor over the Language Server Protocol, on standard input and output.

    An editor starts this command; see the manual about editors. It requires the extra `lsp`.
    """
    try:
        from extlint.services.lsp.main import run_server
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        complain(missing_library("lsp", "pygls", "lsp"))
        return FAILED
    try:
        require_descriptors(_DESCRIPTORS)
        return SUCCESS if run_server(log_level, log_file) else FOUND
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        complain(shortage(error) or f"cannot write {log_file}: {reason}")
        return FAILED
