"""Finds values in `localStorage` that a content script and a page of the extension cannot share.

## What it does

Looks at the keys of `localStorage` that content scripts and the extension's own pages read and write. It
reports where one side reads a key that only the other side writes. A content script may also read a key of
the website, so a key of one word, such as `theme`, is ignored if a page reads it, too. Nothing is reported if
a key is not a text in the code, or if a script that uses `localStorage` also injects functions into pages.

## Why is this bad

The `localStorage` of a content script is that of the website. The pages of the extension have another one,
as each origin does. So one side reads null, although the other side stored a value under the same key.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Dim",
  "version": "1.0",
  "action": {"default_popup": "popup.html"},
  "content_scripts": [{"matches": ["https://example.com/*"], "js": ["dim.js"]}]
}
```

```html popup.html
<!doctype html>
<button id="dim">Dim</button>
<script src="popup.js"></script>
```

```js popup.js
document.getElementById("dim").addEventListener("click", () => {
  localStorage.setItem("dimmed", "yes");
});
```

```js dim.js
if (localStorage.getItem("dimmed") === "yes") document.body.style.opacity = "0.5";
```

## Use instead

Both sides share the storage of the API:

```json manifest.json
{
  "manifest_version": 3,
  "name": "Dim",
  "version": "1.0",
  "permissions": ["storage"],
  "action": {"default_popup": "popup.html"},
  "content_scripts": [{"matches": ["https://example.com/*"], "js": ["dim.js"]}]
}
```

```html popup.html
<!doctype html>
<button id="dim">Dim</button>
<script src="popup.js"></script>
```

```js popup.js
document.getElementById("dim").addEventListener("click", () => {
  chrome.storage.local.set({ dimmed: true });
});
```

```js dim.js
chrome.storage.local.get("dimmed").then(({ dimmed }) => {
  if (dimmed) document.body.style.opacity = "0.5";
});
```

## References

* What Chromium 156 and Firefox 153 return for a key that the other side wrote
  (`extlint_judge separate-storage`).
* The HTML standard: <https://html.spec.whatwg.org/multipage/webstorage.html#dom-localstorage>
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from msgspec import Struct

from extlint.analysis.facts.context import EXTENSION_PAGES, WEB_PAGE_CONTEXTS, WORKERS
from extlint.checks.reachability.closed_world import has_all_loaded_files
from extlint.extension import Extension, Script
from extlint.finding import Finding, Related
from extlint.project.contexts.words import words_of
from extlint.registry import RULES
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan
from extlint.text.wording import quoted

RULE = RULES["unshared-storage"]

_STORAGE = "localStorage"
_INJECTING = frozenset(
    {("scripting", "executeScript"), ("tabs", "executeScript"), ("userScripts", "register")}
)
_TYPE = lazy(rb"\btypeof\s+(?:window\s*\.\s*)?\Z")
_NEUTRAL = lazy(rb"\s*(?:\??\.\s*(?:clear|removeItem)\s*\(|&&|[!=]==?)")
"""A use that neither reads nor writes a value, and does not pass the storage on."""

_TYPE_BYTES = 30
"""Bytes before a use that are searched for `typeof`."""

_SPECIFIC = lazy(r"[a-z][A-Z]|[\W_\d]")
"""A key of more than one word, which a website does not use by chance."""

_USE = lazy(
    rb"\s*(?:\??\.\s*(?P<method>getItem|setItem)\s*\(\s*(?P<quote>[\"'`])(?P<item>[^\"'`\\$]{1,100})(?P=quote)\s*[,)]"
    rb"|\.\s*(?!(?:getItem|setItem|key|length)\b)(?P<name>[A-Za-z_$][\w$]*)\s*(?![\w$(])"
    rb"|\[\s*(?P<mark>[\"'`])(?P<index>[^\"'`\\$]{1,100})(?P=mark)\s*\]\s*)"
    rb"(?P<assigned>(?:\+|-|\|\||\?\?)?=(?![=>]))?"
)


class _Use(Struct, frozen=True):
    """A use of a key in a script: whether it writes, and where the key is."""

    script: Script
    key: str
    writes: bool
    span: ByteSpan


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each use that reads what only the other side writes."""
    users = [each for each in extension.scripts if _STORAGE.encode() in each.index.text]
    if len(users) < 2 or not has_all_loaded_files(extension) or any(map(_may_inject, users)):
        return
    pages = _uses_of(extension, [each for each in users if not _is_content_script(each)])
    scripts = _uses_of(extension, [each for each in users if _is_content_script(each)])
    if not pages or not scripts or not all(map(_is_on_one_side, users)):
        return
    own_keys = {each.key for each in pages if not each.writes and not _SPECIFIC.search(each.key)}
    yield from _findings(scripts, pages, "the website", own_keys)
    yield from _findings(pages, scripts, "the extension", set())


def _findings(
    own: Iterable[_Use], others: Iterable[_Use], whose: str, ignored: Set[str]
) -> Iterator[Finding]:
    """Yields one finding for each use on one side that reads what only the other side writes."""
    written = {each.key: each for each in others if each.writes}
    known = {each.key for each in own if each.writes} | ignored
    for use in own:
        if not use.writes and use.key in written and use.key not in known:
            yield _finding(use, written[use.key], whose)


def _finding(use: _Use, written: _Use, whose: str) -> Finding:
    script, other = use.script, written.script
    return RULE.at(
        *script.place(use.span),
        f"{quoted(other.path)} writes {quoted(use.key)} into another {quoted(_STORAGE)}: "
        f"this one is that of {whose}",
        help="use `storage.local`, which all parts of the extension share",
        related=(Related(*other.place(written.span), "it is written here"),),
    )


def _may_inject(script: Script) -> bool:
    """Whether some functions of a script may run in web pages."""
    return any(each.path in _INJECTING for each in script.facts.references)


def _is_content_script(script: Script) -> bool:
    return any(each.kind in WEB_PAGE_CONTEXTS for each in script.contexts)


def _is_on_one_side(script: Script) -> bool:
    """Whether a script runs only in websites, or only in pages of the extension.

    Workers do not count, since they have no such storage.
    """
    kinds = {each.kind for each in script.contexts} - WORKERS
    return bool(kinds) and (kinds <= WEB_PAGE_CONTEXTS or kinds <= EXTENSION_PAGES)


def _uses_of(extension: Extension, scripts: Sequence[Script]) -> list[_Use]:
    """Returns the uses in some scripts, or none if a key is not known."""
    found: list[_Use] = []
    for script in scripts:
        text = script.index.text
        for at in words_of(extension).places_in(script.path, _STORAGE):
            after = at + len(_STORAGE)
            use = _USE.match(text, after)
            if use is None:
                if _NEUTRAL.match(text, after) or _TYPE.search(text, max(0, at - _TYPE_BYTES), at):
                    continue
                return []
            group = next(each for each in ("item", "name", "index") if use[each] is not None)
            writes = use["assigned"] is not None or use["method"] == b"setItem"
            found.append(_Use(script, use[group].decode("utf-8", "replace"), writes, use.span(group)))
    return found
