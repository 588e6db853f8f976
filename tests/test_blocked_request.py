"""Requests that the policy of the manifest blocks: `blocked-request`."""

from __future__ import annotations

import pytest
from harness import manifest, reported
from test_upgraded_request import KEPT, STARTS, UPGRADED

RULES = ("blocked-request",)
OWN = "default-src 'self'"
SITE = "'https://api.example.com/a'"


def addresses(script: str, policy: str | None = OWN, target: str = "chrome", **keys: object) -> list[str]:
    """Returns the source of each reported address in the background of an extension with a policy."""
    background = {"service_worker": "b.js"} if target == "chrome" else {"scripts": ["b.js"]}
    described: dict[str, object] = {"background": background}
    if policy is not None:
        described["content_security_policy"] = {"extension_pages": policy}
    files = {"manifest.json": manifest(**{**described, **keys}), "b.js": script}
    return [text for _, text in reported(files, RULES, target)]


@pytest.mark.parametrize("target", ["chrome", "firefox"])
@pytest.mark.parametrize("script", UPGRADED.values(), ids=UPGRADED.keys())
def test_request_to_another_host_is_reported(script: str, target: str) -> None:
    assert len(addresses(script, target=target)) == 1
    assert addresses(script, None, target) == []


@pytest.mark.parametrize("address", STARTS.values(), ids=STARTS.keys())
def test_address_that_begins_with_another_host_is_reported(address: str) -> None:
    assert addresses(f"function load(id) {{ return fetch({address}); }} load(x());") == [address]


OTHERS = {
    **{name: each for name, each in KEPT.items() if name not in {"secure", "for another browser"}},
    "a file of the package": "fetch('/words.json'); fetch(chrome.runtime.getURL('https://'));",
    "data": "fetch('data:text/plain,https://a.example/');",
    "for another browser": f"if (navigator.userAgent.includes('Firefox')) fetch({SITE});",
}


@pytest.mark.parametrize("script", OTHERS.values(), ids=OTHERS.keys())
def test_request_that_is_not_certainly_blocked_is_not_reported(script: str) -> None:
    assert addresses(script) == []


POLICIES = {
    "default-src 'self'": True,
    "default-src 'none'; script-src 'self'": True,
    "connect-src 'self'": True,
    "connect-src": True,
    "connect-src https://example.com": True,
    "connect-src https://other.example.com; default-src *": True,
    "connect-src https://*.api.example.com": True,
    "connect-src data: blob:": True,
    "CONNECT-SRC 'self'": True,
    "script-src 'self'": False,
    "script-src 'self'; object-src 'none'; img-src 'self'": False,
    "connect-src *": False,
    "connect-src https:": False,
    "connect-src https://*": False,
    "connect-src https://*.example.com": False,
    "connect-src https://API.example.com/b": False,
    "connect-src api.example.com:8080": False,
    "default-src 'none'; connect-src https://api.example.com": False,
    "default-src https://api.example.com": False,
    "default-src 'self'; connect-src wss:": False,
}


@pytest.mark.parametrize(("policy", "blocks"), POLICIES.items(), ids=POLICIES.keys())
def test_sources_of_the_policy_decide(policy: str, blocks: bool) -> None:
    policy += "" if "script-src" in policy else "; script-src 'self'"
    policy += "" if "object-src" in policy else "; object-src 'self'"
    assert addresses(f"fetch({SITE});", policy) == [SITE] * blocks
    found = addresses(f"fetch({SITE});", target="firefox", manifest_version=2, content_security_policy=policy)
    assert found == [SITE] * blocks


def test_policy_that_a_browser_refuses_does_not_count() -> None:
    assert addresses(f"fetch({SITE});", "connect-src 'self'", "firefox") == []
    assert addresses(f"fetch({SITE});", "default-src 'self' https://cdn.example.com", "firefox") == []


def test_policy_does_not_apply_to_content_scripts() -> None:
    scripts = [{"matches": ["https://example.com/*"], "js": ["b.js"]}]
    assert addresses(f"fetch({SITE});", content_scripts=scripts) == []
    assert addresses(f"fetch({SITE});", background={}, content_scripts=scripts) == []


def test_message_names_the_directive_and_the_host() -> None:
    from harness import lint

    described = manifest(
        background={"service_worker": "b.js"}, content_security_policy={"extension_pages": OWN}
    )
    (found,) = lint({"manifest.json": described, "b.js": f"fetch({SITE});"}, RULES, "chrome")
    expected = "`default-src` in the policy of manifest.json blocks requests to `https://api.example.com`"
    assert found.message == expected
    assert found.help == "add `https://api.example.com` to `connect-src`"
