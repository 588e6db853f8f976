"""Permissions that are not in the manifest, and those for which the user is asked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from extlint.checks.manifest_values.known_keys import permissions_of
from extlint.manifest.manifest import ALL_URLS
from extlint_judge.browsers.processes import facts_target
from extlint_judge.browsers.session import InFirefox, Session
from extlint_judge.extensions import extension, manifest
from extlint_judge.query import ONE, Query, answers_of
from extlint_schemas import PERMISSION_PROMPTS, PermissionPrompts, permission_prompts

CALLS = {
    "contains, required": "contains({permissions: ['tabs']})",
    "contains, optional": "contains({permissions: ['bookmarks']})",
    "contains, lacking": "contains({permissions: ['history']})",
    "contains, lacking beside one that is there": "contains({permissions: ['tabs', 'history']})",
    "contains, a lacking site": "contains({origins: ['https://b.example/*']})",
    "contains, a site among permissions": "contains({permissions: ['https://d.example/*']})",
    "remove, a site among permissions": "remove({permissions: ['https://d.example/*']})",
    "request, required": "request({permissions: ['tabs']})",
    "request, a site among permissions": "request({permissions: ['https://d.example/*']})",
    "request, a lacking site": "request({origins: ['https://b.example/*']})",
    "request, the site of a content script": "request({origins: ['https://c.example/*']})",
    "request, lacking": "request({permissions: ['history']})",
    "request, lacking beside one that is there": "request({permissions: ['tabs', 'history']})",
}


def _ask_permissions(session: Session, _: None) -> Any:
    keys = manifest(
        permissions=["tabs"],
        optional_permissions=["bookmarks"],
        host_permissions=["https://d.example/*"],
        optional_host_permissions=["https://a.example/*"],
        content_scripts=[{"matches": ["https://c.example/*"], "js": ["content.js"]}],
    )
    asked = {name: f"asked[{json.dumps(name)}]" for name in CALLS}
    calls = ", ".join(
        f"{json.dumps(name)}: begun(() => api.permissions.{call})" for name, call in CALLS.items()
    )
    begun = "const begun = async (call) => call();"
    begun += f"const asked = {{ {calls} }}; Object.values(asked).forEach((each) => each.catch(() => 0));"
    expression = answers_of(asked, "JSON.stringify(value)", begun)
    return session.evaluate(extension(keys, {"content.js": ""}), expression, gesture=True)


permissions = Query(
    "permissions",
    """Query calls with permissions missing from a manifest.

    These are passed to permissions.contains and permissions.request.

    The requests are made during a user action, as browsers require.
    """,
    lambda _: ONE,
    _ask_permissions,
)

HOST = "https://example.com/*"
"""A pattern that represents those of a single site."""

_CHROMIUM_PROBE = """(async () => {
    const said = [];
    for (const names of %s) {
        const hosts = names.filter((name) => name.includes(':') || name === '<all_urls>');
        const permissions = names.filter((name) => !hosts.includes(name));
        const basis = {manifest_version: 3, name: 'judge', version: '1'};
        const manifest = {...basis, permissions, host_permissions: hosts};
        const asked = chrome.management.getPermissionWarningsByManifest(JSON.stringify(manifest));
        said.push(await asked.catch(() => null));
    }
    return said;
})()"""
_FIREFOX_PROBE = """
const {ExtensionData} = ChromeUtils.importESModule("resource://gre/modules/Extension.sys.mjs");
return args[0].map((names) => {
    const origins = names.filter((name) => name.includes(":") || name === "<all_urls>");
    const permissions = {
        permissions: names.filter((name) => !origins.includes(name)), origins, data_collection: [],
    };
    return ExtensionData.formatPermissionStrings({permissions, addonName: "judge"}).msgs;
});
"""


def names_of(target: str) -> list[str]:
    """Returns the permissions that a browser knows, and patterns of every site and of a single one."""
    known = {
        name
        for version in (2, 3)
        for key in ("permissions", "optional_permissions")
        for name in permissions_of(f"manifests/{target}_{version}", key)
    }
    return [*sorted(name for name in known if ":" not in name and "<" not in name), HOST, ALL_URLS]


def _ask_prompts(session: Session, _: None) -> dict[str, dict[str, str]]:
    """Returns the groups of permissions with the same prompt, and those that others cover."""
    names = names_of(facts_target(session.browser))
    same: dict[tuple[str, ...], list[str]] = {}
    for name, texts in zip(names, _prompts(session, [[name] for name in names]), strict=True):
        if texts:
            same.setdefault(tuple(texts), []).append(name)
    groups = {each[0]: each for each in same.values()}
    prompts = {each[0]: texts for texts, each in same.items()}
    pairs = [*combinations(groups, 2)]
    covered: dict[str, list[str]] = {}
    for (one, other), texts in zip(pairs, _prompts(session, [[*pair] for pair in pairs]), strict=True):
        for shown, lost in ((one, other), (other, one)):
            if set(texts or ()) == {*prompts[shown]} != {*prompts[lost]}:
                covered.setdefault(lost, []).append(shown)
    return {
        "covered": {name: " ".join(sorted(each)) for name, each in covered.items()},
        "groups": {name: " ".join(each) for name, each in groups.items()},
    }


def _prompts(session: Session, permission_lists: Sequence[Sequence[str]]) -> list[list[str] | None]:
    found: list[list[str] | None]
    if isinstance(session, InFirefox):
        found = session.marionette.script(_FIREFOX_PROBE, permission_lists)
    else:
        probe = _CHROMIUM_PROBE % json.dumps(permission_lists)
        found = session.evaluate(extension(manifest(permissions=["management"])), probe)
    return found


def differences(observed: Mapping[str, Mapping[str, str]], known: PermissionPrompts) -> Iterator[str]:
    """Yields a line for each difference between the browser's prompts and the recorded facts."""
    for what, old in (("groups", known.groups), ("covered", known.covered)):
        new = {name: tuple(each.split()) for name, each in observed[what].items()}
        for name in sorted({*new, *old}):
            if new.get(name) != old.get(name):
                yield f"{what}: {name}: {new.get(name)}, and not {old.get(name)}"


prompts = Query(
    "permission-prompts",
    """Query the permissions that prompt the user.

    Permissions with the same prompt are a group. A prompt that is omitted next to another one is covered by
    it. The exit code is 1 if the facts differ.
    """,
    lambda _: ONE,
    _ask_prompts,
    lambda browser, _, observed: differences(observed, permission_prompts(facts_target(browser))),
    shown=lambda answers: {
        name: ", ".join(each.split()[1:]) or "-" for name, each in answers["groups"].items()
    },
    facts=Path(PERMISSION_PROMPTS),
)
