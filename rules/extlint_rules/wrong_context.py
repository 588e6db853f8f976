"""Finds uses of an API in a script where that API is not available.

## What it does

Determines from the manifest and its pages where each script runs: in the background, in an extension page,
in web pages as a content script, in a page's main world or in a sandbox. It reports a use of an API that is
available in none of these places, and a use that certainly runs as soon as the script loads in a place
without the API. The finding shows step by step how the manifest leads to the script.

No extension API is available in a page's main world, in a sandboxed page or in workers, with one exception:
Chrome gives `runtime.sendMessage` and `runtime.connect` to web pages that match `externally_connectable`.
Under `--target chrome` calls of `storage.session` by content scripts are reported, unless a script calls its
`setAccessLevel`. A `try` around a use where no API exists is an excuse only if its `catch` does something
else instead. The `func` of `scripting.executeScript` runs in web pages. Messages to another extension are
not reported, and neither are functions that are only converted to text, as in `String(f)`, because the text
may run anywhere. A bundle for one place contains helpers for others: in generated code, only uses that are
known to run are reported, on load, in a listener or by calls that lead there without a condition.

## Why is this bad

Browsers give each kind of script only a part of the API. The rest is `undefined` there, and using it throws
a `TypeError`: `chrome.tabs` in a content script is "Cannot read properties of undefined (reading 'query')"
in Chrome, and "can't access property "query", browser.tabs is undefined" in Firefox. Of `storage.session`
Chrome says "Access to storage is not allowed from this context."

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Tab counter",
  "version": "1.0",
  "content_scripts": [{"matches": ["https://example.com/*"], "js": ["content.js"]}]
}
```

```js content.js
chrome.tabs.query({}).then((tabs) => console.log(tabs.length));
```

## Use instead

Send a message, and let the background do it:

```json manifest.json
{
  "manifest_version": 3,
  "name": "Tab counter",
  "version": "1.0",
  "background": {"service_worker": "background.js"},
  "content_scripts": [{"matches": ["https://example.com/*"], "js": ["content.js"]}]
}
```

```js content.js
chrome.runtime.sendMessage("count tabs").then((number) => console.log(number));
```

```js background.js
chrome.runtime.onMessage.addListener((message, sender, sendResponse) => {
  if (message === "count tabs") {
    chrome.tabs.query({}).then((tabs) => sendResponse(tabs.length));
    return true;
  }
});
```
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from extlint.analysis.facts.context import EXTENSION_PAGES, ContextKind
from extlint.analysis.facts.script_facts import CallSite, FailureHandling, Reference
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.unavailability import Reason
from extlint.checks.availability.missing_references import MissingReference, missing_references
from extlint.checks.availability.unguarded_references import is_never_called, unguarded_calls
from extlint.checks.other_manifests import is_for_sibling_manifest
from extlint.checks.reachability.closed_world import has_all_loaded_files
from extlint.checks.reachability.unused_scripts import with_unknown_context
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.project.contexts.words import words_of
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.positions import ByteSpan
from extlint.text.wording import listed, quoted, with_article

RULE = RULES["wrong-context"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields a finding for each reference to a member missing or closed in the contexts of its script."""
    yield from _session_findings(extension)
    for missing in _first_failures([*missing_references(extension, Reason.CONTEXT)]):
        from extlint.checks.load_paths import contexts_to_show, load_paths

        contexts = missing.unavailability.contexts
        kinds = dict.fromkeys(with_article(each.kind.value) for each in contexts)
        shown = contexts_to_show(contexts)
        yield RULE.at(
            missing.path,
            missing.span,
            f"{quoted(missing.api)} is not available in {listed(list(kinds), 'or')}",
            api=missing.api,
            help="; ".join(_help(missing, sum(each.path_count for each in contexts) - len(shown))),
            related=load_paths(extension, shown),
            general=f"{quoted(missing.api)} is not available where this script runs",
        )


