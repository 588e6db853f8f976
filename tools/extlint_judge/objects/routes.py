"""The server's responses to the requests of scenarios."""

from __future__ import annotations

import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from urllib.parse import unquote

from extlint_judge.browsers.http_server import PAGE, Route, respond

PAGES: Mapping[str, str] = {
    "/frames.html": '<iframe src="/page.html"></iframe><iframe src="/titled.html"></iframe>',
    "/titled.html": "<script>setTimeout(() => { document.title = 'titled' }, 50)</script>",
    "/pushing.html": "<script>onload = () => history.pushState({}, '', '/pushed.html')</script>",
    "/opening.html": "<script>onload = () => window.open('/page.html')</script>",
    "/content.html": "<title>content</title><p>content</p>",
    "/menu.html": (
        '<body style="margin: 0"><style>body > * { position: absolute; left: 0; margin: 0;'
        " width: 200px; height: 40px; display: block }</style>"
        '<p id="selection" style="top: 0">selected</p>'
        '<a id="link" style="top: 50px" href="/page.html">link</a>'
        '<img id="image" style="top: 100px" src="/image.svg">'
        '<input id="editable" style="top: 150px" value="text">'
        '<iframe id="frame" style="top: 200px" src="/page.html"></iframe>'
        '<p id="page" style="top: 260px">page</p>'
        "<script>addEventListener('mousedown', ({ target }) => {"
        " if (target.id === 'selection') getSelection().selectAllChildren(target);"
        " else getSelection().removeAllRanges(); });</script>"
    ),
}
"""The pages, by path."""

IMAGE = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
SLOW_PARTS = 100


def _redirect(request: BaseHTTPRequestHandler) -> None:
    request.send_response(302)
    request.send_header("Location", unquote(request.path.partition("?to=")[2]))
    request.send_header("Access-Control-Allow-Origin", "*")
    request.send_header("Content-Length", "0")
    request.end_headers()


def _auth(request: BaseHTTPRequestHandler) -> None:
    if request.headers.get("Authorization") is not None:
        respond(request, PAGE)
        return
    request.send_response(401)
    request.send_header("WWW-Authenticate", 'Basic realm="judge"')
    request.send_header("Content-Length", "0")
    request.end_headers()


def _broken(request: BaseHTTPRequestHandler) -> None:
    request.close_connection = True


def _cached(request: BaseHTTPRequestHandler) -> None:
    respond(request, PAGE, Cache_Control="max-age=900")


def _file(request: BaseHTTPRequestHandler) -> None:
    respond(request, b"\0" * 64, Content_Type="application/octet-stream")


def _slow(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.send_header("Content-Type", "application/octet-stream")
    request.send_header("Content-Length", str(1000 * SLOW_PARTS))
    request.end_headers()
    for _ in range(SLOW_PARTS):
        request.wfile.write(b"\0" * 1000)
        time.sleep(0.1)


def _missing(request: BaseHTTPRequestHandler) -> None:
    request.send_error(404)


def _image(request: BaseHTTPRequestHandler) -> None:
    respond(request, IMAGE, Content_Type="image/svg+xml")


def _page(text: str) -> Route:
    return lambda request: respond(request, f"<!doctype html>{text}".encode())


ROUTES: Mapping[str, Route] = {
    "/redirect": _redirect,
    "/auth": _auth,
    "/broken": _broken,
    "/kept": _cached,
    "/file.bin": _file,
    "/slow.bin": _slow,
    "/missing.bin": _missing,
    "/image.svg": _image,
    **{path: _page(text) for path, text in PAGES.items()},
}
"""The request handlers, by path."""
