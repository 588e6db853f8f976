"""A small service for tests of the page: one process, no limits, and the answers that the page requires."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from zipfile import ZipFile

from processes import run

import extlint

PAGE = Path(__file__).parents[1] / "linter/extlint/services/serve/page"

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)

TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


class ProblemError(Exception):
    """A status and a problem document."""

    def __init__(self, status: int, **document: Any) -> None:
        super().__init__(status)
        self.status = status
        self.document = document


class Service:
    """The address of the service. `busy` is the number of requests that it rejects with 429."""

    def __init__(self) -> None:
        self.address = ""
        self.busy = 0
        self.keep = False
        self.token: str | None = None
        self.kept: dict[str, Any] = {}
        self.uploads: list[bytes] = []

    def lint(self, name: str, body: bytes, options: dict[str, list[str]], form: str) -> Any:
        self.uploads.append(body)
        try:
            report = extlint.check(
                body, filename=name, targets=options.get("target", ()), select=options.get("select", ())
            )
        except extlint.UnreadableError as error:
            raise ProblemError(422, title="The upload cannot be read", detail=str(error)) from None
        except extlint.UsageError as error:
            raise ProblemError(400, title="Invalid option", detail=str(error)) from None
        if "page" not in form:
            return report.to_dict()
        number = f"{len(self.kept):024}" if self.keep else None
        page = {
            "report": report.to_dict(),
            "files": texts(name, body),
            "permissions": permissions({name: body}, options),
            "id": number,
        }
        if number is not None:
            self.kept[number] = page
        return page


def texts(name: str, body: bytes) -> dict[str, str]:
    if name.endswith(".json"):
        return {"manifest.json": body.decode("utf-8-sig", "replace")}
    with TemporaryDirectory() as folder:
        path = Path(folder, "package.zip")
        path.write_bytes(body)
        with ZipFile(path) as archive:
            return {each: archive.read(each).decode("utf-8-sig", "replace") for each in archive.namelist()}


def permissions(packages: dict[str, bytes], options: dict[str, list[str]]) -> Any:
    with TemporaryDirectory() as folder:
        for name, body in packages.items():
            Path(folder, name).write_bytes(body)
        names = [*packages]
        command = [sys.executable, "-m", "extlint", "permissions", names[0], "--output-format", "json"]
        command += [f"--target={each}" for each in options.get("target", ())]
        command += [f"--against={each}" for each in names[1:]]
        return json.loads(run(command, cwd=folder, capture_output=True).stdout)


@contextmanager
def serving() -> Iterator[Service]:
    """Runs the service."""
    service = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            if path.startswith("/v1/results/"):
                found = service.kept.get(path.rpartition("/")[2])
                missing = {"title": "Unknown result", "detail": "the result does not exist"}
                self.answer(404 if found is None else 200, json.dumps(found or missing).encode())
            elif path == "/":
                self.file("index.html")
            else:
                self.file(path.removeprefix("/static/"))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            try:
                self.answer(200, json.dumps(self.result(body)).encode())
            except ProblemError as problem:
                self.answer(problem.status, json.dumps(problem.document).encode())

        def result(self, body: bytes) -> Any:
            if service.token is not None and self.headers["Authorization"] != f"Bearer {service.token}":
                raise ProblemError(401, title="Unauthorized", detail="the token is missing or wrong")
            if service.busy > 0:
                service.busy -= 1
                raise ProblemError(429, title="Busy", detail="the queue is full")
            address = urlsplit(self.path)
            options = parse_qs(address.query)
            if address.path == "/v1/permissions":
                kind = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
                parts = BytesParser(policy=HTTP).parsebytes(kind + body)
                names = ("new.zip", "old.zip")
                loads = (bytes(part.get_content()) for part in parts.iter_parts())
                return permissions(dict(zip(names, loads, strict=True)), options)
            return service.lint(unquote(self.headers["X-Filename"]), body, options, self.headers["Accept"])

        def file(self, name: str) -> None:
            path = PAGE / name
            if path.is_file():
                self.answer(200, path.read_bytes(), TYPES[path.suffix])
            else:
                self.answer(404, b"{}")

        def answer(self, status: int, body: bytes, kind: str = "application/json") -> None:
            self.send_response(status)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Content-Security-Policy", POLICY)
            if status == 429:
                self.send_header("Retry-After", "1")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        service.address = f"http://127.0.0.1:{server.server_address[1]}"
        try:
            yield service
        finally:
            server.shutdown()
            thread.join()
