"""What is wrong with a manifest, for the target that an extension is checked against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from extlint.extension import Extension, once_per_extension
from extlint.json_text.values import JsonValue
from extlint.manifest.manifest import PERMISSIONS, Manifest
from extlint.manifest_values.intended_browsers import is_excused, is_for_others, is_other_background
from extlint.manifest_values.known_keys import VERSIONS, knowing, permissions_of
from extlint.manifest_values.other_browsers import KINDS, left_to_others, unknown_key, unknown_permission
from extlint.manifest_values.relations import conflict, relations
from extlint.project.builds import build_completes_manifest
from extlint.schema.engine import Engine
from extlint.targets.request import BROWSERS, CHROME, FIREFOX, Target, base_of, engine_of, shown_browser
from extlint.text.wording import quoted
from extlint.validation.agreement import Verdict, agreed
from extlint.validation.mistake import Mistake, Reaction, Steps
from extlint.validation.nulls import with_null, without_nulls
from extlint.validation.schema_keys import knows
from extlint.validation.validator import validator
from extlint_schemas import json_schema

_IGNORES_NULL = Engine.GECKO
"""Firefox takes a key whose value is null for one that is not there; Firefox 153.7 was asked."""

_READERS = {
    "browser_specific_settings": FIREFOX,
    "minimum_chrome_version": CHROME,
}
"""The keys that one of the browsers reads, and the others let stand whatever their value is."""

_NOT_OF_OTHERS = ("background", "applications")
_PLAIN = {"name": "A", "version": "1"}


@once_per_extension
def manifest_mistakes(extension: Extension) -> tuple[Mistake, ...]:
    """The mistakes of the manifest, for rules to tell; none of one that is no object.

    Where a build completes the manifest nothing is missing in it.
    Chrome's apps are no extensions, and are not judged.
    """
    if extension.target.is_specification and extension.manifest.has_vendor_keys:
        extension = replace(extension, manifest=extension.manifest.written, derived={})
    manifest = extension.manifest
    if not manifest.is_object:
        return ()
    value = manifest.plain
    if manifest.get("app") is not None:
        return ()
    stated = value.get("manifest_version") if isinstance(value, dict) else None
    versions = (stated,) if type(stated) is int and stated in VERSIONS else VERSIONS
    browsers = BROWSERS if extension.target.is_specification else (extension.target.name,)
    asked = [(browser, version) for browser in browsers for version in versions]
    found: tuple[Mistake, ...] = ()
    if not any(_accepts(value, *each) for each in _likeliest_first(asked, value)):
        found = tuple(agreed([_verdict(extension, value, *each) for each in asked]))
    if extension.is_of_thunderbird:
        from extlint.manifest_values.thunderbird import in_thunderbird

        found = tuple(told for each in found if (told := in_thunderbird(manifest, each)) is not None)
    if any(map(_is_completed, found)) and build_completes_manifest(extension):
        found = tuple(each for each in found if not _is_completed(each))
    if stated == 2 and _refuses_version_2(extension.target):
        found = (_VERSION_2, *found)
    if len(browsers) > 1:
        found = (*found, *_for_one_reader(extension, value, versions[-1]))
    return tuple(each for each in found if not _is_undone(extension, each))


def _is_undone(extension: Extension, mistake: Mistake) -> bool:
    """Whether a tool of the project writes the key that a mistake is in, or keeps it for one version."""
    from extlint.project.rewritten_keys import may_be_corrected
    from extlint.project.version_keys import depends_on_version

    return depends_on_version(extension, mistake.steps) or may_be_corrected(extension, mistake)


def _is_completed(mistake: Mistake) -> bool:
    """Whether a mistake is none before a build has completed the manifest."""
    return bool(mistake.missing) or (mistake.steps == ("version",) and not mistake.at_key)


_LAST_WITH_VERSION_2 = (138,)
"""The last Chrome that loads manifest version 2 for anybody, as Chrome's documentation has it."""

_WITHOUT_VERSION_2 = (CHROME,)
"""The browsers that have ended manifest version 2; when Edge will, is not known."""

_VERSION_2 = Mistake(
    "invalid-value",
    ("manifest_version",),
    "Chrome removed support for Manifest V2 in version 139",
    help="use Manifest V3, or check for older versions with `--target chrome<=138`",
)
"""Chromium 156 was asked: it refuses each manifest of version 2, whatever else is in it."""


def _refuses_version_2(target: Target) -> bool:
    """Whether some Chrome that is asked for is too new for manifest version 2."""
    return target.name in _WITHOUT_VERSION_2 and (
        target.maximum is None or target.maximum > _LAST_WITH_VERSION_2
    )


def _for_one_reader(extension: Extension, value: JsonValue, version: int) -> Iterator[Mistake]:
    """The mistakes in keys that a single browser reads, where all are asked: nobody takes them."""
    for key, browser in _READERS.items():
        if isinstance(value, dict) and key in value:
            alone = {**_PLAIN, "manifest_version": version, key: value[key]}
            if not _accepts(alone, browser, version):
                told = _verdict(extension, alone, browser, version).mistakes
                yield from (each for each in told if each.steps[:1] == (key,))


