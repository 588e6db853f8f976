"""Finds names that neither a script nor a browser defines.

## What it does

Looks for variables and functions that a script uses without a declaration around the use, and for
assignments to such variables in strict code: in modules, classes, and after `"use strict"`. It reports a name
if no script that may share its globals with this one may define it, no page or library has the word, and no
browser has a global of this name. Variables of other functions and modules do not count, and neither do
members of other objects, unless a script passes the global object on.

In sources that a build compiles, the names must not be in the programs and the configuration of the build,
either, and the build must not import names automatically or add libraries that define globals. Assignments
in modules are only reported if webpack makes them strict. It reports nothing if other code that may run is
missing, apart from modules from which scripts only import names.

## Why is this bad

The script throws a ReferenceError where it uses the name, and does not continue.

## Example

```js background.js
function updateBadge(text) {
  chrome.action.setBadgeText({ text });
}
chrome.runtime.onInstalled.addListener(() => updatBadge("new"));
```

```json manifest.json
{
  "manifest_version": 3,
  "name": "Badge",
  "version": "1.0",
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

## Use instead

```js background.js
function updateBadge(text) {
  chrome.action.setBadgeText({ text });
}
chrome.runtime.onInstalled.addListener(() => updateBadge("new"));
```

```json manifest.json
{
  "manifest_version": 3,
  "name": "Badge",
  "version": "1.0",
  "action": {},
  "background": {"service_worker": "background.js"}
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.script_facts import GlobalUse
from extlint.checks.api.absent_globals import watched_globals
from extlint.checks.reachability.unreachable_code import checked_scripts
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.text.wording import quoted
from extlint_rules.helpers.undefined_names import candidates, is_module, may_serialize

_KINDS = frozenset(
    {
        ContextKind.BACKGROUND,
        ContextKind.CONTENT_SCRIPT,
        ContextKind.EXTENSION_PAGE,
        ContextKind.OFFSCREEN,
        ContextKind.SERVICE_WORKER,
    }
)


def undefined_names(extension: Extension) -> Iterator[tuple[Script, GlobalUse]]:
    """Yields the first use in each script of each such name."""
    listed = candidates(extension)
    if not listed:
        return
    from extlint.checks.availability.dead_events import never_runs
    from extlint.checks.availability.missing_globals import fails_on
    from extlint_rules.helpers.known_names import has_known_names, kinds_with_unknown_names

    if not has_known_names(extension):
        return
    known_kinds = _KINDS - kinds_with_unknown_names(extension)
    watched = watched_globals(extension)
    for script in checked_scripts(extension):
        names = listed.get(script.location)
        kinds = {each.kind for each in (*script.contexts, *script.all_contexts)}
        if not names or not kinds or not kinds <= known_kinds:
            continue
        found: set[str] = set()
        uses = extension.searches.undeclared_uses(
            script,
            names,
            watched,
            is_module=is_module(extension, script),
            must_be_known=may_serialize(extension),
        )
        for use in uses:
            if use.name in found:
                continue
            fails = any(
                fails_on(extension, script, path, frozenset(), is_everywhere=True) for path in use.paths
            )
            if fails and not never_runs(extension, script, use.span):
                found.add(use.name)
                yield script, use


RULE = RULES["undefined-name"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for the first use of each name in a script."""
    for script, use in undefined_names(extension):
        yield RULE.at(
            *script.place(use.span),
            f"{quoted(use.name)} is not defined: no script of the package declares it",
        )
