"""What is wrong with a manifest, for the target that an extension is checked against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from extlint.extension import Extension, once_per_extension
from extlint.judgment.builds import completes_manifest
from extlint.manifest.json_values import Plain
from extlint.manifest.manifest import PERMISSIONS, Manifest
from extlint.manifest_values import thunderbird
from extlint.manifest_values.audience import is_excused, is_for_others, is_no_key
from extlint.manifest_values.known import VERSIONS, having, knowing
from extlint.manifest_values.relations import relations
from extlint.near import nearest
from extlint.schema.target import BROWSERS, base_of
from extlint.target import shown_browser
from extlint.templates import is_template
from extlint.validation.agreement import Verdict, agreed
from extlint.validation.mistake import Mistake, Steps
from extlint.validation.nulls import with_null
from extlint.validation.schema_keys import knows
from extlint.validation.validator import validator
from extlint.wording import listed, no_such_key, quoted
from extlint_schemas import json_schema

_IGNORES_NULL = "firefox"
"""Firefox takes a key whose value is null for one that is not there; Firefox 153.7 was asked."""


_READERS = {"browser_specific_settings": "firefox", "minimum_chrome_version": "chrome"}
"""The keys that one of the browsers reads, and the others let stand whatever their value is."""

_NOT_OF_OTHERS = ("background", "applications")
_PLAIN = {"name": "A", "version": "1"}

_KINDS = ("theme", "langpack_id", "dictionaries")
"""The keys that make a package something else than an extension, for Firefox."""


@once_per_extension
def manifest_mistakes(extension: Extension) -> tuple[Mistake, ...]:
    """The mistakes of the manifest, for rules to tell; none of one that is no object.

    Where a build completes the manifest nothing is missing in it.
    Chrome's apps are no extensions, and are not judged.
    """
    if extension.target.name == "reference" and extension.manifest.has_vendor_keys:
        extension = replace(extension, manifest=extension.manifest.written, derived={})
    manifest = extension.manifest
    if not manifest.is_object:
        return ()
    value = manifest.plain
    if manifest.get("app") is not None:
        return ()
    stated = value.get("manifest_version") if isinstance(value, dict) else None
    versions = (stated,) if type(stated) is int and stated in VERSIONS else VERSIONS
    browsers = tuple(BROWSERS) if extension.target.name == "reference" else (extension.target.name,)
    asked = [(browser, version) for browser in browsers for version in versions]
    found: tuple[Mistake, ...] = ()
    if not any(_accepts(value, *each) for each in _likeliest_first(asked, value)):
        found = tuple(agreed([_verdict(extension, value, *each) for each in asked]))
    if any(each.missing for each in found) and completes_manifest(extension):
        found = tuple(each for each in found if not each.missing)
    return found if len(browsers) == 1 else (*found, *_for_one_reader(extension, value, versions[-1]))


def _for_one_reader(extension: Extension, value: Plain, version: int) -> Iterator[Mistake]:
    """The mistakes in keys that a single browser reads, where all are asked: nobody takes them."""
    for key, browser in _READERS.items():
        if isinstance(value, dict) and key in value:
            alone = {**_PLAIN, "manifest_version": version, key: value[key]}
            if not _accepts(alone, browser, version):
                told = _verdict(extension, alone, browser, version).mistakes
                yield from (each for each in told if each.steps[:1] == (key,))


def _likeliest_first(asked: Sequence[tuple[str, int]], value: Plain) -> Sequence[tuple[str, int]]:
    """The browsers in the order in which they are asked whether nothing is wrong: one of them is enough.

    A background with a service worker alone is one that Firefox refuses.
    """
    background = value.get("background") if isinstance(value, dict) else None
    is_for_chrome = isinstance(background, dict) and "scripts" not in background and "page" not in background
    return tuple(reversed(asked)) if is_for_chrome else asked


def _accepts(value: Plain, browser: str, version: int) -> bool:
    seen = _as_read(value, browser)
    return validator(_schema(browser, version)).accepts(seen) and not any(relations(seen, browser, version))


def _schema(browser: str, version: int) -> str:
    return f"manifests/{browser}_{version}"


def _as_read(value: Plain, browser: str) -> Plain:
    return _without_nulls(value) if base_of(browser) == _IGNORES_NULL else value


def _verdict(extension: Extension, value: Plain, browser: str, version: int) -> Verdict:
    seen = _as_read(value, browser)
    mistakes = [*validator(_schema(browser, version)).mistakes(seen), *relations(seen, browser, version)]
    told: list[Mistake] = []
    foreign: set[Steps] = set()
    for mistake in mistakes:
        if mistake.rule == "unknown-key" and len(mistake.steps) == 1 and browser in knowing(mistake.steps):
            told.append(_of_other_kind(extension.manifest, browser, mistake))
        elif mistake.rule == "unknown-key":
            others = tuple(each for each in knowing(mistake.steps) if each != browser)
            if others:
                foreign.add(mistake.steps)
            told += _unknown_key(extension, browser, mistake, others)
        elif mistake.rule == "unknown-permission":
            told += _unknown_permission(extension, browser, mistake)
        elif not (
            is_excused(extension.manifest, mistake) or _is_others(extension, browser, version, mistake)
        ):
            told.append(_without_worker(extension.manifest, browser, _with_null(value, mistake)))
    return Verdict(told, frozenset(foreign))


def _of_other_kind(manifest: Manifest, browser: str, mistake: Mistake) -> Mistake:
    """A key of extensions in a manifest of a theme, a dictionary or a language pack."""
    kind = next((key for key in _KINDS if manifest.get(key) is not None), _KINDS[0])
    key = mistake.steps[-1]
    name = shown_browser(browser)
    message = f"{quoted(str(key))} cannot stand beside {quoted(kind)}: {name} refuses to load both"
    return replace(mistake, rule="conflicting-keys", message=message, beside=(kind,))


def _unknown_key(
    extension: Extension, browser: str, mistake: Mistake, others: Sequence[str]
) -> Iterator[Mistake]:
    """An unknown key, unless it is for people, or for another browser that the manifest is for."""
    if is_no_key(extension.manifest, mistake.steps):
        return
    if not others:
        kind = nearest(str(mistake.steps[-1]), _KINDS) if len(mistake.steps) == 1 else None
        yield mistake if kind is None else _misspelled_kind(mistake, kind)
        return
    if is_for_others(extension, browser, mistake.steps, others):
        return
    key = str(mistake.steps[-1])
    who = listed([shown_browser(each) for each in others], "and")
    have = "has" if len(others) == 1 else "have"
    yield replace(
        mistake, message=f"{shown_browser(browser)} has no manifest key {quoted(key)}; {who} {have} it"
    )


def _misspelled_kind(mistake: Mistake, kind: str) -> Mistake:
    """A misspelled key that makes a package something else than an extension."""
    return replace(mistake, message=no_such_key(str(mistake.steps[-1]), "a manifest", kind))


def _unknown_permission(extension: Extension, browser: str, mistake: Mistake) -> Iterator[Mistake]:
    """A permission that no browser has, or one that the browser takes in the other list alone."""
    node = extension.manifest.get(*mistake.steps)
    key = str(mistake.steps[0])
    if node is None or not isinstance(node.value, str) or is_template(node.value):
        return
    if node.value in thunderbird.PERMISSIONS:
        return
    other = next(each for each in PERMISSIONS if each != key)
    takers = having(node.value, key)
    if browser in having(node.value, other) and browser not in takers:
        if not is_for_others(extension, browser, mistake.steps, takers):
            name = shown_browser(browser)
            message = f"{name} takes {quoted(node.value)} in {quoted(other)} alone"
            yield replace(mistake, rule="invalid-value", message=message)
    elif not takers and not having(node.value, other):
        yield mistake


def _is_others(extension: Extension, browser: str, version: int, mistake: Mistake) -> bool:
    """Whether a key of the other manifest version is for another browser, which reads it in this one.

    Backgrounds have an order of their own, which `is_excused` knows, and Chrome lets the settings for
    Firefox stand unread.
    """
    if mistake.rule != "wrong-manifest-version" or not mistake.at_key or mistake.steps[0] in _NOT_OF_OTHERS:
        return False
    takers = tuple(
        each
        for each in BROWSERS
        if each != browser and knows(json_schema(_schema(each, version)), mistake.steps)
    )
    return bool(takers) and is_for_others(extension, browser, mistake.steps, takers)


def _without_worker(manifest: Manifest, browser: str, mistake: Mistake) -> Mistake:
    """A background that is a service worker alone, with the reason why that is not enough."""
    if mistake.rule != "missing-key" or manifest.get("background", "service_worker") is None:
        return mistake
    if mistake.steps != ("background",):
        return mistake
    return replace(mistake, help=f"{shown_browser(browser)} runs no service workers of extensions")


def _without_nulls(value: Plain) -> Plain:
    if isinstance(value, dict):
        return {key: _without_nulls(each) for key, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_without_nulls(each) for each in value]
    return value


def _with_null(value: Plain, mistake: Mistake) -> Mistake:
    """A missing key that is there, and null, is a wrong value."""
    for step in mistake.steps if mistake.missing else ():
        value = value[step]  # type: ignore[index]
    return with_null(mistake, value)
