"""The globals in each kind of context."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.platform_globals import DOCUMENT_PARTS
from extlint.checks.api.absent_globals import AT_START, IN_PAGE
from extlint_judge.browsers.processes import facts_target
from extlint_judge.browsers.session import BACKGROUND, PAGE, Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import ONE, Query
from extlint_schemas import KNOWN_GLOBALS, WEB_GLOBALS, AbsentGlobals, known_globals, web_globals

LISTING = Path(__file__).with_name("globals.js").read_text(encoding="utf-8")

_KINDS = {
    "firefox": (
        ContextKind.BACKGROUND,
        ContextKind.CONTENT_SCRIPT,
        ContextKind.MAIN_WORLD,
        ContextKind.EXTENSION_PAGE,
        ContextKind.WORKER,
    ),
    "chromium": (
        ContextKind.SERVICE_WORKER,
        ContextKind.CONTENT_SCRIPT,
        ContextKind.MAIN_WORLD,
        ContextKind.EXTENSION_PAGE,
        ContextKind.SANDBOX,
        ContextKind.OFFSCREEN,
        ContextKind.WORKER,
    ),
}

_EARLY = (
    f"{ContextKind.CONTENT_SCRIPT.value} {AT_START}",
    f"{ContextKind.MAIN_WORLD.value} {AT_START}",
    IN_PAGE,
)
"""The moments at which parts of a document are missing."""

_FAILING = "failing"
"""The state of globals whose functions fail."""

IGNORED = frozenset({"LanguageModelParams", "SharedArrayBuffer", "browser", "chrome", "listed"})
"""Globals that depend on the headers of a page, the extension API, and the one added by the listing."""


def _files(session: Session) -> Files:
    """Returns the files of an extension in which each context reports its globals."""
    is_chromium = session.browser == "chromium"

    def reporting(context: ContextKind) -> str:
        return f"{LISTING}{session.report(context.value, 'listed()')};\n"

    def early(moment: str) -> str:
        parts = ", ".join(f"[{each!r}, {each} === null]" for each in sorted(DOCUMENT_PARTS))
        return f"{session.report(moment, f'Object.fromEntries([{parts}])')};\n"

    hosts = ["http://127.0.0.1/*"]
    matched = {"matches": hosts, "run_at": "document_idle"}
    contents = [{**matched, "js": ["content.js"]}, {**matched, "js": ["main.js"], "world": "MAIN"}]
    at_start = {"matches": hosts, "run_at": "document_start"}
    contents += [{**at_start, "js": ["start.js"]}, {**at_start, "js": ["start-main.js"], "world": "MAIN"}]
    keys = manifest(host_permissions=hosts, content_scripts=contents, background={"scripts": [BACKGROUND]})
    opening, background = "", ContextKind.BACKGROUND
    if is_chromium:
        background = ContextKind.SERVICE_WORKER
        keys["permissions"] = ["clipboardWrite", "offscreen"]
        keys["background"] = {"service_worker": BACKGROUND}
        keys["sandbox"] = {"pages": ["sandbox.html"]}
        offscreen = '{ url: "offscreen.html", reasons: ["DOM_PARSER"], justification: "judge" }'
        opening = f"chrome.offscreen.createDocument({offscreen});\n"
    pages = {
        "page": reporting(ContextKind.EXTENSION_PAGE) + 'new Worker("worker.js");\n',
        "sandbox": reporting(ContextKind.SANDBOX),
        "offscreen": reporting(ContextKind.OFFSCREEN) + _copying(session),
    }
    files = {
        BACKGROUND: reporting(background) + opening,
        "content.js": reporting(ContextKind.CONTENT_SCRIPT),
        "main.js": reporting(ContextKind.MAIN_WORLD),
        "worker.js": reporting(ContextKind.WORKER),
        **{f"{name}.html": f"<!doctype html><script src='{name}.js'></script>" for name in pages},
        **{f"{name}.js": script for name, script in pages.items()},
    }
    start, start_main, head = _EARLY
    files |= {"start.js": early(start), "start-main.js": early(start_main), "head.js": early(head)}
    files[PAGE] = files[PAGE].replace("<script", "<script src='head.js'></script><p></p><script")
    return extension(keys, files)


def _copying(session: Session) -> str:
    """Returns JavaScript that reports whether the clipboard fails."""
    copying = 'navigator.clipboard.writeText("judge").then(() => "", () => "navigator.clipboard")'
    return f"{copying}.then((failing) => {{ {session.report(_FAILING, 'failing')}; }});\n"


def _ask(session: Session, _: None) -> dict[str, dict[str, str]]:
    """Returns, for each kind of context, the globals that others have and it does not, and those of null.

    For each early moment, these are the parts of the document that are null.
    """
    found = _reports(session)
    early = {
        moment: {"empty": " ".join(name for name, is_null in found[moment].items() if is_null), "missing": ""}
        for moment in _EARLY
    }
    kinds = missing_globals({kind: found[kind] for kind in _names_of_kinds(session)})
    if _FAILING in found:
        kinds[ContextKind.OFFSCREEN.value][_FAILING] = found[_FAILING]
    return kinds | early


def _reports(session: Session) -> dict[str, Any]:
    session.load(_files(session))
    for page in (PAGE, *(["sandbox.html"] if session.browser == "chromium" else []), session.server.page):
        session.open(page)
    more = [_FAILING] if session.browser == "chromium" else []
    found: dict[str, Any] = session.receive(*_names_of_kinds(session), *_EARLY, *more)
    return found


def _names_of_kinds(session: Session) -> list[str]:
    return [each.value for each in _KINDS[session.browser]]


def missing_globals(reports: Mapping[str, Mapping[str, list[str]]]) -> dict[str, dict[str, str]]:
    """Returns the missing globals of each kind of context, by the globals that it reports.

    `navigator.x` is a member of a global.
    """
    usable = {kind: {*each["there"]} - {*each["empty"]} for kind, each in reports.items()}
    everywhere = set[str]().union(*usable.values()) - IGNORED
    found = {}
    for kind in sorted(reports):
        names = everywhere - usable[kind]
        without_parts = {each for each in names if "." not in each or each.partition(".")[0] not in names}
        empty = {*reports[kind]["empty"]} & without_parts
        found[kind] = {"empty": " ".join(sorted(empty)), "missing": " ".join(sorted(without_parts - empty))}
    return found


def _compare(browser: str, _: None, answers: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    return differences(answers, web_globals(facts_target(browser)))


def differences(
    observed: Mapping[str, Mapping[str, str]], known: Mapping[str, AbsentGlobals]
) -> Iterator[str]:
    """Yields a line for each difference between the browser's globals and the recorded facts."""
    for kind in sorted({*observed, *known}):
        old = known.get(kind, AbsentGlobals(frozenset(), frozenset()))
        new = observed.get(kind, {"empty": "", "missing": ""})
        states = (
            ("missing", "missing", old.missing),
            ("null", "empty", old.empty),
            ("failing", "failing", old.failing),
        )
        for how, key, recorded in states:
            there = {*new.get(key, "").split()}
            if there - recorded:
                yield f"{kind}: {how} as well: {', '.join(sorted(there - recorded))}"
            if recorded - there:
                yield f"{kind}: not {how} after all: {', '.join(sorted(recorded - there))}"


