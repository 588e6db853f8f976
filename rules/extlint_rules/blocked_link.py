"""Finds links in a popup that Chrome does not open.

## What it does

Under `--target chrome`, looks at the page of `default_popup`. It reports links to websites that have no
`target`, if no script of the page may handle a click or change the target of a link.

## Why is this bad

A popup shows only pages of its extension. Chrome blocks the navigation to a website without a message, so
a click on the link does nothing. Firefox opens the website in a tab.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Clock",
  "version": "1.0",
  "action": {"default_popup": "popup.html"}
}
```

```html popup.html
<!doctype html>
<output></output>
<a href="https://example.com/clock">Help</a>
<script src="popup.js"></script>
```

```js popup.js
document.querySelector("output").textContent = new Date().toLocaleTimeString();
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Clock",
  "version": "1.0",
  "action": {"default_popup": "popup.html"}
}
```

```html popup.html
<!doctype html>
<output></output>
<a href="https://example.com/clock" target="_blank">Help</a>
<script src="popup.js"></script>
```

```js popup.js
document.querySelector("output").textContent = new Date().toLocaleTimeString();
```

## References

* What Chromium 156 and Firefox 153 show after a click on a link in a popup (`extlint_judge popup-links`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extlint.analysis.facts.context import EXTENSION_PAGES
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.package.references import folder_of, paths_of
from extlint.project.contexts.page_code import Tag, attribute_text, read_tags
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.text.patterns import lazy
from extlint.text.placeholders import is_template
from extlint.text.positions import TextIndex, decode

RULE = RULES["blocked-link"]

_WEBSITE = lazy(r"(?i)\s*https?://")
_OWN_EFFECTS = (b"download", b"onclick", b"target")
"""The attributes of a link that give a click another effect."""

_HANDLING = lazy(
    rb"(?i)click|mouse(?:down|up)|pointer(?:down|up)|touch(?:end|start)|_blank|\btarget[\"'`]|\.target\s*=[^=]"
)
"""Code that may do something about clicks, or give links a target."""


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each link."""
    if extension.target.engine is not Engine.CHROMIUM:
        return
    for key in ("action", "browser_action"):
        popup = extension.manifest.get(key, "default_popup")
        names = paths_of(popup.value) if popup is not None and isinstance(popup.value, str) else ()
        page = next((each for each in names if each in extension.package), None)
        if page is not None:
            yield from _blocked_links(extension, page)


def _blocked_links(extension: Extension, page: str) -> Iterator[Finding]:
    data = decode(extension.package.read(page))
    tags = [*read_tags(data, page)]
    links = [each for each in tags if _is_to_website(data, each)]
    if not links or any(map(_may_change_links, tags)) or is_template(data.decode("utf-8", "replace")):
        return
    scripts = _scripts_of(extension, page, data, tags)
    if scripts is None or any(_HANDLING.search(each.index.text) for each in scripts):
        return
    index = TextIndex(data)
    for link in links:
        yield RULE.at(
            page,
            index.span(*link.attributes[b"href"]),
            "a click on this link does nothing: Chrome opens no website in a popup",
            help='add `target="_blank"` to the link',
        )


def _is_to_website(page: bytes, tag: Tag) -> bool:
    """Whether a tag is a link to a website that opens in place of the page."""
    if tag.name != b"a" or not tag.attributes.keys().isdisjoint(_OWN_EFFECTS):
        return False
    return _WEBSITE.match(attribute_text(page, tag, b"href") or "") is not None


def _may_change_links(tag: Tag) -> bool:
    """Whether a tag gives all links of a page a target, or contains links that it does not show."""
    return tag.name == b"template" or (tag.name == b"base" and b"target" in tag.attributes)


def _scripts_of(extension: Extension, page: str, text: bytes, tags: Sequence[Tag]) -> Sequence[Script] | None:
    """Returns all scripts that a page may load, or None if one of them is not known."""
    found: list[Script] = []
    for tag in tags:
        name = attribute_text(text, tag, b"src") if tag.name == b"script" else None
        if name is not None:
            paths = paths_of(name, folder_of(page))
            scripts = [script for path in paths for script in extension.scripts_in(path)]
            if not scripts:
                return None
            found += scripts
    if not any(each.facts.loads for each in found):
        return found
    return [
        each
        for each in extension.scripts
        if not each.contexts or any(context.kind in EXTENSION_PAGES for context in each.contexts)
    ]
