"""Finds declarativeNetRequest rules that have the id of another rule.

## What it does

Checks each rule file that `declarative_net_request` names, and reports each rule whose `id` is the same as
that of an earlier rule in the file.

## Why is this bad

Chrome refuses to load the extension. Firefox ignores the later rule.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "List",
  "version": "1.0",
  "permissions": ["declarativeNetRequest"],
  "declarative_net_request": {"rule_resources": [{"id": "main", "enabled": true, "path": "rules.json"}]}
}
```

```json rules.json
[
  {"id": 1, "condition": {"urlFilter": "||ads.example.org^"}, "action": {"type": "block"}},
  {"id": 1, "condition": {"urlFilter": "||example.org^"}, "action": {"type": "upgradeScheme"}}
]
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "List",
  "version": "1.0",
  "permissions": ["declarativeNetRequest"],
  "declarative_net_request": {"rule_resources": [{"id": "main", "enabled": true, "path": "rules.json"}]}
}
```

```json rules.json
[
  {"id": 1, "condition": {"urlFilter": "||ads.example.org^"}, "action": {"type": "block"}},
  {"id": 2, "condition": {"urlFilter": "||example.org^"}, "action": {"type": "upgradeScheme"}}
]
```

## References

* [Rule ids](https://developer.chrome.com/docs/extensions/reference/api/declarativeNetRequest#rules)
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.linting.json_findings import json_findings
from extlint.registry import RULES

RULE = RULES["duplicate-rule-id"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding at each id that an earlier rule has."""
    yield from json_findings(extension, RULE)
