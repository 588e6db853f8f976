"""Fields that scripts read from ports, which functions return directly and events pass."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

_ON_CONNECT = "browser.runtime.onConnect.addListener((port) => { READ });"
_CONNECT = "const port = browser.runtime.connect(); READ"
_OF_TAB = "const port = browser.tabs.connect(1); READ"


def package(source: str) -> dict[str, str]:
    return {
        "manifest.json": manifest(background={"scripts": ["b.js"]}, permissions=["tabs"]),
        "b.js": source,
    }


def found(source: str, target: str) -> list[str]:
    """Returns the fields that are reported as missing."""
    return [text for _, text in reported(package(source), ["unknown-result-field"], target)]


MISSING = {
    "a method": ("port.postMesage(1)", "postMesage"),
    "an event": ("port.onMesage.addListener(f)", "onMesage"),
    "a field": ("send(port.nam)", "nam"),
    "a field of the sender": ("send(port.sender.tabb)", "tabb"),
    "a field of the sender's tab": ("send(port.sender.tab.idd)", "idd"),
    "a part": ("const { disconect } = port", "disconect"),
    "a name unlike any member": ("send(port.queue)", "queue"),
    "a function of `runtime`": ("port.sendMessage(1)", "sendMessage"),
}


@pytest.mark.parametrize("target", ["chrome", "firefox"])
@pytest.mark.parametrize("way", [_ON_CONNECT, _CONNECT, _OF_TAB], ids=["passed", "connect", "to a tab"])
@pytest.mark.parametrize(("read", "name"), MISSING.values(), ids=MISSING.keys())
def test_missing_port_field_is_reported(read: str, name: str, way: str, target: str) -> None:
    assert found(way.replace("READ", read), target) == [name]


EXISTING = {
    "methods": "port.postMessage(1); port.disconnect()",
    "events": "port.onMessage.addListener(f); port.onDisconnect.addListener(f)",
    "fields": "send(port.name, port.sender.tab.id, port.sender.frameId, port.sender?.url)",
    "Firefox's error": "if (port.error) send(port.error.message)",
    "a field that is set": "port.names = []; send(port.names)",
    "inherited object methods": "send(port.toString(), port.hasOwnProperty('a'))",
}


@pytest.mark.parametrize("target", ["chrome", "firefox", "chrome,firefox"])
@pytest.mark.parametrize("way", [_ON_CONNECT, _CONNECT, _OF_TAB], ids=["passed", "connect", "to a tab"])
@pytest.mark.parametrize("read", EXISTING.values(), ids=EXISTING.keys())
def test_existing_or_added_port_field_is_accepted(read: str, way: str, target: str) -> None:
    assert found(way.replace("READ", read), target) == []


CHROME_PORT = "it has `name`, `sender`, `disconnect`, `postMessage`, `onDisconnect` and `onMessage`"
FIREFOX_PORT = "it has `disconnect`, `error`, `name`, `onDisconnect`, `onMessage`, `postMessage` and `sender`"


@pytest.mark.parametrize(
    ("target", "source", "expected"),
    [
        pytest.param(
            "chrome",
            "browser.runtime.connect().sendMessage({});",
            [f"`sendMessage`; {CHROME_PORT}"],
            id="it is called",
        ),
        pytest.param(
            "firefox",
            "browser.runtime.onConnect.addListener(port => port.sendMessage({}));",
            [f"`sendMessage`; {FIREFOX_PORT}"],
            id="one that is passed",
        ),
        pytest.param(
            "firefox",
            "browser.runtime.onConnect.addListener(port => port.error);",
            [],
            id="Firefox",
        ),
        pytest.param(
            "safari",
            "browser.runtime.onConnect.addListener(port => port.error);",
            [],
            id="Safari",
        ),
        pytest.param("safari", "browser.runtime.connect().sendMessage({});", [], id="no data for Safari"),
        pytest.param(
            "chrome",
            "browser.runtime.onConnect.addListener(port => { port.when = 1; port.when; });",
            [],
            id="the package sets it",
        ),
        pytest.param(
            "chrome",
            "const port = browser.runtime.connect(); port.postMessage({}); port.disconnect();",
            [],
            id="existing members",
        ),
    ],
)
def test_message_lists_the_fields_of_a_port(target: str, source: str, expected: list[str]) -> None:
    missing = lint(package(source), ["unknown-result-field"], target)
    assert [each.message.partition("has no field ")[2] for each in missing] == expected
