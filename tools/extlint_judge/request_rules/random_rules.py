"""Random declarativeNetRequest rules: some valid, most with a mistake."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

TEXTS = """
a A.com a.com é ||a ||*a | * https://a.com/ http:// javascript:1 data:,a /a a/b //a ?a #b 80 65535 65536 -1
\\1 \\2 \\0 \\ \\x (a) a( [a (?=a) a** ^a$ get GET post block redirect set remove append script main_frame
SCRIPT firstParty http https ftp x-a Cookie a: 127.0.0.1 127.1 [::1] a.com. a_b.com xn--4ca.com
a..b -a.com 1.2.3.4.5 (?<n>a) (?i)a webtransport json
""".split()
ODD_TEXTS = ("", "a b", "a\nb")
OTHERS: tuple[Any, ...] = (True, False, 0, 1, -1, 2, 1.5, 2**31, 2**31 - 1, 2**40, [], {}, [1], ["a"])
TYPES = ("main_frame", "sub_frame", "script", "image", "xmlhttprequest", "other")
CONDITION = (
    "urlFilter regexFilter initiatorDomains requestDomains resourceTypes excludedResourceTypes "
    "requestMethods excludedRequestMethods tabIds domainType isUrlFilterCaseSensitive"
).split()
REDIRECTS: tuple[dict[str, Any], ...] = (
    {"url": "https://a.com/"},
    {"extensionPath": "/a.js"},
    {"transform": {"scheme": "https", "port": "80", "query": "?a", "fragment": "#b", "host": "b.com"}},
    {"transform": {"queryTransform": {"addOrReplaceParams": [{"key": "a", "value": "b"}]}}},
    {"regexSubstitution": "https://\\1"},
)
HEADERS: tuple[dict[str, Any], ...] = (
    {"header": "cookie", "operation": "set", "value": "a"},
    {"header": "x-b", "operation": "remove"},
    {"header": "accept", "operation": "append", "value": "v"},
)
ACTIONS = ("block", "allow", "upgradeScheme", "redirect", "redirect", "modifyHeaders", "allowAllRequests")


def random_rules(seed: int, number: int) -> Iterator[dict[str, Any]]:
    """Yields `number` rules, which depend only on the seed."""
    chance = Random(seed)
    for _ in range(number):
        rule = {
            "id": 1,
            "priority": chance.randint(1, 3),
            "condition": _condition(chance),
            "action": _action(chance),
        }
        for _ in range(chance.choice((0, 1, 1, 1, 2))):
            _change(chance, rule)
        yield rule


def _condition(chance: Random) -> dict[str, Any]:
    right = {
        "urlFilter": "||a.com^",
        "resourceTypes": chance.sample(TYPES, 2),
        "excludedResourceTypes": chance.sample(TYPES, 1),
        "initiatorDomains": ["a.com", "b.org"],
        "requestMethods": ["get"],
        "domainType": "thirdParty",
    }
    condition: dict[str, Any] = {key: value for key, value in right.items() if chance.random() < 0.4}
    if "urlFilter" not in condition and chance.random() < 0.5:
        condition["regexFilter"] = chance.choice(("^(a)(b)", "a.*b", "(?:a|b)+"))
    return condition


def _action(chance: Random) -> dict[str, Any]:
    action: dict[str, Any] = {"type": chance.choice(ACTIONS)}
    if action["type"] == "redirect":
        action["redirect"] = deepcopy(chance.choice(REDIRECTS))
    if action["type"] == "modifyHeaders":
        action[chance.choice(("requestHeaders", "responseHeaders"))] = [deepcopy(chance.choice(HEADERS))]
    return action


def _change(chance: Random, rule: dict[str, Any]) -> None:
    """Replaces a value, removes one, or adds a key to the condition."""
    holder, key = chance.choice([place for place in _positions(rule) if place[1] != "condition"])
    what = chance.random()
    if what < 0.6:
        holder[key] = _value(chance)
    elif what < 0.8:
        del holder[key]
    elif isinstance(rule.get("condition"), dict):
        rule["condition"][chance.choice(CONDITION)] = _value(chance)


def _value(chance: Random) -> Any:
    return deepcopy(chance.choice((*TEXTS, *ODD_TEXTS) if chance.random() < 0.65 else OTHERS))


def _positions(value: Any) -> Iterator[tuple[Any, Any]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield value, key
        yield from _positions(each)
