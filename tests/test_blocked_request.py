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


SET = f"constructor() {{ this.url = {SITE}; }}"
START = "chrome.runtime.onInstalled.addListener(() => new A().go());"
FIELDS = {
    "set by the constructor": (SET, "this.url", ""),
    "declared": (f"url = {SITE};", "this.url", ""),
    "declared and set": (f"url = {SITE}; {SET}", "this.url", ""),
    "private": (f"#url = {SITE};", "this.#url", ""),
    "the start of a template": ("url = 'https://api.example.com';", "`${this.url}/a`", ""),
    "the start of a longer template": (f"url = {SITE};", "`${this.url}?id=${x()}`", ""),
    "the start of a sum": ("url = 'https://api.example.com';", "this.url + '/a'", ""),
    "the field of another class": (SET, "this.url", "class B { constructor() { this.url = x(); } }"),
}
"""Fields of a class that are known, the address with them, and other code."""


@pytest.mark.parametrize(("field", "address", "other"), FIELDS.values(), ids=FIELDS.keys())
def test_request_to_a_field_is_reported(field: str, address: str, other: str) -> None:
    script = f"class A {{ {field} go() {{ return fetch({address}); }} }} {START} {other}"
    assert addresses(script) == [address]


UNKNOWN_FIELDS = {
    "set later": (SET, "this.url", "set(url) { this.url = url; }", ""),
    "set to an unknown value": ("constructor(url) { this.url = url; }", "this.url", "", ""),
    "set on one way": ("constructor(url) { if (url) this.url = url; }", "this.url", "", ""),
    "set from elsewhere": (SET, "this.url", "", "const a = new A(); a.url = x();"),
    "set by a subclass": (SET, "this.url", "", "class B extends A { constructor() { super(); } }"),
    "set by name": (SET, "this.url", "set(name, value) { this[name] = value; }", ""),
    "set by unknown names": (SET, "this.url", "", "Object.assign(new A(), x());"),
    "set to another host, too": (SET, "this.url", "set() { this.url = 'https://b.example/'; }", ""),
    "never set": ("", "this.url", "", ""),
    "static": (f"static url = {SITE};", "this.url", "", ""),
    "the start of a host": ("url = 'https://api.';", "this.url + x()", "", ""),
    "the start of a longer host": ("url = 'https://api';", "`${this.url}.${x()}`", "", ""),
    "after another text": (f"url = {SITE};", "`${x()}${this.url}`", "", ""),
}
"""Fields that are not known, the address, other members of the class, and other code."""


@pytest.mark.parametrize(
    ("field", "address", "member", "other"), UNKNOWN_FIELDS.values(), ids=UNKNOWN_FIELDS.keys()
)
def test_request_to_an_unknown_field_is_not_reported(
    field: str, address: str, member: str, other: str
) -> None:
    script = f"class A {{ {field} {member} go() {{ return fetch({address}); }} }} {START} {other}"
    assert addresses(script) == []


def test_field_may_be_set_in_another_script() -> None:
    background = {"scripts": ["a.js", "b.js"]}
    script = f"class A {{ {SET} go() {{ return fetch(this.url); }} }} const a = new A(); a.go();"
    keys = {"background": background, "content_security_policy": {"extension_pages": OWN}}
    for other, expected in (("x(a.name);", 1), ("a.url = x();", 0), ("a['url'] = x();", 0)):
        files = {"manifest.json": manifest(**keys), "a.js": script, "b.js": other}
        assert len(reported(files, RULES, "firefox")) == expected


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
