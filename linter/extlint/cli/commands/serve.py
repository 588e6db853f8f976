"""`extlint serve`."""

from __future__ import annotations

import os
import re
import sys

import click

from extlint.cli.modules import can_load, missing_library
from extlint.cli.process import FAILED, SUCCESS
from extlint.cli.streams import complain, write
from extlint.linting.configuration.project_file import Configurations
from extlint.linting.configuration.usage_error import UsageError
from extlint.package.files import UnreadableError
from extlint.processes.resources import available_processors, require_descriptors, shortage

TOKEN_VARIABLE = "EXTLINT_TOKEN"
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_LIBRARIES = ("h11", "python_multipart", "starlette", "uvicorn")
_DURATION = re.compile(r"([1-9][0-9]{0,5})([smhd])")
_DESCRIPTORS = 16
"""The files and pipes that the service opens before its first client connects."""

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


@click.command("serve", short_help="Check packages over HTTP, with a page for people.")
@click.option("--host", default="127.0.0.1", help="Address to listen on.  [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65_535), default=8157, help="Port.  [default: 8157]")
@click.option(
    "--token",
    help=f"Token that clients must send. The variable {TOKEN_VARIABLE} hides it from other users.",
)
@click.option("--no-token", is_flag=True, help="Serve everybody who can connect, beyond this machine.")
@click.option(
    "--allow-host",
    multiple=True,
    metavar="NAME",
    help="Host name by which clients may call the service; repeatable.",
)
@click.option(
    "--allow-origin",
    multiple=True,
    metavar="ORIGIN",
    help="Origin whose pages may use the service; repeatable.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 60), help="Number of workers.  [default: the number of processors]"
)
@click.option(
    "--queue",
    type=click.IntRange(0, 10_000),
    default=64,
    help="Requests that wait for a worker.  [default: 64]",
)
@click.option("--keep", metavar="TIME", help="Keep results for this time, such as 24h.  [default: do not]")
@click.option("--results", metavar="FILE", help="File for results.  [default: a temporary file]")
@click.option("--config", metavar="FILE", help="Use the configuration in this file for all extensions.")
@click.option(
    "--max-upload", type=click.IntRange(1, 4096), default=128, help="MiB of a package.  [default: 128]"
)
@click.option(
    "--max-memory", type=click.IntRange(64, 65_536), default=1024, help="MiB of a worker.  [default: 1024]"
)
@click.option(
    "--max-seconds", type=click.IntRange(1, 3600), default=30, help="Seconds of a check.  [default: 30]"
)
def serve_command(
    host: str,
    port: int,
    token: str | None,
    no_token: bool,
    allow_host: tuple[str, ...],
    allow_origin: tuple[str, ...],
    jobs: int | None,
    queue: int,
    keep: str | None,
    results: str | None,
    config: str | None,
    max_upload: int,
    max_memory: int,
    max_seconds: int,
) -> int:
    """Check packages over HTTP, each in a process of its own, until a signal ends the service.

    See the manual about the service. It requires the extra `serve`, and a system that can fork processes.
    """
    if sys.platform == "win32":
        complain("serve requires Linux or macOS")
        return FAILED
    if not can_load(*_LIBRARIES):
        complain(missing_library("serve", "Starlette and uvicorn", "serve"))
        return FAILED
    from extlint.services.serve.main import run_server
    from extlint.services.serve.settings import MEBIBYTE, Limits, Settings

    if config is not None:
        try:
            Configurations(config)
        except UnreadableError as error:
            raise UsageError(str(error)) from None
    settings = Settings(
        jobs or available_processors(),
        queue,
        Limits(
            cpu=max_seconds,
            wall=max_seconds,
            memory=max_memory * MEBIBYTE,
            upload=max_upload * MEBIBYTE,
        ),
        _token(host, token or os.environ.get(TOKEN_VARIABLE) or None, no_token=no_token),
        frozenset(each.lower() for each in allow_host),
        frozenset(allow_origin),
        _seconds(keep),
        results,
        None if config is None else os.path.abspath(config),
    )
    import sqlite3

    try:
        require_descriptors(_DESCRIPTORS)
        run_server(settings, host, port, lambda address: write(f"extlint serves {address}\n"))
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        complain(shortage(error) or f"cannot serve {host}:{port}: {reason.lower()}")
        return FAILED
    return SUCCESS


def _token(host: str, token: str | None, *, no_token: bool) -> str | None:
    """Returns the token. Raises UsageError if one is missing, or too easy to guess."""
    from extlint.services.serve.settings import MIN_TOKEN_LENGTH

    if no_token:
        if token is not None:
            raise UsageError("--no-token cannot be combined with a token")
        return None
    if token is None:
        if host not in _LOOPBACK:
            raise UsageError(f"{host} can be reached from other machines: pass --token, or --no-token")
        return None
    if len(token) < MIN_TOKEN_LENGTH or not (token.isascii() and token.isprintable()) or " " in token:
        raise UsageError(f"a token has at least {MIN_TOKEN_LENGTH} ASCII characters, and no spaces")
    return token


def _seconds(keep: str | None) -> int:
    if keep is None:
        return 0
    found = _DURATION.fullmatch(keep)
    if found is None:
        raise UsageError(f"--keep requires a time, such as 24h or 7d, not {keep}")
    return int(found[1]) * _UNITS[found[2]]
