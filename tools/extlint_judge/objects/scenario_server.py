"""How the extension's scenarios are listened to, and helped where only a person could."""

from __future__ import annotations

import ssl
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import Empty
from shutil import which
from typing import Any, TypeAlias

import msgspec

from extlint_judge.browsers.http_server import Server, serving
from extlint_judge.browsers.processes import BrowserError
from extlint_judge.objects.observations import ContextReport
from extlint_judge.objects.routes import ROUTES

MAX_SECONDS = 300.0
"""So many seconds all scenarios may take together."""

AFTER = 3.0
"""So many seconds the other contexts have to tell after the background has."""

Ask: TypeAlias = Callable[[dict[str, Any]], object]
"""Does something that a scenario asks for, of which it tells more."""


class ScenarioServer:
    """The server of a run. `secure` is its address by https, None where no certificate can be made."""

    def __init__(self, server: Server, secure: Server | None) -> None:
        self.server = server
        self.secure = None if secure is None else secure.address("").replace("http:", "https:")

    def listen(self, asks: Mapping[str, Ask], last: str, unseen: list[str]) -> Iterator[ContextReport]:
        """What contexts tell until the one named `last` has; `unseen` is given what could not be done."""
        end = time.monotonic() + MAX_SECONDS
        while (left := end - time.monotonic()) > 0:
            try:
                path, body = self.server.posts.get(timeout=left)
            except Empty:
                return
            if path == "/ask":
                asked = msgspec.json.decode(body)
                try:
                    if asked["what"] in asks:
                        asks[asked["what"]](asked["detail"])
                except BrowserError as error:
                    unseen.append(f"{asked['what']} {asked['detail'] or ''}: {error}")
            elif path == "/seen":
                told = msgspec.json.decode(body, type=ContextReport)
                yield told
                if told.context == last:
                    end = min(end, time.monotonic() + AFTER)


@contextmanager
def scenario_server(folder: Path) -> Iterator[ScenarioServer]:
    """The servers that the scenarios speak to; the certificate is made in `folder`."""
    context = _certificate(folder)
    with serving(ROUTES) as server:
        if context is None:
            yield ScenarioServer(server, None)
        else:
            with serving(ROUTES, context) as secure:
                yield ScenarioServer(server, secure)


def _certificate(folder: Path) -> ssl.SSLContext | None:
    if which("openssl") is None:
        return None
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    wanted = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    command = ["openssl", "req", "-x509", *wanted, "-keyout", str(key), "-out", str(certificate), *subject]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context
