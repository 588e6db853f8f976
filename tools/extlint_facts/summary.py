"""The summary of a renewal for reviewers, in Markdown: what was added, removed and changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from extlint_facts.packages.pin import Pin

MAX_NAMES = 100
"""The maximum number of names in one list of the summary."""

_PARTS = {"functions": "name", "events": "name", "types": "id"}
_BROWSERS = ("chrome", "firefox")


def members(files: Mapping[str, str], browser: str) -> dict[str, str]:
    """Returns the members, types and properties of a browser's API and manifest, each as JSON, by path."""
    found: dict[str, list[str]] = {}
    for path, text in files.items():
        folder, _, name = path.partition("/")
        if folder == browser and name != "index.json":
            for namespace in json.loads(text)["namespaces"]:
                for at, node in _members(namespace, namespace["namespace"]):
                    found.setdefault(at, []).append(json.dumps(node, sort_keys=True))
    return {at: "\n".join(nodes) for at, nodes in found.items()}


def _members(node: Mapping[str, Any], path: str) -> Iterator[tuple[str, Any]]:
    """Yields a node without its members, and these in turn."""
    parts = [(name, each) for name, each in node.get("properties", {}).items()]
    parts += [(each.get(label, "…"), each) for key, label in _PARTS.items() for each in node.get(key, ())]
    yield path, {key: value for key, value in node.items() if key not in (*_PARTS, "properties")}
    for name, each in parts:
        yield from _members(each, f"{path}.{name}")


def changes_of_members(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    """Yields a section for each browser with its added, removed and changed members."""
    for browser in _BROWSERS:
        yield f"## Members of {browser}\n"
        yield from _differences(members(before, browser), members(after, browser))


def changes_of_versions(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    """Yields the section about the members whose versions in browsers change."""
    yield "## Versions that have a member\n"
    yield from _differences(_versions(before), _versions(after))


def _versions(files: Mapping[str, str]) -> dict[str, str]:
    """Returns the versions of browsers that have each member, as JSON, by path."""
    return {
        member: json.dumps(ranges, sort_keys=True)
        for path, text in files.items()
        if path.startswith("compat/")
        for member, ranges in json.loads(text)["members"].items()
    }


def _differences(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[str]:
    """Yields a paragraph each for the added, removed and changed paths."""
    lists = {
        "Added": new.keys() - old.keys(),
        "Removed": old.keys() - new.keys(),
        "Changed": {path for path in old.keys() & new.keys() if old[path] != new[path]},
    }
    if not any(lists.values()):
        yield "No member was added, removed or changed.\n"
    for title, paths in lists.items():
        if paths:
            yield f"{title} ({len(paths)}): {_names(_outermost(paths))}\n"


def _outermost(paths: Iterable[str]) -> list[str]:
    """Returns the paths that are not inside of another one of them, sorted."""
    found: list[str] = []
    for path in sorted(paths, key=lambda each: each.split(".")):
        if not found or not path.startswith(f"{found[-1]}."):
            found.append(path)
    return found


def _names(paths: Sequence[str]) -> str:
    shown = ", ".join(f"`{path}`" for path in paths[:MAX_NAMES])
    return shown if len(paths) <= MAX_NAMES else f"{shown} and {len(paths) - MAX_NAMES} more"


def changes_of_files(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    """Yields the section about files that change, by folder."""
    changed = [path for path in sorted({*before, *after}) if before.get(path) != after.get(path)]
    folders: dict[str, int] = {}
    for path in changed:
        folder = path.partition("/")[0]
        folders[folder] = folders.get(folder, 0) + 1
    yield "## Files\n"
    yield f"{len(changed)} of {len(after)} files change.\n"
    yield from (f"* {folder}: {count}" for folder, count in folders.items())


def changes_of_findings(before: Iterable[str], after: Iterable[str]) -> Iterator[str]:
    """Yields the section about findings in the examples that appear or disappear."""
    old, new = set(before), set(after)
    yield "\n## Findings in the examples\n"
    if old == new:
        yield "No finding changes.\n"
    yield from (f"* new: {each}" for each in sorted(new - old))
    yield from (f"* gone: {each}" for each in sorted(old - new))


def changes_of_packages(before: Iterable[Pin], after: Iterable[Pin]) -> Iterator[str]:
    """Yields the first section: the packages with a newer version."""
    yield "# Renewed facts about browsers\n"
    yield "| package | before | now |\n|---|---|---|"
    for old, new in zip(before, after, strict=True):
        if old != new:
            yield f"| {old.package} | {old.version} | {new.version} |"
    yield ""


def stale_corrections(sentences: Sequence[str]) -> Iterator[str]:
    """Yields the text of an issue about corrections that no longer apply."""
    yield "With the newest packages, these corrections no longer apply, so the facts were not renewed.\n"
    yield from (f"* {each}" for each in sentences)
    yield "\nDelete their places in `tools/extlint_facts/corrections`, and run `extlint_facts update` again."


def answers_of_browsers(answers: Mapping[str, tuple[int, Sequence[str]]]) -> Iterator[str]:
    """Yields the section about the browsers that were asked: the status and output of each question."""
    yield "\n## Browsers\n"
    for question, (status, lines) in answers.items():
        verdict = {0: "agrees", 1: "disagrees"}.get(status, "failed")
        yield f"* `{question}`: {verdict}"
        if status:
            yield from ("\n```", *lines[:MAX_NAMES], "```\n")
