"""A local HTTP server that has pages, and receives the reports of extensions."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Empty, Queue
from types import MappingProxyType
from typing import Any, TypeAlias

from extlint_judge.browsers.processes import BrowserError

PAGE = b"<!doctype html><title>page</title><p>page</p>"

INSECURE_HOST = "judge.test"
"""A name of this machine in the browsers, for which pages of `http:` are not secure."""

Route: TypeAlias = Callable[[BaseHTTPRequestHandler], None]
"""The handler of a request."""

NO_ROUTES: Mapping[str, Route] = MappingProxyType({})


class Server:
    """A server on 127.0.0.1. `port` is its port; `posts` are the paths and bodies of POST requests.

    `routes` are the handlers of paths, and may change.
    """

    def __init__(self, port: int, posts: Queue[tuple[str, bytes]], routes: dict[str, Route]) -> None:
        self.port = port
        self.posts = posts
        self.routes = routes

    def receive(self, silence: str, *, timeout: float) -> Any:
        """Returns the JSON of the next POST request.

        Raises a BrowserError with the message `silence` on a timeout, given in seconds.
        """
        try:
            return json.loads(self.posts.get(timeout=timeout)[1])
        except Empty:
            raise BrowserError(silence) from None

    def receive_from(self, names: Iterable[str], *, timeout: float) -> dict[str, Any]:
        """Returns the value that each of these names posts, as JSON with its name.

        Raises a BrowserError with the missing names if none of them posts within `timeout` seconds.
        """
        found: dict[str, Any] = {}
        missing = {*names}
        while missing:
            listed = ", ".join(sorted(missing))
            name, found[name] = self.receive(f"nothing is heard from: {listed}", timeout=timeout)
            missing.discard(name)
        return found

    @property
    def page(self) -> str:
        """The address of the default page."""
        return self.address("/page.html")

    def address(self, path: str) -> str:
        """Returns the address of a path."""
        return f"http://127.0.0.1:{self.port}{path}"


def respond(request: BaseHTTPRequestHandler, body: bytes, **headers: str) -> None:
    """Responds with a page. The names of headers have `_` for each hyphen."""
    request.send_response(200)
    mine = {"Content_Type": "text/html; charset=utf-8", "Access_Control_Allow_Origin": "*"}
    for name, value in {**mine, "Content_Length": str(len(body)), **headers}.items():
        request.send_header(name.replace("_", "-"), value)
    request.end_headers()
    request.wfile.write(body)


@contextmanager
def serving(
    routes: Mapping[str, Route] = NO_ROUTES, secure: ssl.SSLContext | None = None
) -> Iterator[Server]:
    """Runs a server. Paths without a route return a default page. `secure` is for https."""
    posts: Queue[tuple[str, bytes]] = Queue()
    known = dict(routes)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            route = known.get(self.path.partition("?")[0])
            respond(self, PAGE) if route is None else route(self)

        def do_POST(self) -> None:
            posts.put((self.path, self.rfile.read(int(self.headers.get("Content-Length", "0")))))
            respond(self, b"")

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Patient(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """Ignores pages that close the connection early."""

    with Patient(("127.0.0.1", 0), Handler) as listening:
        if secure is not None:
            listening.socket = secure.wrap_socket(listening.socket, server_side=True)
        thread = threading.Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        try:
            yield Server(listening.server_address[1], posts, known)
        finally:
            listening.shutdown()
            thread.join()
