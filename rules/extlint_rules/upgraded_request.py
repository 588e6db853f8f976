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

from collections.abc import Iterator

from extlint.checks.calls.page_requests import prefetch_requests, requests_in
from extlint.checks.reachability.unreachable_code import in_each_script
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.wording import quoted

RULE = RULES["upgraded-request"]

_POLICY = ("content_security_policy", "extension_pages")
_UPGRADE = "upgrade-insecure-requests"
_SCHEMES = (b"http://", b"ws://")
_INSECURE = ("http://", "ws://")


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each such request, at its address."""
    if _upgrades(extension):
        yield from _findings(extension)


@in_each_script
def _findings(extension: Extension, script: Script) -> Iterator[Finding]:
    for request in requests_in(extension, script, _SCHEMES, _is_insecure):
        origin = request.origin
        scheme = "wss" if origin.startswith("ws") else "https"
        yield RULE.at(
            *script.place(request.span),
            f"Firefox requests {quoted(origin)} with {quoted(f'{scheme}:')}: "
            f"its default policy for Manifest V3 has {quoted(_UPGRADE)}",
            help=f"request {quoted(f'{scheme}:')}, or set `extension_pages` in `content_security_policy` "
            f"to a policy without {quoted(_UPGRADE)}",
        )


def prefetch(extension: Extension, script: Script) -> None:
    """Queries the requests of a script."""
    if _upgrades(extension):
        prefetch_requests(extension, script, _SCHEMES, _is_insecure)


def _is_insecure(origin: str) -> bool:
    return origin.startswith(_INSECURE)


def _upgrades(extension: Extension) -> bool:
    """Whether the policy of the extension's pages changes their requests."""
    if engine_of(extension.target.name) is not Engine.GECKO or extension.manifest_version != 3:
        return False
    policy = extension.manifest.get(*_POLICY)
    return policy is None or (isinstance(policy.value, str) and _UPGRADE in policy.value)
