"""Finds uses of elements that the page of a script does not have.

## What it does

Looks for `getElementById`, and for `querySelector` with an id, in the scripts of extension pages, also of
background pages. It reports a lookup of an id that the pages of the script do not have, if the code uses the
result without a test. If a page loads the script in its head, and the lookup runs at once, the page does not
have its elements yet. Nothing is reported under a condition, in code that no known call or event leads to, or
if the id, or a part of it, occurs anywhere in the package where something may create the element.

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
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.text.nearest import suggest_name
from extlint.text.wording import name_suggestion, quoted
from extlint_rules.helpers.page_elements import missing_elements

RULE = RULES["missing-element"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each lookup."""
    for each in missing_elements(extension):
        page = quoted(each.page) if each.page else "the background page"
        what = f"{page} has no element with the id {quoted(each.id)}"
        yield RULE.at(
            *each.script.place(each.use.span),
            f"{what} yet, so that this is null" if each.is_later else f"{what}, so that this is null",
            help="load the script at the end of the page, or with `defer`"
            if each.is_later
            else name_suggestion(suggest_name(each.id, each.ids)),
        )
