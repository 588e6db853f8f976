"""Finds the hosts to which the declarativeNetRequest rules in the files of a package require access.

A rule that changes a request requires the host of the request and, unless it is for whole pages, that of the
page that makes it (ExtensionDNR.sys.mjs of Firefox 153). The requests of an extension itself are in no tab.
"""

from __future__ import annotations

from collections.abc import Mapping

from extlint.analysis.addresses import ANY, NONE, Addresses
from extlint.extension import Extension
from extlint.project.contexts.json_files import JsonKind, json_files
from extlint.text.json.values import JsonValue
from extlint.text.patterns import lazy
from extlint_rules.helpers.host_access import ACTIONS_ON_HOSTS

_KEY = "declarative_net_request"
_WITHOUT_HOSTS = "declarativeNetRequest"
"""The permission with which the other actions require no host."""

_PAGES = frozenset({"main_frame", "sub_frame"})
_NO_TAB = [-1]
_HOST = lazy(r"(?:\|\||\|(?P<scheme>https?:)//)(?P<host>[\w.-]+)[/^:]")
"""The start of a filter for the addresses of one host."""


def addresses_of_rules(extension: Extension) -> Addresses:
    """Returns addresses at the hosts to which rules require access."""
    resources = extension.manifest.get(_KEY, "rule_resources")
    if resources is None:
        return NONE
    files = [each for each in json_files(extension) if each.kind is JsonKind.RULES]
    if len(files) != len([*resources.items()]):
        return ANY
    requires_all = _WITHOUT_HOSTS not in extension.manifest.permissions
    found = NONE
    for file in files:
        rules = file.value if file.problem is None else None
        for rule in rules if isinstance(rules, list) else (None,):
            found |= _addresses_of(rule, requires_all=requires_all)
    return found


def _addresses_of(rule: JsonValue, *, requires_all: bool) -> Addresses:
    action = rule.get("action") if isinstance(rule, dict) else None
    condition = rule.get("condition") if isinstance(rule, dict) else None
    if not isinstance(action, dict) or not isinstance(condition, dict):
        return ANY
    if action.get("type") not in ACTIONS_ON_HOSTS and not requires_all:
        return NONE
    return _requested(condition) | _requesting(condition)


def _requested(condition: Mapping[str, JsonValue]) -> Addresses:
    listed = _domains(condition, "requestDomains")
    if listed:
        return listed
    start = _HOST.match(str(condition.get("urlFilter", "")))
    return ANY if start is None else frozenset({f"{start['scheme'] or 'https:'}//{start['host']}/"})


def _requesting(condition: Mapping[str, JsonValue]) -> Addresses:
    """Returns the addresses of the pages whose requests may match a condition."""
    types = condition.get("resourceTypes")
    is_of_pages = isinstance(types, list) and all(each in _PAGES for each in types)
    if is_of_pages or condition.get("tabIds") == _NO_TAB:
        return NONE
    return _domains(condition, "initiatorDomains") or ANY


def _domains(condition: Mapping[str, JsonValue], key: str) -> Addresses:
    listed = condition.get(key)
    return frozenset(f"https://{each}/" for each in listed) if isinstance(listed, list) else NONE
