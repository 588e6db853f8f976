"""The connections of the service, with limits on their number and on the time of the headers."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from msgspec.json import encode
from uvicorn.protocols.http.h11_impl import H11Protocol

from extlint.services.serve.answers import MEDIA_TYPE, problem_of
from extlint.services.serve.settings import MAX_IDLE_SECONDS

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
