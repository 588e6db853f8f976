"""Messages about rejected values of JSON files, which name the accepted values."""

from __future__ import annotations

import json
from typing import Any

import pytest
from harness import lint

from extlint.finding import Finding, Severity

REQUIRED = {"manifest_version": 3, "name": "A", "version": "1"}
SCRIPT = {"matches": ["https://example.org/*"], "js": ["a.js"]}


def manifest_findings(keys: dict[str, Any], target: str, *without: str) -> list[Finding]:
    """Returns the findings about a manifest with these keys, except those about files."""
    manifest = {key: each for key, each in {**REQUIRED, **keys}.items() if key not in without}
    rules = ["invalid-value", "unknown-key", "missing-key", "unknown-permission", "conflicting-keys"]
    return lint({"manifest.json": json.dumps(manifest), "a.js": "", "a.html": ""}, rules, target)


VALUES: dict[str, tuple[str, dict[str, Any], str, str | None]] = {
    "one of few": (
        "chrome",
        {"incognito": "never"},
        "`incognito` cannot be `never`; it can be `not_allowed`, `spanning` or `split`",
        None,
    ),
    "one of few, by a part of it": (
        "chrome",
        {"content_scripts": [{**SCRIPT, "run_at": "end"}]},
        "`run_at` cannot be `end`; it can be `document_start`, `document_end` or `document_idle`",
        None,
    ),
    "one of few, misremembered": (
        "firefox",
        {"theme": {"properties": {"additional_backgrounds_alignment": ["top right"]}}},
        "an item of `additional_backgrounds_alignment` cannot be `top right`; did you mean `right top`?",
        None,
    ),
    "one of few, like none": (
        "firefox",
        {"theme": {"properties": {"additional_backgrounds_alignment": ["middle"]}}},
        "an item of `additional_backgrounds_alignment` cannot be `middle`; it can be `bottom`, `center`, "
        "`left`, `right`, `top`, `center bottom`, `center center`, `center top`, `left bottom`, "
        "`left center`, `left top`, `right bottom`, `right center` or `right top`",
        None,
    ),
    "one of many, or of a form": (
        "firefox",
        {"protocol_handlers": [{"name": "A", "protocol": "foo", "uriTemplate": "https://example.org/%s"}]},
        "`protocol` cannot be `foo`; it can be `bitcoin`, `dat`, `dweb`, `ftp`, `geo`, `gopher`, `im`, "
        "`ipfs`, 19 others or a scheme that begins with `ext+` or `web+`, such as `web+notes`",
        None,
    ),
    "a format": (
        "chrome",
        {"content_scripts": [{**SCRIPT, "matches": ["foo"]}]},
        "`foo` is not a valid match pattern: it must begin with a scheme such as `https://`, or with "
        "`*://` for http and https",
        "a valid match pattern is `https://*.example.org/*`",
    ),
    "a format, nearly right": (
        "chrome",
        {"content_scripts": [{**SCRIPT, "matches": ["htp://example.org/*"]}]},
        "`htp://example.org/*` is not a valid match pattern: the scheme `htp` is not allowed here; did you "
        "mean `http://example.org/*`?",
        None,
    ),
    "another format": (
        "chrome",
        {"version": "one"},
        "`one` is not a valid version: `one` is not a number",
        "a valid version is `1.2.3`",
    ),
    "a number in quotes": (
        "chrome",
        {"manifest_version": 3, "offline_enabled": "true"},
        "`offline_enabled` must be true or false, not a string; did you mean `true`?",
        None,
    ),
    "a key of few": (
        "chrome",
        {"action": {"frob": "a.html"}},
        "unknown key `frob` in `action`; the known keys are `default_icon`, `default_popup`, "
        "`default_state` and `default_title`",
        None,
    ),
    "a key by a part of it": (
        "chrome",
        {"action": {"popup": "a.html"}},
        "unknown key `popup` in `action`; did you mean `default_popup`?",
        None,
    ),
    "a key that is there already": (
        "chrome",
        {"action": {"popup": "a.html", "default_popup": "a.html"}},
        "unknown key `popup` in `action`; the known keys are `default_icon`, `default_popup`, "
        "`default_state` and `default_title`",
        None,
    ),
    "a key of many": (
        "chrome",
        {"frobnicate": 1},
        "unknown key `frobnicate` in the manifest",
        None,
    ),
    "a permission": (
        "chrome",
        {"permissions": ["localStorage"]},
        "unknown permission `localStorage`; did you mean `storage`?",
        None,
    ),
    "a permission that is like none": (
        "chrome",
        {"permissions": ["frobnicate"]},
        "unknown permission `frobnicate`",
        None,
    ),
}


@pytest.mark.parametrize(("target", "keys", "message", "help"), VALUES.values(), ids=VALUES)
def test_message_names_the_accepted_values(
    target: str, keys: dict[str, Any], message: str, help: str | None
) -> None:
    (finding,) = manifest_findings(keys, target)
    assert (finding.message, finding.help) == (message, help)


