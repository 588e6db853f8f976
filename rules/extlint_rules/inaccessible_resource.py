"""Finds files of the package that are loaded into web pages, which may not access them.

## What it does

Under `--target chrome` and `--target firefox`, in Manifest V3, checks what content scripts load by an
address from `runtime.getURL`: the `src` or `href` of an element, also in HTML that is assigned to
`innerHTML`, `url()` in styles, `fetch` and `import()`. It reports a file of the package that no entry of
`web_accessible_resources` matches, and a file that the content script loads in each of its pages, if the
`matches` of the entries leave some of these pages out. It reports a file, too, to which a rule of
declarativeNetRequest redirects what pages load, by `extensionPath`, and a file that a content script names
without `runtime.getURL`, which the browser resolves from the address of the web page.
Under `--target chrome` it also checks the style sheets of `content_scripts`: there Chrome resolves a relative
`url()` from the web page (more than three in a style sheet are one finding), and one with
`chrome-extension://__MSG_@@extension_id__/` must be accessible too.

## Why is this bad

What a content script loads is loaded by the web page, which may only access the files that the manifest
lists. The image, frame or script stays away, also where a rule redirects to it. Chrome says "Denying load
of chrome-extension://.... Resources must be listed in the web_accessible_resources manifest key in order to
be loaded by pages outside the extension.", and Firefox "Security Error: Content at https://... may not load
or link to moz-extension://...".

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Badge",
  "version": "1.0",
  "content_scripts": [{"matches": ["https://example.com/*"], "js": ["content.js"]}]
}
```

```js content.js
const image = document.createElement("img");
image.src = chrome.runtime.getURL("images/badge.svg");
document.body.append(image);
```

```svg images/badge.svg
<svg xmlns="http://www.w3.org/2000/svg"/>
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Badge",
  "version": "1.0",
  "content_scripts": [{"matches": ["https://example.com/*"], "js": ["content.js"]}],
  "web_accessible_resources": [{"resources": ["images/*.svg"], "matches": ["https://example.com/*"]}]
}
```

```js content.js
const image = document.createElement("img");
image.src = chrome.runtime.getURL("images/badge.svg");
document.body.append(image);
```

```svg images/badge.svg
<svg xmlns="http://www.w3.org/2000/svg"/>
```

## References

* What Firefox 153 and Chromium 156 let content scripts load, and where they let rules redirect.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.script_facts import LoadedAddress
from extlint.checks.calls.file_names import may_be_called, named_loads, reference_of, unguarded_addresses
from extlint.checks.load_paths import contexts_to_show, index_of, load_paths
from extlint.checks.reachability.unused_scripts import with_unknown_context
from extlint.checks.resource_patterns import is_accessible, pages_with_access
from extlint.checks.style_sheets import StyleUrl, style_urls
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.manifest.file_keys import file_references
from extlint.manifest.host_patterns import may_match_origin, origins_in
from extlint.package.references import folder_of, paths_of
from extlint.project.builds import build_reads_manifest
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import browser_name, engine_of
from extlint.text.json.values import JsonNode
from extlint.text.patterns import lazy
from extlint.text.wording import quoted

RULE = RULES["inaccessible-resource"]

_STYLES = lazy(r"/content_scripts/\d+/css/")
_OWN = lazy(r"(?i)chrome-extension://__MSG_@@extension_id__(?=/)")
_ENGINES = frozenset({Engine.GECKO, Engine.CHROMIUM})


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each name of a file that is loaded, but not accessible."""
    if engine_of(extension.target.name) not in _ENGINES or extension.manifest_version != 3:
        return
    if not extension.package.complete or build_reads_manifest(extension):
        return
    yield from _in_scripts(extension)
    yield from _relative_to_pages(extension)
    yield from _in_rules(extension)
    if extension.target.engine is Engine.CHROMIUM:
        yield from _in_style_sheets(extension)


def _in_scripts(extension: Extension) -> Iterator[Finding]:
    """Yields findings for the addresses that content scripts load."""
    seen: set[object] = set()
    for script, address in unguarded_addresses(extension):
        if any(each.kind is not ContextKind.CONTENT_SCRIPT for each in script.contexts):
            continue
        path = _path_of(extension, f"/{address.name.lstrip('/')}")
        span = script.span(address.span)
        if path is None or (script.path, span) in seen:
            continue
        pages = None
        if is_accessible(extension, path):
            pages = pages_without_access(extension, script, address, path)
        if (
            (pages is None and is_accessible(extension, path))
            or with_unknown_context(extension, script) is not None
            or not may_be_called(extension, script, reference_of(address))
        ):
            continue
        seen.add((script.path, span))
        yield RULE.at(
            script.path,
            span,
            _message(path) if pages is None else _message_of_pages(path, pages),
            api="runtime.getURL",
            help=_help(extension, path) if pages is None else _help_for_pages(extension, pages),
            related=load_paths(extension, contexts_to_show(script.contexts)),
        )


def _relative_to_pages(extension: Extension) -> Iterator[Finding]:
    """Yields findings for the names of files that content scripts load from the web page by mistake."""
    for script in extension.scripts:
        if {each.kind for each in script.contexts} != {ContextKind.CONTENT_SCRIPT}:
            continue
        for address in named_loads(extension, script, partial(_file_at, extension, script)):
            path = _file_at(extension, script, address.name)
            if (
                path is None
                or with_unknown_context(extension, script) is not None
                or not may_be_called(extension, script, reference_of(address))
            ):
                continue
            yield RULE.at(
                *script.place(address.span),
                _message_of_page(extension, address.name),
                help=f'write `runtime.getURL("{path}")`',
            )


