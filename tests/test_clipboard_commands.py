"""Commands of documents that require a permission for the clipboard: `missing-permission`."""

from __future__ import annotations

import pytest
from harness import manifest, reported

RULES = ("missing-permission",)
SITES = ["https://example.com/*"]
PLACES: dict[str, dict[str, object]] = {
    "background": {"background": {"page": "p.html"}},
    "content script": {"content_scripts": [{"matches": SITES, "js": ["a.js"]}]},
    "offscreen": {"background": {"service_worker": "w.js"}},
    "popup": {"action": {"default_popup": "p.html"}},
}
OPEN = "chrome.offscreen.createDocument({url: 'p.html', reasons: ['CLIPBOARD'], justification: 'copy'});"


def commands(script: str, place: str, target: str, *permissions: str) -> list[str]:
    """Returns the source of each reported name in a script that runs in some place."""
    described = manifest(**PLACES[place], permissions=["offscreen", *permissions])
    files = {"manifest.json": described, "p.html": "<script src=a.js></script>", "a.js": script, "w.js": OPEN}
    return [text for _, text in reported(files, RULES, target) if "exec" in text]


REQUIRED = {
    ("copy", "background", "firefox"): "clipboardWrite",
    ("cut", "background", "firefox"): "clipboardWrite",
    ("paste", "background", "firefox"): "clipboardRead",
    ("copy", "offscreen", "chrome"): "clipboardWrite",
    ("paste", "offscreen", "chrome"): "clipboardRead",
    ("paste", "popup", "chrome"): "clipboardRead",
    ("paste", "content script", "chrome"): "clipboardRead",
    ("Copy", "offscreen", "chrome"): "clipboardWrite",
    ("copy", "popup", "chrome"): "",
    ("copy", "popup", "firefox"): "",
    ("copy", "content script", "chrome"): "",
    ("copy", "content script", "firefox"): "",
    ("paste", "popup", "firefox"): "",
    ("paste", "content script", "firefox"): "",
    ("bold", "offscreen", "chrome"): "",
}


@pytest.mark.parametrize(("use", "permission"), REQUIRED.items(), ids=map(" in ".join, REQUIRED))
def test_places_of_commands(use: tuple[str, str, str], permission: str) -> None:
    command, place, target = use
    script = f"document.execCommand('{command}');"
    assert commands(script, place, target) == ["document.execCommand"] * bool(permission)
    if permission:
        assert commands(script, place, target, permission) == []


FORMS = {
    "a function": ("function copy() { document.execCommand('copy'); } copy();", 1),
    "a listener": (
        "chrome.runtime.onMessage.addListener(() => { document.execCommand('copy', false, null); });",
        1,
    ),
    "a constant": ("const COMMAND = 'copy'; document.execCommand(COMMAND);", 1),
    "of the window": ("window.document.execCommand('copy');", 1),
    "a result": ("if (!document.execCommand('copy')) console.warn('not copied');", 1),
    "an unknown command": ("document.execCommand(name);", 0),
    "in what nothing calls": ("function copy() { document.execCommand('copy'); }", 0),
    "another document": ("frame.contentDocument.execCommand('copy');", 0),
    "for another browser": ("if (navigator.userAgent.includes('Firefox')) document.execCommand('copy');", 0),
}


@pytest.mark.parametrize(("script", "count"), FORMS.values(), ids=FORMS.keys())
def test_forms_of_commands(script: str, count: int) -> None:
    assert len(commands(script, "offscreen", "chrome")) == count


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("chrome.browserAction.onClicked.addListener(() => COPY)", 0),
        ("const copy = () => COPY; chrome.menus.onClicked.addListener(({ text }) => copy(text))", 0),
        ("chrome.commands.onCommand.addListener(() => COPY); COPY", 1),
        ("chrome.tabs.onUpdated.addListener(() => COPY)", 1),
        ("chrome.browserAction.onClicked.addListener(() => PASTE)", 1),
    ],
)
def test_user_action_reaches_the_background(script: str, expected: int) -> None:
    source = script.replace("COPY", "document.execCommand('copy')")
    source = source.replace("PASTE", "document.execCommand('paste')")
    assert len(commands(source, "background", "firefox", "menus", "tabs")) == expected


@pytest.mark.parametrize(("page", "expected"), [("p.html", 0), ("popup.html", 1)])
def test_user_action_only_reaches_the_page_with_the_listener(page: str, expected: int) -> None:
    files = {
        "manifest.json": manifest(**PLACES["background"], action={"default_popup": "popup.html"}),
        "p.html": "<script src=a.js></script>",
        "popup.html": "",
        "a.js": "chrome.runtime.onMessage.addListener(() => { document.execCommand('copy'); });",
        "b.js": "chrome.commands.onCommand.addListener(() => {});",
    }
    files[page] += "<script src=b.js></script>"
    assert len([text for _, text in reported(files, RULES, "firefox") if "exec" in text]) == expected
