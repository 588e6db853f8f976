"""The operations of the service, as an ASGI application."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import IO

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from extlint.services.serve.answers import ProblemError, chosen_type
from extlint.services.serve.bodies import Bodies, ClientGoneError, Received
from extlint.services.serve.metrics import Metrics
from extlint.services.serve.operations import OPERATIONS, Operation, parameter_names
from extlint.services.serve.pages import page_routes, with_etag
from extlint.services.serve.results import Results
from extlint.services.serve.settings import FORMS, Settings, Task
from extlint.services.serve.team import Answer, Team

MAX_LOOKUPS = 64
"""Answers to lookups that are kept in memory."""

MAX_LOOKUP_BYTES = 2 * 1024 * 1024
"""Bytes of such an answer."""

REPORT_POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data:"
)
"""The policy of an HTML report, which is one file. It has an origin of its own, so it reaches nothing."""

_Handler = Callable[[Request], Awaitable[Response]]
_METHODS = {"metrics": "_metric_counts"}
_LISTS = ("target", "select", "ignore")


class Service:
    """Answers requests that have passed the guards."""

    def __init__(self, settings: Settings, team: Team, results: Results | None, metrics: Metrics) -> None:
        self._settings = settings
        self._team = team
        self._results = results
        self._metrics = metrics
        self._bodies = Bodies(settings.limits.upload)
        self._lookups: OrderedDict[Task, tuple[str, bytes]] = OrderedDict()
        routes = [
            Route(
                each.path,
                _endpoint(each, getattr(self, _METHODS.get(each.name, f"_{each.name}"))),
                methods=[each.method],
            )
            for each in OPERATIONS
        ]
        self._router = Router([*routes, *page_routes()], redirect_slashes=False)

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request. Raises ProblemError."""
        try:
            scope["app"] = self  # makes the router raise its errors
            await self._router(scope, receive, send)
        except HTTPException as error:
            kind = "not-found" if error.status_code == 404 else "method-not-allowed"
            sentence = "there is nothing at this address" if kind == "not-found" else "use another method"
            raise ProblemError(kind, sentence, headers=error.headers) from None

    async def _lint(self, request: Request) -> Response:
        form = chosen_type(request.headers.get("accept"), {kind: name for name, kind in FORMS.items()})
        self._team.raise_if_full()
        received = await self._bodies.receive(request.headers, request.receive)
        try:
            if "against" in received.files:
                raise ProblemError("invalid-request", "against is for permissions")
            names, files = _uploads(received)
            answer = await self._run(
                request, replace(_options(request), kind="lint", form=form, names=names), files
            )
        finally:
            received.close()
        headers = {"Cache-Control": "no-store", "Extlint-Exit-Status": str(answer.head.status)}
        if form == "html":
            headers["Content-Security-Policy"] = REPORT_POLICY
        if form == "page" and self._results is not None:
            return await self._kept(answer, headers, self._results)
        return _FileResponse(answer, headers)

    async def _permissions(self, request: Request) -> Response:
        self._team.raise_if_full()
        received = await self._bodies.receive(request.headers, request.receive)
        try:
            names, files = _uploads(received)
            answer = await self._run(
                request, replace(_options(request), kind="permissions", names=names), files
            )
        finally:
            received.close()
        return _FileResponse(answer, {"Cache-Control": "no-store"})

    async def _rules(self, request: Request) -> Response:
        return await self._look_up(request, Task("rules"))

    async def _rule(self, request: Request) -> Response:
        return await self._look_up(request, Task("rule", name=request.path_params["name"]))

    async def _schema(self, request: Request) -> Response:
        name = request.path_params["name"]
        return await self._look_up(request, replace(_options(request), kind="schema", name=name))

    async def _manifest_schema(self, request: Request) -> Response:
        return await self._look_up(request, replace(_options(request), kind="manifest-schema"))

    async def _openapi(self, request: Request) -> Response:
        return await self._look_up(request, Task("openapi"))

    async def _result(self, request: Request) -> Response:
        content = None
        if self._results is not None:
            with suppress(sqlite3.Error):
                content = await asyncio.to_thread(self._results.get, request.path_params["id"])
        if content is None:
            raise ProblemError("not-found", "the result does not exist, or is not kept any more")
        headers = {"Content-Type": FORMS["page"], "Cache-Control": "private, no-cache"}
        return Response(content, headers=headers)

    async def _metric_counts(self, _request: Request) -> Response:
        gauges = {
            "workers_running": self._team.running,
            "requests_waiting": self._team.waiting,
            "uploads_receiving": self._bodies.count,
            "workers_max": self._settings.jobs,
        }
        return _text(self._metrics.text(gauges, self._team.outcomes))

    async def _healthz(self, _request: Request) -> Response:
        return _text("ok\n")

    async def _readyz(self, _request: Request) -> Response:
        if not self._team.is_ready:
            raise ProblemError("starting", "no worker can be started yet")
        return _text("ready\n")

    async def _run(self, request: Request, task: Task, files: Sequence[IO[bytes]]) -> Answer:
        """Does a task. Ends it if the client closes the connection."""
        work = asyncio.ensure_future(self._team.run(task, files))
        gone = asyncio.ensure_future(_until_gone(request))
        try:
            await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise ClientGoneError
            return work.result()
        finally:
            gone.cancel()
            work.cancel()

    async def _kept(self, answer: Answer, headers: Mapping[str, str], results: Results) -> Response:
        identifier = results.new_id()
        try:
            body = answer.body().removesuffix(b"null}") + f'"{identifier}"}}'.encode()
            await asyncio.to_thread(results.keep, identifier, body)
        except sqlite3.Error:
            raise ProblemError("no-space", "the result cannot be kept", "disk") from None
        finally:
            answer.close()
        return Response(body, headers={**headers, "Content-Type": FORMS["page"]})

    async def _look_up(self, request: Request, task: Task) -> Response:
        found = self._lookups.get(task)
        if found is None:
            answer = await self._run(request, task, ())
            found = answer.head.media_type, answer.body()
            answer.close()
            if len(found[1]) <= MAX_LOOKUP_BYTES:
                self._lookups[task] = found
                if len(self._lookups) > MAX_LOOKUPS:
                    self._lookups.popitem(last=False)
        else:
            self._lookups.move_to_end(task)
        media_type, body = found
        return with_etag(request, body, media_type)


