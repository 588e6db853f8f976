"""Queries the API members of extensions in Firefox."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby
from pathlib import Path
from queue import Empty

from extlint.analysis.facts.context import ContextKind
from extlint_judge.browsers.firefox import CLOSE, CLOSE_TOOLBOX, OPEN, TOOLBOX, install, open_page
from extlint_judge.browsers.http_server import Server, serving
from extlint_judge.browsers.marionette import Marionette
from extlint_judge.browsers.processes import BrowserError
from extlint_judge.extensions import Case, describe, files_of, write_files
from extlint_judge.members.call_batches import ANSWERS_TO, query_calls
from extlint_judge.members.calls import Call
from extlint_judge.members.record import Answer, ContextMembers

WAIT = 8.0
"""The timeout in seconds for the members of a context."""

SCHEMAS = Path(__file__).with_name("firefox_schemas.js").read_text(encoding="utf-8")

GRANT = """
const { ExtensionPermissions } = ChromeUtils.importESModule(
  "resource://gre/modules/ExtensionPermissions.sys.mjs"
);
await ExtensionPermissions.add(args[0], { permissions: args[1], origins: [], data_collection: [] });
"""


def context_members(
    session: Marionette, cases: Iterable[Case], folder: Path, unseen: list[str]
) -> Iterator[ContextMembers]:
    """Yields the members in the contexts of each case. Failures are appended to `unseen` as sentences."""
    with serving() as server:
        for number, case in enumerate(cases):
            # Each case posts to its own path, because a page of the previous one may still be posting.
            path = f"/{number}"
            write_files(files_of(case, server.address(path)), folder)
            what = describe(case)
            try:
                addon = _install(session, server, path, case, folder)
            except BrowserError as error:
                unseen.append(f"{what}: {error}")
                continue
            _open(session, server, case, addon)
            members = _received(server, path, case.contexts)
            for kind in sorted(case.contexts, key=lambda each: each.value):
                if kind in members:
                    yield ContextMembers(case.manifest, kind.value, members[kind])
                else:
                    unseen.append(f"{what}: the {kind.value} says nothing")
            if ContextKind.DEVTOOLS_PAGE in case.contexts:
                session.script(CLOSE_TOOLBOX)
            session.script(CLOSE)
            session.command("Addon:Uninstall", {"id": addon})


def observe_calls(session: Marionette, calls: Iterable[Call]) -> Iterator[Answer]:
    """Yields the results of Firefox's schemas for calls, without executing them."""
    by_version = sorted(calls, key=lambda each: each.version)
    for version, alike in groupby(by_version, key=lambda each: each.version):
        yield from query_calls(alike, partial(_evaluate_calls, session, version))


def _evaluate_calls(session: Marionette, version: int, script: str) -> list[str | None]:
    statement = f"return answersTo(rootOf({version}), {script});"
    found: list[str | None] = session.script(f"{SCHEMAS}\n{ANSWERS_TO}\n{statement}")
    return found


def _install(session: Marionette, server: Server, path: str, case: Case, folder: Path) -> str:
    """Installs the extension. Optional permissions are granted, and then it is installed again."""
    addon = install(session, folder)
    if optional := case.manifest.get("optional_permissions"):
        _received(server, path, frozenset({ContextKind.BACKGROUND}))
        session.script(GRANT, addon, optional)
        install(session, folder)
    return addon


def _open(session: Marionette, server: Server, case: Case, addon: str) -> None:
    if ContextKind.EXTENSION_PAGE in case.contexts:
        open_page(session, "page.html", addon)
    if case.contexts & {ContextKind.CONTENT_SCRIPT, ContextKind.DEVTOOLS_PAGE}:
        session.script(OPEN, server.page)
    if ContextKind.DEVTOOLS_PAGE in case.contexts:
        session.script(TOOLBOX)


def _received(server: Server, path: str, kinds: frozenset[ContextKind]) -> dict[ContextKind, dict[str, str]]:
    """Returns the members of the wanted contexts, and of others that posted in the meantime."""
    end = time.monotonic() + WAIT
    members: dict[ContextKind, dict[str, str]] = {}
    while not kinds <= members.keys():
        try:
            posted_to, body = server.posts.get(timeout=max(0.01, end - time.monotonic()))
        except Empty:
            break
        if posted_to == path:
            post = json.loads(body)
            members[ContextKind(post["context"])] = post["members"]
    return members
