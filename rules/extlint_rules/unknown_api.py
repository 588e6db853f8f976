"""Finds namespaces, functions, events and properties that do not exist.

## What it does

Looks up every member that a script uses in the namespaces of the target, and reports one that does not
exist, with the name that was probably meant, or the browsers that have it. The members of an event are
`addListener`, `removeListener` and `hasListener`, and those of a function are not those of its result
(`runtime.getManifest.version`). For namespaces that the target does not describe, only
near misses such as `browser.managment` are reported.

Code in a `try`, code behind a test for a browser, and code that runs only after the member was tested for
are not reported. A name that no known browser has and that is close to an existing one is always reported,
even in the test itself: `if (chrome.tabs.qurey)`. In bundles and libraries, what another browser has is
reported only where it is known to run, on load, in a listener or by calls without a condition.

## Why is this bad

A member that does not exist is `undefined`, and calling it throws a `TypeError`: "chrome.tabs.qurey is not a
function", or "Cannot read properties of undefined (reading 'get')" for what is below `chrome.storage.locale`.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Tab counter",
  "version": "1.0",
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.tabs.qurey({ active: true }).then((tabs) => console.log(tabs.length));
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Tab counter",
  "version": "1.0",
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.tabs.query({ active: true }).then((tabs) => console.log(tabs.length));
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extlint.analysis.facts.script_facts import ApiPath
from extlint.checks.api.schema_path import is_available, schema_path_of
from extlint.checks.api.unavailability import Reason
from extlint.checks.availability.missing_references import MissingReference, missing_references
from extlint.extension import Extension
from extlint.finding import Finding, Fix
from extlint.queries.query import query
from extlint.registry import RULES
from extlint.schema.model import Function, SchemaSet
from extlint.schema.targets import browser_name
from extlint.text.nearest import is_certain_misspelling, suggest_name
from extlint.text.wording import after_semicolon, available_in, available_names, name_suggestion, quoted, use
from extlint_schemas import own_successor

RULE = RULES["unknown-api"]

_COMMON_NAMES = {"menus": "contextMenus"}
"""Namespaces that only one browser has under a name, with the name that all have."""


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each reference to a member that the target does not have."""
    schemas = extension.schemas
    for missing in missing_references(extension, Reason.UNKNOWN):
        from extlint.checks.availability.browser_help import (
            browsers_that_have,
            help_for_member,
            other_browsers_with,
            thunderbird_with_member,
        )

        path = missing.unavailability.path
        browsers = browsers_that_have(missing.api, schemas) if len(path) == 2 else None
        browsers = browsers or other_browsers_with(extension, path) or thunderbird_with_member(schemas, path)
        near = hint = None
        if browsers is None:
            known = _available(extension, tuple(path[:-1]), missing.unavailability.candidates)
            near = suggest_name(path[-1], known)
            hint = name_suggestion(near) or _all_names(path, known)
        else:
            hint = available_in(browsers)
        yield RULE.at(
            missing.path,
            missing.span,
            _message(path, None if browsers is None else _where(extension)) + after_semicolon(hint),
            api=missing.api,
            help=_successor(path) or (_owner_help(extension, path) if hint is None else None)
            if browsers is None
            else help_for_member(missing.api, schemas, "does not list it") or _common_name_help(path),
            general=_message(path, None if browsers is None else "these browsers"),
            reason=hint or "",
            fix=None if near is None else _fix(extension, missing, near),
        )


def _fix(extension: Extension, missing: MissingReference, near: str) -> Fix | None:
    """Returns the fix that inserts the intended name; it is safe if the name is certainly misspelled."""
    script = next(iter(extension.scripts_in(missing.path)), None)
    if script is None:
        return None
    from extlint.manifest.edits.script_fixes import rename_member

    path = missing.unavailability.path
    names, at = missing.api.split("."), len(path) - 1
    safe = is_certain_misspelling(path[-1], near)
    return rename_member(missing.path, script.index, missing.span, names, at, near, safe=safe)


def _all_names(path: ApiPath, known: Sequence[str]) -> str | None:
    """Returns the known names as a phrase, if they are few."""
    members = sorted(each for each in known if not each[0].isupper() or path[-1][:1].isupper())
    return available_names(members, _has_phrase(path[:-1]))


@query
def _available(extension: Extension, above: ApiPath, candidates: tuple[str, ...]) -> Sequence[str]:
    """Returns those members of an object that are available."""
    return [each for each in candidates if not above or is_available(extension, (*above, each))]


def _successor(path: ApiPath) -> str | None:
    replacement = own_successor(".".join(path))
    return None if replacement is None else use(replacement)


def _owner_help(extension: Extension, path: ApiPath) -> str | None:
    """Returns the advice to call a function, or the only namespace with a member of the same name."""
    name = path[-1]
    owner = schema_path_of(extension, path[:-1]) if len(path) > 2 else None
    if owner is not None and isinstance(owner.member, Function):
        return f"call the function: {quoted('.'.join(path[:-1]))} is one, and its result has {quoted(name)}"
    found = [
        each
        for each in (extension.schemas.names if len(path) == 2 else ())
        if _may_have(extension.schemas, each, name) and is_available(extension, (*each.split("."), name))
    ]
    return f"{quoted(found[0])} has {quoted(path[-1])}" if len(found) == 1 else None


def _may_have(schemas: SchemaSet, namespace: str, name: str) -> bool:
    """Whether a namespace lists a name, or has events that it does not list."""
    found = schemas.namespace(namespace)
    is_listed = found is not None and (name in found.members or found.open_events)
    return is_listed or f"{namespace}.{name}" in schemas.names


def _common_name_help(path: ApiPath) -> str | None:
    """Returns the advice to use the name that another browser's API has in all browsers."""
    return use(_COMMON_NAMES[path[0]]) if path[0] in _COMMON_NAMES else None


def _has_phrase(above: Sequence[str]) -> str:
    return f"{quoted('.'.join(above))} has" if above else "there are"


def _message(path: ApiPath, where: str | None) -> str:
    """Returns the message that a name does not exist, or is not available in `where` if others have it."""
    name = quoted(".".join(path))
    what = f"the API {name}" if len(path) == 1 else name
    return f"{what} does not exist" if where is None else f"{what} is not available in {where}"


def _where(extension: Extension) -> str:
    schemas = extension.schemas
    if schemas.may_have_more:
        return "Thunderbird"
    return (
        f"the target {quoted(schemas.target)}" if schemas.is_specification else browser_name(schemas.target)
    )
