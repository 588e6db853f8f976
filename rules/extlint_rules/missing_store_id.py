"""Finds extensions without the id that Mozilla requires to sign an add-on.

## What it does

Under `--target firefox` or `firefox_android`, looks for `browser_specific_settings.gecko.id`. An id
under a misspelled key, or under `applications`, the key for this in Manifest V2, is left to the rules that
report that key. In Manifest V2 this is a warning, except in dictionaries: addons.mozilla.org generates an id
if it is missing. A manifest without a name or version, which something else completes, is ignored.

## Why is this bad

addons.mozilla.org refuses the upload, also of add-ons that are only signed there and distributed elsewhere.
Firefox installs an add-on without an id only temporarily, for debugging.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Links",
  "version": "1.0"
}
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Links",
  "version": "1.0",
  "browser_specific_settings": {"gecko": {"id": "links@example.com"}}
}
```

## References

* Extension Workshop, extensions and the add-on id:
  https://extensionworkshop.com/documentation/develop/extensions-and-the-add-on-id/
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.linting.json_findings import with_reaction
from extlint.linting.stores import ADD_ONS, GECKO, SETTINGS, is_finished, parent_of_missing, store_of
from extlint.manifest.manifest import has_key
from extlint.registry import RULES
from extlint.schema.validation.mistake import Reaction

RULE = RULES["missing-store-id"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding, at the object in which the id belongs, if it has none."""
    manifest = extension.manifest
    if store_of(extension) is not ADD_ONS or not is_finished(manifest):
        return
    place = parent_of_missing(manifest, *GECKO, "id")
    if place is None or (manifest.version == 2 and has_key(manifest, "applications", "gecko", "id")):
        return
    is_dictionary = manifest.get("dictionaries") is not None
    if is_dictionary:
        why = f"that {ADD_ONS.name} requires of dictionaries"
    elif manifest.version == 3:
        why = f"that {ADD_ONS.name} requires in Manifest V3"
    else:
        why = f"that {ADD_ONS.name} wants in every add-on, although it assigns one in Manifest V2"
    finding = RULE.at(
        *manifest.place(place.span),
        f"the manifest is missing the add-on id {why}",
        help=f'add an id of your own: "{SETTINGS}": {{"gecko": {{"id": "name@example.com"}}}}',
    )
    is_refused = is_dictionary or manifest.version == 3
    yield finding if is_refused else with_reaction(finding, Reaction.IGNORES)
