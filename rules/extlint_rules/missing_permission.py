"""Finds uses of an API whose permission the manifest does not request.

## What it does

Checks every use of an API that requires a permission against `permissions` and `optional_permissions` in
the manifest. A permission in either list is enough. Where an API accepts one of several permissions, any of
them is enough. Some calls of members that are available without a permission require one too, and so do the
option `blocking` of listeners to requests, the manifest key `declarative_net_request`, and in Firefox a
`cookieStoreId` in `tabs.create`, `windows.create` and `downloads.download`. So do `copy`, `cut` and `paste`
of `document.execCommand` in documents that are never shown, and `paste` everywhere in Chrome.

The fields `url`, `title` and `favIconUrl` of tabs are hidden without the permission `tabs`, a host permission
or `activeTab`. If the manifest requests none of these, reading one is reported, and so is a query for tabs by
their `url`. Pages of the extension itself are not hidden from it, so scripts that look for those are not
reported.

Code that runs only after a member without permission was tested for is not reported, and neither is code in
a `try` whose `catch` does something else instead. Logging the error, showing it or throwing it again does
not count. A function that exists without the permission, such as `tabs.captureVisibleTab`, is reported even
after a test for it. In a library (`lib.min.js`, `node_modules`), only code that is known to run is reported.

## Why is this bad

Without the permission the browser does not create the API: `chrome.scripting` is `undefined`, and using it
throws "Cannot read properties of undefined (reading 'executeScript')" in Chrome, and "can't access property
"executeScript", browser.scripting is undefined" in Firefox. A hidden field of a tab is `undefined` without
any error, until something is done with it ("Cannot read properties of undefined (reading 'startsWith')").

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Read later",
  "version": "1.0",
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.action.onClicked.addListener(async () => {
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  await chrome.storage.local.set({ [tab.url]: tab.title });
});
```

## Use instead

Add the permissions to the manifest:

```json manifest.json
{
  "manifest_version": 3,
  "name": "Read later",
  "version": "1.0",
  "permissions": ["storage", "tabs"],
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.action.onClicked.addListener(async () => {
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  await chrome.storage.local.set({ [tab.url]: tab.title });
});
```

With `activeTab` instead of `tabs`, the fields are there only in the tab where the user starts the extension.

## References

* What Firefox 153 and Chromium 156 show of a tab to extensions that request different permissions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from extlint.checks.api.unavailability import Reason
from extlint.extension import Extension, Script, uses_api
from extlint.finding import Finding, Fix
from extlint.linting.json_findings import json_findings
from extlint.manifest.manifest import Manifest, key_of_permission
from extlint.queries.query import query
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.text.nearest import nearest
from extlint.text.positions import ByteSpan
from extlint.text.wording import quoted, requires

if TYPE_CHECKING:
    from extlint.checks.calls.required_permissions import RejectedCall

RULE = RULES["missing-permission"]

_COMMAND = b"execCommand"
_TAB_NAMESPACES = frozenset({"tabs", "windows"})
_POLICY = (
    "in Manifest V3 Chrome grants it only to extensions that a policy installs; "
    "use `declarativeNetRequest` instead"
)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each reference to a member, and each key, whose permission is not requested."""
    if uses_api(extension):
        yield from _in_scripts(extension)
        yield from _hidden_tab_fields(extension)
    yield from json_findings(extension, RULE)


def _in_scripts(extension: Extension) -> Iterator[Finding]:
    from extlint.checks.availability.missing_references import missing_references
    from extlint.checks.calls.required_permissions import rejected_calls, requires_key

    for missing in missing_references(extension, Reason.PERMISSION):
        yield RULE.at(
            missing.path,
            missing.span,
            _sentence(missing.api, missing.unavailability.permissions),
            api=missing.api,
            help=_help(extension, missing.unavailability.permissions),
            general=_general(missing.api),
            fix=_fix(extension, missing.unavailability.permissions, missing.script, missing.at),
        )
    for call in rejected_calls(extension):
        if not requires_key(call):
            yield _refused_call_finding(extension, call)
    if _names_commands(extension):
        from extlint_rules.helpers.clipboard_commands import rejected_commands

        for command in rejected_commands(extension):
            yield _refused_call_finding(extension, command)


def prefetch(extension: Extension, script: Script) -> None:
    """Queries the commands of a script that may use the clipboard."""
    if _names_commands(extension):
        from extlint_rules.helpers.clipboard_commands import prefetch_commands

        prefetch_commands(extension, script)