@pytest.mark.parametrize("target", ["reference", "chrome", "firefox", "firefox,chrome"])
def test_misspelled_required_key_is_one_error(target: str) -> None:
    (finding,) = manifest_findings({"nam": "A"}, target, "name")
    assert finding.rule == "unknown-key"
    assert finding.message == "unknown key `nam` in the manifest; did you mean `name`?"
    assert finding.help == "`name` is required"
    assert finding.severity is Severity.ERROR


OTHER_KEYS: dict[str, tuple[dict[str, Any], tuple[str, ...], list[str]]] = {
    "a key that is like none": ({"frobnicate": "A"}, ("name",), ["missing-key", "unknown-key"]),
    "a comment": ({"_name": "A"}, ("name",), ["missing-key", "unknown-key"]),
    "nothing instead": ({}, ("name",), ["missing-key"]),
    "a misspelled key that is not required": ({"permisions": []}, (), ["unknown-key"]),
    "both are there": ({"nam": "A"}, (), ["unknown-key"]),
    "nothing is wrong": ({}, (), []),
}


@pytest.mark.parametrize(("keys", "without", "rules"), OTHER_KEYS.values(), ids=OTHER_KEYS)
def test_other_keys_are_reported_separately(
    keys: dict[str, Any], without: tuple[str, ...], rules: list[str]
) -> None:
    assert sorted(each.rule for each in manifest_findings(keys, "chrome", *without)) == rules


def rule_findings(rule: dict[str, Any], target: str) -> list[tuple[str, str | None]]:
    """Returns the messages and help texts about a declarativeNetRequest rule."""
    resources = [{"id": "a", "enabled": True, "path": "rules.json"}]
    keys = {
        "declarative_net_request": {"rule_resources": resources},
        "permissions": ["declarativeNetRequest"],
    }
    full = {"id": 1, "priority": 1, "action": {"type": "block"}, "condition": {"urlFilter": "a"}, **rule}
    files = {"manifest.json": json.dumps({**REQUIRED, **keys}), "rules.json": json.dumps([full])}
    rules = ["invalid-value", "unknown-key", "missing-key"]
    return [(each.message, each.help) for each in lint(files, rules, target)]


RULES: dict[str, tuple[str, dict[str, Any], tuple[str, str | None]]] = {
    "a type of resource": (
        "chrome",
        {"condition": {"resourceTypes": ["xhr"]}},
        ("an item of `resourceTypes` cannot be `xhr`; did you mean `xmlhttprequest`?", None),
    ),
    "a type of resource like none": (
        "chrome",
        {"condition": {"resourceTypes": ["frob"]}},
        (
            "an item of `resourceTypes` cannot be `frob`; it can be `main_frame`, `sub_frame`, "
            "`stylesheet`, `script`, `image`, `font`, `object`, `xmlhttprequest`, `ping`, `csp_report`, "
            "`media`, `websocket`, `webtransport`, `webbundle` or `other`",
            None,
        ),
    ),
    "an action": (
        "chrome",
        {"action": {"type": "deny"}},
        (
            "`type` cannot be `deny`; it can be `block`, `redirect`, `allow`, `upgradeScheme`, "
            "`modifyHeaders` or `allowAllRequests`",
            None,
        ),
    ),
    "a domain": (
        "firefox",
        {"condition": {"initiatorDomains": ["exa mple"]}},
        (
            "`exa mple` is not a valid domain name: it is not a host as URLs write it",
            "a valid domain name is `example.org`",
        ),
    ),
    "a domain, nearly right": (
        "firefox",
        {"condition": {"initiatorDomains": ["Example.org"]}},
        (
            "`Example.org` is not a valid domain name: the host must be lowercase here; did you mean "
            "`example.org`?",
            None,
        ),
    ),
    "an address": (
        "chrome",
        {"action": {"type": "redirect", "redirect": {"url": "example"}}},
        (
            "`url` must be an absolute URL, not `example`",
            "a valid URL is `https://example.org/`",
        ),
    ),
    "a header": (
        "chrome",
        {
            "action": {
                "type": "modifyHeaders",
                "requestHeaders": [{"header": "a b", "operation": "remove"}],
            }
        },
        ("`a b` is not a valid header name", "a valid name is `User-Agent`"),
    ),
}


@pytest.mark.parametrize(("target", "rule", "expected"), RULES.values(), ids=RULES)
def test_message_names_the_accepted_values_in_rules(
    target: str, rule: dict[str, Any], expected: tuple[str, str | None]
) -> None:
    assert rule_findings(rule, target) == [expected]


def test_misspelled_message_key_is_one_error() -> None:
    messages = {"title": {"mesage": "A"}}
    files = {
        "manifest.json": json.dumps({**REQUIRED, "default_locale": "en"}),
        "_locales/en/messages.json": json.dumps(messages),
    }
    (finding,) = lint(files, ["missing-key", "unknown-key"], "chrome")
    assert finding.message == "unknown key `mesage` in `title`; did you mean `message`?"
    assert (finding.help, finding.severity) == ("`message` is required", Severity.ERROR)
