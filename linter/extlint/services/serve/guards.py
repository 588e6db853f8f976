"""Checks of every request: its host, origin, token and time. Logs each of them."""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import time
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from ipaddress import ip_address
from typing import Any

from msgspec.json import encode
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from extlint.services.serve.answers import MEDIA_TYPE, ProblemError
from extlint.services.serve.bodies import ClientGoneError
from extlint.services.serve.metrics import Metrics
from extlint.services.serve.settings import MAX_IDLE_SECONDS, Settings

LOG = logging.getLogger("extlint.services.serve")

MAX_SECONDS_TO_LINGER = 20.0
"""Seconds for which the rest of a body is dropped, as many clients read only after they have sent it."""

MAX_SECONDS_BETWEEN_PARTS = 2.0
"""Seconds after which a client that sends nothing has read the answer, or never will."""

MAX_LINGER_BYTES = 512 * 1024 * 1024
"""Bytes that are dropped."""

MAX_HEADERS = 100
"""Headers of a request."""

SAFE_METHODS = ("GET", "HEAD")
OPEN_PATHS = ("/", "/healthz", "/readyz", "/favicon.ico")
OPEN_FOLDER = "/static/"

_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
_EXPOSED = "Content-Length, ETag, Extlint-Exit-Status, Retry-After"


class Guards:
    """Checks requests before the service sees them, and completes its responses."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self._app = app
        self._settings = settings
        self._metrics = metrics
        self._token = None if settings.token is None else _digest(settings.token)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one request."""
        exchange = _Exchange(scope, receive, send)
        started = time.monotonic()
        headers = Headers(scope=scope)
        try:
            allowed = self._allowed_origin(headers)
            exchange.extra = {**_HEADERS, **_cors(allowed)}
            if len(scope["headers"]) > MAX_HEADERS:
                raise ProblemError("invalid-request", "the request has too many headers", "headers")
            self._check_host(headers)
            if scope["method"] == "OPTIONS" and allowed is not None:
                await exchange.respond(204, {**_PREFLIGHT, "Content-Type": "text/plain"}, b"")
                return
            self._check_origin(scope, headers, allowed)
            self._check_token(scope, headers)
            await self._app(scope, exchange.receive, exchange.send)
            await exchange.end()
        except ProblemError as error:
            await exchange.respond(
                error.problem.status, {**error.headers, "Content-Type": MEDIA_TYPE}, encode(error.problem)
            )
        except ClientGoneError:
            exchange.status = 499
        except TimeoutError:
            exchange.abort()
        finally:
            seconds = time.monotonic() - started
            self._metrics.add(scope.get("operation", "other"), exchange.status, seconds, exchange.received)
            self._log(scope, exchange, seconds)

    def _check_host(self, headers: Headers) -> None:
        """Raises ProblemError for a name that the service does not have, as after DNS rebinding."""
        name = _host_name(headers.get("host", ""))
        if name == "localhost" or name in self._settings.names or _is_address(name):
            return
        raise ProblemError("unknown-host", "the service does not have the name in the header Host")

    def _allowed_origin(self, headers: Headers) -> str | None:
        origin = headers.get("origin")
        return origin if origin in self._settings.origins else None

    def _check_origin(self, scope: Scope, headers: Headers, allowed: str | None) -> None:
        """Raises ProblemError if a page of somewhere else sends something."""
        origin = headers.get("origin")
        if origin is None or allowed is not None or scope["method"] in SAFE_METHODS:
            return
        if origin.partition("://")[2] != headers.get("host"):
            raise ProblemError("foreign-origin", "pages of other origins may not use the service")

    def _check_token(self, scope: Scope, headers: Headers) -> None:
        path = scope["path"]
        if self._token is None or path in OPEN_PATHS or path.startswith(OPEN_FOLDER):
            return
        scheme, _, given = headers.get("authorization", "").partition(" ")
        is_correct = hmac.compare_digest(_digest(given.strip()), self._token)
        if scheme.lower() != "bearer" or not is_correct:
            raise ProblemError(
                "unauthorized",
                "the header Authorization must have the token: Bearer TOKEN",
                headers={"WWW-Authenticate": "Bearer"},
            )

    def _log(self, scope: Scope, exchange: _Exchange, seconds: float) -> None:
        """Logs one line of JSON: ASCII, whatever a client sends."""
        entry = {
            "client": (scope.get("client") or ("", 0))[0],
            "method": scope["method"],
            "path": scope["path"][:200],
            "status": exchange.status,
            "received": exchange.received,
            "seconds": round(seconds, 4),
        }
        LOG.info("%s", json.dumps(entry))


