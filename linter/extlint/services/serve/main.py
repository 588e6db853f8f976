"""Runs the service until a signal ends it, and limits its connections."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import h11
from msgspec.json import encode
from uvicorn.protocols.http.h11_impl import H11Protocol

from extlint.services.serve.answers import MEDIA_TYPE, problem_of
from extlint.services.serve.settings import MAX_IDLE_SECONDS, Settings
from extlint.services.serve.team import Team

if TYPE_CHECKING:
    from extlint.services.serve.results import Results


MAX_WAITING_CONNECTIONS = 512
"""Connections that the system holds until the service accepts them."""

SECONDS_TO_FINISH = 5
"""Seconds beyond the limit of a check that running requests get when the service ends."""

SECONDS_BETWEEN_REMOVALS = 60


class _LineFormatter(logging.Formatter):
    """Makes one line of a record, in ASCII, whatever is in it."""

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        return json.dumps(text)[1:-1].replace('\\"', '"') if record.name != "extlint.services.serve" else text


def run_server(settings: Settings, host: str, port: int, announce: Callable[[str], None]) -> None:
    """Serves until SIGINT or SIGTERM, then finishes running requests. Raises OSError, and sqlite3.Error.

    `announce` is called with the address when clients may connect.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family, backlog=MAX_WAITING_CONNECTIONS) as listener:
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{listener.getsockname()[1]}"
        results = _results(settings)
        _log_to_stderr()
        asyncio.run(_serve(settings, listener, results, lambda: announce(address)))


def _results(settings: Settings) -> Results | None:
    if not settings.keep:
        return None
    from extlint.services.serve.results import Results

    return Results(settings.results, settings.keep)


def _log_to_stderr() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_LineFormatter("%(message)s"))
    for name in ("extlint.services.serve", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
    logging.getLogger("python_multipart").addHandler(logging.NullHandler())  # it describes malformed forms
    logging.getLogger("extlint.services.serve").setLevel(logging.INFO)
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)


async def _serve(
    settings: Settings, listener: socket.socket, results: Results | None, announce: Callable[[], None]
) -> None:
    team = Team(settings)  # it loads while this process loads the rest
    removal = None
    try:
        from uvicorn import Config, Server

        from extlint.services.serve.guards import Guards
        from extlint.services.serve.metrics import Metrics
        from extlint.services.serve.service import Service

        class QuietServer(Server):
            """Ends with a normal exit after a signal."""

            @contextmanager
            def capture_signals(self) -> Iterator[None]:
                for number in (signal.SIGINT, signal.SIGTERM):
                    signal.signal(number, self.handle_exit)
                yield

            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                await super().startup(sockets)
                announce()

        metrics = Metrics()
        service = Service(settings, team, results, metrics)
        config = Config(
            Guards(service.app, settings, metrics),
            http=TimedProtocol,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=settings.limits.wall + SECONDS_TO_FINISH,
            h11_max_incomplete_event_size=65_536,
        )
        if results is not None:
            removal = asyncio.create_task(_remove_expired(results))
        server = QuietServer(config)
        team.on_failed_start = partial(setattr, server, "should_exit", True)
        await server.serve([listener])
        if team.has_failed_to_start:
            raise OSError("the process that starts workers ends at once; it may require more memory")
    finally:
        if removal is not None:
            removal.cancel()
        team.stop()
        if results is not None:
            results.close()


async def _remove_expired(results: Results) -> None:
    import sqlite3

    while True:
        with suppress(sqlite3.Error):
            await asyncio.to_thread(results.remove_expired)
        await asyncio.sleep(SECONDS_BETWEEN_REMOVALS)


MAX_CONNECTIONS = 1000
"""Connections at the same time. More are closed at once."""


class TimedProtocol(H11Protocol):
    """A connection that is closed if the headers of a request do not arrive in time, or are not HTTP."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Starts the time of the first request."""
        super().connection_made(transport)
        self.app_state = {**self.app_state, "abort": transport.abort, "close": transport.close}
        if len(self.connections) > MAX_CONNECTIONS:
            transport.abort()
        else:
            self._start()

    def data_received(self, data: bytes) -> None:
        """Starts the time of the next request, or ends it when the headers are complete."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()
        elif self._deadline is None:
            self._start()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002
        """Answers what is not HTTP, unless another answer has begun. Ends the connection, and its request."""
        has_body = True
        if self.cycle is not None and not self.cycle.response_complete:
            has_body = self.cycle.scope["method"] != "HEAD"
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            problem = problem_of("invalid-request", "the bytes are not a valid HTTP request")
            body = encode(problem)
            fields = {"Content-Type": MEDIA_TYPE, "Content-Length": str(len(body)), "Connection": "close"}
            for event in (
                h11.Response(status_code=problem.status, headers=list(fields.items()), reason=b"Bad Request"),
                h11.Data(data=body if has_body else b""),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends the time."""
        self._stop()
        super().connection_lost(exc)

    def _start(self) -> None:
        self._deadline = self.loop.call_later(MAX_IDLE_SECONDS, self.transport.abort)

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
