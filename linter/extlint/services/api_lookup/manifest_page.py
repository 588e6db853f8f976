"""Formats the result of looking up a manifest key as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint.schema.targets.request import browser_name
from extlint.services.api_lookup.manifest_keys import ManifestKey
from extlint.services.api_lookup.page import fact, shown_versions
from extlint.text.wording import listed


def key_page(key: ManifestKey) -> str:
    """Returns a page with everything known about one key."""
    return "\n".join([f"{key.name} in the manifest", "", *_facts(key)]) + "\n"


def _facts(key: ManifestKey) -> Iterator[str]:
    yield from (fact(*each) for each in key_facts(key))
    if key.documentation is not None:
        yield fact("Read more", key.documentation)


def key_facts(key: ManifestKey) -> Iterator[tuple[str, str]]:
    """Yields everything known about a key, each fact with a label, except where to read more."""
    yield "Targets", ", ".join(_targets_with_versions(key))
    yield from facts_by_value("Type", key.types)
    if key.deprecated:
        yield "Deprecated", f"in {listed([browser_name(each) for each in key.deprecated], 'and')}"
    if key.keys:
        yield "Keys", ", ".join(key.keys)
    if key.versions:
        yield "Versions", ", ".join(shown_versions(key.versions))


def _targets_with_versions(key: ManifestKey) -> Iterator[str]:
    for target, versions in key.manifest_versions.items():
        only = f" (V{versions[0]} only)" if len(versions) == 1 else ""
        yield f"{browser_name(target)}{only}"


def facts_by_value(label: str, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yields one fact if all targets share a value, or a fact for each value with its targets.

    Only the first of them has the label.
    """
    targets: dict[str, list[str]] = {}
    for target, value in values.items():
        targets.setdefault(value, []).append(browser_name(target))
    for number, (value, names) in enumerate(targets.items()):
        suffix = f" in {listed(names, 'and')}" if len(targets) > 1 else ""
        yield "" if number else label, f"{value}{suffix}"