def _file_at(extension: Extension, script: Script, name: str) -> str | None:
    """Returns the file of the package that a name in a script means, from its top or from the script."""
    folder = "" if name.startswith("/") else folder_of(script.path)
    meant = (*paths_of(name.lstrip("/")), *paths_of(name, folder))
    return next((each for each in meant if each in extension.package), None)


def _message_of_page(extension: Extension, name: str, others: int = 0) -> str:
    named = f"{quoted(name)} and {others} others" if others else quoted(name)
    return f"{browser_name(extension.target.name)} loads {named} from the web page, not from the package"


def _in_rules(extension: Extension) -> Iterator[Finding]:
    """Yields findings for the files to which rules redirect requests of web pages."""
    if extension.manifest.get("declarative_net_request") is None:
        return
    from extlint.checks.rulesets import subresource_redirects

    for named in subresource_redirects(extension):
        if not is_accessible(extension, named.path):
            yield RULE.at(named.source, named.span, _message(named.path), help=_help(extension, named.path))


def _in_style_sheets(extension: Extension) -> Iterator[Finding]:
    """Yields findings for names in content scripts' style sheets, which Chromium resolves from the page."""
    names = [each for each in file_references(extension.manifest) if _STYLES.match(each.pointer)]
    for sheet in dict.fromkeys(path for each in names for path in paths_of(each.name)[:1]):
        if sheet not in extension.package:
            continue
        index, relative = index_of(extension, sheet), dict[str, tuple[StyleUrl, str]]()
        for url in style_urls(extension, sheet):
            own = _OWN.match(url.name)
            if own is not None:
                path = inaccessible_path(extension, url.name[own.end() :])
                if path is not None:
                    yield RULE.at(sheet, index.span(*url.span), _message(path), help=_help(extension, path))
                continue
            meant = () if url.name.startswith("/") else paths_of(url.name, folder_of(sheet))
            path = next((each for each in meant if each in extension.package), None)
            if path is not None and not path.endswith(".css"):
                relative.setdefault(path, (url, path))
        others = len(relative) - 1 if len(relative) > _ONE_BY_ONE else 0
        for url, path in [*relative.values()][: 1 if others else None]:
            yield RULE.at(
                sheet,
                index.span(*url.span),
                _message_of_page(extension, url.name, others),
                help=f'write "chrome-extension://__MSG_@@extension_id__/{path}"',
            )


def inaccessible_path(extension: Extension, name: str) -> str | None:
    """Returns the file of the package that a name refers to, if no web page may access it, or None."""
    path = _path_of(extension, name)
    return None if path is None or is_accessible(extension, path) else path


def _path_of(extension: Extension, name: str) -> str | None:
    return next((each for each in paths_of(name) if each in extension.package), None)


def _message(path: str) -> str:
    return f"web pages may not load {quoted(path)}: no entry of `web_accessible_resources` matches it"


def _message_of_pages(path: str, pages: str) -> str:
    return (
        f"web pages that match {quoted(pages)} may not load {quoted(path)}: "
        "`web_accessible_resources` has it for other pages"
    )


def _help_for_pages(extension: Extension, pages: str) -> str:

    return f'add "{all_paths_pattern(pages)}" to the "matches" of its entry in {extension.manifest_source}'


def _help(extension: Extension, path: str) -> str:
    return f'add "{path}" to `web_accessible_resources` in {extension.manifest_source}'


_ONE_BY_ONE = 3
"""The number of files in a style sheet that are reported one by one."""

_NARROWING = ("exclude_globs", "exclude_matches", "include_globs")


def pages_without_access(
    extension: Extension, script: Script, address: LoadedAddress, path: str
) -> str | None:
    """Returns a match pattern of a content script with pages that may not load a file of the package.

    Returns None unless it is certain that the content script loads the file in all of its pages.
    """
    allowed = pages_with_access(extension, path) if address.on_load else None
    found = extension.manifest.get("content_scripts")
    if allowed is None or found is None:
        return None
    for entry in found.items():
        if any(entry.get(key) is not None for key in _NARROWING):
            continue
        if any(script.path in paths_of(name) for name in _strings(entry, "js")):
            for pattern in _strings(entry, "matches"):
                without = [
                    each.scheme
                    for each in origins_in(pattern)
                    if not may_match_origin(allowed, each, related=False)
                ]
                if without:
                    return _with_schemes(pattern, without)
    return None


def _with_schemes(pattern: str, schemes: list[str]) -> str:
    """Returns the part of a match pattern for pages with some web schemes."""
    if len(schemes) > 1:
        return pattern
    scheme, slashes, rest = pattern.partition("://")
    if not slashes:
        return f"{schemes[0]}://*/*"
    return f"{schemes[0]}://{rest}" if scheme == "*" else pattern


def all_paths_pattern(pattern: str) -> str:
    """Returns the match pattern for all paths of the same hosts, as `web_accessible_resources` requires."""
    scheme, slashes, rest = pattern.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}/*" if slashes else pattern


def _strings(entry: JsonNode, key: str) -> list[str]:
    listed = entry.get(key)
    return [each.value for each in (() if listed is None else listed.items()) if isinstance(each.value, str)]
