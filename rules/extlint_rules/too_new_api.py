"""Finds uses of an API that is newer than the oldest browser the extension supports.

## What it does

Compares the version in which a browser added a namespace or member with the oldest version that the extension
supports: that of the target (`--target chrome`, `--target "firefox>=115"`), or the one in the manifest
(`strict_min_version`, `minimum_chrome_version`). If neither states a version, nothing is reported. Members
that exist in the first browser version for the manifest version are not reported: for Manifest V3 that is
Chrome 88 and Firefox 109, for Manifest V2 Chrome 18 and Firefox 48. Properties and values in the arguments of
calls, arguments after a listener, promises that are awaited from functions of `chrome` that accepted only
callbacks before, and keys of the manifest are checked in the same way.

Code under a condition is not reported, because the condition may depend on what only newer browsers have,
unless it only asks which event it is (`message.type === "open"`, `event.target.id === "open"`), or what the
page contains. A version that only says when Chrome documented a member is ignored. A key of the manifest is
a warning, as older versions ignore it.

## Why is this bad

In older versions the member is `undefined`, and calling it throws a `TypeError`. A property that is not
known yet makes the call fail ("Unexpected property"), and `await` gives undefined without a promise.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Counter",
  "version": "1.0",
  "minimum_chrome_version": "91",
  "permissions": ["storage"],
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.tabs.onCreated.addListener(async () => {
  const { count } = await chrome.storage.session.get("count");
  await chrome.storage.session.set({ count: (count ?? 0) + 1 });
});
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Counter",
  "version": "1.0",
  "minimum_chrome_version": "102",
  "permissions": ["storage"],
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.tabs.onCreated.addListener(async () => {
  const { count } = await chrome.storage.session.get("count");
  await chrome.storage.session.set({ count: (count ?? 0) + 1 });
});
```

Or test for it before it is used: `if (chrome.storage.session) { ... }`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from extlint.analysis.facts.script_facts import ApiPath, CallSite, Guards
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.schema_path import PathElement, schema_path_of
from extlint.checks.availability.unguarded_references import (
    is_guarded_by_callers,
    unguarded_calls,
    unguarded_references,
)
from extlint.checks.other_manifests import is_for_sibling_manifest
from extlint.extension import Extension, Script, uses_api
from extlint.finding import Finding
from extlint.linting.json_findings import json_findings
from extlint.queries.query import query
from extlint.registry import RULES
from extlint.schema.targets import (
    Version,
    browser_name,
    oldest_with_extensions,
    support_of,
    version_text,
)
from extlint.text.positions import Span
from extlint.text.wording import quoted
from extlint_rules.helpers.newer_arguments import NewerPart, newer_parts

RULE = RULES["too-new-api"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each use of an API that was added after the oldest supported version."""
    oldest = _oldest(extension)
    if oldest is None or extension.schemas.is_specification:
        return
    yield from json_findings(extension, RULE)
    if uses_api(extension):
        yield from _members(extension, oldest)
        yield from _in_calls(extension, oldest)


def _oldest(extension: Extension) -> Version | None:
    """Returns the oldest version of the browser that runs the extension, or None if any version may."""
    target = extension.target
    if target.minimum is None:
        return None
    return oldest_with_extensions(target.name, target.minimum, extension.manifest_version)


def _members(extension: Extension, oldest: Version) -> Iterator[Finding]:
    """Yields findings for the references to members that were added later."""
    browser = browser_name(extension.target.name)
    for script, reference in unguarded_references(extension):
        found = schema_path_of(extension, reference.path)
        if found is None or found.member is None or found.rest:
            continue
        late = _too_new(extension, found.elements, oldest)
        if late is None or reference.guards.open_test or reference.guards.is_tested(late[1]):
            continue
        if len(reference.path) != found.reported_length(late[1]):
            continue
        if unavailabilities_of(extension, reference.path, script.contexts):
            continue
        if is_for_sibling_manifest(extension, script, reference, partial(_is_old_enough, reference.path)):
            continue
        tests = partial(_may_test, extension, late[1])
        if not is_guarded_by_callers(extension, script, reference, tests):
            came, what = version_text(late[0]), quoted(".".join(late[1]))
            yield RULE.at(
                *script.place(reference.span),
                f"{what} was added in {browser} {came}, "
                f"but the extension also runs in {browser} {version_text(oldest)}",
                api=".".join(found.path),
                help="test for it before using it, "
                f"or require {browser} {came} in {extension.manifest_source}",
                reason=f"it was added in version {came}, "
                f"but the extension also runs in {version_text(oldest)}",
                general=f"{what} was added after the oldest browser versions that the extension supports",
            )


