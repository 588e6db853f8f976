"""Finds strings that are run as code where the content security policy forbids it.

## What it does

Under `--target chrome` and `--target firefox`, looks for calls of `eval` and `Function`, and for strings that
are passed to `setTimeout` and `setInterval`, which are seen to run: in pages and workers of an extension,
unless it is in Manifest V2 and its policy has `'unsafe-eval'`, and in content scripts of Manifest V3.
Sandboxed pages may run strings. `Function("return this")`, which libraries fall back to, is not reported.

## Why is this bad

The call fails. Chrome says "EvalError: Evaluating a string as JavaScript violates the following Content
Security Policy directive because 'unsafe-eval' is not an allowed source of script", and Firefox "EvalError:
call to eval() blocked by CSP". A timer just does nothing. Nothing in a manifest of Manifest V3 changes that.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Sum",
  "version": "1.0",
  "permissions": ["storage"],
  "action": {"default_popup": "popup.html"}
}
```

```html popup.html
<script src="popup.js"></script>
```

```js popup.js
chrome.storage.local.get("sum").then(({ sum }) => {
  document.body.textContent = eval(sum);
});
```

## Use instead

What a string says can often be looked up instead, or parsed (`JSON.parse`). Code that really has to be
evaluated is sent to a sandboxed page by `postMessage`.

```json manifest.json
{
  "manifest_version": 3,
  "name": "Sum",
  "version": "1.0",
  "permissions": ["storage"],
  "action": {"default_popup": "popup.html"}
}
```

```html popup.html
<script src="popup.js"></script>
```

```js popup.js
chrome.storage.local.get("numbers").then(({ numbers }) => {
  document.body.textContent = numbers.reduce((sum, each) => sum + each, 0);
});
```

## References

* What Firefox 153 and Chromium 156 run in scripts of each kind (`extlint_judge string-code`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extlint.analysis.facts.context import Context, ContextKind
from extlint.analysis.facts.platform_globals import CODE_RUNNERS, TIMERS
from extlint.analysis.facts.script_facts import GlobalUse
from extlint.analysis.facts.values import Kind, Literal, Typed, Value, options_of
from extlint.checks.api.absent_globals import absent_globals_in, absent_names, watched_globals
from extlint.checks.availability.missing_globals import fails_on
from extlint.checks.blocked_code import blocks_strings, may_run_strings
from extlint.checks.reachability.each_script import in_each_script
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.text.wording import quoted

RULE = RULES["string-code"]

_GLOBAL_OBJECT = "return this"


@in_each_script
def check(extension: Extension, script: Script) -> Iterator[Finding]:
    """Yields one finding for each call that is blocked."""
    blocking = _blocking_contexts(extension, script)
    if not blocking:
        return
    is_everywhere = len(blocking) == len(script.contexts)
    is_own = all(each.kind is not ContextKind.CONTENT_SCRIPT for each in blocking)
    absent = frozenset[str]().union(
        *(absent_names(absent_globals_in(extension, each.kind)) for each in blocking)
    )
    for use in _uses(extension, script):
        if not (is_own or (use.is_free and use.name in CODE_RUNNERS)):
            continue
        if not is_everywhere and not (use.on_load and any(each.certain for each in blocking)):
            continue
        if any(fails_on(extension, script, each, absent, is_everywhere=is_everywhere) for each in use.paths):
            from extlint.checks.load_paths import contexts_to_show, load_paths

            what = "does not run a string" if use.name in TIMERS else "fails"
            why = "the content security policy blocks strings that are run as code"
            yield RULE.at(
                *script.place(use.span),
                f"{quoted(use.name)} {what}: {why}",
                help=_help(extension, use),
                related=load_paths(extension, contexts_to_show(blocking)),
            )


def prefetch(extension: Extension, script: Script) -> None:
    """Queries the calls of a script that run strings, if a context blocks them."""
    if _blocking_contexts(extension, script):
        _uses(extension, script)


def _blocking_contexts(extension: Extension, script: Script) -> tuple[Context, ...]:
    """Returns the contexts of a script that block strings, if the script may run any."""
    blocking = tuple(each for each in script.contexts if blocks_strings(extension, each.kind))
    return blocking if blocking and may_run_strings(extension, *script.location) else ()


def _uses(extension: Extension, script: Script) -> Sequence[GlobalUse]:
    watched = watched_globals(extension)
    return extension.searches.global_uses(script, CODE_RUNNERS | TIMERS, watched, _runs_string)


def _runs_string(name: str, arguments: tuple[Value, ...]) -> bool:
    """Whether a call with a sensible argument certainly runs or compiles a string."""
    if not arguments:
        return False
    options = options_of(arguments[0])
    if name in TIMERS:
        return all(isinstance(each, Literal | Typed) and each.kind is Kind.STRING for each in options)
    if any(isinstance(each, Literal) and each.value == _GLOBAL_OBJECT for each in options):
        return False
    return any(not isinstance(each, Literal | Typed) or each.kind is Kind.STRING for each in options)


def _help(extension: Extension, use: GlobalUse) -> str:
    if use.name in TIMERS:
        return "pass a function"
    if extension.manifest_version == 2:
        return "write it as a function, or add `'unsafe-eval'` to `script-src` in `content_security_policy`"
    return "write it as a function, parse JSON with `JSON.parse`, or evaluate it in a sandboxed page"