@query
def _names_commands(extension: Extension) -> bool:
    """Whether a script may run a command for the clipboard, and one of its permissions is missing."""
    if extension.target.engine is None or not any(
        _COMMAND in script.index.text for script in extension.scripts
    ):
        return False
    from extlint.checks.api.manifest_requests import is_requested

    return not all(is_requested(extension.manifest, each) for each in ("clipboardRead", "clipboardWrite"))


def _hidden_tab_fields(extension: Extension) -> Iterator[Finding]:
    """Yields findings for the fields of tabs that are undefined without the permission."""
    if not any(
        call.path[0] in _TAB_NAMESPACES for script in extension.scripts for call in script.facts.calls
    ):
        return
    from extlint.checks.calls.required_permissions import TABS
    from extlint_rules.helpers.hidden_tab_fields import hidden_fields

    for field in hidden_fields(extension):
        api, name = ".".join(field.api), quoted(field.name)
        what = (
            f"{quoted(api)} finds no tab by its {name}" if field.is_filter else f"{name} of tabs is undefined"
        )
        yield RULE.at(
            *field.script.place(field.span),
            f"{what} without the permission {quoted(TABS)} or a host permission, "
            "and the manifest requests neither",
            api=api,
            help=_help(extension, (TABS,)),
            fix=_fix(extension, (TABS,), field.script, field.span, is_one_of_several=True),
        )


def _refused_call_finding(extension: Extension, call: RejectedCall) -> Finding:
    is_for_policies = _is_for_policies(extension, call)
    return RULE.at(
        *call.script.place(call.span),
        _sentence(call.what, call.required),
        api=call.api,
        help=_POLICY if is_for_policies else _help(extension, call.required),
        general=_general(call.what),
        fix=None if is_for_policies else _fix(extension, call.required, call.script, call.span),
    )


def _is_for_policies(extension: Extension, call: RejectedCall) -> bool:
    """Whether Chrome grants the permission only to extensions that a policy installs."""
    return (
        extension.schemas.engine is Engine.CHROMIUM
        and extension.manifest_version == 3
        and call.required == ("webRequestBlocking",)
    )


def _sentence(what: str, required: Sequence[str]) -> str:
    if len(required) == 1:
        return f"{requires(what, 'permission', required)}, which the manifest does not request"
    pronoun = "neither" if len(required) == 2 else "none"
    return f"{requires(what, 'permission', required)}, and the manifest requests {pronoun}"


def _general(what: str) -> str:
    return f"{quoted(what)} requires a permission that the manifest does not request"


def _fix(
    extension: Extension,
    required: Sequence[str],
    script: Script,
    at: ByteSpan,
    *,
    is_one_of_several: bool = False,
) -> Fix | None:
    """Returns the fix that adds the permission, which is safe only if the use certainly runs.

    Returns None if the manifest may contain it with a misspelled name.
    """
    from extlint.linting.fixes import manifest_fixes

    fixes = manifest_fixes(extension)
    if fixes is None or _misspelled(extension.manifest, required) is not None:
        return None
    is_only_way = len(required) == 1 and not is_one_of_several
    is_safe = is_only_way and extension.searches.certainly_runs(script, at)
    key = key_of_permission(required[0], extension.manifest_version)
    return fixes.add_permission(required[0], key, safe=is_safe)


def _misspelled(manifest: Manifest, required: Sequence[str]) -> tuple[str, str] | None:
    """Returns a misspelled name in the manifest, and the correct one: a permission, or `permissions`."""
    for name in required:
        written = next((each for each in sorted(manifest.permissions) if nearest(each, (name,))), None)
        if written is not None:
            return written, name
    if manifest.get("permissions") is None:
        key = next((each for each, _ in manifest.members() if nearest(each, ("permissions",))), None)
        if key is not None:
            return key, "permissions"
    return None


def _help(extension: Extension, required: Sequence[str]) -> str:
    """Returns the advice for requesting a permission: often it is misspelled in the manifest."""
    manifest, source = extension.manifest, extension.manifest_source
    misspelled = _misspelled(manifest, required)
    if misspelled is not None:
        written, name = misspelled
        return f'replace "{written}" with "{name}" in {source}'
    key = key_of_permission(required[0], manifest.version)
    return f'add "{required[0]}" to "{key}" in {source}'
