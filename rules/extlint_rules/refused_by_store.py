"""Finds what the browser accepts but its store refuses, in the manifest and among the files.

## What it does

Under `--target firefox` or `firefox_android`, reports what Firefox accepts without a warning and
addons.mozilla.org refuses:

* in the manifest, a key whose value is null, a permission that is listed twice, a name with white space
  around it or of one character, a `strict_min_version` without a dot, a link to addons.mozilla.org as the
  home page, the permission `proxy` without a `strict_min_version`, several dictionaries, gradients in a
  theme for old versions, and keys that are reserved for other add-ons (`admin_install_only`,
  `experiment_apis`)
* images of a theme in other formats than PNG, JPEG, GIF and SVG
* files whose name is reserved, two files of one name in the archive, and scripts, pages and data of 5 MB or
  more

Under `--target chrome` and `edge`, reports scripts of other hosts that a content script inserts into web
pages, and, for the Chrome Web Store, extensions that replace both the new tab page and the search engine.

It warns about what addons.mozilla.org only warns of: a policy that allows scripts from elsewhere, an icon
or a message with an odd name, `update_url`, which is for add-ons that the store does not list, a theme
image whose name does not fit its format, files of the signature of another package, and mistakes in Fluent
files of language packs. A maximum version is a note.

## Why is this bad

The extension works on the author's machine, but the upload fails, or takes longer to be reviewed.

## Example

```json manifest.json
{
  "manifest_version": 2,
  "name": "List",
  "version": "1.0",
  "permissions": ["storage", "tabs", "storage"]
}
```

## Use instead

```json manifest.json
{
  "manifest_version": 2,
  "name": "List",
  "version": "1.0",
  "permissions": ["storage", "tabs"]
}
```

## References

* addons-linter, the program by which addons.mozilla.org judges uploads, in version 10.14:
  https://github.com/mozilla/addons-linter
* Chrome for Developers, remotely hosted code:
  https://developer.chrome.com/docs/extensions/develop/migrate/remote-hosted-code
* Chrome for Developers, settings overrides and the single purpose:
  https://developer.chrome.com/docs/extensions/reference/manifest/chrome-settings-override
"""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import basename

from extlint.checks.images import Format
from extlint.checks.locales.catalogs import PREDEFINED
from extlint.checks.manifest_values.named_images import named_images
from extlint.extension import Extension
from extlint.finding import Finding, Related
from extlint.linting.json_findings import with_reaction
from extlint.linting.stores import ADD_ONS, CHROME_STORE, EDGE_STORE, Store, store_of
from extlint.manifest.manifest import PERMISSIONS, Manifest
from extlint.package.limits import Why
from extlint.package.suffixes import PARSED_IN_STORE, has_suffix, suffix_of
from extlint.project.contexts.json_files import JsonKind, has_locales, json_files
from extlint.registry import RULES
from extlint.schema.validation.mistake import Reaction
from extlint.text.json.values import JsonNode
from extlint.text.positions import Position, Span
from extlint.text.wording import quoted
from extlint_rules.helpers.add_on_requirements import problems
from extlint_rules.helpers.fluent import fluent_problems

# Verified with addons-linter 10.14, by which the store judges uploads.

_FORMATS = {
    ".gif": Format.GIF,
    ".jpeg": Format.JPEG,
    ".jpg": Format.JPEG,
    ".png": Format.PNG,
    ".svg": Format.SVG,
    ".webp": Format.WEBP,
}
_THEME = ("theme", "images")
_RESERVED = "mozilla-recommendation.json"
_SIGNATURE = "META-INF/manifest.mf"
MAX_BYTES_IN_STORE = 5 * 1024 * 1024


def image_problems(extension: Extension) -> Iterator[tuple[Span, str, Reaction]]:
    """Yields the images that the store refuses or warns of, by their names in the manifest."""
    for named in named_images(extension):
        expected = _FORMATS.get(suffix_of(named.path))
        if named.is_icon and expected is None:
            message = f"{ADD_ONS.name} expects the name of an icon to end like that of an image"
            yield named.span, message, Reaction.IGNORES
        if named.keys[:2] != _THEME or named.image is None:
            continue
        found = named.image.format
        if expected in (None, Format.WEBP) or found not in _FORMATS.values() or found is Format.WEBP:
            message = f"{ADD_ONS.name} accepts only PNG, JPEG, GIF and SVG images in a theme"
            yield named.span, message, Reaction.REJECTS
        elif expected is not found:
            message = f"{quoted(named.path)} is a {found.value} image: its name should end accordingly"
            yield named.span, message, Reaction.IGNORES


