"""Finds variables that an injected function uses, but that exist only where it is written.

## What it does

Under `--target firefox` and `--target chrome`, checks the functions that `scripting.executeScript` injects as
`func`. It reports variables, functions and imports of the surrounding script that they use. It ignores names
that web pages or content scripts may have, and names that the function tests with `typeof` or in a `try`. In
the world `MAIN` it reports only what another function declares.

## Why is this bad

Only the text of the function gets to the page, where the rest of the script does not exist. It fails with
"Uncaught ReferenceError: color is not defined" in the console of the page.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Painter",
  "version": "1.0",
  "permissions": ["activeTab", "scripting"],
  "action": {},
  "background": {"service_worker": "background.js", "scripts": ["background.js"]}
}
```

```js background.js
const color = "green";

function paint() {
  document.body.style.background = color;
}

chrome.action.onClicked.addListener((tab) => {
  chrome.scripting.executeScript({ target: { tabId: tab.id }, func: paint }).catch(console.error);
});
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Painter",
  "version": "1.0",
  "permissions": ["activeTab", "scripting"],
  "action": {},
  "background": {"service_worker": "background.js", "scripts": ["background.js"]}
}
```

```js background.js
function paint(color) {
  document.body.style.background = color;
}

chrome.action.onClicked.addListener((tab) => {
  chrome.scripting
    .executeScript({ target: { tabId: tab.id }, func: paint, args: ["green"] })
    .catch(console.error);
});
```

## References

* What injected functions see in Firefox 153 and Chromium 156 (`extlint_judge injected-functions`).
* Chrome: <https://developer.chrome.com/docs/extensions/reference/api/scripting#injected_code>
* Firefox: <https://developer.mozilla.org/en-US/docs/Mozilla/Add-ons/WebExtensions/API/scripting/executeScript>
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from extlint.analysis.facts.context import ContextKind, injection_context
from extlint.analysis.facts.script_facts import INJECTION, CallSite, CapturedVariable
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.reachability.closed_world import has_all_loaded_files
from extlint.checks.reachability.unreachable_code import checked_scripts, is_unreachable
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.targets import CHROME
from extlint.text.patterns import isolated_word
from extlint.text.wording import quoted
from extlint_schemas import web_globals

RULE = RULES["lost-variable"]

_SHARED_GLOBALS = frozenset(
    """
    browser caches chrome close console crypto event fetch globalThis indexedDB isSecureContext location name
    navigator origin performance scheduler self structuredClone trustedTypes
    """.split()
)
"""Globals that both web pages and workers have, in addition to those of the language."""

_INJECTED = frozenset({ContextKind.CONTENT_SCRIPT, ContextKind.MAIN_WORLD, ContextKind.UNKNOWN})


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each such variable of a function, at its first use."""
    seen: set[tuple[str, int, tuple[int, int]]] = set()
    for script in checked_scripts(extension):
        references = script.facts.references_of_calls
        for call in script.facts.calls:
            if not call.captured or not has_all_loaded_files(extension):
                continue
            reference = references.get(call.callee)
            if (
                reference is None
                or is_unreachable(extension, script, reference.guards)
                or unavailabilities_of(extension, call.path, script.contexts)
            ):
                continue
            for each in call.captured:
                place = script.path, script.base, each.span
                if place not in seen and not _may_exist(extension, script, call, each):
                    seen.add(place)
                    api = ".".join(INJECTION)
                    message = f"{quoted(api)} injects only the text of the function"
                    yield RULE.at(
                        *script.place(each.span),
                        f"{quoted(each.name)} is not defined in the page: {message}",
                        api=api,
                        help="pass values in `args`, and declare inside the function what else it uses",
                    )


def _may_exist(extension: Extension, script: Script, call: CallSite, variable: CapturedVariable) -> bool:
    """Whether a variable of that name may exist where a function is injected."""
    name = variable.name
    if name in _SHARED_GLOBALS or name in web_globals(CHROME)[ContextKind.SERVICE_WORKER.value].missing:
        return True
    is_isolated = injection_context(call.arguments[0]) is ContextKind.CONTENT_SCRIPT
    if not variable.is_local and (not is_isolated or _is_injected(script)):
        return True
    word = name.encode()
    if re.search(rb"(?:window|self|globalThis|top)\s*\??[.\[]\s*[\"']?" + re.escape(word), script.index.text):
        return True
    pattern = re.compile(isolated_word(word))
    return any(
        pattern.search(other.index.text) is not None
        for other in extension.scripts
        if other.path != script.path and _is_injected(other)
    )


def _is_injected(script: Script) -> bool:
    """Whether a script runs in web pages, or may do so."""
    return not script.contexts or any(each.kind in _INJECTED for each in script.contexts)
