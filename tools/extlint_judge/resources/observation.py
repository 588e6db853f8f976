"""Queries the files of its package that a content script in a real browser can load."""

from __future__ import annotations

import io
import json
import wave
from base64 import b64decode
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, TypeAlias

from extlint_judge.browsers.chromium import attach, chromium, load_extension
from extlint_judge.browsers.firefox import OPEN, firefox, install
from extlint_judge.browsers.http_server import PAGE, Route, Server, respond, serving
from extlint_judge.extensions import ID, VERSIONS

WAIT = 30.0
"""The timeout in seconds for the results from a content script."""

LISTED, ELSEWHERE, UNLISTED = STEMS = ("listed", "elsewhere", "unlisted")
"""The stems of the files that these web pages may load, that only others may, and that none may."""

_HOSTS = ["http://127.0.0.1/*"]

IN_STYLES, RELATIVE = "own address in a style sheet", "relative name in a style sheet"

_PNG = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8AAAAASUVORK5CYII="
)

Answer: TypeAlias = dict[str, dict[str, bool | None]]
"""For each way of loading, whether it loads the file of each stem."""


def manifest_of(version: int) -> dict[str, Any]:
    """Returns the manifest of an extension with a content script."""
    return {
        "manifest_version": version,
        "name": "judge",
        "version": "1",
        "browser_specific_settings": {"gecko": {"id": ID}},
        "permissions": ["declarativeNetRequest", *(_HOSTS if version == 2 else [])],
        **({"host_permissions": _HOSTS} if version == 3 else {}),
        "declarative_net_request": {
            "rule_resources": [{"id": "judge", "enabled": True, "path": "rules.json"}]
        },
        "content_scripts": [
            {"matches": ["http://127.0.0.1/*"], "js": ["content.js"], "css": ["content.css"]}
        ],
        "web_accessible_resources": [
            {"resources": [f"{LISTED}*"], "matches": ["http://127.0.0.1/*"]},
            {"resources": [f"{ELSEWHERE}*"], "matches": ["https://example.org/*"]},
        ]
        if version == 3
        else [f"{LISTED}*"],
    }


def observe(browser: str, command: str, folder: Path) -> dict[str, Answer]:
    """Returns the loaded files in each manifest version that the browser accepts. Raises BrowserError."""
    requested: set[str] = set()
    routes = {f"/{stem}-near.png": _recording_route(requested) for stem in STEMS}
    with serving(routes) as server:
        if browser == "chromium":
            return {"version 3": _observe_chromium(command, folder, server, requested)}
        return _observe_firefox(command, folder, server)


def _recording_route(requested: set[str]) -> Route:
    def remember(request: BaseHTTPRequestHandler) -> None:
        requested.add(request.path)
        respond(request, PAGE)

    return remember


def _write_extension(where: Path, version: int, server: Server) -> None:
    where.mkdir(parents=True)
    probes = Path(__file__).with_name("probes.js").read_text(encoding="utf-8")
    address = json.dumps(server.address("/told"))
    post = f"judged.then((it) => fetch({address}, {{method: 'POST', body: JSON.stringify(it)}}));"
    texts = {"manifest.json": json.dumps(manifest_of(version)), "content.js": probes + post}
    texts["content.css"] = "".join(map(_styles, STEMS))
    texts["rules.json"] = json.dumps([_rule(number, stem) for number, stem in enumerate(STEMS, 1)])
    for stem in STEMS:
        texts |= {f"{stem}.js": "", f"{stem}.css": "", f"{stem}.json": "{}"}
        texts[f"{stem}.html"] = f"<!doctype html><script src='{stem}-frame.js'></script>"
        texts[f"{stem}-frame.js"] = f"parent.postMessage('{stem}.html', '*')"
        for name in (f"{stem}.png", f"{stem}-far.png", f"{stem}-near.png"):
            (where / name).write_bytes(_PNG)
        (where / f"{stem}.wav").write_bytes(_sound())
    for name, text in texts.items():
        (where / name).write_text(text, encoding="utf-8")


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


def _received(server: Server) -> Answer:
    found: Answer = server.receive("the content script says nothing", timeout=WAIT)
    return found


def _observe_chromium(command: str, folder: Path, server: Server, requested: set[str]) -> Answer:
    where = folder / "extension"
    _write_extension(where, 3, server)
    blank = "about:blank#judge"
    with chromium(command, folder) as connection:
        load_extension(connection, where)
        connection.send("Target.createTarget", url=blank)
        session = attach(connection, blank)
        connection.send("Log.enable", session)
        connection.send("Page.navigate", session, url=server.page)
        found = _received(server)
        connection.evaluate(session, "1")
        entries = (each["params"]["entry"]["text"] for each in connection.events if _is_log(each))
        denied = [text for text in entries if text.startswith("Denying load of")]
    found[IN_STYLES] = {stem: not any(f"/{stem}-far.png" in text for text in denied) for stem in STEMS}
    found[RELATIVE] = {stem: f"/{stem}-near.png" not in requested for stem in STEMS}
    return found


def _is_log(event: Mapping[str, Any]) -> bool:
    return bool(event["method"] == "Log.entryAdded")


def _observe_firefox(command: str, folder: Path, server: Server) -> dict[str, Answer]:
    found = {}
    with firefox(command, folder) as marionette:
        for version in VERSIONS["firefox"]:
            where = folder / f"extension{version}"
            _write_extension(where, version, server)
            install(marionette, where)
            marionette.script(OPEN, server.page)
            found[f"version {version}"] = _received(server)
    return found
