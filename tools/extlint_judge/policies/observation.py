"""Queries which code of a page its policy lets run in a real browser."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

from extlint_judge.browsers.chromium import attach, chromium, load_extension, wait_for_load
from extlint_judge.browsers.firefox import firefox, install, open_page
from extlint_judge.browsers.http_server import Server, respond, serving
from extlint_judge.browsers.marionette import Marionette
from extlint_judge.browsers.processes import BrowserError
from extlint_judge.evaluation import posting_script
from extlint_judge.extensions import ID, write_files

WAIT = 20.0
"""The timeout in seconds for the results from a page."""

PROBE_SCRIPT = Path(__file__).with_name("probes.js").read_text(encoding="utf-8")
"""The script of the page, which records the code that runs, and adds more code to the page."""

REMOTE = "https://judge.invalid"
"""An origin that is never reached. Only the policy's decision about the request matters."""

INLINE = "ran('inlineScript')"
HANDLER = "ran('handler')"
ADDRESS = "javascript:ran('address')"


def hash_of(text: str) -> str:
    """Returns the source expression that allows an inline script with this text."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


class Policies(Struct, frozen=True):
    """The policies of a page: the one in the manifest, and the one that the page adds."""

    manifest: str | None = None
    meta: str | None = None
    in_sandbox: bool = False
    version: int = 3


CASES: Mapping[str, Policies] = {
    "default": Policies(),
    "a hash of the inline script": Policies(f"script-src 'self' {hash_of(INLINE)}"),
    "a hash of the handler": Policies(f"script-src 'self' 'unsafe-hashes' {hash_of(HANDLER)}"),
    "unsafe-inline": Policies("script-src 'self' 'unsafe-inline'"),
    "unsafe-inline for elements": Policies("script-src 'self'; script-src-elem 'self' 'unsafe-inline'"),
    "unsafe-inline for attributes": Policies("script-src 'self'; script-src-attr 'unsafe-inline'"),
    "unsafe-eval": Policies("script-src 'self' 'unsafe-eval'"),
    "a remote host": Policies(f"script-src 'self' {REMOTE}"),
    "a remote host for elements": Policies(f"script-src 'self'; script-src-elem 'self' {REMOTE}"),
    "a server on this machine": Policies("script-src 'self' http://127.0.0.1:*"),
    "default-src alone": Policies("default-src 'self'; connect-src *"),
    "unsafe-inline in the page": Policies(meta="script-src 'self' 'unsafe-inline' 'unsafe-eval' https:"),
    "no source in the page": Policies(meta="script-src 'none'"),
    "sandbox": Policies(in_sandbox=True),
    "sandbox with its own policy": Policies("sandbox allow-scripts; script-src 'self'", in_sandbox=True),
    "version 2": Policies(version=2),
    "version 2, a hash of the inline script": Policies(f"script-src 'self' {hash_of(INLINE)}", version=2),
    "version 2, unsafe-inline": Policies("script-src 'self' 'unsafe-inline'", version=2),
    "version 2, unsafe-eval": Policies("script-src 'self' 'unsafe-eval'", version=2),
    "version 2, a remote host": Policies(f"script-src 'self' {REMOTE}", version=2),
}
"""The policies to query, by description."""

PROBES = (
    "inlineScript",
    "inlineModule",
    "importMap",
    "handler",
    "loadHandler",
    "address",
    "frameAddress",
    "frameText",
    "remoteScript",
    "insecureScript",
    "localScript",
    "dataScript",
    "blobScript",
    "writtenScript",
    "writtenHandler",
    "assignedHandler",
    "insertedHandler",
    "setHandler",
    "elementText",
    "evaluated",
    "functionText",
    "timerText",
)
"""The kinds of code in the page. For remote scripts only blocking is observable, since none of them
exists.
"""

Cases: TypeAlias = Mapping[str, Policies]

Answer: TypeAlias = dict[str, Any]
"""Either `refused` with the browser's message, or the probes that ran and the blocked ones.

`imports` is whether a service worker could import a script from this machine, only in Chromium.
"""


def page_of(policies: Policies, local: str) -> str:
    """Returns the page with all probes. `local` is the address of a script on this machine."""
    meta = (
        ""
        if policies.meta is None
        else (f'<meta http-equiv="Content-Security-Policy" content="{policies.meta}">')
    )
    return f"""<!doctype html>
