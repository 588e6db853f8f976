"""The globals that only pages of `https:` have, and those of this machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from extlint_judge.browsers.http_server import INSECURE_HOST
from extlint_judge.browsers.processes import facts_target
from extlint_judge.browsers.session import Session
from extlint_judge.extensions import extension, manifest
from extlint_judge.queries.globals import LISTING
from extlint_judge.query import ONE, Query
from extlint_schemas import SECURE_GLOBALS, secure_globals

_SECURE_HOST = "127.0.0.1"


def _ask(session: Session, _: None) -> dict[str, str]:
    """Returns the globals of a content script that are missing in the insecure one of two pages."""
    scripts = {INSECURE_HOST: "insecure.js", _SECURE_HOST: "secure.js"}
    contents = [{"matches": [f"http://{host}/*"], "js": [script]} for host, script in scripts.items()]
    keys = manifest(
        host_permissions=[each for entry in contents for each in entry["matches"]], content_scripts=contents
    )
    reports = {each: f"{LISTING}{session.report(each, 'listed().there')};\n" for each in scripts.values()}
    session.load(extension(keys, reports))
    for host in scripts:
        session.open(session.server.page.replace(_SECURE_HOST, host))
    found = session.receive(*scripts.values())
    names = {*found[scripts[_SECURE_HOST]]} - {*found[scripts[INSECURE_HOST]]}
    return {"globals": " ".join(sorted(each for each in names if _is_kept(each)))}


def _is_kept(name: str) -> bool:
    """Whether scripts use a global itself, unlike most constructors and the properties for handlers."""
    return name[0].islower() and not name.startswith("on")


def _compare(browser: str, _: None, answers: Mapping[str, str]) -> Iterator[str]:
    observed, known = {*answers["globals"].split()}, secure_globals(facts_target(browser))
    for how, names in (("missing as well", observed - known), ("not missing after all", known - observed)):
        if names:
            yield f"{how}: {', '.join(sorted(names))}"


secure_contexts = Query(
    "secure-globals",
    """Query the globals that only secure pages have.

    The exit code is 1 if the facts differ.
    """,
    lambda _: ONE,
    _ask,
    _compare,
    shown=lambda answers: {"": f"{len(answers['globals'].split())} globals"},
    facts=Path(SECURE_GLOBALS),
)
