"""Finds uses of elements that the page of a script does not have.

## What it does

Looks for `getElementById`, and for `querySelector` with an id, in the scripts of extension pages, also of
background pages. It reports a lookup of an id that the pages of the script do not have, if the code uses the
result without a test. That includes `getElementById("#save")`, as no id begins with `#`, and
`querySelector("save")` if the page has an element with this id, and none with such a tag. If a page loads the
script in its head, and the lookup runs at once, the page does not have its elements yet. Nothing is reported
under a condition, in code that no known call or event leads to, or if the id, or a part of it, occurs
anywhere in the package where something may create the element.

## Why is this bad

The lookup returns null, so that the code throws an error, and the rest of the script does not run.

## Example

```html popup.html
<!doctype html>
<button id="save">Save</button>
<script src="popup.js"></script>
```

```js popup.js
document.getElementById("sav").addEventListener("click", () => close());
```

```json manifest.json
{"manifest_version": 3, "name": "Save", "version": "1.0", "action": {"default_popup": "popup.html"}}
```

## Use instead

```html popup.html
<!doctype html>
<button id="save">Save</button>
<script src="popup.js"></script>
```

```js popup.js
document.getElementById("save").addEventListener("click", () => close());
```

```json manifest.json
{"manifest_version": 3, "name": "Save", "version": "1.0", "action": {"default_popup": "popup.html"}}
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.script_facts import GlobalUse
from extlint.checks.api.absent_globals import IN_PAGE, moment_of, watched_globals
from extlint.checks.reachability.closed_world import has_known_scripts
from extlint.checks.reachability.unreachable_code import checked_scripts
from extlint.extension import Extension, Script
from extlint.finding import Finding, Fix
from extlint.package.references import paths_of
from extlint.package.suffixes import is_page
from extlint.project.contexts.page_code import attribute_text, read_tags
from extlint.project.contexts.script import page_of
from extlint.registry import RULES
from extlint.text.nearest import suggest_name
from extlint.text.wording import name_suggestion, quoted
from extlint_rules.helpers.page_elements import (
    NO_PAGE,
    Lookup,
    ids_in,
    lookups_in,
    may_be_created,
    sets_id_with_hash,
)

RULE = RULES["missing-element"]

_PAGES = frozenset({ContextKind.DEVTOOLS_PAGE, ContextKind.EXTENSION_PAGE, ContextKind.OFFSCREEN})
_GENERATED = frozenset({ContextKind.BACKGROUND})
_IMPLIED = frozenset({b"body", b"colgroup", b"head", b"html", b"tbody", b"title"})
"""The elements that a page may have without their tags."""


class _MissingElement(Struct, frozen=True):
    """A lookup of an element that none of the script's pages has, and the ids that they have.

    The argument of the lookup begins at the offset `at`. With `is_later`, they have it only after the script.
    """

    script: Script
    use: GlobalUse
    lookup: Lookup
    at: int
    page: str
    ids: frozenset[str]
    is_later: bool = False


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each lookup."""
    for each in _missing_elements(extension):
        page, lookup = quoted(each.page) if each.page else "the background page", each.lookup
        is_tag = lookup.is_unlike and not lookup.is_selector
        named = f"element {quoted(lookup.text)}" if is_tag else f"element with the id {quoted(_name(lookup))}"
        what = f"{page} has no {named}"
        yield RULE.at(
            *each.script.place(each.use.span),
            f"{what} yet, so that this is null" if each.is_later else f"{what}, so that this is null",
            help=_help(each),
            fix=_fix(each),
        )


def _name(lookup: Lookup) -> str:
    """Returns the id that is looked up."""
    return lookup.text if lookup.is_unlike else lookup.id


def _help(missing: _MissingElement) -> str | None:
    lookup = missing.lookup
    if missing.is_later:
        return "load the script at the end of the page, or with `defer`"
    if not lookup.is_unlike:
        return name_suggestion(suggest_name(lookup.id, missing.ids))
    if lookup.is_selector:
        return "write the id without `#`, which only selectors have"
    return f"write {quoted('#' + lookup.id)} for the element with this id"


def _fix(missing: _MissingElement) -> Fix | None:
    """Returns the fix that writes the id of an element as the function takes it."""
    lookup, at = missing.lookup, missing.at
    if not lookup.is_unlike or lookup.id not in missing.ids:
        return None
    from extlint.manifest.edits.script_fixes import replace_value

    meant = lookup.id if lookup.is_selector else f"#{lookup.id}"
    where = (at, at + len(lookup.text) + 2)
    return replace_value(missing.script.path, missing.script.index, where, meant, safe=True)


