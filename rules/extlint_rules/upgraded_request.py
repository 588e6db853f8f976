"""Finds requests over HTTP that Firefox makes over HTTPS.

## What it does

Under `--target firefox`, checks the calls of `fetch`, and objects made with `EventSource` and `WebSocket`,
in the background and the pages of an extension with Manifest V3. It reports addresses that begin with `http:`
or `ws:`, unless the manifest has a `content_security_policy` for `extension_pages` without
`upgrade-insecure-requests`. Firefox does not change requests to the own computer, so `localhost` and
`127.0.0.1` are not reported. The policy does not apply to content scripts.

## Why is this bad

The default policy of Firefox for Manifest V3 is `script-src 'self'; upgrade-insecure-requests`. A server that
answers only over HTTP, such as a device in the local network, is not found: "NetworkError when attempting to
fetch resource." Chrome has no such default, so the same code works there.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Lamp",
  "version": "1.0",
  "action": {},
  "background": {"scripts": ["background.js"]},
  "browser_specific_settings": {"gecko": {"id": "lamp@example.com"}}
}
```

```js background.js
browser.action.onClicked.addListener(() => fetch("http://192.168.1.20/on"));
```

## Use instead

A policy without `upgrade-insecure-requests`:

```json manifest.json
{
  "manifest_version": 3,
  "name": "Lamp",
  "version": "1.0",
  "action": {},
  "background": {"scripts": ["background.js"]},
  "content_security_policy": {"extension_pages": "script-src 'self'"},
  "browser_specific_settings": {"gecko": {"id": "lamp@example.com"}}
}
```

```js background.js
browser.action.onClicked.addListener(() => fetch("http://192.168.1.20/on"));
```

## References

* The requests that Firefox 153 makes with each policy (`extlint_judge upgraded-requests`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.platform_globals import REQUESTS
from extlint.analysis.facts.script_facts import FailureHandling, GlobalUse
from extlint.analysis.facts.values import Kind, Literal, Typed, Value, options_of
from extlint.checks.api.watched_globals import watched_globals
from extlint.checks.availability.missing_globals import fails_on
from extlint.checks.reachability.each_script import in_each_script
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets.request import engine_of
from extlint.text.patterns import lazy
from extlint.text.wording import quoted

RULE = RULES["upgraded-request"]

_POLICY = ("content_security_policy", "extension_pages")
_UPGRADE = "upgrade-insecure-requests"
_OWN_KINDS = frozenset({ContextKind.BACKGROUND, ContextKind.DEVTOOLS_PAGE, ContextKind.EXTENSION_PAGE})
_SCHEMES = (b"http://", b"ws://")
_ADDRESS = lazy(rb"(?i)((?:http|ws)://)(\[[\da-f:.]+\]|[\w.-]+)((?::\d+)?)(?=[/?#]|\Z)")
"""Matches the start of an address up to its port."""

_STRING = lazy(rb"[\"'`]([^\"'`$\\]*/)")
"""Matches the start of an expression that begins with a string, up to a slash."""

_LOOPBACK = lazy(r"(?i)127(?:\.\d+){3}|\[::1\]|(?:.+\.)?localhost")


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each such request, at its address."""
    if _upgrades(extension):
        yield from _findings(extension)


@in_each_script
def _findings(extension: Extension, script: Script) -> Iterator[Finding]:
    if not _may_request(script):
        return
    for use in _uses(extension, script):
        span = use.arguments[0].span
        found = None if span is None else _insecure_origin(script, use.arguments[0])
        if span is None or found is None:
            continue
        if any(
            fails_on(
                extension, script, each, frozenset(), is_everywhere=True, least=FailureHandling.INSPECTED
            )
            for each in use.paths
        ):
            scheme = "wss" if found.startswith("ws") else "https"
            yield RULE.at(
                script.path,
                script.span(span),
                f"Firefox requests {quoted(found)} with {quoted(f'{scheme}:')}: "
                f"its default policy for Manifest V3 has {quoted(_UPGRADE)}",
                help=f"request {quoted(f'{scheme}:')}, or set `extension_pages` in `content_security_policy` "
                f"to a policy without {quoted(_UPGRADE)}",
            )


def prefetch(extension: Extension, script: Script) -> None:
    """Queries the requests of a script."""
    if _upgrades(extension) and _may_request(script):
        _uses(extension, script)


def _upgrades(extension: Extension) -> bool:
    """Whether the policy of the extension's pages changes their requests."""
    if engine_of(extension.target.name) is not Engine.GECKO or extension.manifest_version != 3:
        return False
    policy = extension.manifest.get(*_POLICY)
    return policy is None or (isinstance(policy.value, str) and _UPGRADE in policy.value)


def _may_request(script: Script) -> bool:
    """Whether a script runs only in pages of the extension, and may make such a request.

    Firefox runs no service worker.
    """
    kinds = {each.kind for each in script.contexts} - {ContextKind.SERVICE_WORKER}
    text = script.index.text
    return bool(kinds) and kinds <= _OWN_KINDS and any(each in text for each in _SCHEMES)


def _uses(extension: Extension, script: Script) -> Sequence[GlobalUse]:
    return extension.searches.global_uses(script, REQUESTS, watched_globals(extension), _takes_text)


def _takes_text(_name: str, arguments: tuple[Value, ...]) -> bool:
    """Whether the first argument of a call is certainly a string."""
    options = options_of(arguments[0]) if arguments else ()
    return bool(options) and all(
        isinstance(each, Literal | Typed) and each.kind is Kind.STRING for each in options
    )


def _insecure_origin(script: Script, address: Value) -> str | None:
    """Returns the origin of an address that Firefox changes, or None if it does not or that is not certain.

    It is the start of the string, if that is known, or that of an expression that begins with a string.
    """
    if isinstance(address, Literal):
        text = str(address.value).encode()
    else:
        start, end = address.span or (0, 0)
        begun = _STRING.match(script.index.text, start + script.base, end + script.base)
        text = b"" if begun is None else begun[1]
    found = _ADDRESS.match(text)
    if found is None or _LOOPBACK.fullmatch(found[2].decode()) is not None:
        return None
    return b"".join(found.groups()).decode().lower()
