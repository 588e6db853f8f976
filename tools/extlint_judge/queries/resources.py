"""The files of its package that a content script can load."""

from __future__ import annotations

import io
import json
import wave
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from extlint_judge.browsers.chromium import attach
from extlint_judge.browsers.http_server import PAGE, respond
from extlint_judge.browsers.session import InChromium, Session
from extlint_judge.extensions import PNG, VERSIONS, Files, extension, manifest
from extlint_judge.query import Query

PROBES = Path(__file__).with_name("resources.js").read_text(encoding="utf-8")

LISTED, ELSEWHERE, UNLISTED = STEMS = ("listed", "elsewhere", "unlisted")
"""The stems of the files that these web pages may load, that only others may, and that none may."""

_HOSTS = ["http://127.0.0.1/*"]

IN_STYLES, RELATIVE = "own address in a style sheet", "relative name in a style sheet"
_PLACES = {ELSEWHERE: "for other pages", UNLISTED: "nowhere"}


def _files(version: int, session: Session) -> Files:
    """Returns an extension with a content script, which reports what it can load."""
    lists: list[Any] = [f"{LISTED}*"]
    if version == 3:
        lists = [{"resources": lists, "matches": _HOSTS}]
        lists.append({"resources": [f"{ELSEWHERE}*"], "matches": ["https://example.org/*"]})
    keys = manifest(
        version,
        permissions=["declarativeNetRequest", *(_HOSTS if version == 2 else [])],
        **({"host_permissions": _HOSTS} if version == 3 else {}),
        declarative_net_request={"rule_resources": [{"id": "judge", "enabled": True, "path": "rules.json"}]},
        content_scripts=[{"matches": _HOSTS, "js": ["content.js"], "css": ["content.css"]}],
        web_accessible_resources=lists,
    )
    files: dict[str, str | bytes] = {
        "content.js": f"{PROBES}judged.then((found) => {session.report('content', 'found')});",
        "content.css": "".join(map(_styles, STEMS)),
        "rules.json": json.dumps([_rule(number, stem) for number, stem in enumerate(STEMS, 1)]),
    }
    for stem in STEMS:
        files |= {f"{stem}.js": "", f"{stem}.css": "", f"{stem}.json": "{}", f"{stem}.wav": _sound()}
        files[f"{stem}.html"] = f"<!doctype html><script src='{stem}-frame.js'></script>"
        files[f"{stem}-frame.js"] = f"parent.postMessage('{stem}.html', '*')"
        files |= dict.fromkeys((f"{stem}.png", f"{stem}-far.png", f"{stem}-near.png"), PNG)
    return extension(keys, files)


def _rule(number: int, stem: str) -> dict[str, Any]:
    """Returns a rule that redirects an image of the server to one of the package."""
    return {
        "id": number,
        "action": {"type": "redirect", "redirect": {"extensionPath": f"/{stem}.png"}},
        "condition": {"urlFilter": f"/{stem}-rule.png", "resourceTypes": ["image"]},
    }


def _styles(stem: str) -> str:
    own = f"chrome-extension://__MSG_@@extension_id__/{stem}-far.png"
    return (
        f".judge-{stem} {{ width: 9px; height: 9px; background: url('{own}'); }}"
        f".judge-{stem}::before {{ content: 'x'; background: url('{stem}-near.png'); }}"
    )


def _sound() -> bytes:
    data = io.BytesIO()
    with wave.open(data, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(8000)
        sound.writeframes(b"\x80" * 800)
    return data.getvalue()


def _ask(session: Session, version: int) -> Any:
    """Returns, for each way of loading, whether it loads the file of each stem."""
    requested: set[str] = set()

    def remember(request: BaseHTTPRequestHandler) -> None:
        requested.add(request.path)
        respond(request, PAGE)

    session.server.routes |= {f"/{stem}-near.png": remember for stem in STEMS}
    session.load(_files(version, session))
    if not isinstance(session, InChromium):
        session.open(session.server.page)
        return session.receive("content")["content"]
    blank, connection = "about:blank#judge", session.connection
    session.open(blank)
    page = attach(connection, blank)
    connection.send("Log.enable", page)
    connection.send("Page.navigate", page, url=session.server.page)
    found = session.receive("content")["content"]
    connection.evaluate(page, "1")
    events = (each for each in connection.events if each["method"] == "Log.entryAdded")
    texts = [str(each["params"]["entry"]["text"]) for each in events]
    denied = [text for text in texts if text.startswith("Denying load of")]
    found[IN_STYLES] = {stem: not any(f"/{stem}-far.png" in text for text in denied) for stem in STEMS}
    found[RELATIVE] = {stem: f"/{stem}-near.png" not in requested for stem in STEMS}
    return found


def _compare(_browser: str, version: int, answers: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yields a line for each way of loading where extlint's assumption is wrong.

    In Manifest V3 only resources listed for the page load, and relative names in styles are the page's own.
    """
    for name, loaded in answers.items() if version == 3 else ():
        for stem, place in _PLACES.items():
            if loaded[stem]:
                yield f"extlint says that nothing loads what is listed {place}, but {name} does"
        if name == RELATIVE and any(loaded.values()):
            yield "extlint says that relative names in style sheets are the page's own"


def _shown(answers: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    return {
        f"{name} loads": ", ".join(stem for stem in STEMS if loaded[stem]) or "nothing"
        for name, loaded in answers.items()
    }


resources = Query(
    "resources",
    """Query which files content scripts can load.

    The files are listed in `web_accessible_resources` for this page, for others, or not at all.

    The exit code is 1 if extlint disagrees.
    """,
    lambda browser: {f"version {version}": version for version in VERSIONS[browser]},
    _ask,
    _compare,
    shown=_shown,
)
