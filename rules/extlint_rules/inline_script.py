"""Finds inline scripts and event handlers in extension pages, which browsers do not run.

## What it does

Under `--target firefox` and `--target chrome`, checks the pages that the manifest names, and those that they
or the API open, for `<script>` elements with text, event handler attributes such as `onclick`, and
`javascript:` addresses. In Manifest V2 an inline script whose hash is in `content_security_policy` is
allowed. Pages that Chrome puts into a sandbox have a policy of their own. In the sources of a project that
has a build, inline scripts are not checked, because bundlers may move them to files.

Scripts of these pages are checked for event handlers and `javascript:` addresses in HTML that they assign
to `innerHTML` or `outerHTML`, or pass to `insertAdjacentHTML`, `document.write` or jQuery, if the script has
its text, and for handlers that they set with `setAttribute`. In content scripts the policy of the web page
decides, so these are not checked. If a script is both, handlers are reported that call a function of the
package: in a web page, they do not find it.

## Why is this bad

The content security policy of extension pages blocks all code that is not in a file of the package, and in
Manifest V3 nothing in the manifest changes that. Chrome says "Executing inline script violates the following
Content Security Policy directive 'script-src 'self''" (older versions: "Refused to execute inline script
because it violates ...") in the console of the page, and the button does nothing.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Tab counter",
  "version": "1.0",
  "action": {"default_popup": "popup.html"}
}
```

```html popup.html
<!doctype html>
<button onclick="count()">Count tabs</button>
<output></output>
<script>
  async function count() {
    const tabs = await chrome.tabs.query({});
    document.querySelector("output").textContent = tabs.length;
  }
</script>
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Tab counter",
  "version": "1.0",
  "action": {"default_popup": "popup.html"}
}
```

```html popup.html
<!doctype html>
<button>Count tabs</button>
<output></output>
<script src="popup.js"></script>
```

```js popup.js
document.querySelector("button").addEventListener("click", async () => {
  const tabs = await chrome.tabs.query({});
  document.querySelector("output").textContent = tabs.length;
});
```

## References

* What Firefox 153 and Chromium 156 run in pages under policies of each kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint.analysis.facts.context import CodeKind, PageCode
from extlint.checks.blocked_code import blocked_code
from extlint.checks.load_paths import contexts_to_show, index_of, load_paths
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.text.positions import ByteSpan
from extlint.text.wording import quoted

RULE = RULES["inline-script"]

_HELP: Mapping[CodeKind, str] = {
    CodeKind.SCRIPT: "move it to a file in the package, and load that with `<script src>`",
    CodeKind.IMPORT_MAP: "import modules by their paths",
    CodeKind.HANDLER: "remove the attribute, and call `addEventListener` in a script of the package",
    CodeKind.ADDRESS: "remove the address, and listen for `click` in a script of the package",
}


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each inline script, event handler and `javascript:` address."""
    for page, code in blocked_code(extension):
        if code.kind is CodeKind.SOURCE:
            continue
        index = index_of(extension, page.path)
        what = f"{quoted(code.attribute)} does nothing" if code.attribute else "this script does not run"
        yield RULE.at(
            page.path,
            index.span(*_start(index.text, code)),
            f"{what}: the content security policy blocks {code.kind.value}",
            help=_HELP[code.kind],
            related=load_paths(extension, contexts_to_show(page.contexts)),
        )
    if any(script.facts.written_markup for script in extension.scripts):
        from extlint.checks.calls.written_code import blocked_written_code

        for script, code in blocked_written_code(extension):
            yield RULE.at(
                *script.place(code.span),
                f"{quoted(code.attribute)} does nothing: "
                f"the content security policy blocks {code.kind.value}",
                help=_HELP[code.kind],
                related=load_paths(extension, contexts_to_show(script.contexts)),
            )


def _start(page: bytes, code: PageCode) -> ByteSpan:
    """Returns the byte range of the start tag of a script, or of the first line of code in an attribute."""
    start, end = code.span
    if not code.attribute:
        return max(page.lower().rfind(b"<script", 0, start), 0), start
    text = page[start:end]
    start += len(text) - len(text.lstrip())
    line = page[start:end].splitlines()[:1]
    return start, start + len(line[0].rstrip()) if line else end
