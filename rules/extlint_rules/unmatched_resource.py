"""Finds web-accessible resources that match no file in the package.

## What it does

Compares each entry of `web_accessible_resources` with the paths of all files, as browsers do: `*` matches
any text, including slashes; a leading slash is ignored, but `./` never matches; a space is written as `%20`;
`?` matches any character in Firefox, but only a question mark in Chrome. Entries for source maps and entries
that depend on the locale are ignored. In a project that has a build, and for files listed in `.gitignore`,
also if code names them, an entry is reported only if it is clear which other entry was meant.

## Why is this bad

Web pages and content scripts cannot load the intended file, and no browser reports an error.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Frame",
  "version": "1.0",
  "web_accessible_resources": [{"resources": ["./images/*.svg"], "matches": ["https://example.com/*"]}]
}
```

```svg images/frame.svg
<svg xmlns="http://www.w3.org/2000/svg"/>
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Frame",
  "version": "1.0",
  "web_accessible_resources": [{"resources": ["images/*.svg"], "matches": ["https://example.com/*"]}]
}
```

```svg images/frame.svg
<svg xmlns="http://www.w3.org/2000/svg"/>
```

## References

* What Firefox 153 and Chromium 156 let a web page load under patterns of each kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice

from msgspec import Struct

from extlint.checks.resource_patterns import expression_of, forms_of
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.manifest.file_keys import accessible_resources
from extlint.package.files import Package
from extlint.package.nearest_path import misspelled_path
from extlint.package.references import without_query
from extlint.project.builds import build_reads_manifest
from extlint.queries.query import query
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.text.json.values import JsonNode
from extlint.text.patterns import lazy
from extlint.text.placeholders import is_replaced
from extlint.text.wording import did_you_mean, quoted

MAX_CHARACTERS = 40_000_000
"""The maximum number of path characters that patterns of one extension are matched against; the rest is
not checked.
"""

MAX_PATTERNS = 2_000
"""The maximum number of patterns of one extension that are checked."""

MAX_PATTERN_LENGTH = 300
"""The maximum length of a pattern in characters; a longer one is not checked."""

_STARS = lazy(r"\*+")
_NEEDLESS = lazy(r"/(?:\./|/)*")
_BROWSERS_OWN = ("_favicon/", "_generated_background_page.html")
_UNCHECKED = lazy(r"__\w+__|\$[\w(]|\.map$|^$")
"""Names that depend on the locale or on a build, and source maps, which releases omit."""


class UnmatchedPattern(Struct, frozen=True):
    """A pattern that matches no file of the package, and its correction, or None if unknown."""

    pattern: str
    node: JsonNode
    correction: str | None


@query
def unmatched_resources(extension: Extension) -> tuple[UnmatchedPattern, ...]:
    """The patterns in `web_accessible_resources` that match no file, in order.

    For files that Git ignores, and in the source folder of a build, only those with a known correction.
    """
    package = extension.package
    named = tuple(accessible_resources(extension.manifest))
    if not named or not package.complete or build_reads_manifest(extension):
        return ()
    files = _Files(package, extension.target.engine is Engine.CHROMIUM)
    found = []
    if len(named) > MAX_PATTERNS:
        what = f"the first {MAX_PATTERNS} patterns of `web_accessible_resources` are checked"
        package.unchecked.add(extension.manifest.path, what)
    for pattern, node in islice(named, MAX_PATTERNS):
        if _is_checked(package, pattern) and not files.matches(pattern):
            meant = next((each for each in files.candidates(pattern) if files.matches(each)), None)
            if files.is_exhausted:
                break
            if meant is not None or not _may_be_supplied(extension, pattern.lstrip("/"), files):
                found.append(UnmatchedPattern(pattern, node, meant))
    if files.is_exhausted:
        what = "patterns are compared with the names of files until that takes too long"
        package.unchecked.add(extension.manifest.path, what)
    return tuple(found)


def _may_be_supplied(extension: Extension, pattern: str, files: _Files) -> bool:
    """Whether files that match a pattern may be supplied, or a missing one that code names."""
    from extlint.project.supplied_files import has_known_origin, may_be_generated, names_in_code

    matching = files.matching(pattern, names_in_code(extension)) if "*" in pattern else ()
    return any(
        may_be_generated(extension, each) or has_known_origin(extension, each)
        for each in (pattern, *matching)
    )


def _is_checked(package: Package, pattern: str) -> bool:
    name = pattern.lstrip("/")
    is_unlisted = name in package and name not in package.paths
    return not (
        is_unlisted
        or len(name) > MAX_PATTERN_LENGTH
        or _UNCHECKED.search(name)
        or is_replaced(name)
        or name.startswith(_BROWSERS_OWN)
        or package.leads_out(_STARS.split(name, maxsplit=1)[0])
        or ("node_modules/" in name and not package.packed)
    )


class _Files:
    """The files of a package for matching patterns; with `plain`, `?` is a literal character."""

    def __init__(self, package: Package, plain: bool) -> None:
        self._package = package
        self._plain = plain
        self._paths = dict.fromkeys(form for path in package.paths for form in forms_of(path))
        self._left = MAX_CHARACTERS

    @cached_property
    def _text(self) -> str:
        return "\n".join(self._paths)

    def matches(self, pattern: str) -> bool:
        """Whether a pattern matches any file, or the limit is exceeded."""
        if "*" not in pattern and "?" not in pattern:
            return pattern.lstrip("/") in self._paths
        return self._first_match(pattern) is not None or self.is_exhausted

    @property
    def is_exhausted(self) -> bool:
        """Whether `MAX_CHARACTERS` is exceeded."""
        return self._left < 0

    def matching(self, pattern: str, paths: Iterable[str]) -> list[str]:
        """Returns the missing ones among paths that a pattern matches."""
        expression = re.compile(expression_of(pattern, plain=self._plain))
        return [each for each in paths if expression.search(each) and each not in self._package]

    def _first_match(self, pattern: str, flags: int = 0) -> str | None:
        self._left -= len(self._text)
        if self._left < 0:
            return None
        found = re.search(expression_of(pattern, plain=self._plain), self._text, flags | re.MULTILINE)
        return None if found is None else found[0]

    def candidates(self, pattern: str) -> Iterator[str]:
        """Yields possible corrections of a pattern that matches no file, the likeliest first."""
        name = pattern.lstrip("/")
        clean = _NEEDLESS.sub("/", f"/{name.strip()}".replace("\\", "/")).lstrip("/").replace(" ", "%20")
        yield clean
        yield without_query(clean)
        yield clean.replace("**/", "")
        yield f"{clean.rstrip('/')}/*"
        actual = self._first_match(clean, re.IGNORECASE)
        if actual is not None:
            start, star, end = clean.partition("*")
            yield actual[: len(start)] + star + (actual[len(actual) - len(end) :] if end else "")
        folder, slash, last = _split(clean)
        meant = misspelled_path(folder, self._folders) if slash else None
        if meant is not None:
            yield f"{meant}/{last}"
        elif "*" not in clean:
            yield misspelled_path(clean, self._package.paths) or clean

    @cached_property
    def _folders(self) -> list[str]:
        found = {path.rpartition("/")[0] for path in self._package.paths}
        return sorted(found - {""})


def _split(pattern: str) -> tuple[str, str, str]:
    """Splits a pattern at the last slash before its first `*`."""
    fixed = pattern.partition("*")[0]
    folder, slash, _ = fixed.rpartition("/")
    return folder, slash, pattern[len(folder) + len(slash) :]


RULE = RULES["unmatched-resource"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each entry that matches no file."""
    manifest = extension.manifest
    for each in unmatched_resources(extension):
        message = (
            f"{quoted(each.pattern)} does not match any file in the package{did_you_mean(each.correction)}"
        )
        yield RULE.at(*manifest.place(each.node.span), message)
