"""Arguments, results and callbacks in code that a condition restricts to a browser or a build."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest

RULES = [
    "callback-parameters",
    "impossible-comparison",
    "invalid-argument",
    "unknown-result-field",
    "wrong-argument-count",
]
CONDITIONS = {
    "a constant of the build": "__CHROMIUM__ && (() => { USE })()",
    "an undeclared constant": "if (BUILD_CHROME) { USE }",
    "the environment of the build": "if (process.env.BROWSER === 'chrome') { USE }",
    "the other branch": "if (import.meta.env.FIREFOX) {} else { USE }",
    "a helper": "if (isChrome()) { USE }",
    "a ternary": "__CHROMIUM__ ? (() => { USE })() : 0",
    "early return": "function f() { if (!__CHROMIUM__) return; USE }",
    "a caller": "function f() { USE } if (__CHROMIUM__) f()",
    "a caller in another script": "function f() { USE }",
    "a block of a build": "/* @if TARGET='chrome' */ USE /* @endif */",
    "none": "USE",
    "an unrelated one": "if (x.y) { USE }",
}
BROWSER_CONDITIONS = [name for name in CONDITIONS if name not in {"none", "an unrelated one"}]
LIST = "chrome.userScripts.register([{ id: 'a', matches: ['*://a.b/*'], js: [{ code: '' }] }])"
ACCEPTED_BY_ANOTHER = {
    "an argument of the other manifest version": (LIST, "invalid-argument"),
    "an argument of another browser": (
        "chrome.windows.create({ setSelfAsOpener: true })",
        "invalid-argument",
    ),
    "a number of arguments": ("chrome.tabs.discard()", "wrong-argument-count"),
}
ALWAYS_REJECTED = {
    "an argument": (LIST.replace("id", "idd"), "invalid-argument"),
    "a value": ("chrome.tabs.query({ status: 'done' })", "invalid-argument"),
    "a number of arguments": ("chrome.tabs.query()", "wrong-argument-count"),
    "a comparison": (
        "chrome.windows.get(1, (it) => it.type === 'none')",
        "impossible-comparison",
    ),
    "a field": ("chrome.tabs.get(1, (tab) => x(tab.titel))", "unknown-result-field"),
    "a parameter": ("chrome.tabs.get(1, (tab, more) => x(tab, more))", "callback-parameters"),
}


def reported(source: str, condition: str, target: str = "firefox", version: int = 2) -> list[str]:
    """Returns the rules reported for a background script with a statement behind a condition."""
    scripts: Files = {"a.js": CONDITIONS[condition].replace("USE", f"{source};")}
    if condition == "a caller in another script":
        scripts = {**scripts, "b.js": "if (__CHROMIUM__) f()"}
    background = {"scripts": [*scripts]} if version == 2 else {"service_worker": "a.js"}
    text = manifest(manifest_version=version, background=background)
    return [each.rule for each in lint({"manifest.json": text, **scripts}, RULES, target)]


@pytest.mark.parametrize("condition", BROWSER_CONDITIONS)
@pytest.mark.parametrize(("source", "rule"), ACCEPTED_BY_ANOTHER.values(), ids=ACCEPTED_BY_ANOTHER.keys())
def test_argument_of_another_browser_is_accepted_in_its_branch(
    source: str, rule: str, condition: str
) -> None:
    assert rule not in reported(source, condition)


@pytest.mark.parametrize("condition", ["none", "an unrelated one"])
@pytest.mark.parametrize(("source", "rule"), ACCEPTED_BY_ANOTHER.values(), ids=ACCEPTED_BY_ANOTHER.keys())
def test_argument_of_another_browser_is_reported_elsewhere(source: str, rule: str, condition: str) -> None:
    assert reported(source, condition) == [rule]


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize(("source", "rule"), ALWAYS_REJECTED.values(), ids=ALWAYS_REJECTED.keys())
def test_argument_rejected_by_every_browser_is_reported(source: str, rule: str, condition: str) -> None:
    assert reported(source, condition) == [rule]


def test_callback_parameters_of_another_browser() -> None:
    source = "chrome.action.onClicked.addListener((tab, click) => x(tab, click))"
    assert reported(source, "a helper", "chrome", 3) == []
    assert reported(source, "none", "chrome", 3) == ["callback-parameters"]
    assert reported(source.replace("click)", "click, more)"), "a helper", "chrome", 3) == [
        "callback-parameters"
    ]


@pytest.mark.parametrize(
    ("condition", "target", "expected"),
    [
        *((each, "firefox", []) for each in BROWSER_CONDITIONS),
        *((each, "chrome", ["invalid-argument"]) for each in BROWSER_CONDITIONS),
        ("none", "firefox", ["invalid-argument"]),
        ("none", "chrome", ["invalid-argument"]),
    ],
)
def test_argument_rejected_at_run_time_is_reported_for_its_own_browser(
    condition: str, target: str, expected: list[str]
) -> None:
    source = "chrome.permissions.request({ permissions: ['background'] })"
    assert reported(source, condition, target, 3 if target == "chrome" else 2) == expected


def test_callback_that_other_browsers_do_not_accept() -> None:
    source = "chrome.alarms.clearAll((done, more) => x(done, more))"
    assert reported(source, "a helper", "chrome", 3) == ["callback-parameters"]


def test_reference_target_ignores_browser_conditions() -> None:
    files = {"manifest.json": manifest(background={"scripts": ["a.js"]}), "a.js": ""}
    source = "if (__CHROMIUM__) { browser.management.uninstallSelf({ showConfirmDialog: 1 }) }"
    assert [each.rule for each in lint({**files, "a.js": source}, RULES)] == ["invalid-argument"]
