"""Finds imports where the script that contains them cannot have any, or that browsers cannot resolve.

## What it does

Under `--target chrome` and `--target firefox`, reports in the scripts that browsers load as they are:

* `import` and `export` statements and `import.meta` in classic scripts: content scripts and injected files,
  the scripts of pages without `type="module"`, and backgrounds without `"type": "module"`
* calls of `importScripts` in a worker that is a module
* calls of `import()` that are seen to run in a service worker
* imports by the name of a package, such as `import x from "lodash"`
* imports of JSON, style sheets and images, without `with {type: "json"}`
* `require("./badge")`, `exports` and `process.env`, which only Node and bundlers have, where they are seen to
  run

Nothing is reported in projects with a build, which resolves imports.

## Why is this bad

A classic script with an `import` does not run at all. Chrome says "Uncaught SyntaxError: Cannot use import
statement outside a module" or "Unexpected token 'export'", and of a service worker "Service worker
registration failed. Status code: 15"; Firefox says "import declarations may only appear at top level of a
module". The others fail with "Module scripts don't support importScripts()", "import() is disallowed on
ServiceWorkerGlobalScope by the HTML specification", and 'Failed to resolve module specifier "lodash".
Relative references must start with either "/", "./", or "../"', and "require is not defined".

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Visits",
  "version": "1.0",
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
import { show } from "./badge.js";
chrome.tabs.onUpdated.addListener(show);
```

```js badge.js
export function show(tabId) {
  chrome.action.setBadgeText({ tabId, text: "new" });
}
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Visits",
  "version": "1.0",
  "action": {},
  "background": {"service_worker": "background.js", "type": "module"}
}
```

```js background.js
import { show } from "./badge.js";
chrome.tabs.onUpdated.addListener(show);
```

```js badge.js
export function show(tabId) {
  chrome.action.setBadgeText({ tabId, text: "new" });
}
```

A page loads modules with `<script type="module" src="popup.js"></script>`. Content scripts are never
modules: name all their files in `js`, or call `await import(chrome.runtime.getURL("module.js"))`, and name
the module in `web_accessible_resources`.

`--fix --unsafe-fixes` adds `"type": "module"` to the background, or `type="module"` to the elements that load
the script, if the script runs as a module and no other script depends on its variables.

## References

* What Firefox 153 and Chromium 156 answer scripts of each kind (`extlint_judge imports`).
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.context import WEB_PAGE_CONTEXTS, Context, ContextKind
from extlint.analysis.facts.platform_globals import PROCESS
from extlint.checks.availability.wrong_imports import (
    MisplacedImport,
    Misplacement,
    misplaced_imports,
    mistakes_in,
)
from extlint.checks.blocked_code import blocked_code
from extlint.checks.load_paths import contexts_to_show, load_paths
from extlint.extension import Extension, Script
from extlint.finding import Finding, Fix
from extlint.registry import RULES
from extlint.text.wording import quoted

RULE = RULES["misplaced-import"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each script, or for each call and name in a module."""
    for each in misplaced_imports(extension):
        if each.script.base and _is_blocked(extension, each.script):
            continue
        yield RULE.at(
            *each.script.place(each.span),
            _message(each),
            help=_help(extension, each),
            related=load_paths(extension, contexts_to_show(each.contexts)),
            fix=_fix(extension, each),
        )


def _is_blocked(extension: Extension, script: Script) -> bool:
    """Whether the policy of a page blocks an inline script, which `inline-script` reports."""
    return any(
        page.path == script.path and code.span[0] == script.base for page, code in blocked_code(extension)
    )


def _fix(extension: Extension, found: MisplacedImport) -> Fix | None:
    if found.kind is not Misplacement.CLASSIC:
        return None
    from extlint_rules.helpers.module_loads import fix_as_module

    return fix_as_module(extension, found)


def prefetch(extension: Extension, script: Script) -> None:
    """Queries the imports of a script."""
    mistakes_in(extension, script)


def _message(found: MisplacedImport) -> str:
    word = quoted(found.word)
    match found.kind:
        case Misplacement.CLASSIC:
            return f"{word} is only allowed in modules, and {_classic_clause(found.contexts[0])}"
        case Misplacement.MODULE:
            return f"{word} fails in a worker that is a module"
        case Misplacement.WORKER:
            return f"{word} fails in a service worker"
        case Misplacement.DATA:
            return f"{word} is not a script, and modules import only scripts"
        case Misplacement.COMMON_JS:
            return f"{word} does not exist in browsers: only Node and bundlers have it"
    return f"{word} cannot be resolved: browsers import modules by their addresses"


def _classic_clause(context: Context) -> str:
    if context.kind in WEB_PAGE_CONTEXTS:
        return "content scripts are classic scripts"
    if context.kind is ContextKind.SERVICE_WORKER:
        return "this service worker is a classic script"
    if context.kind is ContextKind.BACKGROUND:
        return "this background script is a classic script"
    return "this script is loaded as a classic script"


def _help(extension: Extension, found: MisplacedImport) -> str:
    match found.kind:
        case Misplacement.CLASSIC:
            return _help_for_classic(extension, found)
        case Misplacement.MODULE:
            return 'load scripts with `import`, or remove `"type": "module"`'
        case Misplacement.WORKER:
            return 'import it with a statement at the top of a module (`"type": "module"`)'
        case Misplacement.DATA if found.word.endswith(".json"):
            return 'add `with {type: "json"}`, or `fetch` it'
        case Misplacement.DATA:
            return "name it in a page, or bundle the scripts"
        case Misplacement.COMMON_JS if found.word == PROCESS:
            return "write the value itself, or bundle the scripts"
        case Misplacement.COMMON_JS:
            return "bundle the scripts, or use `import` and `export` in modules"
    return "import a file of the package by its path (`./`), or bundle the scripts"


def _help_for_classic(extension: Extension, found: MisplacedImport) -> str:
    context = found.contexts[0]
    if found.word == "export" and context.kind in WEB_PAGE_CONTEXTS:
        return "remove `export`: scripts that are loaded in the same place share their variables"
    if context.kind in WEB_PAGE_CONTEXTS:
        return "name the file before this one, call `import(chrome.runtime.getURL(...))`, or bundle both"
    step = context.step
    is_in_manifest = step is not None and step.path == extension.manifest.path
    if is_in_manifest and (context.kind is ContextKind.SERVICE_WORKER or extension.manifest_version == 3):
        return 'add `"type": "module"` to `background`'
    if context.kind is ContextKind.SERVICE_WORKER:
        return "import it from a module, instead of `importScripts`"
    return 'load it with `<script type="module">`'
