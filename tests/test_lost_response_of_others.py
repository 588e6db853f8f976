"""Responses that come later than the `undefined` of another, `async` listener: `lost-response`."""

from __future__ import annotations

import pytest
from harness import SENDER, lint, manifest

RULES = ("lost-response",)
ADD = "%s.runtime.onMessage.addListener(%s);"
LATER = "(m, s, respond) => { if (m.type === 'b') { f().then(respond); return true; } }"
PROMISE = "(m) => { if (m === 'b') return Promise.resolve(1); }"
ASYNC = "async (m) => { if (m.type === 'b') return await f(); }"


def reported_lines(*listeners: str, target: str = "firefox", **files: str) -> list[int]:
    """Returns the lines of the reported listeners. Each listener is on a line of its own."""
    is_firefox = target == "firefox"
    keys = {"scripts": ["b.js", *files]} if is_firefox else {"service_worker": "b.js"}
    lines = [ADD % ("browser" if is_firefox else "chrome", each) for each in listeners]
    package = {**SENDER, "manifest.json": manifest(background=keys), "b.js": "\n".join(lines), **files}
    return [each.span.start.line for each in lint(package, RULES, target)]


ENDS_AT_ONCE = {
    "an `if` without `else`": "async (m) => { if (m.type === 'a') { await f(); return 1; } }",
    "another message": "async (m) => { if (m.type !== 'a') return; return await f(); }",
    "false for another message": "async (m) => { if (m.type !== 'a') return false; await f(); }",
    "cases": "async (m) => { switch (m.type) { case 'a': return await f(); case 'c': await g(); break; } }",
    "an empty default": "async (m) => { switch (m.type) { case 'a': return await f(); default: return; } }",
    "no condition": "async (m) => { console.log(m); }",
    "not this message": "async (m) => { if (!(m.type === 'a')) return; return await f(); }",
    "an end for one message, and one for others": (
        "async (m) => { if (m.type === 'c') return; if (m.type === 'a') await f(m); }"
    ),
    "a call": "async (m) => { if (isOwn(m)) return await f(m); }",
    "a chain": "async (m) => { if (m.a === A) { await f(); } else if (m.a === B) { await g(); } }",
    "in `try`": "async (m) => { try { if (m.type === 'a') await f(); } catch (e) { console.error(e); } }",
}


@pytest.mark.parametrize("other", [LATER, PROMISE, ASYNC], ids=["true", "promise", "async"])
@pytest.mark.parametrize("listener", ENDS_AT_ONCE.values(), ids=ENDS_AT_ONCE)
def test_listener_that_answers_first_is_reported(listener: str, other: str) -> None:
    assert 1 in reported_lines(listener, other)
    assert 1 in reported_lines(listener, other, target="chrome")
    assert 2 in reported_lines(other, listener)


NOT_REPORTED = {
    "not `async`": "(m) => { if (m.type === 'a') return f(); }",
    "a wait on each path": "async (m) => { const options = await f(); if (m.type === 'a') return options; }",
    "a wait in each branch": "async (m) => { if (m.type === 'a') { await f(); } else { await g(); } }",
    "a response on each path": "async (m) => { if (m.type === 'a') return 1; return f(m); }",
    "only a test of the sender": "async (m, s) => { if (s.id !== ID) return; return await f(m); }",
    "an end for a message that it names": "async (m) => { if (m.type === 'c') return; return await f(m); }",
    "an end for two messages": (
        "async (m) => { if (m.type === 'c' || m.type === D) { g(m); } else { return await f(m); } }"
    ),
    "an end for what a list names": "async (m) => { if (NAMES.includes(m.type)) return; return await f(m); }",
    "an end in the `else` of another message": (
        "async (m) => { if (m.type !== 'c') { return await f(m); } else { g(m); } }"
    ),
    "an end in a case": "async (m) => { switch (m.type) { case 'c': break; default: return await f(m); } }",
    "an end after what other messages do": (
        "async (m) => { if (m.type !== 'c') return await f(m); if (m.b !== 'd') return; await g(m); }"
    ),
    "an error": "async (m) => { if (m.type !== 'a') throw new Error(m.type); return await f(); }",
}


@pytest.mark.parametrize("listener", NOT_REPORTED.values(), ids=NOT_REPORTED)
def test_listener_that_does_not_certainly_answer_first_is_not_reported(listener: str) -> None:
    assert 1 not in reported_lines(listener, LATER)
    assert 1 not in reported_lines(listener, LATER, target="chrome")


ENDING = ENDS_AT_ONCE["an `if` without `else`"]


@pytest.mark.parametrize(
    "other",
    [
        "(m, s, respond) => { if (m.type === 'b') respond(1); }",
        "async (m) => { if (m.type === 'b') await f(); }",
        "(m) => { console.log(m); }",
    ],
    ids=["at once", "without a response", "never"],
)
def test_other_listener_without_late_response_does_not_count(other: str) -> None:
    assert 1 not in reported_lines(ENDING, other)


def test_listeners_of_other_occasions_are_not_reported() -> None:
    assert reported_lines(ENDING) == []
    assert reported_lines(f"() => {{ {ADD % ('browser', ENDING)} }}", LATER) == []


def test_listener_of_another_script_of_the_background_counts() -> None:
    assert reported_lines(ENDING, **{"c.js": ADD % ("browser", LATER)}) == [1]


def test_deep_conditions_are_skipped() -> None:
    chain = "".join(f"if (m === {each}) {{ await f(); }} else " for each in range(400))
    assert reported_lines(f"async (m) => {{ {chain} g(); }}", LATER) == []
