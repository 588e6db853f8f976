"""Finds manifests that do not declare which data the extension collects, as Mozilla requires of new ones.

## What it does

Under `--target firefox` or `firefox_android`, looks for `data_collection_permissions`, with its list
`required`, in `browser_specific_settings.gecko`. The list contains the kinds of data without which the
extension does not work: `authenticationInfo`, `bookmarksInfo`, `browsingActivity`, `financialAndPaymentInfo`,
`healthInfo`, `locationInfo`, `personalCommunications`, `personallyIdentifyingInfo`, `searchTerms`,
`websiteActivity` and `websiteContent`, or only `none` if the extension collects no data. Data that the
extension can do without goes into `optional`, which may also contain `technicalAndInteraction`. Themes,
dictionaries and language packs do not have to declare anything. A manifest without a name or version, which
something else completes, is ignored.

## Why is this bad

Since November 3, 2025 addons.mozilla.org refuses new extensions without this declaration, also those that
are only signed there. For new versions of older extensions it is only a warning so far, and is announced to
become a requirement.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Links",
  "version": "1.0",
  "browser_specific_settings": {"gecko": {"id": "links@example.com"}}
}
```

## Use instead

For an extension that sends nothing to anyone:

```json manifest.json
{
  "manifest_version": 3,
  "name": "Links",
  "version": "1.0",
  "browser_specific_settings": {
    "gecko": {"id": "links@example.com", "data_collection_permissions": {"required": ["none"]}}
  }
}
```

## References

* Extension Workshop, Firefox built-in consent for data collection and transmission:
  https://extensionworkshop.com/documentation/develop/firefox-builtin-data-consent/
* Mozilla Add-ons Blog, data collection consent changes for new Firefox extensions:
  https://blog.mozilla.org/addons/2025/10/23/data-collection-consent-changes-for-new-firefox-extensions/
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.linting.stores import (
    ADD_ONS,
    DATA_COLLECTION,
    SETTINGS,
    is_finished_extension,
    parent_of_missing,
    store_of,
)
from extlint.registry import RULES
from extlint.text.wording import quoted

RULE = RULES["missing-data-collection"]

REQUIRED = (*DATA_COLLECTION, "required")


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding, at the incomplete object or list, if the data are not declared."""
    manifest = extension.manifest
    if store_of(extension) is not ADD_ONS or not is_finished_extension(manifest):
        return
    found = manifest.get(*REQUIRED)
    place = found if found is not None and found.value == () else parent_of_missing(manifest, *REQUIRED)
    if place is not None:
        is_old = manifest.get(SETTINGS) is None and manifest.get("applications") is not None
        rename = f"rename `applications` to {quoted(SETTINGS)}, and " if is_old else ""
        yield RULE.at(
            *manifest.place(place.span),
            "the manifest does not say which data the extension collects,"
            f" which {ADD_ONS.name} requires of new extensions",
            help=f'{rename}if it sends nothing, write {{"required": ["none"]}}'
            f" for {quoted('.'.join(DATA_COLLECTION))}",
        )
