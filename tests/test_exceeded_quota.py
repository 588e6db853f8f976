"""Timers that exceed a quota of Chrome: `exceeded-quota`."""

from __future__ import annotations

import pytest
from harness import lint, manifest

RULES = ("exceeded-quota",)
WRITE = "chrome.storage.sync.set({ a: Date.now() });"
PICTURE = "chrome.tabs.captureVisibleTab(use);"


def messages(script: str, target: str = "chrome") -> list[str]:
    """Returns the messages about a script of a popup."""
    described = manifest(
        action={"default_popup": "p.html"}, permissions=["storage"], host_permissions=["<all_urls>"]
    )
    files = {"manifest.json": described, "p.html": "<script src=p.js></script>", "p.js": script}
    return [each.message for each in lint(files, RULES, target)]


OFTEN = {
    "a second": (f"setInterval(() => {{ {WRITE} }}, 1000);", "1 seconds"),
    "a constant": (f"const TIME = 500; setInterval(() => {{ {WRITE} }}, TIME);", "0.5 seconds"),
    "a product": (f"setInterval(() => {{ {WRITE} }}, 1.5 * 1000);", "1.5 seconds"),
    "async": (f"setInterval(async () => {{ await load(); await {WRITE} }}, 1000);", "1 seconds"),
    "a function": (f"function save() {{ {WRITE} }} setInterval(save, 1000);", "1 seconds"),
    "a function expression": (f"setInterval(function () {{ {WRITE} }}, 1000);", "1 seconds"),
    "of the window": (f"window.setInterval(() => {{ {WRITE} }}, 1000);", "1 seconds"),
    "in a function": (
        f"function start() {{ setInterval(() => {{ {WRITE} }}, 1000); }} start();",
        "1 seconds",
    ),
    "an alias": (
        "const area = chrome.storage.sync; setInterval(() => area.set({ a: n++ }), 1000);",
        "1 seconds",
    ),
    "removal": ("setInterval(() => chrome.storage.sync.remove('a'), 1000);", "1 seconds"),
    "pictures": (f"setInterval(() => {{ {PICTURE} }}, 250);", "0.25 seconds"),
}
SELDOM = {
    "two seconds": f"setInterval(() => {{ {WRITE} }}, 2000);",
    "an unknown time": f"setInterval(() => {{ {WRITE} }}, time);",
    "a condition": f"setInterval(() => {{ if (changed) {WRITE} }}, 1000);",
    "an early return": f"setInterval(() => {{ if (!changed) return; {WRITE} }}, 1000);",
    "an end": f"const t = setInterval(() => {{ {WRITE} }}, 1000); clearInterval(t);",
    "another area": f"setInterval(() => {{ {WRITE.replace('sync', 'local')} }}, 1000);",
    "once": f"setTimeout(() => {{ {WRITE} }}, 1000);",
    "a listener in it": f"setInterval(() => {{ button.onclick = () => {{ {WRITE} }}; }}, 1000);",
    "beside it": f"setInterval(() => {{ tick(); }}, 1000); {WRITE}",
    "in what nothing calls": f"function start() {{ setInterval(() => {{ {WRITE} }}, 1000); }}",
    "pictures": f"setInterval(() => {{ {PICTURE} }}, 500);",
}


@pytest.mark.parametrize(("script", "time"), OFTEN.values(), ids=OFTEN.keys())
def test_frequent_call_is_reported(script: str, time: str) -> None:
    (message,) = messages(script)
    assert f" runs every {time}, and Chrome allows " in message
    assert messages(script, "firefox") == []


@pytest.mark.parametrize("script", SELDOM.values(), ids=SELDOM.keys())
def test_other_call_is_not_reported(script: str) -> None:
    assert messages(script) == []
