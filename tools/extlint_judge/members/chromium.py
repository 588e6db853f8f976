"""Queries the API members of extensions in Chromium."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from extlint.analysis.facts.context import ContextKind
from extlint_judge.browsers.chromium import (
    attach,
    chromium,
    load_extension,
    load_page,
    open_dev_tools,
    wait_for,
)
from extlint_judge.browsers.devtools_protocol import Connection
from extlint_judge.browsers.http_server import serving
from extlint_judge.browsers.processes import BrowserError
from extlint_judge.extensions import MEMBERS, Case, Manifest, describe, files_of, write_files
from extlint_judge.members.call_batches import ANSWERS_TO, query_calls
from extlint_judge.members.calls import Call
from extlint_judge.members.record import Answer, ContextMembers

MAX_LOADS = 50
"""The number of extensions loaded into one Chromium, which becomes slow with more."""

ORDER = (
    ContextKind.SERVICE_WORKER,
    ContextKind.OFFSCREEN,
    ContextKind.CONTENT_SCRIPT,
    ContextKind.EXTENSION_PAGE,
    ContextKind.SANDBOX,
    ContextKind.DEVTOOLS_PAGE,
)
"""The order in which contexts are examined. The worker is first because it may soon end."""

LIST_MEMBERS = f"(() => {{ {MEMBERS}; return membersOf(globalThis.chrome); }})()"

CREATE_OFFSCREEN = """chrome.offscreen.createDocument({
  url: "offscreen.html", reasons: ["DOM_PARSER"], justification: "judge"
})"""


def context_members(
    command: str, cases: Iterable[Case], folder: Path, unseen: list[str]
) -> Iterator[ContextMembers]:
    """Yields the members in the contexts of each case. Failures are appended to `unseen` as sentences."""
    for number, batch in enumerate(_batches(cases)):
        home = folder / f"run{number}"
        home.mkdir()
        with serving() as server, chromium(command, home) as connection:
            for at, case in enumerate(batch):
                # Each case has its own folder, because an extension's id is derived from its path.
                where = home / f"extension{at}"
                write_files(files_of(case), where)
                try:
                    extension = load_extension(connection, where)
                except BrowserError as error:
                    unseen.append(f"{describe(case)}: {error}")
                    continue
                for kind in sorted(case.contexts, key=ORDER.index):
                    try:
                        try:
                            members = _members(connection, extension, kind, server.page)
                        except BrowserError:
                            # A worker that is queried while it starts may never respond.
                            members = _members(connection, extension, kind, server.page)
                    except BrowserError as error:
                        unseen.append(f"{describe(case)}, {kind.value}: {error}")
                    else:
                        yield ContextMembers(case.manifest, kind.value, members)
                connection.send("Extensions.uninstall", id=extension)


def observe_calls(command: str, calls: Iterable[Call], manifest: Manifest, folder: Path) -> Iterator[Answer]:
    """Yields the results of calls in a page of an extension with this manifest."""
    home = folder / "answers"
    home.mkdir()
    with chromium(command, home) as connection:
        where = home / "extension"
        write_files(files_of(Case(manifest, frozenset())), where)
        extension = load_extension(connection, where)
        session = load_page(connection, f"chrome-extension://{extension}/page.html")
        yield from query_calls(calls, partial(_evaluate_calls, connection, session))


def _evaluate_calls(connection: Connection, session: str, script: str) -> list[str | None]:
    expression = f"(() => {{ {ANSWERS_TO}; return answersTo(chrome, {script}); }})()"
    found: list[str | None] = connection.evaluate(session, expression)
    return found


def _batches(cases: Iterable[Case]) -> Iterator[list[Case]]:
    waiting = iter(cases)
    while batch := list(islice(waiting, MAX_LOADS)):
        yield batch


def _members(connection: Connection, extension: str, kind: ContextKind, page: str) -> dict[str, str]:
    root = f"chrome-extension://{extension}/"
    match kind:
        case ContextKind.SERVICE_WORKER:
            session = attach(connection, root + "background.js")
            look = "globalThis.chrome?.runtime?.id !== undefined || null"
            wait_for(lambda: connection.evaluate(session, look), "the worker has no API")
        case ContextKind.CONTENT_SCRIPT:
            return _content_script(connection, page, extension)
        case ContextKind.OFFSCREEN:
            worker = attach(connection, root + "background.js")
            connection.evaluate(worker, CREATE_OFFSCREEN)
            session = attach(connection, root + "offscreen.html")
        case ContextKind.DEVTOOLS_PAGE:
            return _devtools_page(connection, page, root + "devtools.html")
        case _:
            name = "sandbox.html" if kind is ContextKind.SANDBOX else "page.html"
            session = load_page(connection, root + name)
    members: dict[str, str] = connection.evaluate(session, LIST_MEMBERS)
    return members


def _devtools_page(connection: Connection, page: str, address: str) -> dict[str, str]:
    target = open_dev_tools(connection, page)
    members: dict[str, str] = connection.evaluate(attach(connection, address), LIST_MEMBERS)
    connection.send("Target.closeTarget", targetId=target)
    return members


def _content_script(connection: Connection, page: str, extension: str) -> dict[str, str]:
    target = connection.send("Target.createTarget", url=page)["targetId"]
    session = connection.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    connection.send("Runtime.enable", session)

    def context() -> int | None:
        connection.send("Runtime.evaluate", session, expression="0")
        for event in connection.events:
            if event["method"] == "Runtime.executionContextCreated" and event.get("sessionId") == session:
                created = event["params"]["context"]
                if created["origin"] == f"chrome-extension://{extension}":
                    number: int = created["id"]
                    return number
        return None

    number = wait_for(context, "there is no isolated world")
    members: dict[str, str] = connection.evaluate(session, LIST_MEMBERS, number)
    connection.send("Target.closeTarget", targetId=target)
    return members
