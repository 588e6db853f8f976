"""Files of declarativeNetRequest rules: mistakes that browsers reject, and their positions."""

from __future__ import annotations

import json
from typing import Any

import pytest
from harness import lint, manifest, reported, text_at
from hypothesis import given
from hypothesis import strategies as st

from extlint.checks.request_rules import (
    MAX_MISTAKES_SHOWN,
    MAX_REGEX_RULES,
    MAX_RULES_SHOWN,
    mistakes_in,
)
from extlint.finding import Severity
from extlint.project.contexts.json_files import JsonFile, JsonKind
from extlint.text.json.values import JsonValue

MANIFEST = manifest(
    permissions=["declarativeNetRequest"],
    declarative_net_request={"rule_resources": [{"id": "a", "enabled": True, "path": "rules.json"}]},
)
SELECT = (
    "conflicting-keys",
    "deprecated-key",
    "duplicate-rule-id",
    "invalid-value",
    "missing-key",
    "unknown-key",
)
TARGETS = ("reference", "firefox", "chrome")


def rule(condition: object = None, action: object = None, **keys: object) -> dict[str, Any]:
    """Returns a blocking rule with the given parts instead of its own."""
    return {
        "id": 1,
        "condition": {"urlFilter": "a"} if condition is None else condition,
        "action": {"type": "block"} if action is None else action,
        **keys,
    }


def redirect_rule(condition: object = None, **keys: object) -> dict[str, Any]:
    """Returns a rule that redirects."""
    return rule(condition, {"type": "redirect", "redirect": keys})


def transform_rule(**keys: object) -> dict[str, Any]:
    """Returns a rule that redirects to a modified form of the same URL."""
    return redirect_rule(transform=keys)


def header_rule(*listed: object, **keys: object) -> dict[str, Any]:
    """Returns a rule that modifies request headers."""
    return rule(None, {"type": "modifyHeaders", "requestHeaders": list(listed), **keys})


def header(operation: str, name: str = "cookie", **keys: object) -> dict[str, Any]:
    return {"operation": operation, "header": name, **keys}


