"""Responses of imported listeners, or through a passed `sendResponse`: `lost-response`."""

from __future__ import annotations

import pytest
from harness import SENDER, lint, manifest, text_under

EVENT = "chrome.runtime.onMessage"
LATE = "(m, s, r) { fetch(m).then((x) => r(x)) }"
IN_TIME = "(m, s, r) { fetch(m).then((x) => r(x)); return true }"
MAYBE = "(m, s, r) { other(r) }"

Scripts = dict[str, str]


def found(scripts: Scripts, target: str = "chrome") -> list[tuple[str, str]]:
    """Returns the file and the source text of each finding."""
    background = {"scripts": ["a.js"], "service_worker": "a.js", "type": "module"}
    files = {**SENDER, "manifest.json": manifest(background=background), **scripts}
    return [(each.path, text_under(files, each)) for each in lint(files, ["lost-response"], target)]


def listening(listener: str, imported: str, **others: str) -> Scripts:
    """Returns a background script that adds a listener, and the modules `b.js` and so on."""
    scripts = {f"{name}.js": text for name, text in others.items()}
    return {"a.js": f"import {imported} from './b.js'; {EVENT}.addListener({listener});", **scripts}


LISTENERS = {
    "a function": listening("on", "{ on }", b=f"export function on{LATE}"),
    "a function under another name": listening("go", "{ on as go }", b=f"export function on{LATE}"),
    "a function that is exported later": listening(
        "on", "{ on }", b=f"function f{LATE} export {{ f as on }}"
    ),
    "a constant": listening("on", "{ on }", b=f"export const on = function {LATE}"),
    "the default": listening("on", "on", b=f"export default function {LATE}"),
    "of a namespace": listening("all.on", "* as all", b=f"export function on{LATE}"),
    "a method": listening("all.on", "{ all }", b=f"export const all = {{ on{LATE} }}"),
    "a method of the default": listening("all.on", "all", b=f"export default {{ on{LATE} }}"),
    "a method that is bound": listening(
        "all.on.bind(all)", "{ all }", b=f"export const all = {{ on{LATE} }}"
    ),
}
RE_EXPORTED = {
    "by its name": listening("on", "{ on }", b="export { on } from './c.js'", c=f"export function on{LATE}"),
    "by another": listening(
        "on", "{ on }", b="export { f as on } from './c.js'", c=f"export function f{LATE}"
    ),
    "with all": listening("on", "{ on }", b="export * from './c.js'", c=f"export function on{LATE}"),
    "after an import": listening(
        "on", "{ on }", b="import { f } from './c.js'; export { f as on }", c=f"export function f{LATE}"
    ),
}
PASSED = {
    "to an import": listening("(m, s, r) => { on(m, s, r) }", "{ on }", b=f"export function on{LATE}"),
    "to an async import": listening(
        "(m, s, r) => { on(m, r) }", "{ on }", b="export async function on(m, r) { r(await fetch(m)) }"
    ),
    "to a method": listening(
        "(m, s, r) => { all.on(m, s, r) }", "* as all", b=f"export const on = function {LATE}"
    ),
    "to an import of an import": listening(
        "(m, s, r) => { on(r) }",
        "{ on }",
        b="import { f } from './c.js'; export const on = (r) => f(1, 2, r)",
        c=f"export function f{LATE}",
    ),
    "in a branch": listening(
        "(m, s, r) => { if (m.a) { on(m, s, r) } else if (m.b) { r(1); return true } }",
        "{ on }",
        b=f"export function on{LATE}",
    ),
    "in a case": listening(
        "(m, s, r) => { switch (m) { case 1: on(m, s, r); return true; case 2: on(m, s, r); break } }",
        "{ on }",
        b=f"export function on{LATE}",
    ),
}
NOT_REPORTED = {
    "it returns true": listening("on", "{ on }", b=f"export function on{IN_TIME}"),
    "the function that gets it returns true, and is returned": listening(
        "(m, s, r) => { return on(m, s, r) }", "{ on }", b=f"export function on{IN_TIME}"
    ),
    "the listener returns true": listening(
        "(m, s, r) => { on(m, s, r); return true }", "{ on }", b=f"export function on{LATE}"
    ),
    "it answers at once": listening("on", "{ on }", b="export function on(m, s, r) { r(1) }"),
    "it may answer at once": listening("on", "{ on }", b=f"export function on{MAYBE}"),
    "a called function may answer at once": listening(
        "(m, s, r) => { on(m, s, r) }", "{ on }", b=f"export function on{MAYBE}"
    ),
    "a called function answers at once": listening(
        "(m, s, r) => { on(r) }", "{ on }", b="export function on(r) { r(1) }"
    ),
    "it is replaced": listening("on", "{ on }", b=f"export let on = function {LATE}; on = other()"),
    "it is wrapped": listening("on", "{ on }", b=f"export const on = wrap(function {LATE})"),
    "another is meant": listening("on", "{ on }", b=f"export function of{LATE}"),
    "the module is not there": listening("on", "{ on }"),
    "modules import each other": listening(
        "(m, s, r) => { on(r) }",
        "{ on }",
        b="import { f } from './c.js'; export const on = (r) => f(r)",
        c="import { on } from './b.js'; export const f = (r) => on(r)",
    ),
}


@pytest.mark.parametrize("scripts", LISTENERS.values(), ids=LISTENERS)
def test_late_response_of_an_imported_listener_is_reported(scripts: Scripts) -> None:
    assert found(scripts) == [("b.js", "r")]
    assert found(scripts, "firefox") == [("b.js", "r")]


@pytest.mark.parametrize("scripts", RE_EXPORTED.values(), ids=RE_EXPORTED)
def test_late_response_of_a_reexported_listener_is_reported(scripts: Scripts) -> None:
    assert found(scripts) == [("c.js", "r")]


@pytest.mark.parametrize("scripts", PASSED.values(), ids=PASSED)
def test_late_response_in_a_callee_is_reported(scripts: Scripts) -> None:
    """The finding is at the point where the listener passes its parameter on."""
    assert found(scripts) == [("a.js", "r")]


@pytest.mark.parametrize("scripts", NOT_REPORTED.values(), ids=NOT_REPORTED)
def test_timely_or_uncertain_response_is_not_reported(scripts: Scripts) -> None:
    assert found(scripts) == []


def test_listener_shared_by_two_documents() -> None:
    scripts = {
        **listening("on", "{ on }", b=f"export function on{LATE}"),
        "p.html": "<script src=a.js type=module>",
    }
    assert found(scripts) == [("b.js", "r")]


def test_imported_waiting_listener_keeps_the_port_open() -> None:
    """In Chrome, one listener that waits is enough for all listeners of a worker."""
    more = f"; {EVENT}.addListener(other)"
    scripts = listening("on", "{ on, other }", b=f"export function on{LATE} export function other{IN_TIME}")
    both = {**scripts, "a.js": scripts["a.js"] + more}
    assert found(both) == []
    assert found(both, "firefox") == [("b.js", "r")]
    apart = both | {"b.js": f"export function on{LATE} export function other(m) {{ }}"}
    assert found(apart) == [("b.js", "r")]
