"""Branches that cannot run because no call passes a parameter."""

from __future__ import annotations

from itertools import product

import pytest
from harness import lint, manifest
from thorough import some

RULES = ("wrong-argument-count", "invalid-argument")
FILTER = "{ urls: ['*://a.example/*'] }"
PLAIN, FILTERED = "event.addListener(f)", "event.addListener(f, filter)"

OWNERS = {
    "a function": ("function on(event, f, filter) { BODY }", "on"),
    "a function expression": ("const on = function (event, f, filter) { BODY };", "on"),
    "an arrow function": ("const on = (event, f, filter) => { BODY };", "on"),
    "a method": ("class Page { on(event, f, filter) { BODY } } const page = new Page();", "page.on"),
    "a static method": ("class Page { static on(event, f, filter) { BODY } }", "Page.on"),
    "a method of an object": ("const page = { on(event, f, filter) { BODY } };", "page.on"),
    "a function in an object": ("const page = { on: function (event, f, filter) { BODY } };", "page.on"),
    "a method of `this`": (
        "class Page { constructor() { CALLS } on(event, f, filter) { BODY } } new Page();",
        "this.on",
    ),
    "a function of a function": ("(() => { function on(event, f, filter) { BODY } CALLS })();", "on"),
    "an exported function": ("export function on(event, f, filter) { BODY }", "on"),
}
BRANCHES = {
    "if": f"if (filter) {FILTERED}; else {PLAIN};",
    "an early return": f"if (filter) {{ return {FILTERED}; }} {PLAIN};",
    "not": f"if (!filter) {PLAIN}; else {FILTERED};",
    "undefined": f"filter === undefined ? {PLAIN} : {FILTERED};",
    "not undefined": f"filter !== undefined ? {FILTERED} : {PLAIN};",
    "void": f"filter === void 0 ? {PLAIN} : {FILTERED};",
    "null": f"filter == null ? {PLAIN} : {FILTERED};",
    "typeof": f"if (typeof filter !== 'undefined') {FILTERED}; else {PLAIN};",
    "and, or": f"filter && {FILTERED}; filter || {PLAIN};",
    "a constant": f"const has = filter !== undefined; if (has) {FILTERED}; else {PLAIN};",
    "another condition": f"if (filter && f) {FILTERED}; else {PLAIN};",
}
COUNTS = {
    "more": f"if (arguments.length > 2) {FILTERED}; else {PLAIN};",
    "at least": f"if (arguments.length >= 3) {FILTERED}; else {PLAIN};",
    "from the other side": f"if (2 < arguments.length) {FILTERED}; else {PLAIN};",
    "fewer": f"if (arguments.length < 3) {PLAIN}; else {FILTERED};",
    "equal": f"if (arguments.length === 3) {FILTERED}; else {PLAIN};",
    "unequal": f"if (arguments.length !== 3) {PLAIN}; else {FILTERED};",
    "a case": f"switch (arguments.length) {{ case 3: {FILTERED}; break; default: {PLAIN}; }}",
    "a default": f"switch (arguments.length) {{ case 2: {PLAIN}; break; default: {FILTERED}; }}",
}


def found(owner: str, body: str, calls: str) -> list[str]:
    """Returns the rules of the findings about a function and its calls, in a background."""
    source, name = OWNERS[owner]
    source, calls = source.replace("BODY", body), calls.replace("ON", name)
    source = source.replace("CALLS", calls) if "CALLS" in source else f"{source} {calls}"
    return found_in({"a.js": f"function g() {{}} {source}"})


def found_in(scripts: dict[str, str]) -> list[str]:
    keys = {"permissions": ["webRequest"], "host_permissions": ["*://a.example/*"]}
    background = {"service_worker": "a.js", "type": "module"}
    files = {"manifest.json": manifest(background=background, **keys), **scripts}
    return [each.rule for each in lint(files, RULES, "chrome")]


CALLS = "ON(chrome.tabs.onCreated, g); ON(chrome.tabs.onRemoved, g);"
WITH_FILTER = f"ON(chrome.tabs.onCreated, g, {FILTER});"


@pytest.mark.parametrize(("branch", "owner"), some([*product(BRANCHES, OWNERS)], 7))
def test_branch_for_a_missing_argument_never_runs(branch: str, owner: str) -> None:
    body = BRANCHES[branch]
    assert found(owner, body, "ON(chrome.tabs.onCreated, g);") == []
    assert found(owner, body, "ON(chrome.tabs.onCreated, g, undefined);") == []
    assert found(owner, body, CALLS) == []
    assert found(owner, body, WITH_FILTER) == ["wrong-argument-count"]


