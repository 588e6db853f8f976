"""Queries where a real browser looks for the files that calls name, and compares that with extlint."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import click

from extlint.checks.calls.file_names import Base, base_of
from extlint_judge.browsers.chromium import attach, chromium, load_extension, load_page
from extlint_judge.browsers.firefox import firefox
from extlint_judge.browsers.http_server import Server, serving
from extlint_judge.browsers.marionette import Marionette
from extlint_judge.browsers.processes import ENGINES
from extlint_judge.evaluation import posting_script, result_from_page
from extlint_judge.extensions import ID, VERSIONS
from extlint_judge.options import browser_option, query_browser, report_and_exit

PROBES = Path(__file__).with_name("called_files.js").read_text(encoding="utf-8")

PERMISSIONS = ("notifications", "scripting", "sidePanel", "offscreen", "tabs")
_PNG = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8AAAAASUVORK5CYII="
)
_CONTENTS = {"html": b"<!doctype html>", "js": b"", "css": b"", "png": _PNG}

Answer: TypeAlias = dict[str, dict[str, str]]
"""The results of each call for a name at the root, a name in the document's folder, and a missing file."""


def manifest_of(browser: str, version: int) -> dict[str, Any]:
    """Returns the manifest of an extension that may make all calls."""
    hosts = ["http://127.0.0.1/*"]
    own = [name for name in PERMISSIONS if browser == "chromium" or name not in ("sidePanel", "offscreen")]
    found: dict[str, Any] = {
        "manifest_version": version,
        "name": "judge",
        "version": "1",
        "browser_specific_settings": {"gecko": {"id": ID}},
        "action" if version == 3 else "browser_action": {},
        "permissions": own if version == 3 else [*own, *hosts],
    }
    if version == 3:
        found["host_permissions"] = hosts
    if browser == "chromium":
        found["background"] = {"service_worker": "folder/worker.js"}
    else:
        found["sidebar_action"] = {"default_panel": "root.html"}
    return found


def _write(browser: str, version: int, script: str, where: Path) -> None:
    (where / "folder").mkdir(parents=True, exist_ok=True)
    (where / "manifest.json").write_text(json.dumps(manifest_of(browser, version)), encoding="utf-8")
    page = "<!doctype html><script src='page.js'></script>"
    (where / "folder" / "page.html").write_text(page, encoding="utf-8")
    (where / "folder" / "page.js").write_text(script, encoding="utf-8")
    (where / "folder" / "worker.js").write_text("", encoding="utf-8")
    for suffix, content in _CONTENTS.items():
        (where / f"root.{suffix}").write_bytes(content)
        (where / "folder" / f"near.{suffix}").write_bytes(content)


def observe(browser: str, command: str, folder: Path) -> dict[str, Answer]:
    """Returns the result of each call, for each context that makes it. Raises BrowserError."""
    with serving() as server:
        if browser == "chromium":
            return _observe_chromium(command, folder, server)
        with firefox(command, folder) as marionette:
            return {
                f"a page of version {version}": _observe_firefox(marionette, version, folder, server)
                for version in VERSIONS[browser]
            }


def _observe_chromium(command: str, folder: Path, server: Server) -> dict[str, Answer]:
    with chromium(command, folder) as connection:
        where = folder / "extension"
        _write("chromium", 3, "", where)
        base = f"chrome-extension://{load_extension(connection, where)}/folder"
        expression = f"{PROBES}({json.dumps(server.page)})"
        sessions = {
            "a page of version 3": load_page(connection, f"{base}/page.html"),
            "a service worker": attach(connection, f"{base}/worker.js"),
        }
        return {name: connection.evaluate(each, expression) for name, each in sessions.items()}


def _observe_firefox(marionette: Marionette, version: int, folder: Path, server: Server) -> Answer:
    where = folder / f"extension{version}"
    _write("firefox", version, posting_script(f"{PROBES}({json.dumps(server.page)})", server), where)
    found: Answer = result_from_page(marionette, server, where, "folder/page.html")
    return found


def disagreements(browser: str, observed: Mapping[str, Answer]) -> Iterator[str]:
    """Yields a line for each call where extlint disagrees with the browser."""
    for place, results in observed.items():
        for call, found in results.items():
            own = base_of(call.partition(" ")[0], ENGINES[browser])
            observed_base = _base(found)
            if own is not Base.EITHER and own is not observed_base:
                yield f"{place}: extlint says that names in {call} are relative to {own.value}"


def _base(found: Mapping[str, str]) -> Base | None:
    """Returns the base at which a file was found or searched, or None if the browser does not reveal it."""
    at_root, near = (_is_found(found[name], where) for name, where in (("root", "/"), ("near", "/folder/")))
    return None if at_root == near else Base.ROOT if at_root else Base.DOCUMENT


def _is_found(answer: str, folder: str) -> bool:
    """Whether a result is a success, or the address of a file in a folder."""
    return answer == "succeeds" or (answer.endswith(".html") and answer.rpartition("/")[0] + "/" == folder)


@click.command()
@browser_option
def called_files(browser: str) -> None:
    """Query where the files that calls name are searched.

    The exit code is 1 if extlint disagrees.
    """
    observed = query_browser(browser, observe)
    for place, results in observed.items():
        for call, found in results.items():
            click.echo(f"  {place}: {call}: {json.dumps(found)}")
    report_and_exit(disagreements(browser, observed))
