"""Finds requests that the content security policy of the manifest blocks.

## What it does

Under `--target chrome` and `--target firefox`, checks the calls of `fetch`, and objects made with
`EventSource` and `WebSocket`, in the background and the pages of an extension. It reports addresses whose
host is not among the sources of `connect-src` in the policy of the manifest, or of `default-src` if
`connect-src` is missing. A policy without both directives allows all requests. The policy does not apply to
content scripts. Requests to the same computer are ignored. The address may be, or begin with, a field of
`this` that only the class itself sets.

## Why is this bad

The browser does not send the request, whatever hosts the manifest requests. `fetch` fails with "Failed to
fetch" in Chrome, and with "NetworkError when attempting to fetch resource." in Firefox.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Weather",
  "version": "1.0",
  "host_permissions": ["https://api.example.com/*"],
  "action": {},
  "background": {"service_worker": "background.js"},
  "content_security_policy": {"extension_pages": "default-src 'self'"}
}
```

```js background.js
chrome.action.onClicked.addListener(async () => {
  const answer = await fetch("https://api.example.com/weather");
  await chrome.action.setTitle({ title: await answer.text() });
});
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Weather",
  "version": "1.0",
  "host_permissions": ["https://api.example.com/*"],
  "action": {},
  "background": {"service_worker": "background.js"},
  "content_security_policy": {
    "extension_pages": "default-src 'self'; connect-src 'self' https://api.example.com"
  }
}
```

```js background.js
chrome.action.onClicked.addListener(async () => {
  const answer = await fetch("https://api.example.com/weather");
  await chrome.action.setTitle({ title: await answer.text() });
});
```

## References

* The requests that Chromium 156 and Firefox 153 block with several policies
  (`extlint_judge blocked-requests`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from extlint.checks.calls.page_requests import OriginTest, prefetch_requests, requests_in
from extlint.checks.reachability.unreachable_code import in_each_script
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.formats.csp import chrome_2, chrome_3, firefox_2, firefox_3
from extlint.text.formats.csp_policy import blocking_directive
from extlint.text.wording import quoted

RULE = RULES["blocked-request"]

_POLICY = "content_security_policy"
_CHECKS = {
    (Engine.CHROMIUM, 2): chrome_2,
    (Engine.CHROMIUM, 3): chrome_3,
    (Engine.GECKO, 2): firefox_2,
    (Engine.GECKO, 3): firefox_3,
}
"""The functions that find why a browser does not use a policy, by browser and manifest version."""

_SCHEMES = (b"https://", b"http://", b"wss://", b"ws://")


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each such request, at its address."""
    if _limits(extension):
        yield from _findings(extension)


@in_each_script
def _findings(extension: Extension, script: Script) -> Iterator[Finding]:
    for request in requests_in(extension, script, _SCHEMES, _is_blocked_by(_policy(extension))):
        directive = blocking_directive(_policy(extension), "connect-src", request.origin)
        if directive is not None:
            yield RULE.at(
                *script.place(request.span),
                f"{quoted(directive)} in the policy of {extension.manifest_source} blocks requests to "
                f"{quoted(request.origin)}",
                help=f"add {quoted(request.origin)} to `connect-src`",
            )


def prefetch(extension: Extension, script: Script) -> None:
    """Queries the requests of a script."""
    if _limits(extension):
        prefetch_requests(extension, script, _SCHEMES, _is_blocked_by(_policy(extension)))


@lru_cache
def _is_blocked_by(policy: str) -> OriginTest:
    return lambda origin: blocking_directive(policy, "connect-src", origin) is not None


def _policy(extension: Extension) -> str:
    """Returns the policy of pages in the manifest, or an empty one if the browser does not use it."""
    version, engine = extension.manifest_version, engine_of(extension.target.name)
    found = extension.manifest.get(*((_POLICY, "extension_pages") if version == 3 else (_POLICY,)))
    problem_of = None if engine is None else _CHECKS.get((engine, version))
    if found is None or not isinstance(found.value, str) or problem_of is None:
        return ""
    return "" if problem_of(found.value) is not None else found.value


def _limits(extension: Extension) -> bool:
    """Whether the policy of the extension's pages allows only some requests."""
    return blocking_directive(_policy(extension), "connect-src", "") is not None
