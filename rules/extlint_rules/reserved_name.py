"""Finds files and folders whose names keep Chrome from loading an extension.

## What it does

Under `--target chrome`, reports files and folders at the top of the extension whose names begin with `_`.
Chrome takes `_locales`, `_platform_specific`, `__MACOSX`, and `_metadata` with what its store writes there.
Names further down may begin with `_`, and in Firefox all may.

The source of a build is not checked, because it is never loaded unchanged.

## Why is this bad

Chrome does not load the extension: "Cannot load extension with file or directory name _next. Filenames
starting with "_" are reserved for use by the system."

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Notes",
  "version": "1.0",
  "action": {"default_popup": "popup.html"}
}
```

```html popup.html
<p>Notes</p><script src="_next/popup.js"></script>
```

```js _next/popup.js
document.title = "Notes";
```

## Use instead

Let the build write to a folder with another name, or rename the folder and each path that names it.

```json manifest.json
{
  "manifest_version": 3,
  "name": "Notes",
  "version": "1.0",
  "action": {"default_popup": "popup.html"}
}
```

```html popup.html
<p>Notes</p><script src="next/popup.js"></script>
```

```js next/popup.js
document.title = "Notes";
```

## References

* Which names Chromium 156 and Firefox 153 take (`extlint_judge package-names`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.project.builds import is_build_source
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.text.positions import Position, Span
from extlint.text.wording import quoted

RULE = RULES["reserved-name"]

_ACCEPTED = frozenset({"_locales", "_platform_specific", "__MACOSX"})
"""The names starting with `_` that Chromium 156 accepts, whether files or folders."""

_METADATA = "_metadata"
_METADATA_FILES = frozenset({"computed_hashes.json", "generated_indexed_rulesets", "verified_contents.json"})
"""The files that Chromium 156 and its store write into `_metadata`. A file named `_metadata` is accepted,
too.
"""

_START = Position(1, 1)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each name, at the start of the manifest."""
    if extension.target.engine is not Engine.CHROMIUM or is_build_source(extension):
        return
    for name, is_folder in reserved_names(extension.package.paths).items():
        kind = "folder" if is_folder else "file"
        yield RULE.at(
            extension.manifest.path,
            Span(_START, _START),
            f"Chrome does not load an extension with the {kind} {quoted(name)}",
            help=f"names that begin with `_` are reserved: rename the {kind}, or leave it out of the package",
        )


def reserved_names(paths: Iterable[str]) -> dict[str, bool]:
    """Returns the reserved names at the top of a package, and for each whether it is a folder."""
    found: dict[str, bool] = {}
    for path in sorted(paths):
        name, slash, rest = path.partition("/")
        is_written = name == _METADATA and (not slash or rest.partition("/")[0] in _METADATA_FILES)
        if name.startswith("_") and name not in _ACCEPTED and not is_written:
            found[name] = bool(slash)
    return found