def _endpoint(operation: Operation, answer: _Handler) -> _Handler:
    """Returns the function that answers the requests of an operation."""
    known = parameter_names(operation)

    async def endpoint(request: Request) -> Response:
        request.scope["operation"] = operation.name
        unknown = sorted({*request.query_params} - known)
        if unknown:
            raise ProblemError("invalid-option", f"unknown parameter: {unknown[0][:100]}")
        return await answer(request)

    return endpoint


def _uploads(received: Received) -> tuple[tuple[str, ...], list[IO[bytes]]]:
    ordered = [received.files[each] for each in ("package", "against") if each in received.files]
    return tuple(name for name, _ in ordered), [file for _, file in ordered]


def _options(request: Request) -> Task:
    """Returns a task with the options in the address. Raises ProblemError if one of them is empty."""
    found: dict[str, tuple[str, ...]] = {}
    for name in _LISTS:
        values = request.query_params.getlist(name)
        names = tuple(part.strip() for value in values for part in value.split(","))
        if "" in names:
            raise ProblemError("invalid-option", f"{name} requires a name")
        if names:
            found[name] = names
    levels = request.query_params.getlist("fail-level")
    if len(levels) > 1:
        raise ProblemError("invalid-option", "fail-level is given twice")
    return Task("", fail_level=levels[0] if levels else None, **found)  # type: ignore[arg-type]


async def _until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


class _FileResponse(Response):
    """An answer that is read from its file while the client reads it."""

    def __init__(self, answer: Answer, headers: Mapping[str, str]) -> None:
        length = str(answer.length)
        fields = {**headers, "Content-Type": answer.head.media_type, "Content-Length": length}
        super().__init__(headers=fields)
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Sends the answer, and removes it."""
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            for part in self._answer.parts():
                await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._answer.close()


def _text(text: str) -> Response:
    headers = {"Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"}
    return Response(text, headers=headers)