def _in_calls(extension: Extension, oldest: Version) -> Iterator[Finding]:
    """Yields findings for argument properties, and promises of calls, that are newer than the functions."""
    for script, reference, call in unguarded_calls(extension):
        found = None if reference.guards.open_test else schema_path_of(extension, call.path)
        if found is None or found.rest not in {(), ("addListener",)}:
            continue
        if _too_new(extension, found.elements, oldest) is not None:
            continue
        parts = [*newer_parts(extension, script, call, oldest)]
        if (
            not parts
            or unavailabilities_of(extension, reference.path, script.contexts)
            or is_for_sibling_manifest(extension, script, reference, partial(_has_no_newer_parts, call))
            or is_guarded_by_callers(extension, script, reference, _has_open_test)
        ):
            continue
        for part in parts:
            span = script.span(part.span or reference.span)
            yield _newer_part_finding(extension, script.path, span, part, found.path)


def _has_no_newer_parts(call: CallSite, extension: Extension, script: Script) -> bool:
    """Whether all browser versions that a manifest allows support everything in a call."""
    oldest = _oldest(extension)
    return oldest is None or not any(newer_parts(extension, script, call, oldest))


def _has_open_test(guards: Guards) -> bool:
    return guards.open_test


def _newer_part_finding(
    extension: Extension, path: str, span: Span, part: NewerPart, api: ApiPath
) -> Finding:
    oldest = _oldest(extension) or ()
    browser, came = browser_name(extension.target.name), version_text(part.added)
    return RULE.at(
        path,
        span,
        f"{part.description} was added in {browser} {came}, "
        f"but the extension also runs in {browser} {version_text(oldest)}",
        api=".".join(api),
        help=f"do without it, or require {browser} {came} in {extension.manifest_source}",
        reason=f"it was added in version {came}, but the extension also runs in {version_text(oldest)}",
        general=f"{part.description} was added after the oldest browser versions that the extension supports",
    )


def _is_old_enough(path: ApiPath, extension: Extension, script: Script) -> bool:
    """Whether a member is available in all versions of the browser that the manifest allows."""
    found, oldest = schema_path_of(extension, path), _oldest(extension)
    return (
        found is not None
        and not unavailabilities_of(extension, path, script.contexts)
        and (oldest is None or _too_new(extension, found.elements, oldest) is None)
    )


def _may_test(extension: Extension, path: ApiPath, guards: Guards) -> bool:
    """Whether a condition tests for a member, or may use the outcome of a test in some script."""
    if guards.is_tested(path):
        return True
    return guards.open_test and any(each[: len(path)] == path for each in _tested_members(extension))


@query
def _tested_members(extension: Extension) -> frozenset[ApiPath]:
    """The members that any script only tests for."""
    return frozenset(
        reference.path
        for script in extension.scripts
        for reference in script.facts.references
        if reference.only_tested
    )


def _too_new(
    extension: Extension, elements: Sequence[PathElement], oldest: Version
) -> tuple[Version, ApiPath] | None:
    """Returns the newest element on the path to a member, the first if tied.

    Returns None unless it was added after a version.
    """
    browser, version = extension.target.name, extension.manifest_version
    newest: tuple[Version, ApiPath] | None = None
    for element in elements:
        known = support_of(".".join(element.path), browser, version)
        added = None if known is None else known.added
        if added is not None and added > (oldest if newest is None else newest[0]):
            newest = added, element.path
    return newest
