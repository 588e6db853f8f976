"""Finds manifests that declare both that no data is collected and which data is.

## What it does

Under `--target firefox` or `firefox_android`, looks for `none` together with other values in the list
`required` of `browser_specific_settings.gecko.data_collection_permissions`.

## Why is this bad

Firefox ignores `none` and logs a warning. addons.mozilla.org refuses the upload.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Weather",
  "version": "1.0",
  "browser_specific_settings": {
    "gecko": {
      "id": "weather@example.com",
      "data_collection_permissions": {"required": ["none", "locationInfo"]}
    }
  }
}
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Weather",
  "version": "1.0",
  "browser_specific_settings": {
    "gecko": {
      "id": "weather@example.com",
      "data_collection_permissions": {"required": ["locationInfo"]}
    }
  }
}
```

## References

* Extension Workshop, Firefox built-in consent for data collection and transmission:
  https://extensionworkshop.com/documentation/develop/firefox-builtin-data-consent/
* Rules by which addons.mozilla.org checks manifests:
  https://github.com/mozilla/addons-linter/blob/master/docs/rules.md
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.text.wording import listed, quoted

RULE = RULES["contradictory-data-collection"]

NONE = "none"
_REQUIRED = ("browser_specific_settings", "gecko", "data_collection_permissions", "required")


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding, at `none`, if other data are required too."""
    manifest = extension.manifest
    if extension.schemas.engine is not Engine.GECKO:
        return
    required = dict(manifest.strings(*_REQUIRED))
    other_data = [quoted(name) for name in required if name != NONE]
    if NONE in required and other_data:
        yield RULE.at(
            *manifest.place(required[NONE].span),
            f"`{NONE}`, which says that no data is collected, "
            f"is used together with {listed(other_data, 'and')}",
            help=f"remove `{NONE}`, which Firefox ignores, or the others; "
            "addons.mozilla.org refuses both together",
        )
