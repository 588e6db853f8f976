"""Asks Chromium which members extensions have."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from typing import TypeVar

from extlint.script.facts.context import ContextKind
from extlint_judge.asking import ANSWERS_TO, asked
from extlint_judge.browsers import BrowserError, running
from extlint_judge.calls import Call
from extlint_judge.devtools_protocol import Connection
from extlint_judge.extensions import MEMBERS, Case, Manifest, described, files_of, write_files
from extlint_judge.record import Answer, Place
from extlint_judge.server import serving

Found = TypeVar("Found")

LOADS = 50
"""So many extensions are loaded into one Chromium; it becomes slow with more."""

WAIT = 5.0
"""So many seconds a context has to appear."""

ORDER = (
    ContextKind.SERVICE_WORKER,
    ContextKind.OFFSCREEN,
    ContextKind.CONTENT_SCRIPT,
    ContextKind.EXTENSION_PAGE,
    ContextKind.SANDBOX,
    ContextKind.DEVTOOLS_PAGE,
)
"""The order in which contexts are looked at: a worker may soon be gone."""

LIST = f"(() => {{ {MEMBERS}; return membersOf(globalThis.chrome); }})()"

CREATE_OFFSCREEN = """chrome.offscreen.createDocument({
  url: "offscreen.html", reasons: ["DOM_PARSER"], justification: "judge"
})"""

OPEN_DEVTOOLS = "--auto-open-devtools-for-tabs"
"""The option that opens the developer tools."""

OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--enable-unsafe-extension-debugging",
    "--remote-debugging-pipe",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
"""Nothing but this machine is spoken to: no other name or address is found."""


@contextmanager
def chromium(command: str, folder: Path, *more: str) -> Iterator[Connection]:
    """A Chromium with a new profile in `folder`."""
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    profile = folder / "profile"
    # Chromium takes its two pipes as file descriptors 3 and 4.
    wrapper = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'
    started = [command, *OPTIONS, *more, f"--user-data-dir={profile}", "about:blank"]
    try:
        with running(["bash", "-c", wrapper, "bash", *started], folder, (theirs_in, theirs_out)):
            yield Connection(ours_in, ours_out)
    finally:
        for each in (theirs_in, ours_out, ours_in, theirs_out):
            os.close(each)


def places(command: str, cases: Iterable[Case], folder: Path, unseen: list[str]) -> Iterator[Place]:
    """What the contexts of each case have; `unseen` is given a sentence for what could not be seen."""
    for number, batch in enumerate(_batches(cases)):
        home = folder / f"run{number}"
        home.mkdir()
        options = [OPEN_DEVTOOLS] if ContextKind.DEVTOOLS_PAGE in batch[0].contexts else []
        with serving() as server, chromium(command, home, *options) as connection:
            for at, case in enumerate(batch):
                # Each has a folder of its own: an extension's id is made of its path.
                where = home / f"extension{at}"
                write_files(files_of(case), where)
                try:
                    extension = connection.send("Extensions.loadUnpacked", path=str(where))["id"]
                except BrowserError as error:
                    unseen.append(f"{described(case)}: {error}")
                    continue
                for kind in sorted(case.contexts, key=ORDER.index):
                    try:
                        try:
                            members = _members(connection, extension, kind, server.page)
                        except BrowserError:
                            # A worker that is asked while it starts may never answer.
                            members = _members(connection, extension, kind, server.page)
                    except BrowserError as error:
                        unseen.append(f"{described(case)}, {kind.value}: {error}")
                    else:
                        yield Place(case.manifest, kind.value, members)
                connection.send("Extensions.uninstall", id=extension)


def answers(command: str, calls: Iterable[Call], manifest: Manifest, folder: Path) -> Iterator[Answer]:
    """What a page of an extension with this manifest hears when it makes calls."""
    home = folder / "answers"
    home.mkdir()
    with chromium(command, home) as connection:
        where = home / "extension"
        write_files(files_of(Case(manifest, frozenset())), where)
        extension = connection.send("Extensions.loadUnpacked", path=str(where))["id"]
        page = f"chrome-extension://{extension}/page.html"
        connection.send("Target.createTarget", url=page)
        session = attached(connection, page)
        loaded(connection, session, page)
        yield from asked(calls, partial(_answers, connection, session))


def _answers(connection: Connection, session: str, script: str) -> list[str | None]:
    asking = f"(() => {{ {ANSWERS_TO}; return answersTo(chrome, {script}); }})()"
    found: list[str | None] = connection.evaluate(session, asking)
    return found


def _batches(cases: Iterable[Case]) -> Iterator[list[Case]]:
    for _, alike in groupby(cases, key=lambda each: ContextKind.DEVTOOLS_PAGE in each.contexts):
        while batch := list(islice(alike, LOADS)):
            yield batch


def _members(connection: Connection, extension: str, kind: ContextKind, page: str) -> dict[str, str]:
    root = f"chrome-extension://{extension}/"
    match kind:
        case ContextKind.SERVICE_WORKER:
            session = attached(connection, root + "background.js")
            look = "globalThis.chrome?.runtime?.id !== undefined || null"
            waited_for(lambda: connection.evaluate(session, look), "the worker has no API")
        case ContextKind.CONTENT_SCRIPT:
            return _content_script(connection, page, extension)
        case ContextKind.OFFSCREEN:
            worker = attached(connection, root + "background.js")
            connection.evaluate(worker, CREATE_OFFSCREEN)
            session = attached(connection, root + "offscreen.html")
        case ContextKind.DEVTOOLS_PAGE:
            connection.send("Target.createTarget", url=page)
            session = attached(connection, root + "devtools.html")
        case _:
            name = "sandbox.html" if kind is ContextKind.SANDBOX else "page.html"
            connection.send("Target.createTarget", url=root + name)
            session = attached(connection, root + name)
            loaded(connection, session, root + name)
    members: dict[str, str] = connection.evaluate(session, LIST)
    return members


def loaded(connection: Connection, session: str, address: str) -> None:
    """Waits until a page is there with its scripts."""
    look = f"location.href === {json.dumps(address)} && document.readyState === 'complete' || null"

    def is_there() -> bool | None:
        try:
            found: bool | None = connection.evaluate(session, look)
        except BrowserError:
            return None
        return found

    waited_for(is_there, f"{address} does not load")


def attached(connection: Connection, address: str) -> str:
    """The session of the target with an address, which may be about to appear."""

    def target() -> str | None:
        listed = connection.send("Target.getTargets", filter=[{}])["targetInfos"]
        there = (each["targetId"] for each in listed if each["url"] == address and each["type"] != "tab")
        return next(there, None)

    found = waited_for(target, f"there is no {address}")
    session: str = connection.send("Target.attachToTarget", targetId=found, flatten=True)["sessionId"]
    return session


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

    number = waited_for(context, "there is no isolated world")
    members: dict[str, str] = connection.evaluate(session, LIST, number)
    connection.send("Target.closeTarget", targetId=target)
    return members


def waited_for(look: Callable[[], Found | None], otherwise: str) -> Found:
    """What `look` finds at last. Raises BrowserError with the sentence if it finds nothing in time."""
    end = time.monotonic() + WAIT
    while (found := look()) is None:
        if time.monotonic() > end:
            raise BrowserError(otherwise)
        time.sleep(0.05)
    return found
