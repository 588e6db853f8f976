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

* What Firefox 153 and Chromium 156 run in scripts of each kind (`extlint_judge blocked-calls`).
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.platform_globals import CODE_RUNNERS, TIMERS
from extlint.analysis.facts.script_facts import GlobalUse
from extlint.analysis.facts.values import Kind, Literal, Typed, Value, options_of
from extlint.checks.availability.missing_globals import CallKind, blocked_calls, prefetch_calls
from extlint.checks.blocked_code import blocks_strings, may_run_strings
from extlint.checks.load_paths import contexts_to_show, load_paths
from extlint.checks.reachability.unreachable_code import in_each_script
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.text.wording import quoted

RULE = RULES["string-code"]

_GLOBAL_OBJECT = "return this"


@in_each_script
def check(extension: Extension, script: Script) -> Iterator[Finding]:
    """Yields one finding for each call that is blocked."""
    for use, contexts in blocked_calls(extension, script, _CALLS):
        what = "does not run a string" if use.name in TIMERS else "fails"
        why = "the content security policy blocks strings that are run as code"
        yield RULE.at(
            *script.place(use.span),
            f"{quoted(use.name)} {what}: {why}",
            help=_help(extension, use),
            related=load_paths(extension, contexts_to_show(contexts)),
        )


def prefetch(extension: Extension, script: Script) -> None:
    """Queries the calls of a script that run strings, if a context blocks them."""
    prefetch_calls(extension, script, _CALLS)


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


_CALLS = CallKind(
    CODE_RUNNERS | TIMERS, blocks_strings, may_run_strings, matters=_runs_string, in_content=CODE_RUNNERS
)


def _help(extension: Extension, use: GlobalUse) -> str:
    if use.name in TIMERS:
        return "pass a function"
    if extension.manifest_version == 2:
        return "write it as a function, or add `'unsafe-eval'` to `script-src` in `content_security_policy`"
    return "write it as a function, parse JSON with `JSON.parse`, or evaluate it in a sandboxed page"
