"""Finds values in the manifest and in rules that browsers do not accept.

## What it does

Checks every value in the manifest against what the target's browser accepts there: its type, the listed
values, its range, and the format of match patterns, versions, content security policies, extension ids,
shortcuts, colors, URLs and paths. One wrong value is one finding. Without a target, a value is reported if
no browser accepts it. Strings that come from a locale file (`__MSG_name__`) are not checked.

The declarativeNetRequest rules in every file that the manifest names are checked too: each value, and how
the parts of a rule fit together. Regular expressions are checked by the browser's own engine. For Chrome
this requires the extra `extlint[re2]`; one that exceeds Chrome's memory limit is a warning, because only its
rule is skipped. If very many rules in a file are wrong, the first hundred are reported, with the number of
the others.

Content scripts and style sheets that the manifest names must be UTF-8 without code points that are not
characters, such as U+FFFF: otherwise Chrome does not load the extension.

The strings, placeholders and names of messages in `_locales/*/messages.json` are checked too.

## Why is this bad

The browser refuses to load the extension, or ignores the value: a content script with an invalid match
pattern never runs. If the browser ignores the value, the finding is a warning. Chrome refuses every
Manifest V2 extension since version 139. Firefox ignores a wrong rule; Chrome does so too, or refuses the
extension.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "List",
  "version": "1.0",
  "content_scripts": [{"matches": ["*.example.org/*"], "js": ["list.js"]}]
}
```

```js list.js
document.title = "List";
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "List",
  "version": "1.0",
  "content_scripts": [{"matches": ["*://*.example.org/*"], "js": ["list.js"]}]
}
```

```js list.js
document.title = "List";
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from extlint.checks.manifest_values.load_messages import encoding_problems
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.linting.json_findings import json_findings
from extlint.registry import RULES
from extlint.text.json.values import JsonNode
from extlint.text.positions import Span
from extlint.text.wording import with_article

RULE = RULES["invalid-value"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each wrong value, and one at its start for a manifest that is not an object."""
    manifest = extension.manifest
    root = manifest.get()
    if root is not None and not manifest.is_object:
        start = manifest.span(root.span).start
        message = f"a manifest must be an object; this one is {_kind(root)}"
        yield RULE.at(manifest.path, Span(start, start), message)
    yield from json_findings(extension, RULE)
    if manifest.get("content_scripts") is not None:
        for span, message, help in encoding_problems(extension):
            yield RULE.at(manifest.path, span, message, help=help)


def _kind(node: JsonNode) -> str:
    value = node.value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return with_article("boolean")
    if isinstance(value, str):
        return with_article("string")
    if isinstance(value, Sequence):
        return with_article("array")
    return with_article("object") if isinstance(value, Mapping) else with_article("number")
