"""The scripts that may import, and what the others say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint_judge.browsers.session import PAGE, Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import ONE, Query, contradictions, findings

RUNS = "runs"

PROBES: Mapping[str, str] = {
    "classic-import.js": 'import "./empty.js"; ran("classic-import.js");',
    "classic-export.js": 'ran("classic-export.js"); export {};',
    "classic-meta.js": 'ran("classic-meta.js"); import.meta.url;',
    "module-import.js": 'import "./empty.js"; ran("module-import.js");',
    "module-name.js": 'import "empty"; ran("module-name.js");',
    "module-suffix.js": 'import "./empty"; ran("module-suffix.js");',
    "module-json.js": 'import data from "./data.json"; ran("module-json.js");',
    "module-typed.js": 'import data from "./data.json" with {type: "json"}; ran("module-typed.js");',
    "module-style.js": 'import "./style.css"; ran("module-style.js");',
    "module-process.js": 'process.env.HOME; ran("module-process.js");',
    "module-folder.js": 'import "./inner"; ran("module-folder.js");',
    "module-exported.js": 'import { a, b as c } from "./all.js"; ran("module-exported.js");',
    "module-missing.js": 'import { missing } from "./has.js"; ran("module-missing.js");',
    "module-default.js": 'import missing from "./all.js"; ran("module-default.js");',
    "module-again.js": 'export { missing } from "./has.js"; ran("module-again.js");',
    "module-nothing.js": 'import { missing } from "./empty.js"; ran("module-nothing.js");',
    "module-namespace.js": 'import * as all from "./has.js"; all.missing; ran("module-namespace.js");',
    "module-dynamic.js": 'await import("./empty.js"); ran("module-dynamic.js");',
}
"""The scripts of the page. Those with `module` in their names are modules."""

_COLLECT = """
const found = {};
function ran(name) { found[name] = "runs"; }
function failed(name, error) { found[name] = String(error?.message ?? error); }
function tell(context) { %s; }
"""
_IN_PAGE = """
addEventListener("error", (event) => {
  const name = (event.filename || event.target?.src || "").split("/").pop();
  if (name && event.message) failed(name === "page.html" ? "module-name.js" : name, event.message);
  else if (name && !found[name]) failed(name, "does not run");
}, true);
addEventListener("load", () => setTimeout(tell, 500));
"""
_IN_WORKER = """
import "./empty.js";
ran("worker.js");
try { importScripts("empty.js"); ran("worker importScripts"); }
catch (error) { failed("worker importScripts", error); }
import("./empty.js").then(() => ran("worker import()"), (error) => failed("worker import()", error))
  .then(tell);
"""
_WORKER = 'import "./empty.js"; importScripts("empty.js"); import("./empty.js");'
"""The worker as extlint sees it, without any handling of failures."""

_IN_CONTENT_SCRIPT = 'found["content-import.js"] = globalThis.imported ? "runs" : "does not run";\n'


def _files(browser: str, helpers: Mapping[str, str], worker: str) -> Files:
    hosts = ["http://127.0.0.1/*"]
    keys = manifest(
        host_permissions=hosts,
        options_ui={"page": PAGE},
        content_scripts=[{"matches": hosts, "js": [name]} for name in ("content-import.js", "content.js")],
    )
    if browser == "chromium":
        keys["background"] = {"service_worker": "worker.js", "type": "module"}
    tags = "".join(
        f"<script {'type=module ' if name.startswith('module') else ''}src={name}></script>\n"
        for name in PROBES
    )
    files = {
        "empty.js": "",
        "has.js": "export const a = 1, b = 2;",
        "all.js": 'export * from "./has.js";',
        "inner/index.js": "",
        "data.json": "{}",
        "style.css": "",
        PAGE: f"<!doctype html><script src=collect.js></script>\n{tags}",
        "collect.js": helpers["page"] + _IN_PAGE,
        **PROBES,
        "worker.js": worker,
        "content-import.js": 'import "./empty.js"; globalThis.imported = true;',
        "content.js": helpers["content"] + _IN_CONTENT_SCRIPT + "tell();",
    }
    return extension(keys, files)


def _ask(session: Session, _: None) -> dict[str, str]:
    contexts = ("page", "worker", "content") if session.browser == "chromium" else ("page", "content")
    helpers = {name: _COLLECT % session.report(name, "found") for name in ("page", "worker", "content")}
    session.load(_files(session.browser, helpers, helpers["worker"] + _IN_WORKER))
    for page in (PAGE, session.server.page):
        session.open(page)
    reports = session.receive(*contexts)
    return {name: answer for each in contexts for name, answer in reports[each].items()}


def _compare(browser: str, _: None, answers: Mapping[str, str]) -> Iterator[str]:
    helpers = dict.fromkeys(("page", "content"), _COLLECT % "")
    files = _files(browser, helpers, _WORKER)
    reported = (
        f"worker {each.message.split('`')[1]}" if each.path == "worker.js" else each.path
        for each in findings(browser, files, "misplaced-import", "missing-export", "missing-file")
    )
    yield from contradictions(reported, {name: each != RUNS for name, each in answers.items()}, RUNS)


imports = Query(
    "imports",
    """Query which scripts may import, and how.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: ONE,
    _ask,
    _compare,
)
