"""Finds web-accessible resources that match no file in the package.

## What it does

Compares each entry of `web_accessible_resources` with the paths of all files, as browsers do: `*` matches
any text, including slashes; a leading slash is ignored, but `./` never matches; a space is written as `%20`;
`?` matches any character in Firefox, but only a question mark in Chrome. Entries for source maps and entries
that depend on the locale are ignored. In a project that has a build, and for files listed in `.gitignore`,
an entry is reported only if it is clear which other entry was meant.

## Why is this bad

Web pages and content scripts cannot load the intended file, and no browser reports an error.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Frame",
  "version": "1.0",
  "web_accessible_resources": [{"resources": ["./images/*.svg"], "matches": ["https://example.com/*"]}]
}
```

```svg images/frame.svg
<svg xmlns="http://www.w3.org/2000/svg"/>
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Frame",
  "version": "1.0",
  "web_accessible_resources": [{"resources": ["images/*.svg"], "matches": ["https://example.com/*"]}]
}
```

```svg images/frame.svg
<svg xmlns="http://www.w3.org/2000/svg"/>
```

## References

* What Firefox 153 and Chromium 156 let a web page load under patterns of each kind.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.text.wording import did_you_mean, quoted
from extlint_rules.helpers.resource_patterns import unmatched_resources

RULE = RULES["unmatched-resource"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each entry that matches no file."""
    manifest = extension.manifest
    for each in unmatched_resources(extension):
        message = (
            f"{quoted(each.pattern)} does not match any file in the package{did_you_mean(each.correction)}"
        )
        yield RULE.at(manifest.path, manifest.span(each.node.span), message)
