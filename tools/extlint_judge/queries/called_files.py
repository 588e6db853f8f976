"""The folders in which browsers look for the files that calls name."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from extlint.checks.calls.file_names import Base, base_of
from extlint_judge.browsers.processes import ENGINES
from extlint_judge.browsers.session import Session
from extlint_judge.extensions import PNG, VERSIONS, extension, manifest
from extlint_judge.query import Query

PROBES = Path(__file__).with_name("called_files.js").read_text(encoding="utf-8")

PERMISSIONS = ("notifications", "scripting", "sidePanel", "offscreen", "tabs")
_HOSTS = ["http://127.0.0.1/*"]
_CONTENTS = {"html": b"<!doctype html>", "js": b"", "css": b"", "png": PNG}
_PAGE, _WORKER = "folder/page.html", "folder/worker.js"


def _cases(browser: str) -> Mapping[str, tuple[int, str]]:
    """Returns the manifest version and the page or script of each context that makes the calls."""
    found = {f"a page of version {version}": (version, _PAGE) for version in VERSIONS[browser]}
    return {**found, "a service worker": (3, _WORKER)} if browser == "chromium" else found


def _ask(session: Session, case: tuple[int, str]) -> Any:
    """Returns the results of each call for a name at the root, one in its own folder, and a missing file."""
    version, at = case
    is_chromium = session.browser == "chromium"
    own = [name for name in PERMISSIONS if is_chromium or name not in ("sidePanel", "offscreen")]
    hosts = {"host_permissions": _HOSTS, "permissions": own, "action": {}}
    if version == 2:
        hosts = {"permissions": [*own, *_HOSTS], "browser_action": {}}
    special = (
        {"background": {"service_worker": _WORKER}}
        if is_chromium
        else {"sidebar_action": {"default_panel": "root.html"}}
    )
    files = {f"root.{suffix}": content for suffix, content in _CONTENTS.items()}
    files |= {f"folder/near.{suffix}": content for suffix, content in _CONTENTS.items()}
    found = extension(manifest(version, **hosts, **special), {**files, _WORKER: ""})
    return session.evaluate(found, f"{PROBES}({json.dumps(session.server.page)})", at)


def _compare(browser: str, _case: object, answers: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    for call, found in answers.items():
        own = base_of(call.partition(" ")[0], ENGINES[browser])
        observed = _base(found)
        if own is not Base.EITHER and own is not observed:
            yield f"extlint says that names in {call} are relative to {own.value}"


def _base(found: Mapping[str, str]) -> Base | None:
    """Returns the base at which a file was found or searched, or None if the browser does not reveal it."""
    at_root, near = (_is_found(found[name], where) for name, where in (("root", "/"), ("near", "/folder/")))
    return None if at_root == near else Base.ROOT if at_root else Base.DOCUMENT


def _is_found(answer: str, folder: str) -> bool:
    """Whether a result is a success, or the address of a file in a folder."""
    return answer == "succeeds" or (answer.endswith(".html") and answer.rpartition("/")[0] + "/" == folder)


called_files = Query(
    "called-files",
    """Query where the files that calls name are searched.

    The exit code is 1 if extlint disagrees.
    """,
    _cases,
    _ask,
    _compare,
)
