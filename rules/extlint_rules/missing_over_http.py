"""Finds globals in content scripts that pages of `http:` do not have.

## What it does

Under `--target chrome` and `--target firefox`, looks for `navigator.clipboard`, `navigator.mediaDevices`,
`crypto.subtle`, `crypto.randomUUID`, `caches` and other globals that exist only in pages of `https:` and of
this machine, in content scripts that run in all pages. The first use of each is reported if it is seen to run
without a condition: when the script loads, in a listener of an event, or in what these call. Nothing is
reported behind a test such as `if (navigator.clipboard)` or `if (isSecureContext)`, or in a `try` with a
`catch`. Scripts for some sites are not checked, as most of these redirect to `https:`.

## Why is this bad

In a page of `http:`, the code fails with "TypeError: Cannot read properties of undefined (reading
'writeText')" in Chrome, and "TypeError: can't access property "writeText", navigator.clipboard is undefined"
in Firefox.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Copy the title",
  "version": "1.0",
  "content_scripts": [{"matches": ["<all_urls>"], "js": ["content.js"]}]
}
```

```js content.js
document.addEventListener("dblclick", () => {
  navigator.clipboard.writeText(document.title);
});
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Copy the title",
  "version": "1.0",
  "content_scripts": [{"matches": ["<all_urls>"], "js": ["content.js"]}]
}
```

```js content.js
document.addEventListener("dblclick", () => {
  if (navigator.clipboard) {
    navigator.clipboard.writeText(document.title);
  }
});
```

## References

* What content scripts of Firefox 153 and Chromium 156 do not have in pages of `http:` (`extlint_judge
  secure-globals`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from extlint.analysis.facts.script_facts import GlobalUse
from extlint.checks.api.absent_globals import watched_globals
from extlint.checks.availability.missing_globals import fails_on, may_be_provided
from extlint.checks.reachability.unreachable_code import checked_scripts
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.manifest.file_keys import content_scripts
from extlint.manifest.host_patterns import ANY_NAME, Origin, may_match_origin, origins_in
from extlint.queries.query import query
from extlint.registry import RULES
from extlint.schema.targets import FACTS_OF, engine_of
from extlint.text.patterns import lazy_word
from extlint.text.positions import ByteSpan
from extlint.text.wording import quoted
from extlint_schemas import secure_globals

RULE = RULES["missing-over-http"]

_ANY_PAGE = Origin("http", f"{ANY_NAME}.example", "80")
_IN_EXTENSION = "test whether it exists, or send a message to the background and use it there"

_HELP: Mapping[str, str] = {
    "crypto.randomUUID": "create the identifier from `crypto.getRandomValues`, which exists in all pages",
    "navigator.clipboard": 'test whether it exists, and otherwise use `document.execCommand("copy")`',
}

_TESTS = frozenset({"isSecureContext", "location"})


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for the first use of each global in a script."""
    names = _secure_globals(extension)
    for script in checked_scripts(extension):
        found: dict[str, GlobalUse] = {}
        for use in _uses(extension, script):
            is_certain = any(
                fails_on(extension, script, path, names, is_everywhere=False) for path in use.paths
            )
            if is_certain and not may_be_provided(extension, script, use.name):
                found.setdefault(use.name, use)
        for use in found.values():
            yield RULE.at(
                *script.place(use.span),
                f"{quoted(use.name)} does not exist in pages of `http:`, where this script also runs",
                help=_HELP.get(use.name, _IN_EXTENSION),
            )


def prefetch(extension: Extension, script: Script) -> None:
    """Queries the globals of a content script that pages of `http:` do not have."""
    _uses(extension, script)


def _uses(extension: Extension, script: Script) -> Sequence[GlobalUse]:
    names = _secure_globals(extension)
    if not names or not _runs_in_any_page(extension, script):
        return ()
    text = script.index.text
    named = frozenset(each for each in names if _pattern(each).search(text) is not None)
    if not named:
        return ()
    watched = watched_globals(extension) | _TESTS | {each.partition(".")[0] for each in named}
    uses = extension.searches.global_uses(script, named, watched)
    return sorted(uses, key=lambda use: use.span)


def _secure_globals(extension: Extension) -> frozenset[str]:
    engine = engine_of(extension.target.name)
    return secure_globals(FACTS_OF[engine]) if engine is not None and engine in FACTS_OF else frozenset()


@cache
def _pattern(name: str) -> re.Pattern[bytes]:
    """Returns the pattern of a global in a script."""
    first, *rest = name.encode().split(b".")
    return lazy_word(first, then=b"".join(rb"\s*\.\s*%b\b" % re.escape(each) for each in rest))


def _runs_in_any_page(extension: Extension, script: Script) -> bool:
    """Whether a script is only a content script, and certainly one of all pages.

    A manifest that is made names all pages if the build may name others.
    """
    if not script.is_only_content_script or extension.manifest.path in extension.package.made:
        return False
    steps = (each.step.first or each.step for each in script.contexts if each.certain and each.step)
    return any((each.path, each.span) in _names_in_any_page(extension) for each in steps)


@query
def _names_in_any_page(extension: Extension) -> frozenset[tuple[str, ByteSpan]]:
    """Returns the names of the scripts that run in all pages, as paths and spans in the manifest."""
    return frozenset(
        (extension.manifest.path, each.node.span)
        for entry, each in content_scripts(extension.manifest)
        if _is_for_any_page(extension, entry)
    )


def _is_for_any_page(extension: Extension, entry: int) -> bool:
    """Whether the scripts of an entry run in all pages."""

    def texts(key: str) -> list[str]:
        found = extension.manifest.get("content_scripts", entry, key)
        return [] if found is None else [each.value for each in found.items() if isinstance(each.value, str)]

    return (
        any(_ANY_PAGE in origins_in(each) for each in texts("matches"))
        and not may_match_origin(texts("exclude_matches"), _ANY_PAGE, related=False)
        and not texts("include_globs")
    )
