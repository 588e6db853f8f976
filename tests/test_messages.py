"""Calls that send messages: the accepted arguments, as verified in Chromium 156 and Firefox 153."""

from __future__ import annotations

import pytest
from harness import lint, manifest, text_under

ID = "'abcdefghijklmnopabcdefghijklmnop'"
SEND = "runtime.sendMessage"

ACCEPTED_BY_BOTH = (
    *("(undefined)", "(null)", "('hello')", "({a: 1})"),
    *("({a: 1}, {})", "({a: 1}, null)", "({a: 1}, undefined)"),
    *("({a: 1}, () => {})", "({a: 1}, {}, () => {})", "({a: 1}, undefined, () => {})", "(null, () => {})"),
    *(f"({ID}, {{a: 1}})", f"({ID}, {{a: 1}}, () => {{}})", "('', {a: 1})", "(null, {a: 1})"),
    *("(undefined, {a: 1})", "(null, {}, {}, () => {})", "(null, {}, {}, null)", "(null, {}, {}, undefined)"),
    *("(message)", "(message, options)", "(message, callback)", "(id, {a: 1})"),
    *("({a: 1}, options, callback)", "(...given)", "({a: 1}, ...given)", "({...message}, {...options})"),
)


def reported(call: str, target: str) -> list[tuple[str, str]]:
    """Returns the rule and the text of each finding about the arguments of a call."""
    files = {
        "manifest.json": manifest(background={"scripts": ["b.js"]}, permissions=["tabs"]),
        "b.js": f"chrome.{call};",
    }
    rules = ["invalid-argument", "wrong-argument-count"]
    return [(each.rule, text_under(files, each)) for each in lint(files, rules, target)]


@pytest.mark.parametrize("arguments", ACCEPTED_BY_BOTH)
@pytest.mark.parametrize("target", ["chrome", "edge", "firefox"])
def test_arguments_accepted_by_both_browsers(arguments: str, target: str) -> None:
    assert reported(SEND + arguments, target) == []


OPTIONS = "{includeTlsChannelId: true}"
ACCEPTED_BY_ONE = {
    "options": (f"({{a: 1}}, {OPTIONS})", "chrome"),
    "options, after the extension": (f"({ID}, {{a: 1}}, {OPTIONS})", "chrome"),
    "an extension with an id of Firefox's": ("('a@b.c', {a: 1})", "firefox"),
    "an empty array for options": ("([], [])", "firefox"),
}


@pytest.mark.parametrize(("arguments", "target"), ACCEPTED_BY_ONE.values(), ids=ACCEPTED_BY_ONE.keys())
def test_arguments_accepted_by_one_browser(arguments: str, target: str) -> None:
    other = "firefox" if target == "chrome" else "chrome"
    assert reported(SEND + arguments, target) == []
    assert [rule for rule, _ in reported(SEND + arguments, other)] == ["invalid-argument"]


REJECTED = {
    "nothing": ("()", "()", "()"),
    "only a callback": ("(() => {})", "() => {}", "() => {}"),
    "an unknown option": ("({a: 1}, {frameId: 1})", "frameId", "{a: 1}"),
    "an unknown option before a callback": ("({a: 1}, {frameId: 1}, () => {})", "frameId", "{a: 1}"),
    "an unknown option after the extension": (f"({ID}, {{}}, {{frameId: 1}})", "frameId", "{frameId: 1}"),
    "an option of the wrong type": ("({a: 1}, {includeTlsChannelId: 1})", "1", "{a: 1}"),
    "invalid options": ("(null, {}, 5)", "5", "5"),
    "two messages": ("({a: 1}, 'b')", "'b'", "{a: 1}"),
    "a number for the extension": ("(1, {}, {}, () => {})", "1", "1"),
    "an invalid callback": ("(null, {}, {}, 1)", "1", "1"),
    "something behind the callback": ("(null, {}, {}, () => {}, 1)", None, None),
    "a callback before the options": ("({}, () => {}, {})", "{}", "{}"),
    "nothing where the callback would be third": ("({}, null, null)", "{}", "{}"),
    "a symbol": ("(Symbol('a'))", "Symbol('a')", "Symbol('a')"),
}


@pytest.mark.parametrize(("arguments", "chrome", "firefox"), REJECTED.values(), ids=REJECTED.keys())
def test_arguments_rejected_by_both_browsers(arguments: str, chrome: str | None, firefox: str | None) -> None:
    for target, expected in (("chrome", chrome), ("firefox", firefox)):
        found = reported(SEND + arguments, target)
        assert [text for _, text in found] == [expected or arguments]
        counted = arguments == "()" or expected is None
        assert found[0][0] == ("wrong-argument-count" if counted else "invalid-argument")


def test_invalid_extension_id_is_reported_for_chrome() -> None:
    assert reported(f"{SEND}('x', {OPTIONS})", "chrome") == [("invalid-argument", "'x'")]
    assert reported("runtime.connect('x')", "chrome") == [("invalid-argument", "'x'")]
    assert reported(f"{SEND}('x', {OPTIONS})", "firefox") == []
    assert reported("runtime.connect('x')", "firefox") == []


OTHERS = {
    "a port by its name": ("runtime.connect({name: 'a'})", []),
    "a port to an extension": (f"runtime.connect({ID}, {{name: 'a'}})", []),
    "a port with a misspelled key": ("runtime.connect({nam: 'a'})", ["nam"]),
    "a port to two": ("runtime.connect({}, {})", ["{}"]),
    "nothing to a tab": ("tabs.sendMessage(1, undefined)", []),
    "a message to a frame": ("tabs.sendMessage(1, {}, {frameId: 0}, () => {})", []),
    "no message to a tab": ("tabs.sendMessage(1)", ["(1)"]),
    "a callback for a message to a tab": ("tabs.sendMessage(1, () => {})", ["() => {}"]),
    "a message to no frame": ("tabs.sendMessage(1, {}, {frameId: -1})", ["-1"]),
    "a misspelled frame": ("tabs.sendMessage(1, {}, {frame: 0})", ["frame"]),
    "a message to a name": ("tabs.sendMessage('1', {})", ["'1'"]),
}


@pytest.mark.parametrize(("call", "expected"), OTHERS.values(), ids=OTHERS.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_ports_and_messages_to_tabs(call: str, expected: list[str], target: str) -> None:
    assert [text for _, text in reported(call, target)] == expected


@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_function_in_a_tab_message(target: str) -> None:
    assert reported("tabs.sendMessage(1, {a: [() => 1]})", target) == [("invalid-argument", "() => 1")]


INJECT = "scripting.executeScript({target: {tabId: 1}, func: f, args: [%s]})"
SERIALIZED = {
    "values": ("1, 'a', null, [], {}", []),
    "a function in an object": ("{a: () => 1}", ["() => 1"]),
    "a function": ("() => 1", ["() => 1"]),
    "a class": ("class {}", ["class {}"]),
    "nothing": ("undefined", ["undefined"]),
    "a symbol": ("Symbol('a')", ["Symbol('a')"]),
    "a large integer": ("1n", ["1n"]),
    "NaN": ("NaN", ["NaN"]),
    "unknown values": ("value, ...more", []),
}


@pytest.mark.parametrize(("values", "expected"), SERIALIZED.values(), ids=SERIALIZED.keys())
def test_arguments_of_an_injected_function(values: str, expected: list[str]) -> None:
    assert [text for _, text in reported(INJECT % values, "chrome")] == expected
    is_number = values in ("undefined", "1n", "NaN")
    assert [text for _, text in reported(INJECT % values, "firefox")] == ([] if is_number else expected)