def found(rules: object, target: str) -> list[tuple[str, str]]:
    """Returns the rule and the source text of each finding."""
    return reported({"manifest.json": MANIFEST, "rules.json": json.dumps(rules)}, SELECT, target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "rules",
    [
        pytest.param([], id="no rules"),
        pytest.param([rule()], id="a rule that blocks"),
        pytest.param([rule(), rule(id=2, priority=5)], id="two rules"),
        pytest.param([rule({})], id="a condition that is always true"),
        pytest.param([rule({"urlFilter": "||"})], id="only an anchor"),
        pytest.param([rule({"regexFilter": r"^https?://(\w+)\.a/[^?]*\?(?:b|c){2,3}$"})], id="a regex"),
        pytest.param([rule({"excludedInitiatorDomains": []})], id="nothing is excluded"),
        pytest.param(
            [rule({"initiatorDomains": ["a.example", "xn--4ca.example", "127.0.0.1"]})], id="domains"
        ),
        pytest.param(
            [rule({"resourceTypes": ["script"], "excludedResourceTypes": ["image"]})],
            id="types, and others not",
        ),
        pytest.param(
            [rule({"resourceTypes": ["main_frame"]}, {"type": "allowAllRequests"})],
            id="all requests of a frame",
        ),
        pytest.param([redirect_rule(url="https://a.example/")], id="to a URL"),
        pytest.param([redirect_rule(extensionPath="/a.html?b#c")], id="to a page"),
        pytest.param(
            [redirect_rule({"regexFilter": "^(a)(b)"}, regexSubstitution=r"\2\\\1\0")], id="to groups"
        ),
        pytest.param(
            [transform_rule(scheme="https", port="", query="?a", fragment="#b")], id="to another form"
        ),
        pytest.param([transform_rule(queryTransform={"removeParams": ["a"]})], id="without a parameter"),
        pytest.param([header_rule(header("set", value="a"), header("remove"))], id="headers"),
        pytest.param(
            [header_rule(header("append", "Accept-Language", value="a"))], id="a header that is a list"
        ),
        pytest.param([rule(_note="a", metadata={"a": 1})], id="extra keys next to the known ones"),
        pytest.param([rule({"urlFilter": "a", "//": "a"})], id="a comment in a part"),
    ],
)
def test_valid_rules_are_accepted(rules: object, target: str) -> None:
    assert found(rules, target) == []


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        pytest.param({}, ("invalid-value", "{}"), id="no list"),
        pytest.param(["a"], ("invalid-value", '"a"'), id="no object"),
        pytest.param([rule(id=0)], ("invalid-value", "0"), id="an id below 1"),
        pytest.param([rule(id="1")], ("invalid-value", '"1"'), id="an id that is a string"),
        pytest.param([rule(priority=0)], ("invalid-value", "0"), id="a priority below 1"),
        pytest.param([{"id": 1, "action": {"type": "block"}}], ("missing-key", "{"), id="no condition"),
        pytest.param([rule(priorty=2)], ("unknown-key", '"priorty"'), id="a letter is missing"),
        pytest.param([rule(urlFilter="b")], ("unknown-key", '"urlFilter"'), id="outside of its part"),
        pytest.param([rule({"resourceType": []})], ("unknown-key", '"resourceType"'), id="in the singular"),
        pytest.param([rule(None, {"type": "blok"})], ("invalid-value", '"blok"'), id="an unknown action"),
        pytest.param(
            [rule({"urlFilter": "a", "regexFilter": "b"})],
            ("conflicting-keys", '"regexFilter"'),
            id="two kinds of filter",
        ),
        pytest.param([rule({"urlFilter": ""})], ("invalid-value", '""'), id="an empty filter"),
        pytest.param(
            [rule({"urlFilter": "||*a"})], ("invalid-value", '"||*a"'), id="an anchor before any text"
        ),
        pytest.param([rule({"urlFilter": "\u00e9"})], ("invalid-value", '"\\u00e9"'), id="no ASCII"),
        pytest.param([rule({"regexFilter": "(a"})], ("invalid-value", '"(a"'), id="a broken regex"),
        pytest.param([rule({"tabIds": [1]})], ("invalid-value", '"tabIds"'), id="tabs in a file"),
        pytest.param([rule({"tabIds": []})], ("invalid-value", '"tabIds"'), id="no tabs in a file"),
        pytest.param([rule({"requestDomains": []})], ("invalid-value", "[]"), id="no domains"),
        pytest.param([rule({"requestDomains": [4]})], ("invalid-value", "4"), id="a number as a domain"),
        *(
            pytest.param([rule({key: [text]})], ("invalid-value", f'"{text}"'), id=f"{key} {text}")
            for key in ("initiatorDomains", "excludedRequestDomains")
            for text in ("https://a.example", "*.a.example", "a.*", "a.example:80", "a b")
        ),
        pytest.param(
            [rule({"initiatorDomains": ["\u00e9.a"]})],
            ("invalid-value", '"\\u00e9.a"'),
            id="a domain as shown",
        ),
        pytest.param(
            [rule({"resourceTypes": ["scripts"]})], ("invalid-value", '"scripts"'), id="an unknown type"
        ),
        pytest.param(
            [rule({"resourceTypes": ["font", "image"], "excludedResourceTypes": ["media", "font"]})],
            ("invalid-value", '"font"'),
            id="a type that is excluded too",
        ),
        pytest.param(
            [rule({"requestMethods": ["GET"]})], ("invalid-value", '"GET"'), id="a method in capitals"
        ),
        pytest.param(
            [rule({"requestMethods": ["get"], "excludedRequestMethods": ["get"]})],
            ("invalid-value", '"get"'),
            id="a method that is excluded too",
        ),
        pytest.param(
            [rule({"urlFilter": "a"}, {"type": "allowAllRequests"})],
            ("missing-key", '{"urlFilter": "a"}'),
            id="all requests of anything",
        ),
        pytest.param(
            [rule({"resourceTypes": ["main_frame", "script"]}, {"type": "allowAllRequests"})],
            ("invalid-value", '"script"'),
            id="all requests of a script",
        ),
        pytest.param(
            [rule(None, {"type": "redirect"})], ("missing-key", '{"type": "redirect"}'), id="without a target"
        ),
        pytest.param([redirect_rule()], ("missing-key", "{}"), id="to nothing"),
        pytest.param(
            [redirect_rule(urll="https://a.example")], ("unknown-key", '"urll"'), id="to a misspelled place"
        ),
        pytest.param([redirect_rule(url="a.example")], ("invalid-value", '"a.example"'), id="to no URL"),
        pytest.param(
            [redirect_rule(url="javascript:1")], ("invalid-value", '"javascript:1"'), id="to a script"
        ),
        pytest.param(
            [redirect_rule(extensionPath="a.js")], ("invalid-value", '"a.js"'), id="to a page without a slash"
        ),
        pytest.param(
            [redirect_rule(regexSubstitution="b")],
            ("missing-key", '{"urlFilter": "a"}'),
            id="to groups of no regex",
        ),
        pytest.param(
            [redirect_rule({"regexFilter": "a"}, regexSubstitution=r"\a")],
            ("invalid-value", r'"\\a"'),
            id="to a group with a letter",
        ),
        pytest.param(
            [transform_rule(scheme="gopher")], ("invalid-value", '"gopher"'), id="to another protocol"
        ),
        pytest.param(
            [transform_rule(port="65536")], ("invalid-value", '"65536"'), id="to a port that there is not"
        ),
        pytest.param([transform_rule(port="a")], ("invalid-value", '"a"'), id="to a non-numeric port"),
        pytest.param([transform_rule(query="a")], ("invalid-value", '"a"'), id="to a query without its mark"),
        pytest.param(
            [transform_rule(fragment="a")], ("invalid-value", '"a"'), id="to a fragment without its mark"
        ),
        pytest.param(
            [transform_rule(query="?a", queryTransform={})],
            ("conflicting-keys", '"queryTransform"'),
            id="two queries",
        ),
        pytest.param(
            [transform_rule(queryTransform={"addOrReplaceParams": [{"key": "a"}]})],
            ("missing-key", '{"key": "a"}'),
            id="a parameter without a value",
        ),
        pytest.param(
            [rule(None, {"type": "modifyHeaders"})],
            ("missing-key", '{"type": "modifyHeaders"}'),
            id="no headers",
        ),
        pytest.param([header_rule()], ("invalid-value", "[]"), id="an empty list of headers"),
        pytest.param([header_rule(header("set"))], ("missing-key", "{"), id="a header is set to nothing"),
        pytest.param(
            [header_rule(header("remove", value="a"))],
            ("conflicting-keys", '"value"'),
            id="a value is removed",
        ),
        pytest.param(
            [header_rule(header("add", value="a"))], ("invalid-value", '"add"'), id="an unknown operation"
        ),
        pytest.param(
            [header_rule(header("remove", ""))], ("invalid-value", '""'), id="a header without a name"
        ),
    ],
)
def test_mistake_in_both_browsers_is_reported_for_every_target(
    rules: object, expected: tuple[str, str], target: str
) -> None:
    ((name, text),) = found(rules, target)
    assert name == expected[0]
    assert text == expected[1] or (expected[1] == "{" and text.startswith("{"))


