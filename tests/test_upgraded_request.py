"""Requests over HTTP that Firefox makes over HTTPS: `upgraded-request`."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from harness import lint, manifest, reported

RULES = ("upgraded-request",)
Keys = Mapping[str, object]
SCRIPTS = {"background": {"scripts": ["b.js"]}}
DEVICE = "'http://192.168.1.20/on'"


def addresses(script: str, target: str = "firefox", keys: Keys = SCRIPTS, **files: str) -> list[str]:
    """Returns the source of each reported address."""
    files = {"manifest.json": manifest(**keys), "b.js": script, **files}
    return [text for _, text in reported(files, RULES, target)]


UPGRADED = {
    "at once": f"fetch({DEVICE});",
    "in a listener": f"browser.runtime.onMessage.addListener(async () => {{ await fetch({DEVICE}); }});",
    "in a function": f"const load = async (x) => {{ const a = await fetch({DEVICE}); }}; load();",
    "with options": f"fetch({DEVICE}, {{ method: 'POST' }});",
    "of the global object": f"globalThis.fetch({DEVICE});",
    "in a try": f"(async () => {{ try {{ await fetch({DEVICE}); }} catch (error) {{ show(error); }} }})();",
    "with catch": f"fetch({DEVICE}).catch(() => null);",
    "of events": f"new EventSource({DEVICE});",
    "of a socket": "new WebSocket('ws://nas.local:8080/live');",
    "in a constant": f"const URL = {DEVICE}; fetch(URL);",
    "with a port": "fetch('http://intranet:8096/a');",
    "of a site": "fetch('http://api.example.com');",
    "in capitals": "fetch('HTTP://api.example.com/a http://');",
}


@pytest.mark.parametrize("script", UPGRADED.values(), ids=UPGRADED.keys())
def test_insecure_address_is_reported(script: str) -> None:
    assert len(addresses(script)) == 1


STARTS = {
    "a sum": '"http://10.0.0.5:8096/api/" + id',
    "a template": "`http://nas.local/${id}?q`",
}


@pytest.mark.parametrize("address", STARTS.values(), ids=STARTS.keys())
def test_address_that_begins_with_an_insecure_one_is_reported(address: str) -> None:
    assert addresses(f"function load(id) {{ return fetch({address}); }} load(x());") == [address]


KEPT = {
    "secure": "fetch('https://192.168.1.20/on'); f('http://');",
    "the own computer": "fetch('http://localhost:3000/a');",
    "the own address": "fetch('http://127.0.0.1:3000/a');",
    "the own address in version 6": "fetch('http://[::1]:3000/a');",
    "a name below localhost": "fetch('http://app.localhost/a');",
    "an unknown address": "fetch(address('http://a.example/'));",
    "an unknown host": "fetch('http://' + host);",
    "a host that is not complete": "fetch('http://192.168.1.' + number);",
    "another function": f"const fetch = load; fetch({DEVICE});",
    "a method": f"client.fetch({DEVICE});",
    "in what nothing calls": f"function load() {{ fetch({DEVICE}); }}",
    "for another browser": f"if (navigator.userAgent.includes('Chrome')) fetch({DEVICE});",
}


@pytest.mark.parametrize("script", KEPT.values(), ids=KEPT.keys())
def test_other_address_is_not_reported(script: str) -> None:
    assert addresses(script) == []


@pytest.mark.parametrize(
    ("target", "keys", "expected"),
    [
        ("firefox", {**SCRIPTS, "manifest_version": 2}, 0),
        ("chrome", {"background": {"service_worker": "b.js"}}, 0),
        ("reference", SCRIPTS, 0),
        ("firefox", {"content_scripts": [{"matches": ["http://a/*"], "js": ["b.js"]}]}, 0),
        ("firefox", {**SCRIPTS, "content_scripts": [{"matches": ["http://a/*"], "js": ["b.js"]}]}, 0),
        ("firefox,chrome", {"background": {"service_worker": "b.js", "scripts": ["b.js"]}}, 1),
    ],
)
def test_browsers_and_contexts(target: str, keys: Keys, expected: int) -> None:
    assert len(addresses(f"fetch({DEVICE});", target, keys)) == expected


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("script-src 'self'", 0),
        ("script-src 'self'; upgrade-insecure-requests;", 1),
        (None, 0),
    ],
)
def test_policies(policy: str | None, expected: int) -> None:
    keys = {**SCRIPTS, "content_security_policy": {"extension_pages": policy}}
    assert len(addresses(f"fetch({DEVICE});", keys=keys)) == expected


def test_page_of_the_extension() -> None:
    files = {"p.html": "<script src=p.js></script>", "p.js": f"fetch({DEVICE});"}
    assert addresses("", keys={**SCRIPTS, "options_ui": {"page": "p.html"}}, **files) == [DEVICE]


def test_message_names_the_policy() -> None:
    (finding,) = lint({"manifest.json": manifest(**SCRIPTS), "b.js": f"fetch({DEVICE});"}, RULES, "firefox")
    assert finding.message == (
        "Firefox requests `http://192.168.1.20` with `https:`: "
        "its default policy for Manifest V3 has `upgrade-insecure-requests`"
    )