def _likeliest_first(asked: Sequence[tuple[str, int]], value: JsonValue) -> Sequence[tuple[str, int]]:
    """The browsers in the order in which they are asked whether nothing is wrong: one of them is enough.

    A background with a service worker alone is one that Firefox refuses.
    """
    background = value.get("background") if isinstance(value, dict) else None
    is_for_chrome = isinstance(background, dict) and "scripts" not in background and "page" not in background
    return tuple(reversed(asked)) if is_for_chrome else asked


def _accepts(value: JsonValue, browser: str, version: int) -> bool:
    seen = _as_read(value, browser, version)
    return validator(_schema(browser, version)).accepts(seen) and not any(relations(seen, browser, version))


def _schema(browser: str, version: int) -> str:
    return f"manifests/{browser}_{version}"


def _as_read(value: JsonValue, browser: str, version: int) -> JsonValue:
    if engine_of(browser) is not _IGNORES_NULL:
        return value
    return without_nulls(json_schema(_schema(browser, version)), value)


def _verdict(extension: Extension, value: JsonValue, browser: str, version: int) -> Verdict:
    seen = _as_read(value, browser, version)
    mistakes = _once(
        (*validator(_schema(browser, version)).mistakes(seen), *relations(seen, browser, version))
    )
    told: list[Mistake] = []
    foreign: set[Steps] = set()
    for mistake in mistakes:
        with_value = _with_null(value, mistake)
        if mistake.is_reserved:
            told.append(mistake)
        elif mistake.rule == "unknown-key" and len(mistake.steps) == 1 and browser in knowing(mistake.steps):
            told.append(_of_other_kind(extension.manifest, browser, mistake))
        elif mistake.rule == "unknown-key":
            others = tuple(each for each in knowing(mistake.steps) if each != browser)
            if others:
                foreign.add(mistake.steps)
            told += unknown_key(extension, browser, mistake, others)
        elif mistake.rule == "unknown-permission":
            told += unknown_permission(extension, browser, mistake)
        elif is_excused(extension.manifest, mistake) or is_excused(extension.manifest, with_value):
            continue
        elif _is_others(extension, browser, version, mistake):
            told += left_to_others(
                extension, browser, mistake, _takers(extension.manifest, browser, version, mistake)
            )
        else:
            told.append(_without_worker(extension.manifest, browser, with_value))
    return Verdict(told, frozenset(foreign))


def _of_other_kind(manifest: Manifest, browser: str, mistake: Mistake) -> Mistake:
    """A key of extensions in a manifest of a theme, a dictionary or a language pack."""
    key = str(mistake.steps[-1])
    name = shown_browser(browser)
    kind = next((each for each in KINDS if each != key and manifest.get(each) is not None), None)
    if kind is None:
        only = "only in themes, dictionaries and language packs"
        return mistake.reworded(f"{name} reads {quoted(key)} {only}", general=f"{quoted(key)} is read {only}")
    fate = "ignores it" if mistake.reaction is None else "refuses to load both"
    reaction = mistake.reaction or Reaction.IGNORES
    return conflict(mistake.steps, (kind,), name, f"{{}} {fate}", reaction)


def _once(mistakes: Sequence[Mistake]) -> Sequence[Mistake]:
    """The mistakes without those of a deprecated key that cannot be there at all."""
    conflicts = {
        steps for each in mistakes if each.rule == "conflicting-keys" for steps in (each.steps, each.beside)
    }
    return [each for each in mistakes if each.rule != "deprecated-key" or each.steps not in conflicts]


def _is_others(extension: Extension, browser: str, version: int, mistake: Mistake) -> bool:
    """Whether a key of the other manifest version is for another browser, which reads it in this one.

    Chrome lets the settings for Firefox stand unread.
    """
    if is_other_background(extension.manifest, mistake):
        return True
    if mistake.rule != "wrong-manifest-version" or mistake.steps[0] in _NOT_OF_OTHERS:
        return False
    takers = _takers(extension.manifest, browser, version, mistake)
    return bool(takers) and is_for_others(extension, browser, mistake.steps, takers)


def _takers(manifest: Manifest, browser: str, version: int, mistake: Mistake) -> tuple[str, ...]:
    """The other browsers that read a key, or give a permission, in a manifest version."""
    others = [each for each in BROWSERS if each != base_of(browser)]
    if mistake.at_key:
        return tuple(each for each in others if knows(json_schema(_schema(each, version)), mistake.steps))
    node = manifest.get(*mistake.steps)
    if mistake.steps[0] not in PERMISSIONS or node is None or not isinstance(node.value, str):
        return ()
    key, text = str(mistake.steps[0]), node.value
    return tuple(each for each in others if text in permissions_of(_schema(each, version), key))


def _without_worker(manifest: Manifest, browser: str, mistake: Mistake) -> Mistake:
    """A background that is a service worker alone, with the reason why that is not enough."""
    if mistake.rule != "missing-key" or manifest.get("background", "service_worker") is None:
        return mistake
    if mistake.steps != ("background",):
        return mistake
    help = f"{shown_browser(browser)} does not run service workers of extensions"
    return replace(mistake, help=help, reaction=Reaction.REFUSES)


def _with_null(value: JsonValue, mistake: Mistake) -> Mistake:
    """A missing key that is there, and null, is a wrong value."""
    for step in mistake.steps if mistake.missing else ():
        value = value[step]  # type: ignore[index]
    return with_null(mistake, value)
