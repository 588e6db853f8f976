"""Finds scripts from other hosts in extension pages, which browsers do not load.

## What it does

Under `--target firefox` and `--target chrome`, checks the pages that the manifest names, and those that they
or the API open, for `<script src>` with the address of another host. In Manifest V2 hosts that
`content_security_policy` names are allowed, and in Manifest V3 a server on your own machine that it names,
for development. Pages that Chrome puts into a sandbox have a policy of their own.

Scripts are checked for addresses of other hosts in `import` and `import()`, in `importScripts` of service
workers, and in workers and script elements that a script of such a page makes.

## Why is this bad

The content security policy of extension pages allows only scripts of the package, and in Manifest V3
nothing in the manifest changes that. Chrome says "Loading the script 'https://...' violates the following
Content Security Policy directive: "script-src 'self'"" in the console of the page, and whatever the
script defines is missing. Stores refuse remote code.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Charts",
  "version": "1.0",
  "options_ui": {"page": "options.html"}
}
```

```html options.html
<!doctype html>
<script src="https://cdn.example.com/jquery.min.js"></script>
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Charts",
  "version": "1.0",
  "options_ui": {"page": "options.html"}
}
```

```html options.html
<!doctype html>
<script src="jquery.min.js"></script>
```

```js jquery.min.js
window.jQuery = {};
```

## References

* What Firefox 153 and Chromium 156 load in pages under policies of each kind.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.context import CodeKind
from extlint.checks.blocked_code import DEFAULT, blocked_code
from extlint.checks.load_paths import contexts_to_show, index_of, load_paths
from extlint.checks.other_manifests import may_have_in_other_manifest
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.project.builds import is_build_source
from extlint.project.contexts.page_code import is_localhost_url
from extlint.project.rewritten_keys import may_rewrite
from extlint.registry import RULES
from extlint.text.formats.csp_policy import may_allow_address
from extlint.text.wording import quoted


def may_be_loaded_in_development(extension: Extension, address: str) -> bool:
    """Whether an address is local, and the policy or a build may let a page load it."""
    if not is_localhost_url(address):
        return False
    found = extension.manifest.get("content_security_policy", "extension_pages")
    named = found.value if found is not None and isinstance(found.value, str) else DEFAULT
    return (
        may_allow_address(named, address)
        or is_build_source(extension)
        or may_have_in_other_manifest(extension, "content_security_policy")
        or may_rewrite(extension, "content_security_policy")
    )


RULE = RULES["remote-script"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each script of another host."""
    for page, code in blocked_code(extension):
        if code.kind is CodeKind.SOURCE and not may_be_loaded_in_development(extension, code.text):
            yield RULE.at(
                page.path,
                index_of(extension, page.path).span(*code.span),
                f"{quoted(code.text)} is not loaded: the content security policy blocks {code.kind.value}",
                help="add the file to the package, and load that",
                related=load_paths(extension, contexts_to_show(page.contexts)),
            )
    if any(load.is_remote for script in extension.scripts for load in script.facts.loads):
        from extlint.checks.calls.written_code import blocked_remote_scripts

        for script, code in blocked_remote_scripts(extension):
            yield RULE.at(
                *script.place(code.span),
                f"{quoted(code.text)} is not loaded: the content security policy blocks {code.kind.value}",
                help="add the file to the package, and load that",
                related=load_paths(extension, contexts_to_show(script.contexts)),
            )
