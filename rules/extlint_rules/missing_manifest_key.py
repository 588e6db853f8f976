"""Finds uses of an API that requires a manifest key which is missing.

## What it does

Reports every use of a member that browsers create only if the manifest has a certain key, such as `action`
for the API `action`, and calls that fail without one, such as `identity.getAuthToken` without `oauth2`, or
give nothing, such as `storage.managed.get` in Chrome without `storage.managed_schema`.
Code that runs only after such a member was tested for is not reported, and neither is code in a `try` whose
`catch` does something else instead. A function that exists without the key, such as
`runtime.openOptionsPage`, is reported even after a test for it, because its call still fails.

## Why is this bad

Without the key the browser does not create the member, and using it throws a `TypeError`: "Cannot read
properties of undefined (reading 'onClicked')" for `chrome.action` without the key `action`.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Count",
  "version": "1.0",
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.action.setBadgeText({text: "1"});
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Count",
  "version": "1.0",
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.action.setBadgeText({text: "1"});
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extlint.checks.api.unavailability import Reason
from extlint.checks.availability.missing_references import missing_references
from extlint.checks.calls.required_permissions import rejected_calls, requires_key
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.model import MANIFEST_KEY_PREFIX
from extlint.text.positions import Span
from extlint.text.wording import quoted, requires

RULE = RULES["missing-manifest-key"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each reference to a member that requires a missing key."""
    for missing in missing_references(extension, Reason.MANIFEST_KEY):
        yield _finding(extension, missing.path, missing.span, missing.api, missing.unavailability.permissions)
    for call in rejected_calls(extension):
        if requires_key(call):
            yield _finding(extension, call.script.path, call.script.span(call.span), call.api, call.required)


def _finding(extension: Extension, path: str, span: Span, api: str, required: Sequence[str]) -> Finding:
    keys = [each.removeprefix(MANIFEST_KEY_PREFIX) for each in required]
    tail = "which is missing" if len(keys) == 1 else "all of which are missing"
    return RULE.at(
        path,
        span,
        f"{requires(api, 'manifest key', keys)}, {tail}",
        api=api,
        help=f"add {quoted(keys[0])} to {extension.manifest_source}",
        general=f"{quoted(api)} requires a manifest key that is missing",
    )
