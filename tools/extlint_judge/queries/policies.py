"""The code of a page that its content security policy lets run."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from msgspec import Struct

from extlint_judge.browsers.http_server import respond
from extlint_judge.browsers.session import InChromium, LoadError, Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import Query, findings

PROBE_SCRIPT = Path(__file__).with_name("policies.js").read_text(encoding="utf-8")
"""The script of the page, which records the code that runs, and adds more code to the page."""

HOST = "https://judge.invalid"
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
    "a remote host": Policies(f"script-src 'self' {HOST}"),
    "a remote host for elements": Policies(f"script-src 'self'; script-src-elem 'self' {HOST}"),
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
    "version 2, a remote host": Policies(f"script-src 'self' {HOST}", version=2),
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
<script src="page.js"></script>{meta}
<script type="importmap">{{"imports": {{"mapped": "./mapped.js"}}}}</script>
<script>{INLINE}</script>
<script type="module">ran('inlineModule')</script>
<script type="module" src="mapping.js"></script>
<script src="{HOST}/script.js"></script>
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


def worker_of(address: str) -> str:
    """Returns a worker that imports a script, and records whether it succeeded."""
    loads = f"importScripts({json.dumps(address)})"
    return f"self.imports = false; try {{ {loads}; self.imports = true; }} catch {{}}"


def files_of(policies: Policies, local: str, imported: str, **keys: Any) -> Files:
    """Returns an extension with a page, and a worker that imports a script."""
    if policies.in_sandbox:
        keys["sandbox"] = {"pages": ["page.html"]}
    if policies.manifest is not None:
        key = "sandbox" if policies.in_sandbox else "extension_pages"
        keys["content_security_policy"] = (
            policies.manifest if policies.version == 2 else {key: policies.manifest}
        )
    files = {
        "page.html": page_of(policies, local),
        "page.js": PROBE_SCRIPT,
        "worker.js": worker_of(imported),
        "mapping.js": 'import "mapped";',
        "mapped.js": "ran('importMap')",
    }
    return extension(manifest(policies.version, **keys), files)


def _cases(browser: str) -> Mapping[str, Policies]:
    """Returns the cases that a browser supports."""
    return {
        name: each
        for name, each in CASES.items()
        if (each.version == 3 if browser == "chromium" else not each.in_sandbox)
    }


def _script(request: BaseHTTPRequestHandler) -> None:
    respond(request, b"ran('localScript')", Content_Type="text/javascript")


def _ask(session: Session, policies: Policies) -> dict[str, Any]:
    """Returns either `refused` with the browser's message, or the probes that ran and the blocked ones.

    `imports` is whether a service worker could import a script from this machine, only in Chromium.
    """
    session.server.routes["/script.js"] = _script
    local = session.server.address("/script.js")
    background = {"background": {"service_worker": "worker.js"}} if session.browser == "chromium" else {}
    try:
        found: dict[str, Any] = session.evaluate(files_of(policies, local, local, **background), "judged()")
    except LoadError as error:
        return {"refused": str(error)}
    if isinstance(session, InChromium):
        found["imports"] = session.value("imports", "worker.js")
    return found


CHECKED: Mapping[str, str] = {
    "inlineScript": "<script>ran('inlineScript')",
    "importMap": '<script type="importmap">',
    "handler": 'id="handler"',
    "loadHandler": "<body onload",
    "address": 'id="address"',
    "writtenHandler": "<b id=writtenHandler",
    "assignedHandler": "<b id=assignedHandler",
    "insertedHandler": "<b id=insertedHandler",
    "setHandler": 'setAttribute("onclick"',
    "localScript": "http://127.0.0.1:9/script.js",
}
"""The probes that extlint checks, each with a piece of its line in the page or script."""

REMOTE: Mapping[str, str] = {
    "remoteScript": "https://judge.invalid/script.js",
    "createdScript": "https://judge.invalid/created.js",
    "importedModule": "https://judge.invalid/module.js",
}
"""Remote scripts by their addresses, which are also the piece of the line."""

WORKER = "https://judge.invalid/worker.js"
"""The remote script that a worker imports. extlint does not report scripts from the local machine."""


def _compare(browser: str, policies: Policies, answers: Mapping[str, Any]) -> Iterator[str]:
    if "refused" in answers:
        return
    local = CHECKED["localScript"]
    background = {"background": {"service_worker": "worker.js"}} if browser == "chromium" else {}
    action = "action" if policies.version == 3 else "browser_action"
    popup = {action: {"default_popup": "page.html"}}
    files = {**files_of(policies, local, WORKER, **background, **popup)}
    files["page.js"] = f"{PROBE_SCRIPT}\njudged();"
    found = findings(browser, files, "inline-script", "remote-script")
    reported = {str(files[each.path]).splitlines()[each.span.start.line - 1] for each in found}
    if "imports" in answers and answers["imports"] == any(each.path == "worker.js" for each in found):
        yield "extlint says the contrary of what importScripts does"
    blocked = {address for _, address, _ in answers["blocked"]}
    runs = {probe: answers["found"][probe] for probe in CHECKED}
    runs |= {probe: address not in blocked for probe, address in REMOTE.items()}
    for probe, piece in {**CHECKED, **REMOTE}.items():
        is_reported = any(piece in line for line in reported)
        if is_reported == runs[probe]:
            yield f"extlint says that {probe} {'does not run' if is_reported else 'runs'}"


def _shown(answers: Mapping[str, Any]) -> str:
    if "refused" in answers:
        return f"refused: {answers['refused']}"
    return f"runs: {', '.join(probe for probe, runs in answers['found'].items() if runs) or 'nothing'}"


policies = Query(
    "policies",
    """Query which code of a page runs.

    It depends on the content security policy of the manifest and the page.

    The exit code is 1 if extlint disagrees.
    """,
    _cases,
    _ask,
    _compare,
    shown=_shown,
)