def message_problems(extension: Extension) -> Iterator[tuple[str, Span, str, Reaction]]:
    """Yields the messages whose names are like those of the messages that browsers define."""
    for file in json_files(extension) if has_locales(extension) else ():
        if file.kind is not JsonKind.MESSAGES or not isinstance(file.value, dict):
            continue
        for name in file.value:
            if name.startswith("@@") and name.lower() not in PREDEFINED:
                message = (
                    f"names that begin with `@@` are reserved for browsers; {ADD_ONS.name} warns of them"
                )
                yield file.path, file.span_at((name,), at_key=True), message, Reaction.IGNORES


def file_problems(extension: Extension) -> Iterator[tuple[str, Reaction]]:
    """Yields the files that the store refuses or warns of."""
    package = extension.package
    for path in package.paths:
        if basename(path) == _RESERVED:
            yield (
                f"{ADD_ONS.name} reserves the name of {quoted(path)}, and refuses the file",
                Reaction.REJECTS,
            )
        elif path == _SIGNATURE:
            message = f"{quoted(path)} is the signature of a package; {ADD_ONS.name} signs the add-on again"
            yield message, Reaction.IGNORES
        elif has_suffix(path, PARSED_IN_STORE) and package.size(path) >= MAX_BYTES_IN_STORE:
            message = f"{quoted(path)} has {package.size(path)} bytes; {ADD_ONS.name} refuses 5 MB and more"
            yield message, Reaction.REJECTS
    for each in package.left_out:
        if each.why is Why.REPEATED:
            message = f"the archive has several files with the name {quoted(each.path)}"
            yield f"{message}; {ADD_ONS.name} refuses it", Reaction.REJECTS


RULE = RULES["refused-by-store"]

PRIVILEGED = ("experiment_apis", "l10n_resources")


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding at each value or file that the store refuses although the browser accepts it."""
    manifest, store = extension.manifest, store_of(extension)
    if store in (CHROME_STORE, EDGE_STORE):
        yield from _remote_code(extension, store)
    if store is CHROME_STORE:
        yield from _several_purposes(manifest)
    if store is not ADD_ONS or not manifest.is_object:
        return
    yield from _nulls(manifest)
    yield from _repeated(manifest)
    yield from _privileged(manifest)
    for node, message, reaction in problems(manifest):
        yield with_reaction(RULE.at(*manifest.place(node.span), message), reaction)

    for span, message, reaction in image_problems(extension):
        yield with_reaction(RULE.at(manifest.path, span, message), reaction)
    for path, span, message, reaction in (*message_problems(extension), *fluent_problems(extension)):
        yield with_reaction(RULE.at(path, span, message), reaction)
    for message, reaction in file_problems(extension):
        yield with_reaction(RULE.at(manifest.path, Span(_START, _START), message), reaction)


_START = Position(1, 1)


def _remote_code(extension: Extension, store: Store) -> Iterator[Finding]:
    if not any(load.is_remote for script in extension.scripts for load in script.facts.loads):
        return
    from extlint.checks.calls.written_code import remote_scripts_of_web_pages

    for script, load in remote_scripts_of_web_pages(extension):
        yield RULE.at(
            *script.place(load.span),
            f"{store.name} refuses extensions that run code from elsewhere, such as {quoted(load.name)}",
            help="add the file to the package, and insert that",
        )


def _several_purposes(manifest: Manifest) -> Iterator[Finding]:
    search = manifest.get("chrome_settings_overrides", "search_provider")
    page = manifest.get("chrome_url_overrides", "newtab")
    if search is None or page is None:
        return
    related = Related(*manifest.place(page.span), "the new tab page is replaced here")
    message = (
        "the extension replaces the new tab page and the search engine;"
        f" {CHROME_STORE.name} requires a single purpose"
    )
    finding = RULE.at(*manifest.place(search.span), message, related=(related,))
    yield with_reaction(finding, Reaction.IGNORES)


def _nulls(manifest: Manifest) -> Iterator[Finding]:
    waiting: list[JsonNode] = [node for node in [manifest.get()] if node is not None]
    while waiting:
        node = waiting.pop()
        waiting += node.items()
        for key, member in node.members():
            waiting.append(member.node)
            if member.node.value is None:
                message = f"{ADD_ONS.name} refuses null for {quoted(key)}; leave the key out"
                yield RULE.at(*manifest.place(member.node.span), message)


def _repeated(manifest: Manifest) -> Iterator[Finding]:
    for key in PERMISSIONS:
        first: dict[str, JsonNode] = {}
        for name, node in manifest.strings(key):
            if name in first:
                related = Related(*manifest.place(first[name].span), "first listed here")
                message = f"{quoted(name)} is already in {quoted(key)}; {ADD_ONS.name} refuses duplicates"
                yield RULE.at(*manifest.place(node.span), message, related=(related,))
            first.setdefault(name, node)


def _privileged(manifest: Manifest) -> Iterator[Finding]:
    if "mozillaAddons" in manifest.permissions:
        return
    for key, member in manifest.members():
        if key in PRIVILEGED:
            message = f"{quoted(key)} is only allowed in privileged add-ons of Mozilla"
            yield RULE.at(*manifest.place(member.key), message)
