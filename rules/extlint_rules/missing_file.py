"""Finds names of files that the package does not contain.

## What it does

Checks the files that the manifest and the extension's pages name: scripts, style sheets, pages, images,
icons, fonts, dictionaries and others. It reports each name for which the package has no file, and says if a
file differs only in letter case, or which file in the same folder was meant. Several files that a page names
in a folder that does not exist are one finding. Names are read as browsers read
them: as URLs, with `..`, `%20`, queries and hashes. Chrome reads some names literally; where that matters,
it is reported under Chrome's target. Names that depend on the locale (`__MSG_`), names with placeholders of
build tools, URLs of other sites, and the icon (`<link rel="icon">`) of a page that is only a popup, which no
browser loads, are not checked. Of what style sheets name, only other style sheets and
files that are elsewhere in the package are checked, as not every rule in them is used. Files to which
declarativeNetRequest rules redirect (`extensionPath`) are checked.

Names in calls are checked too, if they are known: `scripting.executeScript({files})`, `insertCSS`,
`registerContentScripts`, `tabs.create({url})`, `windows.create`, `action.setPopup`, `setIcon`,
`offscreen.createDocument`, `sidePanel.setOptions`, the `iconUrl` of notifications, `importScripts`,
`new Worker` and others. Chrome resolves the names of scripts, style sheets and pages in calls from the root
of the package, and those of images from the folder of the page or worker; Firefox resolves them from the
folder of the page. A name that starts with `/` means the same everywhere. Files that pages and workers load
by name without the API (`fetch("part.html")`, `image.src = "a.png"`) are checked in all of these folders.

So are the addresses in `import` and `export … from` of scripts that run as modules. Browsers resolve them as
they are: without a suffix, `./util` is not `util.js`, and nothing of a module runs if one that it imports is
missing.

A folder from which something is built does not contain everything that the extension will have, so only
misspelled names are reported there. This is also true of a folder of a larger project that has none of the
scripts and pages in its manifest, and of one of several extensions that share files in the folder above
them, and of what pages name that belong to a project below with a build of its own. Files that npm or Git
would fetch, files listed in `.gitignore`, those of a folder that is only there as an archive
(`assets.zip`), and those of a finished package next to the manifest, if most of its files are only there, are
not reported. In a packed extension every missing file is reported.

The default locale requires `_locales/LOCALE/messages.json`, and so does the folder of each locale.

## Why is this bad

Chrome refuses to load an extension if a file in its manifest is missing. A call fails with "Could not load
file: 'content.js'." or "Could not load action icon 'icon.png'.", and Firefox says "An unexpected error
occurred"; elsewhere the script or page is missing without an error. Packed extensions distinguish letter case
even if the author's file system does not.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "List",
  "version": "1.0",
  "background": {"service_worker": "Background.js"}
}
```

```js background.js
browser.management.getSelf();
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "List",
  "version": "1.0",
  "background": {"service_worker": "background.js"}
}
```

```js background.js
browser.management.getSelf();
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from posixpath import dirname, join, normpath

from msgspec import Struct

from extlint.extension import Extension, NamedFile
from extlint.finding import Finding, Related
from extlint.linting.json_findings import json_findings
from extlint.manifest.file_keys import file_references
from extlint.package.references import paths_of, without_query
from extlint.package.suffixes import PAGES, has_suffix
from extlint.project.builds import build_reads_manifest, is_build_source
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import browser_name
from extlint.text.json.values import JsonNode
from extlint.text.wording import did_you_mean, quoted
from extlint_rules.helpers.missing_files import MissingFile, missing_files, names_in_scripts

# Each of these keys was verified in Chromium 156, in Manifest V3. In names of icons, content scripts
# and others it ignores a hash, but does not decode `%20`.

_ICONS = ("/icons/", "/action/default_icon/")
_ICON = "/action/default_icon"
_CONTENT_SCRIPTS = "/content_scripts/"
_RULES = "/declarative_net_request/"
_SCHEMA = "/storage/managed_schema"


class LiteralName(Struct, frozen=True):
    """A name that Chrome cannot resolve, although the package contains the intended file.

    `rejected_part` is the part of the name that Chrome does not accept, or None if it searches for a file of
    that name.
    """

    name: str
    node: JsonNode
    intended_path: str
    rejected_part: str | None


def literal_names(extension: Extension) -> Iterator[LiteralName]:
    """Yields the names in the manifest that Chrome cannot resolve, although the package contains the file."""
    if extension.target.engine is not Engine.CHROMIUM or extension.manifest_version != 3:
        return
    if build_reads_manifest(extension):
        return
    for each in file_references(extension.manifest):
        refused = _rejected_part(each.pointer, each.name)
        if refused is None and not _is_escaped(each.pointer, each.name):
            continue
        found = next((path for path in paths_of(each.name) if path in extension.package), None)
        if found is not None and (refused is not None or found not in _literal_path(each.name)):
            yield LiteralName(each.name, each.node, found, refused)


def _rejected_part(pointer: str, name: str) -> str | None:
    is_icon = _is_icon(pointer)
    is_data = pointer.startswith(_RULES) or pointer == _SCHEMA
    marks = "?" if is_icon else "?#" if is_data else ""
    mark = next((each for each in marks if each in name), None)
    if mark is None and (is_icon or is_data) and ".." in name.split("/"):
        return ".."
    return "/" if mark is None and pointer == _SCHEMA and name.startswith("/") else mark


def _is_escaped(pointer: str, name: str) -> bool:
    is_literal = _is_icon(pointer) or pointer.startswith((_CONTENT_SCRIPTS, _RULES))
    return is_literal and "%" in name


def _is_icon(pointer: str) -> bool:
    return pointer.startswith(_ICONS) or pointer == _ICON


def _literal_path(name: str) -> tuple[str, ...]:
    """Returns the path that a name refers to if its escapes are not decoded."""
    return paths_of(without_query(name).replace("%", "%25"))[:1]


RULE = RULES["missing-file"]

_FEW = 3
"""The least number of missing files for which their missing folder is reported."""

_HELP = "`..` does not lead out of the extension's folder: only files in it are part of the extension"


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each missing file or folder, at the first place that names it in each file."""
    names: dict[tuple[str, str], list[MissingFile]] = {}
    for missing in missing_files(extension):
        names.setdefault((missing.named.source, missing.named.path), []).append(missing)
    folders: dict[tuple[str, str], list[list[MissingFile]]] = {}
    for place, found in names.items():
        folder = _missing_folder(extension, found[0])
        folders.setdefault((place[0], folder or f"/{place[1]}"), []).append(found)
    for (_, folder), group in folders.items():
        if len(group) >= _FEW:
            yield _missing_folder_finding(folder, [each[0] for each in group])
        else:
            yield from (_missing_file_finding(extension, *each) for each in group)
    manifest = extension.manifest
    for literal in literal_names(extension):
        browser, name = browser_name(extension.target.name), quoted(literal.name)
        reason = f"it reads {name} literally, and that file does not exist"
        message = f"{browser} reads {name} literally, and that file does not exist"
        if literal.rejected_part is not None:
            reason = f"it does not accept {quoted(literal.rejected_part)} in this name"
            message = f"{browser} does not accept {quoted(literal.rejected_part)} in this name"
        meant = did_you_mean(literal.intended_path)
        span = manifest.span(literal.node.span)
        general = f"the file {name} does not exist"
        yield RULE.at(manifest.path, span, message + meant, general=general, reason=reason + meant)
    yield from _misresolved_names(extension)
    yield from json_findings(extension, RULE)


