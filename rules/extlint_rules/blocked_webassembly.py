"""Finds WebAssembly in pages and workers whose content security policy does not allow it.

## What it does

Under `--target chrome` and `--target firefox`, in Manifest V3, looks for calls that compile WebAssembly:
`WebAssembly.compile`, `instantiate`, `compileStreaming`, `instantiateStreaming` and `new WebAssembly.Module`.
It reports those that are seen to run in pages and workers of an extension, unless `script-src` in
`content_security_policy.extension_pages` has `'wasm-unsafe-eval'`. A call whose failure the code handles is
not reported. Content scripts and sandboxed pages may compile WebAssembly.

## Why is this bad

The call fails. Chrome says "CompileError: WebAssembly.instantiate(): Compiling or instantiating WebAssembly
module violates the following Content Security policy directive", and Firefox "CompileError: call to
WebAssembly.instantiate() blocked by CSP".

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Sum",
  "version": "1.0",
  "action": {"default_popup": "popup.html"}
}
```

```html popup.html
<script src="popup.js"></script>
```

```js popup.js
const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
WebAssembly.instantiate(bytes).then(({ instance }) => {
  document.body.textContent = instance.exports.sum?.(1, 2);
});
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Sum",
  "version": "1.0",
  "action": {"default_popup": "popup.html"},
  "content_security_policy": {
    "extension_pages": "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'"
  }
}
```

```html popup.html
<script src="popup.js"></script>
```

```js popup.js
const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
WebAssembly.instantiate(bytes).then(({ instance }) => {
  document.body.textContent = instance.exports.sum?.(1, 2);
});
```

## References

* What Firefox 153 and Chromium 156 compile in scripts of each kind (`extlint_judge blocked-calls`).
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.platform_globals import COMPILERS
from extlint.analysis.facts.values import Value
from extlint.checks.availability.missing_globals import CallKind, blocked_calls, prefetch_calls
from extlint.checks.blocked_code import blocks_webassembly, may_compile
from extlint.checks.load_paths import contexts_to_show, load_paths
from extlint.checks.other_manifests import may_have_in_other_manifest
from extlint.checks.reachability.unreachable_code import in_each_script
from extlint.extension import Extension, Script
from extlint.finding import Finding, Fix
from extlint.linting.fixes import manifest_fixes
from extlint.registry import RULES
from extlint.text.formats.csp_policy import ALLOWS_WEBASSEMBLY, with_webassembly
from extlint.text.wording import quoted

RULE = RULES["blocked-webassembly"]

_KEY, _PAGES = "content_security_policy", "extension_pages"
_POLICY = f"script-src 'self' {ALLOWS_WEBASSEMBLY}; object-src 'self'"


@in_each_script
def check(extension: Extension, script: Script) -> Iterator[Finding]:
    """Yields one finding for each call that is blocked."""
    for use, contexts in blocked_calls(extension, script, _CALLS):
        if may_have_in_other_manifest(extension, _KEY):
            return
        yield RULE.at(
            *script.place(use.span),
            f"{quoted(use.name)} fails: the content security policy does not allow WebAssembly",
            help=f"add {quoted(ALLOWS_WEBASSEMBLY)} to `script-src` in `{_KEY}.{_PAGES}`",
            related=load_paths(extension, contexts_to_show(contexts)),
            fix=_fix(extension),
        )


def prefetch(extension: Extension, script: Script) -> None:
    """Queries the calls of a script that compile WebAssembly, if a context blocks them."""
    prefetch_calls(extension, script, _CALLS)


def _has_arguments(_name: str, arguments: tuple[Value, ...]) -> bool:
    """Whether a use is a call that compiles something, and not a member of `WebAssembly.Module`."""
    return bool(arguments)


_CALLS = CallKind(COMPILERS, blocks_webassembly, may_compile, matters=_has_arguments)


def _fix(extension: Extension) -> Fix | None:
    """Returns the fix that allows WebAssembly, which is unsafe, as the policy allows more with it."""
    fixes, manifest = manifest_fixes(extension), extension.manifest
    if fixes is None:
        return None
    if manifest.get(_KEY) is None:
        return fixes.set_member((), _KEY, {_PAGES: _POLICY})
    written = manifest.get(_KEY, _PAGES)
    policy = with_webassembly(str(written.value)) if written is not None else _POLICY
    return None if policy is None else fixes.set_member((_KEY,), _PAGES, policy)
