"""The page of the service: files that it has in memory, so that no address leads to another file."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from extlint.services.serve.answers import ProblemError

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
"""The policy of the page."""

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
}
_START = "index.html"


def page_routes() -> list[Route]:
    """Returns the routes of the page."""
    contents = _contents()

    def response(request: Request, name: str) -> Response:
        found = contents.get(name)
        if found is None:
            raise ProblemError("not-found", "this page does not exist")
        media_type = _TYPES[name[name.rindex(".") :]]
        return with_etag(request, found, media_type, {"Content-Security-Policy": POLICY})

    async def start(request: Request) -> Response:
        request.scope["operation"] = "page"
        return response(request, _START)

    async def static(request: Request) -> Response:
        request.scope["operation"] = "static"
        return response(request, request.path_params["name"])

    return [
        Route("/", start, methods=["GET"]),
        Route("/static/{name}", static, methods=["GET"]),
    ]


def _contents() -> dict[str, bytes]:
    """Returns the files of the page, by name."""
    folder: Any = files("extlint.services.serve") / "page"
    if not folder.is_dir():
        return {}
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.name.endswith(tuple(_TYPES))}


def with_etag(request: Request, body: bytes, media_type: str, headers: Mapping[str, str] = {}) -> Response:
    """Returns a response that clients may keep, or that what they have is still correct."""
    etag = f'"{sha256(body).hexdigest()[:32]}"'
    fields = {**headers, "ETag": etag, "Cache-Control": "private, no-cache"}
    given = [each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")]
    if etag in given or given == ["*"]:
        return Response(status_code=304, headers=fields)
    return Response(body, headers={**fields, "Content-Type": media_type})
