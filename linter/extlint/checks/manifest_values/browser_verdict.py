"""The verdict of one browser on a manifest that it does not accept."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from extlint.checks.manifest_values.known_keys import permissions_of, targets_with_key
from extlint.checks.manifest_values.other_browsers import (
    KINDS,
    is_excused,
    is_for_other_browsers,
    is_other_background,
    other_browser_note,
    unknown_key,
    unknown_permission,
)
from extlint.checks.manifest_values.relations import PLUGINS, conflict, relations
from extlint.extension import Extension
from extlint.manifest.manifest import PERMISSIONS, Manifest
from extlint.schema.engine import Engine
from extlint.schema.targets import BROWSERS, FIREFOX, base_of, browser_name, engine_of
from extlint.schema.validation.browser_differences import Verdict, schema_of, visible_value, with_null
from extlint.schema.validation.mistake import Mistake, Reaction, Steps
from extlint.schema.validation.schema_path import is_known_key
from extlint.schema.validation.validator import validator
from extlint.text.json.values import JsonValue
from extlint.text.wording import quoted
from extlint_schemas import json_schema

_BACKGROUNDS_OF_VERSION_2 = (("background", "scripts"), ("background", "page"))
_NEVER_FOR_OTHERS = ("background", "applications")


def verdict(extension: Extension, value: JsonValue, browser: str, version: int) -> Verdict:
    """Returns the mistakes that a browser finds in a manifest, and the keys that it leaves to others."""
    visible = visible_value(value, browser, version)
    mistakes = _without_redundant(
        (*validator(schema_of(browser, version)).mistakes(visible), *relations(visible, browser, version))
    )
    reported: list[Mistake] = []
    foreign: set[Steps] = set()
    for mistake in mistakes:
        with_value = _with_null(value, mistake)
        if mistake.is_reserved:
            reported.append(mistake)
        elif (
            mistake.rule == "unknown-key"
            and len(mistake.steps) == 1
            and browser in targets_with_key(mistake.steps)
        ):
            reported.append(_wrong_kind(extension.manifest, browser, mistake))
        elif mistake.rule == "unknown-key":
            other_targets = tuple(each for each in targets_with_key(mistake.steps) if each != browser)
            if other_targets:
                foreign.add(mistake.steps)
            reported += unknown_key(extension, browser, mistake, other_targets)
        elif mistake.rule == "unknown-permission":
            reported += unknown_permission(extension, browser, mistake)
        elif is_excused(extension.manifest, mistake) or is_excused(extension.manifest, with_value):
            continue
        elif _is_for_other_browser(extension, browser, version, mistake):
            reported += other_browser_note(
                extension,
                browser,
                mistake,
                _supporting_browsers(extension.manifest, browser, version, mistake),
            )
        else:
            reported.append(_with_worker_details(extension.manifest, browser, with_value))
    return Verdict(reported, frozenset(foreign), not extension.is_for_thunderbird or browser == FIREFOX)


def _wrong_kind(manifest: Manifest, browser: str, mistake: Mistake) -> Mistake:
    """Returns the mistake of an extension's key in a manifest of a theme, a dictionary or a language pack."""
    key = str(mistake.steps[-1])
    name = browser_name(browser)
    kind = next((each for each in KINDS if each != key and manifest.get(each) is not None), None)
    if kind is None:
        only = "only in themes, dictionaries and language packs"
        return mistake.reworded(f"{name} reads {quoted(key)} {only}", general=f"{quoted(key)} is read {only}")
    fate = "ignores it" if mistake.reaction is None else "refuses to load both"
    reaction = mistake.reaction or Reaction.IGNORES
    return conflict(mistake.steps, (kind,), name, f"{{}} {fate}", reaction)


def _without_redundant(mistakes: Sequence[Mistake]) -> Sequence[Mistake]:
    """Returns the mistakes without those of a deprecated key with a worse one.

    The key is in conflict with another one, or the browser rejects a value in it.
    """
    worse = {
        steps
        for each in mistakes
        if each.rule == "conflicting-keys"
        for steps in (each.steps, each.related_steps)
    }
    worse |= {each.steps[:-1] for each in mistakes if each.steps == PLUGINS}
    return [each for each in mistakes if each.rule != "deprecated-key" or each.steps not in worse]


def _is_for_other_browser(extension: Extension, browser: str, version: int, mistake: Mistake) -> bool:
    """Whether a key of the other manifest version is for another browser, which reads it in this one.

    Chrome ignores the settings for Firefox silently.
    """
    if is_other_background(extension.manifest, mistake):
        return True
    if mistake.rule != "wrong-manifest-version" or mistake.steps[0] in _NEVER_FOR_OTHERS:
        return False
    takers = _supporting_browsers(extension.manifest, browser, version, mistake)
    return bool(takers) and is_for_other_browsers(extension, browser, mistake.steps, takers)


def _supporting_browsers(manifest: Manifest, browser: str, version: int, mistake: Mistake) -> tuple[str, ...]:
    """Returns the other browsers that read a key, or support a permission, in a manifest version."""
    other_browsers = [each for each in BROWSERS if each != base_of(browser)]
    if mistake.at_key:
        return tuple(
            each
            for each in other_browsers
            if is_known_key(json_schema(schema_of(each, version)), mistake.steps)
        )
    node = manifest.get(*mistake.steps)
    if mistake.steps[0] not in PERMISSIONS or node is None or not isinstance(node.value, str):
        return ()
    key, text = str(mistake.steps[0]), node.value
    return tuple(each for each in other_browsers if text in permissions_of(schema_of(each, version), key))


def _with_worker_details(manifest: Manifest, browser: str, mistake: Mistake) -> Mistake:
    """Returns the mistake of a background with only a service worker, or without one, with the reaction.

    Without a worker, Chromium 156 runs no background in Manifest V3, and does not read its type.
    """
    if manifest.get("background", "service_worker") is None:
        if engine_of(browser) is not Engine.CHROMIUM:
            return mistake
        if mistake.steps == ("background", "type"):
            return replace(mistake, reaction=Reaction.IGNORES)
        is_unread = mistake.rule == "wrong-manifest-version" and mistake.steps in _BACKGROUNDS_OF_VERSION_2
        return replace(mistake, reaction=Reaction.REJECTS) if is_unread else mistake
    if mistake.rule != "missing-key":
        return mistake
    if mistake.steps != ("background",):
        return mistake
    help = f"{browser_name(browser)} does not run service workers of extensions"
    return replace(mistake, help=help, reaction=Reaction.REJECTS)


def _with_null(value: JsonValue, mistake: Mistake) -> Mistake:
    """Returns the mistake of a wrong value if a missing key exists and is null."""
    for step in mistake.steps if mistake.missing else ():
        value = value[step]  # type: ignore[index]
    return with_null(mistake, value)
