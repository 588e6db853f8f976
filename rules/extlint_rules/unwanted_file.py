"""Finds files that should not be in a package.

## What it does

Under `--target chrome` and other browsers with its engine, reports private keys (`.pem`), about which
Chrome warns when it loads the extension. In an archive, private keys are reported for each browser, and
also:

* folders of version control, such as `.git`
* `node_modules`, if the extension uses none of its files
* files that an operating system or an editor left there (`.DS_Store`, `Thumbs.db`, `*.orig`, `*.old`,
  `*~`), and programs for other systems (`.exe`, `.jar`, `.sh`), as notes: addons.mozilla.org warns of them

The source of a build is not checked, because it is never packed unchanged.

## Why is this bad

Everyone who installs the extension has its files. With the private key of an extension, anyone can make a
package with its id, and a repository contains everything that was ever committed. Stores examine such
packages more closely, or refuse them.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Notes",
  "version": "1.0",
  "icons": {}
}
```

```pem notes.pem
-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASC
-----END PRIVATE KEY-----
```

## Use instead

Keep the key outside of the folder that is packed:

```json manifest.json
{
  "manifest_version": 3,
  "name": "Notes",
  "version": "1.0",
  "icons": {}
}
```

## References

* The warning of Chromium 156 about a private key: "This extension includes the key file 'notes.pem'. You
  probably don't want to do that."
* addons-linter, `FLAGGED_FILE` and `FLAGGED_FILE_EXTENSION`:
  https://github.com/mozilla/addons-linter/blob/master/docs/rules.md
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.linting.json_findings import with_reaction
from extlint.package.suffixes import PRIVATE_KEYS, has_suffix
from extlint.project.builds import is_build_source
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.validation.mistake import Reaction
from extlint.text.patterns import lazy
from extlint.text.positions import Position, Span
from extlint.text.wording import listed_with_count, quoted

RULE = RULES["unwanted-file"]


class _Kind(Struct, frozen=True):
    """A kind of files, and what is wrong with them."""

    why: str
    reaction: Reaction = Reaction.IGNORES


_KEY = _Kind("everyone who installs the extension has the private key")
_REPOSITORY = _Kind("everyone who installs the extension has the repository")
_UNUSED = _Kind("the extension uses none of its files")
_LEFT = _Kind("a system or an editor left it there", Reaction.SKIPS)
_PROGRAM = _Kind("browsers do not run such programs", Reaction.SKIPS)

_PRIVATE = lazy(rb"-----BEGIN (?:[A-Z]++ )*?PRIVATE KEY-----")
_KEYS = (".key", ".pem")
_LEFT_NAMES = ("thumbs.db", ".ds_store", ".orig", ".old", "~")
_PROGRAMS = (".class", ".dll", ".dylib", ".exe", ".jar", ".sh", ".so", ".swf")
_REPOSITORIES = frozenset({".bzr", ".git", ".hg", ".jj", ".svn"})
_MODULES = "node_modules"
_START = Position(1, 1)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each kind of such files, at the start of the manifest."""
    is_packed = extension.package.packed
    if not is_packed and (extension.target.engine is not Engine.CHROMIUM or is_build_source(extension)):
        return
    found: dict[_Kind, list[str]] = {}
    for path in extension.package.paths:
        name, kind = _kind_of(extension, path) if is_packed or has_suffix(path, PRIVATE_KEYS) else ("", None)
        if kind is not None and name not in found.setdefault(kind, []):
            found[kind].append(name)
    if is_packed and _has_unused_modules(extension):
        found[_UNUSED] = [_MODULES]
    yield from _findings(extension, found)


def _findings(extension: Extension, found: Mapping[_Kind, list[str]]) -> Iterator[Finding]:
    for kind, paths in found.items():
        names = listed_with_count([quoted(path) for path in paths])
        message = f"the package contains {names}: {kind.why}"
        finding = RULE.at(
            extension.manifest.path, Span(_START, _START), message, help="leave this out of the package"
        )
        yield with_reaction(finding, kind.reaction)


def _kind_of(extension: Extension, path: str) -> tuple[str, _Kind | None]:
    """Returns the kind of a file, and the path to report: its own, or that of the repository."""
    folders = path.split("/")[:-1]
    repository = next((at for at, name in enumerate(folders) if name in _REPOSITORIES), None)
    if repository is not None:
        return "/".join(folders[: repository + 1]), _REPOSITORY
    if has_suffix(path, _KEYS):
        data = extension.package.read(path)
        is_private = path not in extension.package.failed and _PRIVATE.search(data) is not None
        return path, _KEY if is_private else None
    if has_suffix(path, _LEFT_NAMES):
        return path, _LEFT
    return path, _PROGRAM if path.endswith(_PROGRAMS) else None


def _has_unused_modules(extension: Extension) -> bool:
    """Whether the package has modules of npm, and no script, page or manifest names one of their files."""
    start = f"{_MODULES}/"
    if not any(path.startswith(start) for path in extension.package.paths):
        return False
    used = [script.path for script in extension.scripts if script.contexts]
    return not any(start in name for name in (*used, *(each.name for each in extension.named_files)))
