"""Queries which code of a page its content security policy lets run in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial

import click

from extlint.checker import check_package
from extlint.finding import Finding
from extlint.package.files import Package
from extlint.schema.targets.request import Target
from extlint_judge.browsers.processes import facts_target
from extlint_judge.options import browser_option, query_browser, report_and_exit
from extlint_judge.policies.observation import (
    CASES,
    PROBE_SCRIPT,
    Answer,
    Policies,
    manifest_of,
    observe,
    page_of,
    worker_of,
)

RULES = ("inline-script", "remote-script")

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

_LOCAL = CHECKED["localScript"]


def disagreements(browser: str, observed: Mapping[str, Answer]) -> Iterator[str]:
    """Yields a line for each probe where extlint disagrees with the browser."""
    for name, results in observed.items():
        if "refused" in results:
            continue
        texts = {
            "page.html": page_of(CASES[name], _LOCAL),
            "probes.js": PROBE_SCRIPT,
            "worker.js": worker_of(WORKER),
        }
        lines = {path: text.splitlines() for path, text in texts.items()}
        found = findings(browser, CASES[name])
        reported = {lines[each.path][each.span.start.line - 1] for each in found}
        if "imports" in results and results["imports"] == any(each.path == "worker.js" for each in found):
            yield f"{name}: extlint says the contrary of what importScripts does"
        blocked = {address for _, address, _ in results["blocked"]}
        runs = {probe: results["found"][probe] for probe in CHECKED}
        runs |= {probe: address not in blocked for probe, address in REMOTE.items()}
        for probe, piece in {**CHECKED, **REMOTE}.items():
            is_reported = any(piece in line for line in reported)
            if is_reported == runs[probe]:
                own = "does not run" if is_reported else "runs"
                yield f"{name}: extlint says that {probe} {own}"


def findings(browser: str, policies: Policies) -> list[Finding]:
    """Returns extlint's findings in the page of one case."""
    background = {"background": {"service_worker": "worker.js"}} if browser == "chromium" else {}
    manifest = background | {
        "action" if policies.version == 3 else "browser_action": {"default_popup": "page.html"}
    }
    texts = {
        "manifest.json": json.dumps({**manifest_of(policies), **manifest}),
        "page.html": page_of(policies, _LOCAL),
        "probes.js": PROBE_SCRIPT,
        "worker.js": worker_of(WORKER),
        "mapping.js": "",
    }
    files = {path: partial(bytes, text.encode()) for path, text in texts.items()}
    target = Target(facts_target(browser))
    return list(check_package(Package("judge", files), [target], RULES).findings)


@click.command()
@browser_option
def policies(browser: str) -> None:
    """Query which code of a page runs.

    It depends on the content security policy of the manifest and the page.

    The exit code is 1 if extlint disagrees.
    """
    observed = query_browser(browser, observe)
    for name, result in observed.items():
        if "refused" in result:
            click.echo(f"  {name}: refused: {result['refused']}")
        else:
            ran = [probe for probe, runs in result["found"].items() if runs]
            click.echo(f"  {name}, runs: {', '.join(ran) or 'nothing'}")
    report_and_exit(disagreements(browser, observed))
