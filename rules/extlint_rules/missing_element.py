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

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding, Fix
from extlint.registry import RULES
from extlint.text.nearest import suggest_name
from extlint.text.wording import name_suggestion, quoted
from extlint_rules.helpers.element_lookups import Lookup
from extlint_rules.helpers.page_elements import MissingElement, missing_elements

RULE = RULES["missing-element"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each lookup."""
    for each in missing_elements(extension):
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


def _help(missing: MissingElement) -> str | None:
    lookup = missing.lookup
    if missing.is_later:
        return "load the script at the end of the page, or with `defer`"
    if not lookup.is_unlike:
        return name_suggestion(suggest_name(lookup.id, missing.ids))
    if lookup.is_selector:
        return "write the id without `#`, which only selectors have"
    return f"write {quoted('#' + lookup.id)} for the element with this id"


def _fix(missing: MissingElement) -> Fix | None:
    """Returns the fix that writes the id of an element as the function takes it."""
    lookup, at = missing.lookup, missing.at
    if not lookup.is_unlike or lookup.id not in missing.ids:
        return None
    from extlint.manifest.edits.script_fixes import replace_value

    meant = lookup.id if lookup.is_selector else f"#{lookup.id}"
    where = (at, at + len(lookup.text) + 2)
    return replace_value(missing.script.path, missing.script.index, where, meant, safe=True)