globals_ = Query(
    "globals",
    """Query which globals are missing in each kind of context.

    The exit code is 1 if the facts differ.
    """,
    lambda _: ONE,
    _ask,
    _compare,
    shown=lambda answers: {
        kind: f"lacks {sum(len(each.split()) for each in names.values())}" for kind, names in answers.items()
    },
    facts=Path(WEB_GLOBALS),
)


def _ask_all(session: Session, _: None) -> dict[str, str]:
    """Returns the names of the globals that any kind of context has."""
    reports = _reports(session)
    kinds = _names_of_kinds(session)
    there = {name for kind in kinds for name in reports[kind]["there"] if "." not in name}
    return {"globals": " ".join(sorted(there - IGNORED))}


def _compare_all(browser: str, _: None, answers: Mapping[str, str]) -> Iterator[str]:
    observed, known = {*answers["globals"].split()}, known_globals(facts_target(browser))
    for how, names in (("there as well", observed - known), ("not there after all", known - observed)):
        if names:
            yield f"{how}: {', '.join(sorted(names))}"


all_globals = Query(
    "all-globals",
    """Query the globals that any kind of context has.

    The exit code is 1 if the facts differ.
    """,
    lambda _: ONE,
    _ask_all,
    _compare_all,
    shown=lambda answers: {"": f"{len(answers['globals'].split())} globals"},
    facts=Path(KNOWN_GLOBALS),
)
