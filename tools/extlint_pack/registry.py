"""Serves the npm packages in a folder as a registry does, for the scope `@extlint`."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Any
from urllib.parse import unquote

from extlint_pack.archives import files_of_archive
from extlint_pack.npm_packages import NAME, manifest_of_platform
from extlint_pack.platforms import PLATFORMS, tarball_name


class Registry:
    """A server on a free port. It describes all platforms, and has the tarballs that the folder has."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.version = _version_in(folder)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())

    @property
    def address(self) -> str:
        """The address of the registry."""
        return f"http://127.0.0.1:{self._server.server_port}/"

    def __enter__(self) -> Registry:
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str) -> bytes | None:
        """Returns the description of a package or a tarball, or None if the folder does not have it."""
        name = unquote(path).lstrip("/")
        for each in PLATFORMS:
            tarball = tarball_name(each.package, self.version)
            if name == each.package:
                manifest = manifest_of_platform(each, self.version)
                return json.dumps(self._description(manifest, tarball)).encode()
            if name == tarball and (self._folder / tarball).is_file():
                return self._folder.joinpath(tarball).read_bytes()
        return None

    def _description(self, manifest: dict[str, Any], tarball: str) -> dict[str, Any]:
        dist = {"tarball": f"{self.address}{tarball}"}
        return {
            "name": manifest["name"],
            "dist-tags": {"latest": self.version},
            "versions": {self.version: {**manifest, "dist": dist}},
        }

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        registry = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                content = registry.answer(self.path)
                self.send_response(404 if content is None else 200)
                self.end_headers()
                self.wfile.write(content or b"{}")

            def log_message(self, *_arguments: object) -> None:
                """Prints nothing."""

        return Handler


def _version_in(folder: Path) -> str:
    """Returns the version of the package `extlint` in a folder. Raises OSError if it has none, or several."""
    found = [each for each in folder.glob(f"{NAME}-*.tgz") if each.name[len(NAME) + 1].isdigit()]
    if len(found) != 1:
        raise OSError(f"{folder} has {len(found)} packages with the name {NAME}")
    for each in files_of_archive(found[0]):
        if each.path == "package/package.json":
            return str(json.loads(each.content)["version"])
    raise OSError(f"{found[0]} has no package.json")
