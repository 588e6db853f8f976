"""Queries the permissions for which a real browser prompts, and compares them with the recorded facts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import click

from extlint.checks.manifest_values.known_keys import permissions_of
from extlint.manifest.manifest import ALL_URLS
from extlint.schema.targets.request import FACTS_OF
from extlint_judge.browsers.firefox import firefox
from extlint_judge.browsers.processes import ENGINES
from extlint_judge.evaluation import evaluate
from extlint_judge.options import browser_option, query_browser, report_and_exit
from extlint_schemas import PERMISSION_PROMPTS, PermissionPrompts, permission_prompts

HOST = "https://example.com/*"
"""A pattern that represents those of a single site."""

KEYS = ("permissions", "optional_permissions")

_MANIFEST = {
    "manifest_version": 3,
    "name": "judge",
    "version": "1",
    "permissions": ["management"],
}
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
        for key in KEYS
        for name in permissions_of(f"manifests/{target}_{version}", key)
    }
    return [*sorted(name for name in known if ":" not in name and "<" not in name), HOST, ALL_URLS]


def observe(browser: str, command: str, folder: Path) -> PermissionPrompts:
    """Returns the browser's prompts for each permission, and for pairs of them. Raises BrowserError."""
    names = names_of(FACTS_OF[ENGINES[browser]])
    single_prompts = _prompts(browser, command, folder / "alone", [[name] for name in names])
    same: dict[tuple[str, ...], list[str]] = {}
    for name, texts in zip(names, single_prompts, strict=True):
        if texts:
            same.setdefault(tuple(texts), []).append(name)
    groups = {each[0]: tuple(each) for each in same.values()}
    prompts = {each[0]: texts for texts, each in same.items()}
    pairs = [*combinations(groups, 2)]
    both = _prompts(browser, command, folder / "both", [[*pair] for pair in pairs])
    covered: dict[str, list[str]] = {}
    for (one, other), texts in zip(pairs, both, strict=True):
        for shown, lost in ((one, other), (other, one)):
            if set(texts or ()) == {*prompts[shown]} != {*prompts[lost]}:
                covered.setdefault(lost, []).append(shown)
    return PermissionPrompts(groups, {name: tuple(sorted(each)) for name, each in covered.items()})


def _prompts(
    browser: str, command: str, folder: Path, permission_lists: Sequence[Sequence[str]]
) -> list[list[str] | None]:
    folder.mkdir()
    found: list[list[str] | None]
    if browser == "chromium":
        files = {"manifest.json": json.dumps(_MANIFEST), "page.html": ""}
        found = evaluate(browser, command, folder, files, _CHROMIUM_PROBE % json.dumps(permission_lists))
        return found
    with firefox(command, folder) as marionette:
        found = marionette.script(_FIREFOX_PROBE, permission_lists)
        return found


def differences(observed: PermissionPrompts, known: PermissionPrompts) -> Iterator[str]:
    """Yields a line for each difference between the browser's prompts and the recorded facts."""
    both = (("groups", observed.groups, known.groups), ("covered", observed.covered, known.covered))
    for what, new, old in both:
        for name in sorted({*new, *old}):
            if new.get(name) != old.get(name):
                yield f"{what}: {name}: {new.get(name)}, and not {old.get(name)}"


def write_facts(path: Path, target: str, observed: PermissionPrompts) -> None:
    """Writes the browser's prompts into the file of the facts."""
    known: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    known[target] = {"covered": _joined(observed.covered), "groups": _joined(observed.groups)}
    path.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _joined(names: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {name: " ".join(each) for name, each in names.items()}


@click.command(name="permission-prompts")
@browser_option
@click.option("--write", is_flag=True, help="Write the answers into the facts.")
def permission_prompts_(browser: str, write: bool) -> None:
    """Query the permissions that prompt the user.

    Permissions with the same prompt are a group. A prompt that is omitted next to another one is covered by
    it. The exit code is 1 if the facts differ.
    """
    target = FACTS_OF[ENGINES[browser]]
    observed = query_browser(browser, observe)
    if write:
        write_facts(Path(PERMISSION_PROMPTS), target, observed)
        return
    for name, each in observed.groups.items():
        click.echo(f"  {name}: {', '.join(each[1:]) or '-'}")
    report_and_exit(differences(observed, permission_prompts(target)))