@pytest.mark.parametrize(
    ("browser", "wrong", "name"),
    [
        pytest.param("chrome", rule({"regexFilter": "a(?=b)"}), "invalid-value", id="a look-ahead"),
        pytest.param("chrome", rule({"regexFilter": r"(a)\1"}), "invalid-value", id="a back reference"),
        pytest.param(
            "firefox", rule({"regexFilter": "(?P<a>b)"}), "invalid-value", id="a group named as in RE2"
        ),
        pytest.param("firefox", rule({"regexFilter": "(?i)a"}), "invalid-value", id="a flag for the rest"),
        pytest.param("chrome", rule(id=2**31), "invalid-value", id="an id beyond 31 bits"),
        pytest.param("chrome", rule(id=1.0), "invalid-value", id="an id with a decimal point"),
        pytest.param("chrome", rule(priority=None), "invalid-value", id="null for no priority"),
        pytest.param(
            "firefox", rule({"requestDomains": ["A.example"]}), "invalid-value", id="a domain in capitals"
        ),
        pytest.param("chrome", rule({"requestMethods": ["trace"]}), "invalid-value", id="a rare method"),
        pytest.param("chrome", rule({"resourceTypes": ["beacon"]}), "invalid-value", id="Firefox's own type"),
        pytest.param(
            "firefox", rule({"resourceTypes": ["webbundle"]}), "invalid-value", id="Chrome's own type"
        ),
        pytest.param(
            "firefox", rule({"responseHeaders": [{"header": "a"}]}), "unknown-key", id="Chrome's own key"
        ),
        pytest.param("firefox", redirect_rule(url="data:,a"), "invalid-value", id="to data"),
        pytest.param(
            "firefox",
            redirect_rule(url="https://a.example", extensionPath="/a"),
            "conflicting-keys",
            id="to two places",
        ),
        pytest.param("firefox", transform_rule(scheme="ftp"), "invalid-value", id="to ftp"),
        pytest.param(
            "chrome", transform_rule(scheme="moz-extension"), "invalid-value", id="to Firefox's own protocol"
        ),
        pytest.param("firefox", transform_rule(host="a.example:8"), "invalid-value", id="a port in the host"),
        pytest.param(
            "chrome",
            redirect_rule({"regexFilter": "(a)"}, regexSubstitution=r"\2"),
            "invalid-value",
            id="to a missing group",
        ),
        pytest.param("firefox", header_rule(header("set", value="")), "invalid-value", id="set to nothing"),
        pytest.param(
            "chrome", header_rule(header("append", "x-a", value="b")), "invalid-value", id="append to any"
        ),
        pytest.param(
            "chrome", header_rule(header("remove", "a b")), "invalid-value", id="no name of a header"
        ),
        pytest.param("chrome", header_rule(header("set", value="a\nb")), "invalid-value", id="two lines"),
        pytest.param(
            "firefox", rule(None, {"type": "block", "requestHeaders": []}), "invalid-value", id="idle"
        ),
    ],
)
def test_mistake_in_one_browser_is_reported_only_for_it(
    browser: str, wrong: dict[str, Any], name: str
) -> None:
    other = {"firefox": "chrome", "chrome": "firefox"}[browser]
    assert [each for each, _ in found([wrong], browser)] == [name]
    assert found([wrong], other) == []
    assert found([wrong], "reference") == []


