"""Finds calls, and rules for requests, that require access to web sites which the manifest does not request.

## What it does

Checks calls that work only on hosts that the extension may access: those that inject scripts and styles,
read cookies, or listen to requests, and declarativeNetRequest rules that redirect requests or modify headers,
in a file or a call. They are reported if the permissions in the manifest, required or optional, contain no
match pattern and no `activeTab`, and if all the scripts of the extension are there, or all their sources. If
there are match patterns, only calls for the cookies of an address or domain that is written in the call are
reported, where no pattern matches it. Code in a `try` whose `catch` does something else instead is not
reported. Logging the error, showing it or throwing it again does not count, and neither does a test for the
function, which exists without access to hosts.

If `activeTab` is all that the manifest requests, calls that inject and take pictures are reported where
it is never granted: in an extension without a button, menus, shortcuts and a keyword, and in listeners to
`runtime.onInstalled`, `runtime.onStartup`, `tabs.onUpdated`, `alarms.onAlarm` and the like, as far as the
extension has nothing by which a user starts it. `fetch` is never reported: servers may allow it, and many do.

## Why is this bad

The function is available without access to hosts, but injecting fails in every tab with "Cannot access
contents of the page. Extension manifest must request permission to access the respective host." in Chrome and
"Missing host permission for the tab" in Firefox. No cookie is ever found, or "No host permissions for cookies
at url", a listener to requests is never called, and such a rule does nothing. `activeTab` is granted
only in the tab in which a user starts the extension.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Dim",
  "version": "1.0",
  "permissions": ["scripting"],
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.action.onClicked.addListener((tab) => {
  chrome.scripting.insertCSS({ target: { tabId: tab.id }, css: "body { opacity: 0.5 }" });
});
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Dim",
  "version": "1.0",
  "permissions": ["scripting", "activeTab"],
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.action.onClicked.addListener((tab) => {
  const target = { tabId: tab.id };
  chrome.scripting.insertCSS({ target, css: "body { opacity: 0.5 }" }).catch(console.error);
});
```

## References

* What Firefox 153 and Chromium 156 allow in a tab, by what the manifest requests.
* [Rules that require host permissions](https://developer.chrome.com/docs/extensions/reference/api/declarativeNetRequest#permissions)
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.script_facts import HOSTS, CallSite, FailureHandling, Guards, Reference
from extlint.analysis.facts.values import ArrayValue, Literal, ObjectValue
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.schema_path import schema_path_of
from extlint.checks.availability.unguarded_references import (
    is_guarded_by_callers,
    unguarded_calls_in,
)
from extlint.checks.other_manifests import is_for_sibling_manifest
from extlint.checks.reachability.unreachable_code import in_each_script
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.project.contexts.json_files import JsonKind, json_files
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.model import Event
from extlint.schema.targets import CHROME, EDGE, FIREFOX
from extlint.text.positions import Span
from extlint.text.wording import quoted
from extlint_rules.helpers.host_access import (
    ACTIONS_ON_HOSTS,
    ACTIVE_TAB,
    are_web_patterns,
    has_all_requests,
    has_hosts_of_content_scripts,
    host_patterns,
    may_access_hosts,
    may_use_active_tab,
    why_never_granted,
)

RULE = RULES["missing-host-permission"]

_COOKIE_FUNCTIONS = frozenset({"get", "getAll", "remove", "set"})
_RULE_FUNCTIONS = frozenset(
    {("declarativeNetRequest", "updateDynamicRules"), ("declarativeNetRequest", "updateSessionRules")}
)
_TARGETS = frozenset({CHROME, EDGE, FIREFOX})


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each call that cannot access any host, or not the one that it names."""
    if extension.schemas.target not in _TARGETS:
        return
    if may_access_hosts(extension):
        yield from _unreachable_cookies(extension)
        yield from _without_active_tab(extension)
    else:
        yield from _rules_without_hosts(extension)
        yield from _without_hosts(extension)


def _rules_without_hosts(extension: Extension) -> Iterator[Finding]:
    """Yields the first rule of each file that cannot act without access to the host of the request."""
    for file in json_files(extension):
        rules = file.value if file.kind is JsonKind.RULES and file.problem is None else None
        for index, rule in enumerate(rules if isinstance(rules, list) else ()):
            action = rule.get("action") if isinstance(rule, dict) else None
            kind = action.get("type") if isinstance(action, dict) else None
            if isinstance(kind, str) and kind in ACTIONS_ON_HOSTS and has_all_requests(extension):
                place = file.span_at((index, "action", "type"), at_key=False)
                yield _rule_without_hosts(extension, file.path, place, kind)
                break


def _rule_without_hosts(extension: Extension, path: str, span: Span, kind: str) -> Finding:
    return RULE.at(
        path,
        span,
        f"a rule of the type {quoted(kind)} requires a host permission, and the manifest requests none",
        help=f"add match patterns to the permissions in {extension.manifest_source}",
    )


def _action_on_hosts(call: CallSite) -> Literal | None:
    """Returns the type of the first rule that a call adds and that cannot act without access to hosts."""
    details = call.arguments[0] if call.arguments and call.path in _RULE_FUNCTIONS else None
    added = details.fields.get("addRules") if isinstance(details, ObjectValue) else None
    for rule in added.value.items if added is not None and isinstance(added.value, ArrayValue) else ():
        action = rule.fields.get("action") if isinstance(rule, ObjectValue) else None
        kind = action.value.fields.get("type") if action and isinstance(action.value, ObjectValue) else None
        if kind is not None and isinstance(kind.value, Literal) and kind.value.value in ACTIONS_ON_HOSTS:
            return kind.value
    return None


