"""The scripts in which strings run as code, WebAssembly compiles, and event handlers call their functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from extlint.analysis.facts.platform_globals import COMPILERS
from extlint_judge.browsers.session import BACKGROUND, PAGE, Session
from extlint_judge.extensions import VERSIONS, Manifest, extension, manifest
from extlint_judge.query import Query, contradictions, findings

RUNS = "runs"
_BYTES = "new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])"
_RESPONSE = f"new Response({_BYTES}, {{ headers: {{ 'content-type': 'application/wasm' }} }})"
_CALLS_OF_STRINGS: Mapping[str, str] = {
    "eval": "eval(\"'runs'\")",
    "Function": "Function(\"return 'runs'\")()",
}
_COMPILING = {
    name: f"{'new ' * name.endswith('Module')}{name}({_RESPONSE if name.endswith('Streaming') else _BYTES})"
    for name in sorted(COMPILERS)
}
CALLS: Mapping[str, Mapping[str, str]] = {
    "string-code": _CALLS_OF_STRINGS,
    "blocked-webassembly": _COMPILING,
}
"""The calls that each rule reports where the policy blocks them."""

HANDLER = "handler"
WITHOUT_HANDLERS = frozenset({"content.js", "page.js"})
"""The scripts whose functions are never called by event handlers in markup that they add."""

_HANDLER_CALL = """
(() => {
  let result = "nothing";
  globalThis.own = () => { result = "runs"; };
  const element = document.createElement("b");
  (document.body ?? document.documentElement).append(element);
  element.innerHTML = '<i onclick="own()"></i>';
  element.firstChild.click();
  if (result === "nothing") throw new Error(result);
})()
"""

SCRIPTS = (BACKGROUND, "content.js", "main.js", "page.js", "worker.js")

CASES: Mapping[str, tuple[int, Mapping[str, Any]]] = {
    "version 3": (3, {}),
    "version 3, wasm-unsafe-eval": (
        3,
        {"content_security_policy": {"extension_pages": "script-src 'self' 'wasm-unsafe-eval'"}},
    ),
    "version 2": (2, {}),
    "version 2, script-src": (2, {"content_security_policy": "script-src 'self'"}),
    "version 2, unsafe-eval": (2, {"content_security_policy": "script-src 'self' 'unsafe-eval'"}),
}
"""The manifest versions and policies to query."""

_PAGE = "<!doctype html><script src='page.js'></script>"
_WORKER = 'new Worker("worker.js");'


def _cases(browser: str) -> Mapping[str, Manifest]:
    """Returns the manifests with a script of each kind."""
    hosts = ["http://127.0.0.1/*"]
    key = "service_worker" if browser == "chromium" else "scripts"
    return {
        name: manifest(
            version,
            **policy,
            options_ui={"page": PAGE},
            content_scripts=[
                {"matches": hosts, "js": ["content.js"]},
                {"matches": hosts, "js": ["main.js"], "world": "MAIN"},
            ],
            background={key: BACKGROUND if key == "service_worker" else [BACKGROUND]},
            **{"host_permissions" if version == 3 else "permissions": hosts},
        )
        for name, (version, policy) in CASES.items()
        if version in VERSIONS[browser]
    }


def _ask(session: Session, keys: Manifest) -> dict[str, Any]:
    attempt = (
        "async (name, call) => { "
        f"try {{ await call(); found[name] = '{RUNS}'; }} catch (error) {{ found[name] = `${{error}}`; }} }}"
    )
    calls = ",\n".join(
        f"attempt('{name}', () => {call})"
        for kind in (*CALLS.values(), {HANDLER: _HANDLER_CALL})
        for name, call in kind.items()
    )
    script = f"const found = {{}};\nconst attempt = {attempt};\nPromise.all([{calls}]).then(() => {{"
    scripts = {name: f"{script}{session.report(name, 'found')}}});\n" for name in SCRIPTS}
    session.load(extension(keys, {PAGE: _PAGE, **scripts, "page.js": f"{scripts['page.js']};{_WORKER}"}))
    session.open(PAGE)
    session.open(session.server.page)
    found = session.receive(*SCRIPTS)
    return {name: found[name] for name in SCRIPTS}


def _compare(browser: str, keys: Manifest, answers: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    for script, results in answers.items():
        files = {PAGE: _PAGE, "page.js": _WORKER}
        if script in WITHOUT_HANDLERS and results.get(HANDLER) == RUNS:
            yield f"{script}: an event handler calls its function"
        for rule, calls in CALLS.items():
            written = {
                **files,
                script: "\n".join([files.get(script, ""), *(f"{each};" for each in calls.values())]),
            }
            reported = (
                each.message.split("`")[1] for each in findings(browser, extension(keys, written), rule)
            )
            fails = {name: answer != RUNS for name, answer in results.items() if name in calls}
            yield from (f"{script}: {line}" for line in contradictions(reported, fails, RUNS))


blocked_calls = Query(
    "blocked-calls",
    """Query where strings run as code, and WebAssembly compiles.

    The exit code is 1 if extlint disagrees.
    """,
    _cases,
    _ask,
    _compare,
)
