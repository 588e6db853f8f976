"""The page of the real service in real browsers; skipped if none is installed."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from page_user import using, wait
from serving import archive, server
from thorough import some

from extlint_judge.browsers.processes import find

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked")
CHROMIUM_FIRST = pytest.mark.parametrize("browser", some(["chromium", "firefox"], 2))
FIREFOX_FIRST = pytest.mark.parametrize("browser", some(["firefox", "chromium"], 2))
IS_DONE = "!document.getElementById('result').hidden && document.getElementById('progress').hidden"
PREFIX = "/tools/extlint"


def browser_command(browser: str) -> str:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    return command


@contextmanager
def below_prefix(port: int) -> Iterator[int]:
    """Runs a proxy that has the service below a path, as `handle_path` of Caddy does, and nothing else."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if not self.path.startswith(f"{PREFIX}/"):
                self.send_error(404)
                return
            size = int(self.headers.get("Content-Length", "0"))
            connection = HTTPConnection("127.0.0.1", port)
            path = self.path.removeprefix(PREFIX)
            connection.request(self.command, path, self.rfile.read(size), dict(self.headers))
            answer = connection.getresponse()
            body = answer.read()
            connection.close()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as proxy:
        thread = threading.Thread(target=proxy.serve_forever, daemon=True)
        thread.start()
        try:
            yield proxy.server_address[1]
        finally:
            proxy.shutdown()
            thread.join()


@FIREFOX_FIRST
def test_page_works_below_a_path(browser: str, tmp_path: Path) -> None:
    command = browser_command(browser)
    (tmp_path / "browser").mkdir()
    package = tmp_path / "a.zip"
    package.write_bytes(archive({"manifest.json": '{"manifest_version": 3, "typo": 1}'}))
    with server(tmp_path, "--keep", "1h") as service, below_prefix(service.port) as port:
        address = f"http://127.0.0.1:{port}{PREFIX}/"
        with using(browser, command, tmp_path / "browser", address) as user:
            user.choose("package", package)
            wait(user, IS_DONE)
            count = user.evaluate("document.querySelectorAll('.finding').length")
            assert count > 1
            assert user.evaluate("location.href").startswith(f"{address}?result=")
            assert user.evaluate("document.querySelector('#result a[href*=result]').href") == user.evaluate(
                "location.href"
            )
            user.evaluate("setTimeout(() => location.reload()), document.body.remove()")
            wait(user, "document.body !== null && document.getElementById('result') !== null")
            wait(user, IS_DONE)
            assert user.evaluate("document.querySelectorAll('.finding').length") == count
            link = "document.querySelector('footer a').href"
            assert user.evaluate(link) == f"{address}v1/openapi.json"
            user.evaluate("document.querySelector('header a').click()")
            wait(user, f"location.href === {address!r} && document.getElementById('result')?.hidden")
            assert user.complaints() == []


@CHROMIUM_FIRST
def test_too_large_package_is_named(browser: str, tmp_path: Path) -> None:
    command = browser_command(browser)
    (tmp_path / "browser").mkdir()
    package = tmp_path / "large.zip"
    package.write_bytes(archive({"manifest.json": "{}", "a.png": bytes(40 << 20)}, level=0))
    with (
        server(tmp_path, "--max-upload", "1") as service,
        using(browser, command, tmp_path / "browser", f"http://127.0.0.1:{service.port}/") as user,
    ):
        user.choose("package", package)
        wait(user, "!document.getElementById('problem').hidden")
        text = user.evaluate("document.getElementById('problem').textContent")
        assert "a package has at most 1048576 bytes" in text
        assert "Limit: upload" in text
