"""Alarms and timers that Chrome does not run as written: `short-alarm`, `long-timer`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

from extlint.finding import Severity

WORKER = {"background": {"service_worker": "b.js"}, "permissions": ["alarms"]}


def short_alarms(script: str, target: str = "chrome", **keys: object) -> list[str]:
    """Returns the source text of each alarm value that is too short."""
    files = {"manifest.json": manifest(**WORKER, **keys), "b.js": script}
    return [text for _, text in reported(files, ["short-alarm"], target)]


@pytest.mark.parametrize(
    ("info", "expected"),
    [
        ("{ periodInMinutes: 0.1 }", ["0.1"]),
        ("{ periodInMinutes: 24 / 60 }", ["24 / 60"]),
        ("{ delayInMinutes: 0, periodInMinutes: 0.2 }", ["0", "0.2"]),
        ("{ delayInMinutes: 1 / 60, periodInMinutes: 5 }", ["1 / 60"]),
        ("{ periodInMinutes: x ? 0.1 : 0.2 }", ["x ? 0.1 : 0.2"]),
        ("{ periodInMinutes: x ? 0.1 : 1 }", []),
        ("{ periodInMinutes: 0.5 }", []),
        ("{ periodInMinutes: x }", []),
        ("{ when: Date.now() + 1000 }", []),
        ("x", []),
    ],
)
def test_short_alarm_is_reported_at_its_value(info: str, expected: list[str]) -> None:
    assert short_alarms(f"chrome.alarms.create('a', {info})") == expected
    assert short_alarms(f"chrome.alarms.create({info})") == expected


@pytest.mark.parametrize(
    ("target", "keys", "is_reported"),
    [
        ("chrome", {}, False),
        ("chrome", {"minimum_chrome_version": "120"}, False),
        ("chrome", {"minimum_chrome_version": "119"}, True),
        ("chrome>=120", {}, False),
        ("chrome>=110", {}, True),
        ("edge>=110", {}, True),
        ("firefox", {}, False),
        ("safari", {}, False),
    ],
)
def test_shortest_alarm_depends_on_the_browser_version(
    target: str, keys: dict[str, object], is_reported: bool
) -> None:
    assert bool(short_alarms("chrome.alarms.create({ periodInMinutes: 0.6 })", target, **keys)) == is_reported


def test_short_alarm_message_for_manifest_v2() -> None:
    keys = {"manifest_version": 2, "background": {"scripts": ["b.js"]}, "permissions": ["alarms"]}
    files = {"manifest.json": manifest(**keys), "b.js": "chrome.alarms.create({ periodInMinutes: 0.6 })"}
    (found,) = lint(files, ["short-alarm"], "chrome<=138")
    assert found.message == (
        "`periodInMinutes` is less than one minute: "
        "in a packed extension the alarm goes off again after one minute"
    )
    assert found.help == "use at least 1; for less, use `setTimeout` while the background runs"


@pytest.mark.parametrize(
    ("minutes", "more"), [("0.6", ""), ("1 / 3", ", and after 30 seconds in newer ones")]
)
def test_short_alarm_message_names_the_versions_with_longer_alarms(minutes: str, more: str) -> None:
    script = f"chrome.alarms.create({{ periodInMinutes: {minutes} }})"
    (found,) = lint({"manifest.json": manifest(**WORKER), "b.js": script}, ["short-alarm"], "chrome>=114")
    end = f"the alarm goes off again after one minute in versions before Chrome 120{more}"
    assert found.message.endswith(end)


@pytest.mark.parametrize(
    "script",
    [
        "if (navigator.userAgent.includes('Firefox')) chrome.alarms.create({ periodInMinutes: 0.1 })",
        "if (__DEV_ALARMS__) chrome.alarms.create({ periodInMinutes: 0.1 })",
        "const alarms = { create() {} }; alarms.create({ periodInMinutes: 0.1 })",
    ],
)
def test_alarm_for_another_browser_or_build_is_not_reported(script: str) -> None:
    assert short_alarms(script) == []


def long_timers(script: str, target: str = "chrome", **keys: object) -> list[str]:
    """Returns the source text of each timer that is too long."""
    files = {
        "manifest.json": manifest(**{**WORKER, **keys}),
        "b.js": script,
        "b.html": "<script src=b.js></script>",
    }
    return [text for _, text in reported(files, ["long-timer"], target)]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("setTimeout(f, 60000)", ["setTimeout"]),
        ("setInterval(() => f(), 5 * 60 * 1000)", ["setInterval"]),
        ("self.setTimeout(f, 1e5)", ["self.setTimeout"]),
        ("chrome.tabs.onCreated.addListener(() => { setTimeout(f, 30000) })", ["setTimeout"]),
        ("setTimeout(f, 29999)", []),
        ("setTimeout(f, time)", []),
        ("setTimeout(f, x ? 100 : 60000)", []),
        ("setTimeout(f)", []),
        ("function g() { setTimeout(f, 60000) }", []),
        ("setTimeout(() => controller.abort(), 60000)", []),
        ("setTimeout(() => port.disconnect(), 250e3)", []),
        ("new Promise((resolve, reject) => setTimeout(() => reject(1), 60000))", []),
        ("Promise.race([f(), new Promise((r) => setTimeout(r, 60000))])", []),
        ("await Promise . race( [\n f(a[0]), new Promise(r => setTimeout(r, 60000)) ] )", []),
        ("Promise.race([f(), g()]); setTimeout(f, 60000)", ["setTimeout"]),
        ("Promise.all([f(), new Promise((r) => setTimeout(r, 60000))])", ["setTimeout"]),
        ("const setTimeout = f; setTimeout(f, 60000)", []),
        ("self.setTimeout = f; setTimeout(f, 60000)", []),
        ("if (typeof window !== 'undefined') setTimeout(f, 60000)", []),
        ("chrome.scripting.executeScript({ target: t, func: () => { setTimeout(f, 60000) } })", []),
    ],
)
def test_long_timer_in_a_service_worker_is_reported(script: str, expected: list[str]) -> None:
    assert long_timers(script) == expected


BEAT = "chrome.storage.local.set({ a: Date.now() })"


@pytest.mark.parametrize(
    ("others", "is_reported"),
    [
        (f"setInterval(() => {BEAT}, 20000)", False),
        ("setInterval(beat, 15 * 1000)", False),
        (f"function start() {{ setInterval(() => {{ {BEAT} }}, 29000) }} start()", False),
        (f"function beat() {{ {BEAT}; setTimeout(beat, 20000) }} beat()", False),
        (f"const beat = async () => {{ {BEAT}; setTimeout(() => beat(), 20000) }}; beat()", False),
        ("chrome.runtime.connectNative('a')", False),
        (f"setTimeout(() => {BEAT}, 20000); setTimeout(() => {BEAT}, 40000)", False),
        (f"setTimeout(() => {BEAT}, 20000)", True),
        (f"setInterval(() => {BEAT}, 45000)", True),
        (f"function beat() {{ {BEAT}; setTimeout(stop, 20000) }} beat()", True),
        ("setInterval(() => { count++ }, 1000)", True),
        ("setInterval(() => console.log('alive'), 20000)", True),
        ("setInterval(function () { if (x) { y = 1 } }, 20000)", True),
    ],
)
def test_timer_in_a_worker_kept_alive_is_not_reported(others: str, is_reported: bool) -> None:
    assert ("setTimeout" in long_timers(f"{others}; setTimeout(f, 60000)")) == is_reported


def test_timers_keep_each_other_alive_up_to_a_gap() -> None:
    times = (20, 45, 90)
    script = "".join(f"setTimeout(() => {BEAT}, {each} * 1000);" for each in times)
    assert long_timers(script) == ["setTimeout"]


def test_script_shared_with_a_page_keeps_the_worker_alive() -> None:
    files = {
        "manifest.json": manifest(
            background={"service_worker": "b.js", "type": "module"}, options_ui={"page": "o.html"}
        ),
        "b.js": "import { start } from './shared.js'; start(); setTimeout(f, 60000)",
        "o.html": "<script type=module src=shared.js></script>",
        "shared.js": f"export function start() {{ setInterval(() => {BEAT}, 20000) }}",
    }
    assert reported(files, ["long-timer"], "chrome") == []
    files["shared.js"] = "export function start() {}"
    assert len(reported(files, ["long-timer"], "chrome")) == 1


def test_timer_outside_a_chrome_service_worker_is_not_reported() -> None:
    assert long_timers("setTimeout(f, 60000)", options_ui={"page": "b.html"}) == []
    assert long_timers("setTimeout(f, 60000)", background={}, options_ui={"page": "b.html"}) == []
    assert long_timers("setTimeout(f, 60000)", "firefox", background={"scripts": ["b.js"]}) == []
    assert long_timers("setTimeout(f, 60000)", "reference") == []


def test_long_timer_is_an_info_finding() -> None:
    files = {"manifest.json": manifest(**WORKER), "b.js": "setTimeout(f, 60000)"}
    (found,) = lint(files, ["long-timer"], "chrome")
    assert found.severity is Severity.INFO
    assert found.message == (
        "`setTimeout` is given 60 seconds, and Chrome ends a service worker after 30 seconds without events: "
        "use `alarms`"
    )