_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers": "Accept, Authorization, Content-Type, If-None-Match, X-Filename",
    "Access-Control-Max-Age": "600",
}


class _Exchange:
    """A request and its response, with the limits on the time of the client."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._is_started = False
        self._is_body_complete = not _has_body(Headers(scope=scope))
        self._expects_continue = b"expect" in dict(scope["headers"])
        self._held_back: Message | None = None
        self.extra: Mapping[str, str] = _HEADERS
        self.status = 500
        self.received = 0

    async def receive(self) -> Message:
        """Receives the next part of the request."""
        message = await self._receive()
        if message["type"] == "http.request":
            self.received += len(message.get("body", b""))
            self._is_body_complete = not message.get("more_body", False)
            self._expects_continue = False
        return message

    async def send(self, message: Message) -> None:
        """Sends a part of the response. The end is sent when the rest of the body is dropped."""
        if message["type"] == "http.response.start":
            self._is_started = True
            self.status = message["status"]
            headers = MutableHeaders(raw=message["headers"])
            for name, value in self.extra.items():
                headers.setdefault(name, value)
            if not self._is_body_complete:
                headers["Connection"] = "close"
        elif not self._is_body_complete and not message.get("more_body", False):
            self._held_back = {"type": "http.response.body", "body": b"", "more_body": False}
            message = {**message, "more_body": True}
        async with asyncio.timeout(MAX_IDLE_SECONDS):
            await self._send(message)

    async def end(self) -> None:
        """Drops the rest of the body, for a short time, and sends the end of the response."""
        if self._held_back is None:
            return
        if not self._expects_continue:
            with suppress(TimeoutError):
                async with asyncio.timeout(MAX_SECONDS_TO_LINGER):
                    await self._drop_rest()
        async with asyncio.timeout(MAX_IDLE_SECONDS):
            await self._send(self._held_back)
        if not self._is_body_complete:
            self._scope["state"]["close"]()

    async def _drop_rest(self) -> None:
        """Reads the rest of the body. Raises TimeoutError if no part of it arrives for some time."""
        end = self.received + MAX_LINGER_BYTES
        while not self._is_body_complete and self.received < end:
            async with asyncio.timeout(MAX_SECONDS_BETWEEN_PARTS):
                message = await self.receive()
            if message["type"] == "http.disconnect":
                return

    async def respond(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        """Sends a whole response, unless one has begun; then, ends the connection."""
        if self._is_started:
            self.abort()
            return
        fields = {**headers, "Cache-Control": "no-store", "Content-Length": str(len(body))}
        if status == 204:
            del fields["Content-Length"], fields["Content-Type"]
        raw = [(name.lower().encode(), value.encode("latin-1")) for name, value in fields.items()]
        try:
            await self.send({"type": "http.response.start", "status": status, "headers": raw})
            await self.send({"type": "http.response.body", "body": body})
            await self.end()
        except TimeoutError:
            self.abort()

    def abort(self) -> None:
        """Ends the connection at once, whatever the client has not read yet."""
        abort: Any = self._scope.get("state", {}).get("abort")
        if abort is not None:
            abort()


def _cors(origin: str | None) -> dict[str, str]:
    if origin is None:
        return {}
    return {
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Expose-Headers": _EXPOSED,
        "Cross-Origin-Resource-Policy": "cross-origin",
        "Vary": "Origin",
    }


def _has_body(headers: Headers) -> bool:
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers


def _digest(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogateescape")).digest()


def _host_name(host: str) -> str:
    """Returns the name in a Host header, without a port."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower().rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