<html data-probes="{" ".join(PROBES)}">
<meta charset="utf-8">
<script src="probes.js"></script>{meta}
<script type="importmap">{{"imports": {{"mapped": "./mapped.js"}}}}</script>
<script>{INLINE}</script>
<script type="module">ran('inlineModule')</script>
<script type="module" src="mapping.js"></script>
<script src="{REMOTE}/script.js"></script>
<script src="http://judge.invalid/script.js"></script>
<script src="{local}"></script>
<script src="data:text/javascript,ran('dataScript')"></script>
<body onload="ran('loadHandler')">
<button id="handler" type="button" onclick="{HANDLER}">handler</button>
<a id="address" href="{ADDRESS}">address</a>
<iframe src="javascript:parent.ran('frameAddress')"></iframe>
<iframe srcdoc="&lt;script>parent.ran('frameText')&lt;/script>"></iframe>
</body>
</html>
"""


def manifest_of(policies: Policies) -> dict[str, Any]:
    """Returns the manifest of the extension with the page."""
    found: dict[str, Any] = {
        "manifest_version": policies.version,
        "name": "judge",
        "version": "1",
        "browser_specific_settings": {"gecko": {"id": ID}},
    }
    if policies.in_sandbox:
        found["sandbox"] = {"pages": ["page.html"]}
    if policies.manifest is not None:
        key = "sandbox" if policies.in_sandbox else "extension_pages"
        found["content_security_policy"] = (
            policies.manifest if policies.version == 2 else {key: policies.manifest}
        )
    return found


def worker_of(address: str) -> str:
    """Returns a worker that imports a script, and records whether it succeeded."""
    loads = f"importScripts({json.dumps(address)})"
    return f"self.imports = false; try {{ {loads}; self.imports = true; }} catch {{}}"


def observe(browser: str, command: str, folder: Path, cases: Cases = CASES) -> dict[str, Answer]:
    """Returns the browser's result for each case that it supports. Raises BrowserError."""
    routes = {"/script.js": _script}
    with serving(routes) as server:
        return (_observe_chromium if browser == "chromium" else _observe_firefox)(
            command, folder, server, cases
        )


def _script(request: BaseHTTPRequestHandler) -> None:
    respond(request, b"ran('localScript')", Content_Type="text/javascript")


def _files(policies: Policies, server: Server, more: str) -> dict[str, str]:
    return {
        "manifest.json": json.dumps(manifest_of(policies)),
        "page.html": page_of(policies, server.address("/script.js")),
        "probes.js": PROBE_SCRIPT + more,
        "mapping.js": 'import "mapped";',
        "mapped.js": "ran('importMap')",
    }


def _observe_chromium(command: str, folder: Path, server: Server, cases: Cases) -> dict[str, Answer]:
    found: dict[str, Answer] = {}
    with chromium(command, folder) as connection:
        for number, (name, policies) in enumerate(cases.items()):
            if policies.version == 2:
                continue
            where = folder / f"extension{number}"
            manifest = manifest_of(policies) | {"background": {"service_worker": "worker.js"}}
            worker = worker_of(server.address("/script.js"))
            files = {"manifest.json": json.dumps(manifest), "worker.js": worker}
            write_files(_files(policies, server, "") | files, where)
            try:
                base = f"chrome-extension://{load_extension(connection, where)}"
            except BrowserError as error:
                found[name] = {"refused": str(error)}
                continue
            address = f"{base}/page.html"
            connection.send("Target.createTarget", url=address)
            session = attach(connection, address)
            wait_for_load(connection, session, address)
            found[name] = connection.evaluate(session, "judged()")
            found[name]["imports"] = connection.evaluate(attach(connection, f"{base}/worker.js"), "imports")
    return found


def _observe_firefox(command: str, folder: Path, server: Server, cases: Cases) -> dict[str, Answer]:
    found: dict[str, Answer] = {}
    with firefox(command, folder) as marionette:
        for number, (name, policies) in enumerate(cases.items()):
            if policies.in_sandbox:
                continue
            where = folder / f"extension{number}"
            write_files(_files(policies, server, posting_script("judged()", server)), where)
            found[name] = _observe_page(marionette, where, server)
    return found


def _observe_page(marionette: Marionette, where: Path, server: Server) -> Answer:
    try:
        install(marionette, where)
    except BrowserError as error:
        return {"refused": str(error)}
    open_page(marionette, "page.html")
    answer: Answer = server.receive(f"the page in {where} says nothing", timeout=WAIT)
    return answer