def test_deprecated_domains_key() -> None:
    old = rule({"domains": ["a.example"]})
    assert found([old], "chrome") == [("deprecated-key", '"domains"')]
    assert found([old], "firefox") == [("unknown-key", '"domains"')]
    both = rule({"domains": ["a.example"], "initiatorDomains": ["a.example"]})
    assert found([both], "chrome") == [("conflicting-keys", '"domains"')]


def test_duplicate_id_links_to_the_first() -> None:
    files = {"manifest.json": MANIFEST, "rules.json": json.dumps([rule(), rule(id=2), rule()], indent=1)}
    (finding,) = lint(files, SELECT)
    assert finding.rule == "duplicate-rule-id"
    assert text_at(files["rules.json"], finding.span) == "1"
    assert finding.related[0].span < finding.span


def test_every_mistake_of_a_rule_is_reported() -> None:
    wrong = rule({"urlFilter": "", "requestMethods": []}, id=0)
    assert sorted(found([rule(id=3), wrong], "reference")) == [
        ("invalid-value", '""'),
        ("invalid-value", "0"),
        ("invalid-value", "[]"),
    ]


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        pytest.param(redirect_rule(extensionPath="/page.html?a#b"), [], id="there"),
        pytest.param(
            redirect_rule(extensionPath="/pages.html"), [("missing-file", '"/pages.html"')], id="not there"
        ),
        pytest.param(
            redirect_rule(extensionPath="/Page.html"),
            [("missing-file", '"/Page.html"')],
            id="in other letter case",
        ),
        pytest.param(
            redirect_rule(extensionPath="/a.html", url="https://a.example"), [], id="a URL counts first"
        ),
        pytest.param(
            rule(None, {"type": "block", "redirect": {"extensionPath": "/a"}}), [], id="no redirect"
        ),
    ],
)
def test_redirect_to_a_missing_file_is_reported(
    wrong: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    files = {"manifest.json": MANIFEST, "rules.json": json.dumps([wrong]), "page.html": ""}
    assert reported(files, ["missing-file"]) == expected


def test_number_of_further_invalid_rules_is_reported() -> None:
    rules: JsonValue = [rule(id=number, priority=0) for number in range(1, MAX_RULES_SHOWN + 11)]
    *_, last = mistakes_in(rules, "reference")
    assert last.steps == (MAX_RULES_SHOWN,)
    assert "9 more rules" in last.message
    assert len(list(mistakes_in(rules, "reference"))) == MAX_RULES_SHOWN + 1


def test_further_deprecated_keys_are_counted_as_such() -> None:
    old = [rule({"domains": ["a.test"]}, id=number) for number in range(1, MAX_RULES_SHOWN + 11)]
    wrong = rule(id=MAX_RULES_SHOWN + 11, priority=0)
    *_, last = mistakes_in([*old], "reference")
    assert (last.rule, last.steps) == ("deprecated-key", (MAX_RULES_SHOWN,))
    assert last.message == "this and 9 more rules have deprecated keys"
    found = [(each.rule, each.steps) for each in mistakes_in([*old, wrong], "reference")]
    assert found[-2:] == [("invalid-value", (len(old), "priority")), ("deprecated-key", (MAX_RULES_SHOWN,))]


def resources(*listed: object, **keys: object) -> str:
    """Returns a manifest that lists these rule files."""
    more = {"permissions": ["declarativeNetRequest"], **keys}
    return manifest(declarative_net_request={"rule_resources": listed}, **more)


def resource(name: str = "a", *, enabled: bool = True) -> dict[str, object]:
    return {"id": name, "enabled": enabled, "path": "rules.json"}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(resources(resource(), resource("b")), [], id="two files"),
        pytest.param(
            resources(resource(), permissions=["declarativeNetRequestWithHostAccess"]),
            [],
            id="the other permission",
        ),
        pytest.param(
            resources(resource(), permissions=["storage"]),
            [("missing-permission", '"declarative_net_request"')],
            id="no permission",
        ),
        pytest.param(
            resources(resource(), resource("b"), resource()), [("invalid-value", '"a"')], id="one id twice"
        ),
        pytest.param(resources(resource("_a")), [("invalid-value", '"_a"')], id="an id of the browser's own"),
        pytest.param(resources(*(resource(f"{n}") for n in range(50))), [], id="fifty that are enabled"),
        pytest.param(
            resources(*(resource(f"{n}") for n in range(60))),
            [("invalid-value", "true")],
            id="sixty that are",
        ),
        pytest.param(resources(*(resource(f"{n}", enabled=n < 50) for n in range(100))), [], id="a hundred"),
    ],
)
def test_rule_files_in_a_manifest(text: str, expected: list[tuple[str, str]], target: str) -> None:
    files = {"manifest.json": text, "rules.json": "[]"}
    assert reported(files, ("invalid-value", "missing-permission"), target) == expected