def _first_failures(found: Sequence[MissingReference]) -> Iterator[MissingReference]:
    """Yields the references without those in the arguments of a call that fails before them."""
    failing: dict[tuple[str, int], list[tuple[ByteSpan, MissingReference]]] = {}
    for each in found:
        calls = (call for call in each.script.facts.calls if call.callee == each.at)
        failing.setdefault(each.script.location, []).extend((call.arguments_span, each) for call in calls)
    for each in found:
        contexts = {*each.unavailability.contexts}
        if not any(
            start <= each.at[0] < end and contexts.issubset(outer.unavailability.contexts)
            for (start, end), outer in failing.get(each.script.location, ())
        ):
            yield each


def _session_findings(extension: Extension) -> Iterator[Finding]:
    """Yields findings for calls by content scripts of the session storage, which is closed to them."""
    is_chrome = engine_of(extension.schemas.target) is Engine.CHROMIUM
    calls = (call for script in extension.scripts for call in script.facts.calls) if is_chrome else ()
    if not any(call.path[:2] == ("storage", "session") for call in calls):
        return
    from extlint.checks.load_paths import contexts_to_show, load_paths

    for script, reference in calls_of_closed_session(extension):
        api = ".".join(reference.path)
        yield RULE.at(
            *script.place(reference.span),
            f"{quoted(api)} fails in a content script: `storage.session` is closed to it at first",
            api=api,
            help="open it in the background with `storage.session.setAccessLevel`, or send a message there",
            related=load_paths(extension, contexts_to_show(script.contexts)),
        )


def _help(missing: MissingReference, hidden: int) -> Iterator[str]:
    yield _where_it_exists(missing)
    if missing.unavailability.exists_in_other_contexts:
        yield "this script runs in several places and uses it as soon as it loads"
    if hidden:
        yield f"this script is also reached in {hidden} other way{'s' * (hidden > 1)}"


def _where_it_exists(missing: MissingReference) -> str:
    unavailability = missing.unavailability
    if not unavailability.path:
        return "no extension API is available there"
    places = list(_context_names(unavailability.exists_in, {each.kind for each in unavailability.contexts}))
    what = quoted(".".join(unavailability.path))
    if not places:
        return f"{what} is not available in any script of an extension"
    where = listed([f"in {each}" for each in places], "and")
    return f"{what} is available {'only ' * (len(places) == 1)}{where}"


def _context_names(kinds: Collection[ContextKind], without: Collection[ContextKind]) -> Iterator[str]:
    """Yields user-facing names for the kinds of contexts with a member; `without` are those without it."""
    if ContextKind.SERVICE_WORKER in kinds:
        yield "the background"
    elif ContextKind.BACKGROUND in kinds:
        yield "background pages"
    if ContextKind.EXTENSION_PAGE in kinds:
        some = not EXTENSION_PAGES.isdisjoint(without)
        yield "the extension's other pages" if some else "the extension's own pages"
    elif ContextKind.DEVTOOLS_PAGE in kinds:
        yield "developer tools pages"
    if ContextKind.CONTENT_SCRIPT in kinds:
        yield "content scripts"


SESSION = ("storage", "session")

_OPENING = "setAccessLevel"


def calls_of_closed_session(extension: Extension) -> Iterator[tuple[Script, Reference]]:
    """Yields each call that certainly fails for this reason. The target must be based on Chromium."""
    calls = [
        (script, reference)
        for script, reference, call in unguarded_calls(extension, FailureHandling.RECOVERED)
        if _is_closed(script, call) and reference.guards.runs_in is None
    ]
    if not calls or not _stays_closed(extension):
        return
    for script, reference in calls:
        if (
            not unavailabilities_of(extension, reference.path, script.contexts)
            and with_unknown_context(extension, script) is None
            and not is_for_sibling_manifest(extension, script, reference, _may_open)
            and not is_never_called(extension, script, reference)
        ):
            yield script, reference


def _is_closed(script: Script, call: CallSite) -> bool:
    kinds = {each.kind for each in script.contexts}
    return call.path[:-1] == SESSION and call.path[-1] != _OPENING and kinds == {ContextKind.CONTENT_SCRIPT}


def _stays_closed(extension: Extension) -> bool:
    """Whether all code of the extension is known, and no code opens the area."""
    return has_all_loaded_files(extension) and not words_of(extension).has(_OPENING)


def _may_open(extension: Extension, script: Script) -> bool:  # noqa: ARG001
    return not _stays_closed(extension)