@in_each_script
def _without_hosts(extension: Extension, script: Script) -> Iterator[Finding]:
    """Yields the calls that cannot access any host."""
    for reference, call in unguarded_calls_in(extension, script, FailureHandling.RECOVERED):
        found = schema_path_of(extension, reference.path)
        if found is None or found.member is None:
            continue
        is_event = isinstance(found.member, Event)
        action = _action_on_hosts(call)
        if (action is None and found.member.availability.conditions.host is None) or found.rest != (
            ("addListener",) if is_event else ()
        ):
            continue
        if is_event and not _filters_web_requests(call):
            continue
        if (
            not unavailabilities_of(extension, reference.path, script.contexts)
            and not _is_guarded(extension, script, reference)
            and script.contexts
            and has_all_requests(extension)
            and not is_for_sibling_manifest(
                extension, script, reference, lambda other, _: may_access_hosts(other)
            )
        ):
            if action is not None:
                span = script.span(action.span or reference.span)
                yield _rule_without_hosts(extension, script.path, span, str(action.value))
                continue
            api = ".".join(found.path)
            does = "receives no requests without" if is_event else "requires"
            yield RULE.at(
                *script.place(reference.span),
                f"{quoted(api)} {does} a host permission, and the manifest requests none",
                api=api,
                help=f'add match patterns, or "activeTab", to the permissions in {extension.manifest_source}',
            )


@in_each_script
def _without_active_tab(extension: Extension, script: Script) -> Iterator[Finding]:
    """Yields the calls for which `activeTab` is not granted, if that is the only access to hosts."""
    if not may_use_active_tab(extension):
        return
    for reference, call in unguarded_calls_in(extension, script):
        reason = why_never_granted(extension, script, call)
        if reason is None or not _is_certain(extension, script, reference):
            continue
        api = ".".join(call.path)
        yield RULE.at(
            *script.place(reference.span),
            f"{quoted(api)} requires a host permission, as {quoted('activeTab')} is not granted: {reason}",
            api=api,
            help=f"add match patterns to the permissions in {extension.manifest_source}",
        )


def _is_certain(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether this extension and manifest certainly make a call that requires a host."""
    return (
        not unavailabilities_of(extension, reference.path, script.contexts)
        and bool(script.contexts)
        and not _is_guarded(extension, script, reference)
        and has_all_requests(extension)
        and not is_for_sibling_manifest(
            extension, script, reference, lambda other, _: may_access_hosts(other, ignored=(ACTIVE_TAB,))
        )
    )


@in_each_script
def _unreachable_cookies(extension: Extension, script: Script) -> Iterator[Finding]:
    """Yields the literal URLs in calls for cookies that no match pattern of the manifest matches."""
    from extlint.manifest.host_patterns import may_match_origin, origin_of

    patterns = _patterns(extension)
    if patterns is None:
        return
    for reference, call in unguarded_calls_in(extension, script, FailureHandling.RECOVERED):
        if reference.path[0] != "cookies" or reference.path[-1] not in _COOKIE_FUNCTIONS:
            continue
        address = _literal(call, "url")
        text = None if address is None else str(address.value)
        if address is None and call.path[-1] == "getAll" and not _may_have_property(call, "url"):
            address = _literal(call, "domain")
            text = None if address is None else f"https://{str(address.value).lstrip('.')}/"
        origin = None if text is None else origin_of(text)
        if address is None or origin is None or _is_guarded(extension, script, reference):
            continue
        # Cookies of a domain may be accessed through a subdomain; Chromium checks the URL first.
        related = extension.schemas.engine is Engine.GECKO or reference.path[-1] == "getAll"
        if may_match_origin(patterns, origin, related=related) or unavailabilities_of(
            extension, reference.path, script.contexts
        ):
            continue
        api = ".".join(reference.path)
        host = f"{origin.scheme}://{origin.host}/"
        yield RULE.at(
            *script.place(address.span or reference.span),
            f"{quoted(api)} cannot access cookies of {quoted(host)}: no host permission matches it",
            api=api,
            help=f'add "{host}*" to the host permissions in {extension.manifest_source}',
        )


def _patterns(extension: Extension) -> list[str] | None:
    """Returns the match patterns in the manifest.

    Returns None if other hosts may be accessed or patterns are unknown.

    `activeTab` gives temporary access to the host of a tab.
    """
    manifest = extension.manifest
    if "activeTab" in manifest.permissions or has_hosts_of_content_scripts(extension):
        return None
    return [*host_patterns(extension)] if has_all_requests(extension) else None


def _literal(call: CallSite, name: str) -> Literal | None:
    """Returns a property of the first argument of a call, if it is a literal string."""
    details = call.arguments[0] if call.arguments else None
    field = details.fields.get(name) if isinstance(details, ObjectValue) else None
    if field is None or field.maybe_absent or not isinstance(field.value, Literal):
        return None
    return field.value if isinstance(field.value.value, str) else None


def _may_have_property(call: CallSite, name: str) -> bool:
    details = call.arguments[0] if call.arguments else None
    return not isinstance(details, ObjectValue) or details.open or name in details.fields


def _is_guarded(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether guards test for access to hosts, rather than for the member, which exists without it."""

    def tests(guards: Guards) -> bool:
        return guards.runs_in is ContextKind.UNKNOWN or guards.is_granted((HOSTS,))

    return tests(reference.guards) or is_guarded_by_callers(
        extension, script, reference, tests, FailureHandling.RECOVERED
    )


def _filters_web_requests(call: CallSite) -> bool:
    """Whether a `webRequest` listener filters only requests to the web, and none to the extension itself."""
    request_filter = call.arguments[1] if len(call.arguments) > 1 else None
    urls = request_filter.fields.get("urls") if isinstance(request_filter, ObjectValue) else None
    return urls is not None and are_web_patterns(urls.value)