def test_further_mistakes_of_a_rule_are_summarized() -> None:
    wrong: JsonValue = [header_rule(*[header("set", "")] * (MAX_MISTAKES_SHOWN + 1))]
    *first, last = mistakes_in(wrong, "reference")
    assert len(first) == MAX_MISTAKES_SHOWN
    assert last.steps == (0,)
    assert "more than" in last.message


def test_first_excess_regular_expression_is_reported() -> None:
    rules: list[JsonValue] = [
        rule({"regexFilter": "a"}, id=number) for number in range(1, MAX_REGEX_RULES + 10)
    ]
    (mistake,) = mistakes_in(rules, "reference")
    assert mistake.steps == (MAX_REGEX_RULES, "condition", "regexFilter")
    assert list(mistakes_in(rules[:MAX_REGEX_RULES], "reference")) == []


def test_file_outside_the_manifest_is_not_a_rule_file() -> None:
    assert lint({"manifest.json": manifest(), "rules.json": "[1]"}, SELECT) == []


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 2**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
names = st.sampled_from(
    "id priority condition action type redirect url transform queryTransform addOrReplaceParams key value "
    "regexSubstitution extensionPath requestHeaders responseHeaders header operation urlFilter regexFilter "
    "domains initiatorDomains requestDomains resourceTypes excludedResourceTypes requestMethods tabIds "
    "topDomains scheme port host query fragment metadata urlfilter".split()
)
texts = st.sampled_from(
    "block redirect modifyHeaders allowAllRequests main_frame get set remove \\1 \\ ( (a [ (? a{1, "
    "a.example ||* /a https://a \u00e9 \ud800".split()
) | st.just("")
parts = st.recursive(
    texts | json_values,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=5),
    max_leaves=20,
)
rule_like = st.fixed_dictionaries(
    {"action": parts}, optional={"id": st.integers(0, 3), "condition": parts, "priority": parts}
)


