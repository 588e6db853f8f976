"""Finds keys of the storage that scripts read under one name and write under another.

## What it does

Compares the keys that calls of `storage.local.get` and of the other areas request with those that calls of
`set` write. It reports a key that nothing writes, if nothing requests a written key that differs from it only
in a few letters, in letter case, or in spaces and marks: `server_url` and `serverUrl`. Nothing is reported
about an area if some keys are unknown: if all values are requested, or a key is computed.

## Why is this bad

The value that is read is always undefined, or always the default, whatever was saved.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Theme",
  "version": "1.0",
  "permissions": ["storage"],
  "options_page": "options.html",
  "content_scripts": [{"matches": ["https://example.com/*"], "js": ["theme.js"]}]
}
```

```html options.html
<!doctype html>
<title>Theme</title>
<input type="color">
<script src="options.js"></script>
```

```js options.js
document.querySelector("input").onchange = (event) => {
  chrome.storage.local.set({ backgroundColor: event.target.value });
};
```

```js theme.js
chrome.storage.local.get("background_color").then((stored) => {
  document.body.style.background = stored.background_color;
});
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Theme",
  "version": "1.0",
  "permissions": ["storage"],
  "options_page": "options.html",
  "content_scripts": [{"matches": ["https://example.com/*"], "js": ["theme.js"]}]
}
```

```html options.html
<!doctype html>
<title>Theme</title>
<input type="color">
<script src="options.js"></script>
```

```js options.js
document.querySelector("input").onchange = (event) => {
  chrome.storage.local.set({ backgroundColor: event.target.value });
};
```

```js theme.js
chrome.storage.local.get("backgroundColor").then((stored) => {
  document.body.style.background = stored.backgroundColor;
});
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint.analysis.facts.script_facts import ApiPath, CallSite
from extlint.analysis.facts.values import ArrayValue, Literal, ObjectValue, Value
from extlint.checks.reachability.closed_world import has_all_loaded_files
from extlint.checks.reachability.unreachable_code import in_each_script, is_unreachable
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.queries.query import query
from extlint.registry import RULES
from extlint.text.nearest import nearest
from extlint.text.positions import ByteSpan
from extlint.text.wording import quoted

RULE = RULES["unwritten-key"]

_GET, _SET = "get", "set"
_AREAS = ("local", "session", "sync")

Keys = Mapping[str, tuple[ByteSpan | None, ...]]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each call that requests such a key, at the key."""
    if any(_meant_keys(extension).values()) and has_all_loaded_files(extension):
        yield from _findings(extension)


@in_each_script
def _findings(extension: Extension, script: Script) -> Iterator[Finding]:
    references = script.facts.references_of_calls
    for call in script.facts.calls:
        meant = _meant_keys(extension).get(call.path)
        reference = references.get(call.callee)
        if not meant or (reference and is_unreachable(extension, script, reference.guards)):
            continue
        for key, span in _keys_of(call) or ():
            if key in meant and span is not None:
                api = ".".join(call.path)
                yield RULE.at(
                    *script.place(span),
                    f"no script writes the key {quoted(key)}, and none reads {quoted(meant[key])}, "
                    "which is written",
                    api=api,
                    help="use the same key in both",
                )


@query(is_of_package=True)
def _meant_keys(extension: Extension) -> Mapping[ApiPath, Mapping[str, str]]:
    """The keys that are requested and not written, with those that were meant, by `storage.AREA.get`."""
    found: dict[ApiPath, Mapping[str, str]] = {}
    for area in _AREAS:
        requested = _all_keys(extension, ("storage", area, _GET))
        written = _all_keys(extension, ("storage", area, _SET)) if requested else None
        if requested and written:
            meant = _pairs(requested - written, written - requested - _read_otherwise(extension))
            found["storage", area, _GET] = meant
    return found


def _pairs(unwritten: frozenset[str], unread: frozenset[str]) -> Mapping[str, str]:
    by_form = {_plain(each): each for each in unread}
    found: dict[str, str] = {}
    for key in sorted(unwritten):
        near = by_form.get(_plain(key)) or nearest(key, sorted(unread))
        if near is not None and not _is_numbered(key, near):
            found[key] = near
    return found


@query(is_of_package=True)
def _read_otherwise(extension: Extension) -> frozenset[str]:
    """The fields that scripts read from changes and other data of the storage, requested or not."""
    return frozenset(
        read.name
        for script in extension.scripts
        for read in script.facts.field_reads
        if read.of.path[0] == "storage"
    )


def _plain(key: str) -> str:
    return "".join(filter(str.isalnum, key)).lower()


def _is_numbered(key: str, near: str) -> bool:
    """Whether two keys have different digits."""
    return [*filter(str.isdigit, key)] != [*filter(str.isdigit, near)]


def _all_keys(extension: Extension, path: ApiPath) -> frozenset[str] | None:
    """Returns the keys in all calls of a function, or None if it may get others."""
    found: set[str] = set()
    for script in extension.scripts:
        facts = script.facts
        if path in facts.passed_on:
            return None
        for call in facts.calls:
            if call.path == path:
                keys = _keys_of(call)
                if keys is None:
                    return None
                found.update(key for key, _ in keys)
    return frozenset(found)


def _keys_of(call: CallSite) -> list[tuple[str, ByteSpan | None]] | None:
    """Returns the keys in the first argument of a call with their positions, or None if they are unknown."""
    if call.open or not call.arguments:
        return None
    argument: Value = call.arguments[0]
    if isinstance(argument, ObjectValue):
        return None if argument.open else [(key, each.key) for key, each in argument.fields.items()]
    values = argument.items if isinstance(argument, ArrayValue) else (argument,)
    if isinstance(argument, ArrayValue) and argument.open:
        return None
    texts = [each for each in values if isinstance(each, Literal) and isinstance(each.value, str)]
    return [(str(each.value), each.span) for each in texts] if len(texts) == len(values) else None