def _missing_elements(extension: Extension) -> Iterator[_MissingElement]:
    """Yields the lookups that fail each time that a page loads a script, or that some event occurs."""
    for script in checked_scripts(extension):
        kinds = {each.kind for each in (*script.contexts, *script.all_contexts)}
        is_in_page = bool(kinds) and (kinds <= _PAGES or kinds == _GENERATED)
        if is_in_page and not script.base and b"document" in script.index.text:
            yield from _missing_in(extension, script)


def _missing_in(extension: Extension, script: Script) -> Iterator[_MissingElement]:
    lookups, pages = dict(lookups_in(extension, script)), _pages_of(extension, script)
    if not lookups or not pages:
        return
    known: frozenset[str] = frozenset()
    for page in pages:
        ids = ids_in(extension, page)
        if ids is None:
            return
        known |= ids
    early = _ids_before(extension, script)
    own = known if early is None else early
    unlike = {at for at, each in lookups.items() if _finds_nothing(extension, each, pages, known)}
    absent = unlike | {
        at for at, each in lookups.items() if not each.is_unlike and each.id not in (known & own)
    }
    if not absent:
        return
    ids_missing = {lookups[at].id for at in absent - unlike} - known
    created = {id for id in ids_missing if may_be_created(extension, id, pages)}
    places = sorted(at for at in absent if at in unlike or lookups[at].id not in created)
    if not places:
        return
    from extlint.checks.availability.missing_globals import fails_on
    from extlint.checks.availability.missing_scripts import kinds_with_missing_scripts

    kinds = {each.kind for each in script.contexts}
    if not has_known_scripts(extension):
        return
    prevented = frozenset(at for at in absent if at in unlike or lookups[at].id not in known)
    for at, use in extension.searches.failing_lookups(script, places, prevented, watched_globals(extension)):
        lookup = lookups[at]
        is_later = at not in unlike and lookup.id in known
        runs = extension.searches.runs_at_once if is_later else extension.searches.certainly_runs
        if (
            (lookup.is_selector == (use.name == "querySelector")) is (at not in unlike)
            and any(fails_on(extension, script, path, frozenset(), is_everywhere=True) for path in use.paths)
            and kinds.isdisjoint(kinds_with_missing_scripts(extension))
            and runs(script, use.span)
        ):
            yield _MissingElement(script, use, lookup, at, pages[0], known, is_later)


def _finds_nothing(extension: Extension, lookup: Lookup, pages: list[str], known: frozenset[str]) -> bool:
    """Whether an id is looked up in the way of a selector, or a selector is the id of an element.

    No element has such an id, or such a tag.
    """
    if not lookup.is_unlike:
        return False
    if lookup.is_selector:
        return lookup.text not in known and not sets_id_with_hash(extension)
    if lookup.id not in known or lookup.id.encode() in _IMPLIED:
        return False
    tags = {tag.name for page in pages for tag in read_tags(extension.package.read(page), page)}
    return lookup.id.lower().encode() not in tags and not may_be_created(extension, lookup.id, pages)


def _ids_before(extension: Extension, script: Script) -> frozenset[str] | None:
    """Returns the ids of the elements before a script that pages load in their heads, or None for others."""
    found: set[str] = set()
    for each in script.all_contexts or script.contexts:
        if each.step is None or moment_of(extension, each) != IN_PAGE:
            return None
        path = each.step.path
        data = extension.package.read(path)[: each.step.span[0]]
        found.update(text for tag in read_tags(data, path) if (text := attribute_text(data, tag, b"id")))
    return frozenset(found)


def _pages_of(extension: Extension, script: Script) -> list[str]:
    """Returns the pages that load a script, or all pages of the package if there may be several."""
    contexts = script.all_contexts or script.contexts
    if {each.kind for each in contexts} == _GENERATED:
        page = extension.manifest.get("background", "page")
        return [NO_PAGE] if page is None else [*_named(page.value)]
    own = {page_of(script.path, each) for each in contexts}
    if None not in own and all(each.path_count == 1 for each in contexts):
        return sorted(each for each in own if each is not None)
    return sorted(path for path in extension.package.paths if is_page(path))


def _named(page: object) -> Sequence[str]:
    return paths_of(page)[:1] if isinstance(page, str) else ()
