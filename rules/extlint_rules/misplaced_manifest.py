"""Finds archives whose manifest is in a folder, and not at the top.

## What it does

Reports an archive (.zip, .xpi, .crx) whose files are all in one folder, the manifest among them. The files
are checked as if they were at the top.

## Why is this bad

Browsers and stores look for `manifest.json` at the top of an archive. Firefox does not install the archive,
and says that it "does not contain a valid manifest"; Chrome says "Manifest file is missing or unreadable".

## Example

```json my-extension/manifest.json
{
  "manifest_version": 3,
  "name": "Links",
  "version": "1.0"
}
```

## Use instead

Put the files in the folder into the archive (`cd my-extension && zip -r ../my-extension.zip .`), and not the
folder itself.

```json manifest.json
{
  "manifest_version": 3,
  "name": "Links",
  "version": "1.0"
}
```

## References

* Chrome for Developers, preparing an extension: https://developer.chrome.com/docs/webstore/prepare
* What Firefox 153 and Chromium 156 say to such an archive, or to a folder with such a folder in it
  (`extlint_judge misplaced-manifests`).
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.text.positions import Position, Span
from extlint.text.wording import quoted

RULE = RULES["misplaced-manifest"]

_START = Position(1, 1)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding, at the start of the manifest, for an archive of a folder."""
    folder = quoted(extension.package.top_folder.removesuffix("/"))
    yield RULE.at(
        extension.manifest.path,
        Span(_START, _START),
        f"the manifest is in the folder {folder} of the archive, not at its top",
        help=f"put the files in {folder} into the archive, not the folder",
    )
