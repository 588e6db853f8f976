"""Finds uses of functions, events and properties that the schema marks as unsupported.

## What it does

Reports every use of a member that the target describes but does not support: under `--target firefox` some
of what only Chrome has. The finding says which browsers do support it. Code that runs only after the member
was tested for is not reported, and neither is code in bundles and libraries that is not known to run.

## Why is this bad

The schema describes such a member, but the browser never creates it: it is `undefined`, and calling it
throws "browser.notifications.update is not a function".

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Progress",
  "version": "1.0",
  "permissions": ["notifications"],
  "background": {"scripts": ["background.js"]}
}
```

```js background.js
browser.runtime.onMessage.addListener(() => {
  browser.notifications.update("progress", { message: "50 %" });
});
```

## Use instead

Chrome has `notifications.update`, and Firefox does not, as `extlint schema notifications.update` says. Test
for the function, and do what works everywhere if it is not there:

```json manifest.json
{
  "manifest_version": 3,
  "name": "Progress",
  "version": "1.0",
  "permissions": ["notifications"],
  "background": {"scripts": ["background.js"]}
}
```

```js background.js
browser.runtime.onMessage.addListener(() => {
  const options = { type: "basic", title: "Progress", message: "50 %" };
  if (browser.notifications.update) {
    browser.notifications.update("progress", options);
  } else {
    browser.notifications.create("progress", options);
  }
});
```
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.checks.api.unavailability import Reason
from extlint.checks.availability.missing_references import missing_references
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.targets import browser_name
from extlint.text.wording import available_in, quoted

RULE = RULES["unsupported-api"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each reference to a member that the target marks unsupported."""
    schemas = extension.schemas
    for missing in missing_references(extension, Reason.UNSUPPORTED):
        from extlint.checks.availability.browser_help import help_for_member, other_browsers_supporting

        browsers = other_browsers_supporting(extension, missing.unavailability.path)
        what = quoted(missing.api)
        yield RULE.at(
            missing.path,
            missing.span,
            f"{what} is marked as unsupported"
            if schemas.is_specification
            else f"{what} is not supported in {browser_name(schemas.target)}",
            api=missing.api,
            help=help_for_member(missing.api, schemas, "marks it as unsupported")
            or (None if browsers is None else available_in(browsers)),
            general=f"{what} is not supported",
            reason="",
        )
