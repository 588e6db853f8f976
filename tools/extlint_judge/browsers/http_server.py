"""A server on this machine alone: it has pages, and takes what extensions saw."""

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

Route: TypeAlias = Callable[[BaseHTTPRequestHandler], None]
"""What answers a request."""

NO_ROUTES: Mapping[str, Route] = MappingProxyType({})


class Server:
    """`port` is where it listens on 127.0.0.1; `posts` are paths and bodies of what was posted to it."""

    def __init__(self, port: int, posts: Queue[tuple[str, bytes]]) -> None:
        self.port = port
        self.posts = posts

    def heard(self, silence: str, *, timeout: float) -> Any:
        """The JSON that is posted next.

        Raises a BrowserError that says `silence` if that takes more than so many seconds.
        """
        try:
            return json.loads(self.posts.get(timeout=timeout)[1])
        except Empty:
            raise BrowserError(silence) from None

    def heard_from(self, names: Iterable[str], *, timeout: float) -> dict[str, Any]:
        """What each of these posts, as JSON with its name and a value.

        Raises a BrowserError with the names of those that are silent for more than so many seconds.
        """
        found: dict[str, Any] = {}
        missing = {*names}
        while missing:
            listed = ", ".join(sorted(missing))
            name, found[name] = self.heard(f"nothing is heard from: {listed}", timeout=timeout)
            missing.discard(name)
        return found

    @property
    def page(self) -> str:
        """The address of the page."""
        return self.address("/page.html")

    def address(self, path: str) -> str:
        """The address of a path."""
        return f"http://127.0.0.1:{self.port}{path}"


def answer(request: BaseHTTPRequestHandler, body: bytes, **headers: str) -> None:
    """Answers with a page. A header's name has `_` for each hyphen."""
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
    """A server as long as it is needed; what has no route of its own is a page. `secure` is for https."""
    posts: Queue[tuple[str, bytes]] = Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            route = routes.get(self.path.partition("?")[0])
            answer(self, PAGE) if route is None else route(self)

        def do_POST(self) -> None:
            posts.put((self.path, self.rfile.read(int(self.headers.get("Content-Length", "0")))))
            answer(self, b"")

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Patient(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """A page that goes away while it speaks is no error."""

    with Patient(("127.0.0.1", 0), Handler) as listening:
        if secure is not None:
            listening.socket = secure.wrap_socket(listening.socket, server_side=True)
        thread = threading.Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        try:
            yield Server(listening.server_address[1], posts)
        finally:
            listening.shutdown()
            thread.join()
