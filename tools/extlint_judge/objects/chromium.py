"""Runs the scenarios in Chromium."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from extlint_judge.browsers.chromium import attach, chromium, open_dev_tools
from extlint_judge.browsers.devtools_protocol import Connection
from extlint_judge.extensions import Manifest, write_files
from extlint_judge.objects.observations import ContextReport
from extlint_judge.objects.scenario_extension import SCENARIOS, files_of
from extlint_judge.objects.scenario_server import Action, scenario_server

OPTIONS = ("--ignore-certificate-errors", "--disable-popup-blocking")


def reports(
    command: str,
    manifests: Sequence[tuple[Manifest, Sequence[str]]],
    folder: Path,
    unseen: list[str],
    scenarios: Sequence[str] = SCENARIOS,
) -> Iterator[ContextReport]:
    """Yields reports of extensions with these manifests, each with the functions to call with callbacks."""
    for number, (manifest, callbacks) in enumerate(manifests):
        home = folder / f"chromium{number}"
        home.mkdir()
        with scenario_server(home) as server, chromium(command, home, *OPTIONS) as connection:
            extension = _load(
                connection, files_of(manifest, server, callbacks, scenarios), home / "extension"
            )
            attach(connection, f"chrome-extension://{extension}/background.js")
            yield from server.listen(_actions(connection, extension, home), "background", unseen)
        if scenarios != SCENARIOS:
            continue
        home = folder / f"devtools{number}"
        home.mkdir()
        with scenario_server(home) as server, chromium(command, home, *OPTIONS) as connection:
            files = files_of(manifest, server, callbacks, [])
            _load(connection, files, home / "extension")
            open_dev_tools(connection, server.server.page)
            yield from server.listen({}, "developer tools", unseen)


def _load(connection: Connection, files: dict[str, str], where: Path) -> str:
    write_files(files, where)
    extension: str = connection.send("Extensions.loadUnpacked", path=str(where))["id"]
    return extension


def _actions(connection: Connection, extension: str, home: Path) -> dict[str, Action]:
    other = {"manifest_version": 3, "name": "judge theme", "version": "1"}
    loaded: list[str] = []

    def click() -> None:
        listed = connection.send("Target.getTargets", filter=[{}])["targetInfos"]
        tab = next(
            each["targetId"] for each in listed if each["type"] == "tab" and "127.0.0.1" in each["url"]
        )
        connection.send("Extensions.triggerAction", id=extension, targetId=tab)

    def load() -> None:
        loaded.append(_load(connection, {"manifest.json": json.dumps(other)}, home / "other"))

    def remove() -> None:
        connection.send("Extensions.uninstall", id=loaded.pop())

    def page(name: str) -> None:
        connection.send("Target.createTarget", url=f"chrome-extension://{extension}/{name}")

    return {
        "click action": lambda _: click(),
        "open": lambda detail: page(detail["page"]),
        "install another": lambda _: load(),
        "remove another": lambda _: remove(),
    }
