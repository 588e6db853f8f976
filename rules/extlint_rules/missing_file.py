"""Finds names of files that the package does not contain.

## What it does

Looks at the files that the manifest and the extension's pages name: scripts, style sheets, pages
and icons. It reports each name for which the package has no file, and says so if there is one that
differs in letter case alone. Names that contain `__MSG_` depend on the locale and are left alone.

## Why is this bad

Chrome refuses to load an extension that lacks a file which its manifest names; elsewhere the script
or page is missing without a word. Packed extensions tell letter case apart even where the author's
file system does not.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "List",
  "version": "1.0",
  "background": {"service_worker": "Background.js"}
}
```

```js background.js
browser.management.getSelf();
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "List",
  "version": "1.0",
  "background": {"service_worker": "background.js"}
}
```

```js background.js
browser.management.getSelf();
```
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding, Severity
from extlint.rule import Rule
from extlint.wording import quoted

RULE = Rule("missing-file", Severity.ERROR)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding at each name of a file that the package lacks."""
    package = extension.package
    for named in extension.named_files:
        if named.path in package:
            continue
        other = package.other_case(named.path)
        message = f"the package has no file {quoted(named.path)}"
        if other is not None:
            message += f", only {quoted(other)}, which differs in letter case"
        yield RULE.at(named.source, named.span, message)
