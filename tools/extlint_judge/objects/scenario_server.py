"""Receives the reports of the extension's scenarios, and performs the actions that require a user."""

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
"""The timeout in seconds for all scenarios together."""

GRACE_SECONDS = 3.0
"""The time in seconds that the other contexts have for their reports after the background's."""

Action: TypeAlias = Callable[[dict[str, Any]], object]
"""An action that a scenario requests, called with its details."""


class ScenarioServer:
    """The server of a run. `secure` is its https address, or None if no certificate can be made."""

    def __init__(self, server: Server, secure: Server | None) -> None:
        self.server = server
        self.secure = None if secure is None else secure.address("").replace("http:", "https:")

    def listen(self, actions: Mapping[str, Action], last: str, unseen: list[str]) -> Iterator[ContextReport]:
        """Yields the reports of contexts up to the one named `last`; failed actions are added to `unseen`."""
        end = time.monotonic() + MAX_SECONDS
        while (left := end - time.monotonic()) > 0:
            try:
                path, body = self.server.posts.get(timeout=left)
            except Empty:
                return
            if path == "/ask":
                request = msgspec.json.decode(body)
                try:
                    if request["what"] in actions:
                        actions[request["what"]](request["detail"])
                except BrowserError as error:
                    unseen.append(f"{request['what']} {request['detail'] or ''}: {error}")
            elif path == "/seen":
                report = msgspec.json.decode(body, type=ContextReport)
                yield report
                if report.context == last:
                    end = min(end, time.monotonic() + GRACE_SECONDS)


@contextmanager
def scenario_server(folder: Path) -> Iterator[ScenarioServer]:
    """Runs the servers for the scenarios. The certificate is made in `folder`."""
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
    key_options = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    command = [
        "openssl",
        "req",
        "-x509",
        *key_options,
        "-keyout",
        str(key),
        "-out",
        str(certificate),
        *subject,
    ]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context