@pytest.mark.parametrize(("count", "owner"), some([*product(COUNTS, [*OWNERS][:2] + [*OWNERS][3:])], 4))
def test_branch_for_another_number_of_arguments_never_runs(count: str, owner: str) -> None:
    body = COUNTS[count]
    assert found(owner, body, "ON(chrome.tabs.onCreated, g);") == []
    assert found(owner, body, CALLS) == []
    assert found(owner, body, WITH_FILTER) == ["wrong-argument-count"]


def test_length_of_the_rest_is_known() -> None:
    source = "const on = (event, f, ...rest) => { if (rest.length > 0) event.addListener(f, 1); else g(); }; "
    assert found_in({"a.js": source + "on(chrome.tabs.onCreated, g)"}) == []
    assert found_in({"a.js": source + "on(chrome.tabs.onCreated, g, 1)"}) == ["wrong-argument-count"]


def test_default_of_a_parameter_is_its_value() -> None:
    source = (
        f"function on(event, f, filter = null) {{ if (filter) {FILTERED}; else {PLAIN}; }} function g() {{}} "
    )
    assert found_in({"a.js": source + "on(chrome.tabs.onCreated, g)"}) == []
    source = source.replace("null", FILTER)
    assert found_in({"a.js": source + "on(chrome.tabs.onCreated, g)"}) == ["wrong-argument-count"]


def test_argument_is_followed_through_functions() -> None:
    source = (
        "function on(event, f, filter) { add(event, f, filter); } "
        f"function add(event, f, filter) {{ if (filter) {FILTERED}; else {PLAIN}; }} function g() {{}} "
    )
    assert found_in({"a.js": source + "on(chrome.tabs.onCreated, g)"}) == []
    assert found_in({"a.js": source + f"on(chrome.tabs.onCreated, g, {FILTER})"}) == ["wrong-argument-count"]


USE = "on(chrome.tabs.onCreated, f, filter);"
OBJECTS = {
    "undefined": "if (filter === undefined) event.addListener(); else event.addListener(f);",
    "null": "if (filter == null) event.addListener(); else event.addListener(f);",
    "a truth test": "filter ? event.addListener(f) : event.addListener();",
    "a negation": "if (!filter) return event.addListener(); event.addListener(f);",
}


@pytest.mark.parametrize("body", OBJECTS.values(), ids=OBJECTS)
def test_object_that_every_call_passes_is_never_undefined(body: str) -> None:
    call = "ON(chrome.tabs.onCreated, g, FILTER);"
    for passed in ("{}", "DETAILS"):
        calls = f"const DETAILS = {{ a: 1 }}; {call.replace('FILTER', passed)}"
        assert found("a function", body, calls) == [], passed
    for other in ("undefined", "x", "null"):
        calls = f"{call.replace('FILTER', '{}')} {call.replace('FILTER', other)}"
        assert found("a function", body, calls) == ["wrong-argument-count"], other


RECURSIVE = {
    "itself": f"function a(f, filter) {{ a(f, filter); {USE} a(f, filter); }} a",
    "each other": (
        f"function a(f, filter) {{ b(f, filter); }} function b(f, filter) {{ a(f, filter); {USE} }} a"
    ),
    "with a default": (
        f"function a(f, filter = undefined) {{ b(f, filter); }}"
        f" function b(f, filter) {{ a(f, filter); {USE} }} b"
    ),
}


@pytest.mark.parametrize("source", RECURSIVE.values(), ids=RECURSIVE)
def test_recursive_calls_pass_the_same_argument(source: str) -> None:
    source = f"function g() {{}} function on(event, f, filter) {{ {BRANCHES['if']} }} {source}"
    assert found_in({"a.js": f"{source}(g)"}) == []
    assert found_in({"a.js": f"{source}(g, {FILTER})"}) == ["wrong-argument-count"]


@pytest.mark.parametrize("body", [*BRANCHES.values(), *COUNTS.values()], ids=[*BRANCHES, *COUNTS])
def test_call_in_another_module_may_not_pass_the_argument(body: str) -> None:
    library = f"export function on(event, f, filter) {{ {body} }}"
    call = "import { on } from './b.js'; function g() {} on(chrome.tabs.onCreated, g);"
    assert found_in({"a.js": call, "b.js": library}) == []
    always = f"export function on(event, f, filter) {{ {FILTERED}; }}"
    assert found_in({"a.js": call, "b.js": always}) == ["wrong-argument-count"]


def test_unknown_calls_may_pass_the_argument() -> None:
    for call in ("ON(chrome.tabs.onCreated, ...x)", "ON(chrome.tabs.onCreated, g, x)"):
        assert found("a function", BRANCHES["if"], call) == ["wrong-argument-count"], call
