"""A server on this machine alone: it has a page for content scripts, and takes what extensions saw."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue

PAGE = b"<!doctype html><title>page</title><p>page</p>"


class Server:
    """`port` is where it listens on 127.0.0.1; `posts` are paths and bodies of what was posted to it."""

    def __init__(self, port: int, posts: Queue[tuple[str, bytes]]) -> None:
        self.port = port
        self.posts = posts

    @property
    def page(self) -> str:
        """The address of the page."""
        return self.address("/page.html")

    def address(self, path: str) -> str:
        """The address of a path."""
        return f"http://127.0.0.1:{self.port}{path}"


@contextmanager
def serving() -> Iterator[Server]:
    """A server as long as it is needed."""
    posts: Queue[tuple[str, bytes]] = Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(PAGE)

        def do_POST(self) -> None:
            posts.put((self.path, self.rfile.read(int(self.headers.get("Content-Length", "0")))))
            self._answer(b"")

        def _answer(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Access-Control-Allow-Origin", "*")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Patient(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """A page that goes away while it speaks is no error."""

    with Patient(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        try:
            yield Server(listening.server_address[1], posts)
        finally:
            listening.shutdown()
            thread.join()
