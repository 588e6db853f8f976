"""Callbacks of calls that always fail: their code is not reported if the failure is handled."""

from __future__ import annotations

import pytest
from harness import manifest, reported

USE = "chrome.tabs.executeScript({ code: '1' })"


def found(script: str) -> list[str]:
    """Returns the members that a content script uses but that do not exist there."""
    content = [{"matches": ["https://*/*"], "js": ["a.js"]}]
    files = {"manifest.json": manifest(manifest_version=2, content_scripts=content), "a.js": script}
    return [text for _, text in reported(files, ["wrong-context"], "firefox")]


HANDLED = {
    "a callback": f"try {{ chrome.tabs.getCurrent((tab) => {USE}) }} catch (e) {{ log(e) }}",
    "a function": f"try {{ chrome.tabs.getCurrent(function () {{ {USE} }}) }} catch (e) {{ throw e }}",
    "a listener": f"try {{ chrome.tabs.onUpdated.addListener(() => {{ {USE} }}) }} catch {{}}",
    "one inside another": (
        f"try {{ chrome.tabs.getCurrent(() => setTimeout(() => {{ {USE} }})) }} catch (e) {{ log(e) }}"
    ),
}


@pytest.mark.parametrize("script", HANDLED.values(), ids=HANDLED.keys())
def test_callback_of_handled_failing_call_never_runs(script: str) -> None:
    assert found(script) == []


def test_callback_of_failing_call_is_not_reported_with_it() -> None:
    assert found(f"chrome.tabs.getCurrent((tab) => {USE})") == ["chrome.tabs.getCurrent"]


OTHERS = {
    "of a call that works": f"try {{ chrome.runtime.sendMessage(1, (a) => {USE}) }} catch (e) {{ log(e) }}",
    "of another function": f"try {{ later((tab) => {USE}) }} catch (e) {{ log(e) }}",
}


@pytest.mark.parametrize("script", OTHERS.values(), ids=OTHERS.keys())
def test_other_callback_may_run(script: str) -> None:
    assert "chrome.tabs.executeScript" in found(script)