def _misresolved_names(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each name in a call that a browser resolves from an unintended folder."""
    for each in names_in_scripts(extension):
        if each.elsewhere is None or is_build_source(extension):
            continue
        named, api = each.named, each.api
        browser = browser_name(extension.target.name)
        missing = f"the package has no file {quoted(named.path)}"
        reason = f"it resolves names in {quoted(api)} from {each.base.value}"
        yield RULE.at(
            named.source,
            named.span,
            f"{missing}: {browser} resolves names in {quoted(api)} from {each.base.value}",
            api=api,
            help=f'write "/{each.elsewhere}"',
            general=missing,
            reason=reason,
        )


def _missing_folder(extension: Extension, missing: MissingFile) -> str | None:
    """Returns the folder of a missing file that a page or script names, if it does not exist either."""
    folder, source = dirname(missing.named.path), missing.named.source
    if not folder or source == extension.manifest.path or missing.suggestion or missing.other_case:
        return None
    return None if any(each.startswith(f"{folder}/") for each in extension.package.paths) else folder


def _missing_folder_finding(folder: str, files: Sequence[MissingFile]) -> Finding:
    named = files[0].named
    others = (each.named for each in files[1:])
    return RULE.at(
        named.source,
        named.span,
        f"the package has no folder {quoted(folder)}, in which {len(files)} files are named",
        related=tuple(Related(each.source, each.span, f"{quoted(each.path)} is missing") for each in others),
    )


def _missing_file_finding(extension: Extension, first: MissingFile, *others: MissingFile) -> Finding:
    named = first.named
    message = f"the package has no file {quoted(named.path)}"
    if first.other_case is not None:
        message += f", only {quoted(first.other_case)}, which differs in letter case"
    related = (Related(each.named.source, each.named.span, "it is also named here") for each in others)
    help = _HELP if first.other_case is None and _leads_out(extension, named) else None
    if "://" in named.path:
        help = "use the address itself: `runtime.getURL` takes the name of a file in the package"
    return RULE.at(
        named.source,
        named.span,
        message + did_you_mean(first.suggestion),
        help=help,
        related=tuple(related),
    )


def _leads_out(extension: Extension, named: NamedFile) -> bool:
    """Whether a name in the manifest or in a page has more `..` than it has parent folders."""
    is_in_manifest = named.source == extension.manifest.path
    if not is_in_manifest and not has_suffix(named.source, PAGES):
        return False
    path = normpath(join("" if is_in_manifest else dirname(named.source), named.name))
    return path.startswith("../") and path.removeprefix(path[: path.rindex("../") + 3]) == named.path