@given(parts | st.lists(parts | rule_like, max_size=4), st.sampled_from(TARGETS))
def test_mistakes_in_arbitrary_values_have_correct_positions(rules: Any, target: str) -> None:
    data = json.dumps(rules).encode()
    file = JsonFile("rules.json", data, JsonKind.RULES)
    for mistake in mistakes_in(file.value, target):
        value = value_at(file.value, mistake.steps)
        under = text_at(data.decode(), file.span_at(mistake.steps, at_key=mistake.at_key))
        expected = mistake.steps[-1] if mistake.at_key else value
        assert json.dumps(json.loads(under)) == json.dumps(expected)
        assert not any(key in value for key in mistake.missing)


def value_at(value: Any, steps: tuple[str | int, ...]) -> Any:
    for step in steps:
        value = value[step]
    return value


@given(st.lists(rule_like, max_size=3))
def test_mistake_for_reference_is_a_mistake_in_both_browsers(rules: Any) -> None:
    reported_places = [
        {each.steps for each in mistakes_in(rules, browser)} for browser in ("firefox", "chrome")
    ]
    for mistake in mistakes_in(rules, "reference"):
        around = {mistake.steps[:length] for length in range(1, len(mistake.steps) + 1)}
        assert all(around & places for places in reported_places)


@pytest.mark.parametrize(
    ("pattern", "severity"),
    [
        pytest.param("(a", Severity.ERROR, id="Chrome refuses the extension"),
        pytest.param("a" * 200, Severity.WARNING, id="Chrome skips the rule"),
    ],
)
def test_severity_of_a_pattern_matches_chrome(pattern: str, severity: Severity) -> None:
    files = {"manifest.json": MANIFEST, "rules.json": json.dumps([rule({"regexFilter": pattern})])}
    (finding,) = lint(files, ("invalid-value",), "chrome")
    assert finding.severity is severity


@pytest.mark.parametrize(("target", "severity"), [("chrome", Severity.ERROR), ("firefox", Severity.WARNING)])
def test_mistakes_are_errors_in_chrome_and_warnings_in_firefox(target: str, severity: Severity) -> None:
    wrong = [rule({"urlFilter": 1}), rule(action={"type": "blok"}), {"id": 3}]
    files = {"manifest.json": MANIFEST, "rules.json": json.dumps(wrong)}
    found = lint(files, SELECT, target)
    assert found
    assert {each.severity for each in found} == {severity}
