"""The unknown names in a manifest: mistakes, and names for other readers, such as another browser or a build.

A browser reports that it ignores each of them. If another browser has the name, that is a note.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from extlint.checks.manifest_values.known_keys import (
    APPS,
    TARGETS,
    audience_in_every_target,
    confirmed_targets_with_key,
    is_permission_of_apps,
    targets_with_permission,
)
from extlint.extension import Extension
from extlint.manifest import vendor_keys
from extlint.manifest.manifest import PERMISSIONS, Manifest, has_key, intended_command
from extlint.manifest.vendor_keys import vendor_key
from extlint.schema.engine import Engine
from extlint.schema.targets import BROWSERS, CHROME, FIREFOX, SAFARI, base_of, browser_name, engine_of
from extlint.schema.validation.browser_differences import schema_of
from extlint.schema.validation.mistake import Mistake, Reaction, Steps
from extlint.schema.validation.schema_path import is_comment, is_known_key
from extlint.text.nearest import nearest
from extlint.text.placeholders import has_template_part, is_template
from extlint.text.wording import available_in, listed, manifest_v, quoted, unknown_key_message
from extlint_schemas import json_schema

_COUNTERPARTS = {"side_panel": "sidebar_action", "sidebar_action": "side_panel"}
"""Keys with the same purpose under different names in different browsers."""

_BACKGROUNDS = ("scripts", "page", "service_worker")
"""The ways to name a background; one browser reads the first two, another the last."""

_VENDORS = ("gecko", "gecko_android", "safari")


def is_foreign_key(manifest: Manifest, steps: Steps) -> bool:
    """Whether a key is not intended for browsers that extlint knows.

    It is a comment or a template by its notation (`_comment`, `//`, `{{chrome}}.name`), the settings of
    another browser, a key of Thunderbird, or a part of a theme to which an experiment gives a meaning.
    """
    key = str(steps[-1])
    if len(steps) == 1 and key in vendor_keys.KEYS:
        return True
    if is_comment(key) or is_template(key) or vendor_key(key) is not None:
        return True
    if steps[0] == "theme":
        return manifest.get("theme_experiment") is not None
    return len(steps) == 2 and steps[0] == "browser_specific_settings" and nearest(key, _VENDORS) is None


def is_excused(manifest: Manifest, mistake: Mistake) -> bool:
    """Whether a value is intended for a build.

    A misspelled browser-defined command is only reported as such.
    """
    steps = mistake.steps
    node = manifest.get(*steps)
    if node is not None and isinstance(node.value, str) and has_template_part(node.value):
        return True
    if node is not None and node.value is None and manifest.is_named_template:
        return True
    if mistake.missing == ("description",) and len(steps) == 2 and steps[0] == "commands":
        return intended_command(str(steps[1])) is not None
    return False


def is_other_background(manifest: Manifest, mistake: Mistake) -> bool:
    """Whether a background of the other manifest version exists next to one of this version."""
    steps = mistake.steps
    if mistake.rule != "wrong-manifest-version" or steps[0] != "background":
        return False
    if steps[-1] not in _BACKGROUNDS:
        return False
    is_worker = steps[-1] == "service_worker"
    counterparts = [each for each in _BACKGROUNDS if (each == "service_worker") != is_worker]
    return any(has_key(manifest, "background", each) for each in counterparts)


def is_for_other_browsers(extension: Extension, browser: str, steps: Steps, others: Sequence[str]) -> bool:
    """Whether a key or value that a browser ignores is intended for one of the others, if visible.

    That is so if the run has one of them as a target, or if the manifest is clearly written for one.
    """
    if extension.target.is_specification or any(each in others for each in extension.requested_targets):
        return True
    counterpart = _COUNTERPARTS.get(str(steps[0]))
    if counterpart is not None and extension.manifest.get(counterpart) is not None:
        return True
    families = {base_of(each) for each in others} - {base_of(browser)}
    return any(each in families for each in _addressed_browsers(extension.manifest))


def _addressed_browsers(manifest: Manifest) -> Iterator[str]:
    """Yields the browsers for which a manifest is clearly written."""
    if manifest.get("browser_specific_settings", "safari") is not None:
        yield SAFARI
    if manifest.get("browser_specific_settings") is not None or manifest.get("applications") is not None:
        yield FIREFOX
    if manifest.get("minimum_chrome_version") is not None or manifest.get("key") is not None:
        yield CHROME
    if manifest.get("background", "service_worker") is not None and (
        manifest.get("background", "scripts") is not None or manifest.get("background", "page") is not None
    ):
        yield CHROME
        yield FIREFOX


KINDS = ("theme", "langpack_id", "dictionaries")
"""The keys that make a package something other than an extension, for Firefox."""


def unknown_key(
    extension: Extension, browser: str, mistake: Mistake, others: Sequence[str]
) -> Iterator[Mistake]:
    """Yields the reports about a key that a browser does not have and `others` do."""
    steps, key = mistake.steps, str(mistake.steps[-1])
    if is_template(key) or vendor_key(key) is not None:
        return
    is_reported = _is_reported(extension, browser, steps)
    if mistake.reaction is Reaction.REJECTS and not extension.target.is_specification:
        yield _unavailable_key(extension.manifest, mistake, browser, others) if others else mistake
    elif is_foreign_key(extension.manifest, steps):
        if is_reported and len(steps) == 1 and key in vendor_keys.KEYS:
            yield _note(_unavailable_key(extension.manifest, mistake, browser, (vendor_keys.NAME,)))
        elif is_reported and is_comment(key):
            yield _note(_ignored_key(mistake, browser))
    elif others:
        if _is_needed_in_run(extension, others):
            return
        if is_reported or not is_for_other_browsers(extension, browser, steps, others):
            yield _note(_unavailable_key(extension.manifest, mistake, browser, others))
    else:
        from extlint.checks.manifest_values.own_keys import is_own_key

        if is_own_key(extension, mistake):
            if is_reported:
                yield _note(_ignored_key(mistake, browser))
            return
        kind = nearest(key, KINDS) if len(steps) == 1 else None
        message = unknown_key_message(key, "the manifest")
        reworded = mistake if kind is None else mistake.reworded(message, general=message)
        yield reworded if kind is None else replace(reworded, suggestion=kind)


def _ignored_key(mistake: Mistake, browser: str) -> Mistake:
    what = f"the manifest key {quoted(str(mistake.steps[-1]))}"
    message = f"{browser_name(browser)} ignores {what}, and warns about it"
    return mistake.reworded(message, general=f"browsers warn about {what}", reason="")


def unknown_permission(extension: Extension, browser: str, mistake: Mistake) -> Iterator[Mistake]:
    """Yields the reports about a permission that a browser only accepts in the other list, or not at all."""
    node = extension.manifest.get(*mistake.steps)
    key = str(mistake.steps[0])
    if node is None or not isinstance(node.value, str) or has_template_part(node.value):
        return
    name, text = browser_name(browser), node.value
    other = next(each for each in PERMISSIONS if each != key)
    takers, elsewhere = targets_with_permission(text, key), targets_with_permission(text, other)
    if browser in elsewhere and browser not in takers:
        moved = replace(mistake, rule="invalid-value").reworded(
            f"{name} accepts {quoted(text)} only in {quoted(other)}"
        )
        if not is_for_other_browsers(extension, browser, mistake.steps, takers):
            yield moved
        elif _is_reported(extension, browser, mistake.steps) and not _is_needed_in_run(extension, takers):
            yield _note(moved)
    elif owners := _owners(text):
        if _is_reported(extension, browser, mistake.steps) and not _is_needed_in_run(extension, owners):
            message = f"the permission {quoted(text)} is not available in {name}; {_available(owners)}"
            general = f"the permission {quoted(text)} is not available in every browser"
            yield _note(mistake.reworded(message, general=general, reason=_available(owners)))
    elif is_permission_of_apps(text):
        message = f"the permission {quoted(text)} is only for {APPS}"
        yield mistake.reworded(message, general=message)
    else:
        yield mistake


def _owners(permission: str) -> Sequence[str]:
    """Returns the known applications that support a permission."""
    if permission in vendor_keys.PERMISSIONS:
        return (vendor_keys.NAME,)
    takers = {each for key in PERMISSIONS for each in targets_with_permission(permission, key)}
    return [each for each in BROWSERS if each in takers]


def other_browser_note(
    extension: Extension, browser: str, mistake: Mistake, others: Sequence[str]
) -> Iterator[Mistake]:
    """Yields a note about a key that a browser ignores with a warning, and that is intended for others."""
    if not others or _is_needed_in_run(extension, others):
        return
    if _is_reported(extension, browser, mistake.steps) and mistake.reaction is Reaction.IGNORES:
        support = "support" if len(others) > 1 else "supports"
        browsers = listed([browser_name(each) for each in others], "and")
        reason = f"{browsers} {support} it"
        message = f"in {browser_name(browser)}, {mistake.message}; {reason}"
        general = f"in some browsers, {mistake.message}"
        yield replace(
            _note(mistake.reworded(message, general=general, reason=reason)), replacement=None, help=None
        )


def _is_needed_in_run(extension: Extension, others: Sequence[str]) -> bool:
    """Whether another target of the run is one of some browsers, so that a key that they read is intended."""
    requested = (each for each in extension.requested_targets if each != extension.target.name)
    return any(each in others or base_of(each) in others for each in requested)


def _is_reported(extension: Extension, browser: str, steps: Steps) -> bool:
    """Whether a browser warns if it is the target: Chrome does for keys at the top level and in its lists."""
    if extension.target.is_specification:
        return False
    is_at_top = len(steps) == 1 or steps[0] in PERMISSIONS or steps[0] == "background"
    return engine_of(browser) is Engine.GECKO or (engine_of(browser) is Engine.CHROMIUM and is_at_top)


def _note(mistake: Mistake) -> Mistake:
    return replace(mistake, reaction=Reaction.SKIPS)


def _unavailable_key(manifest: Manifest, mistake: Mistake, browser: str, others: Sequence[str]) -> Mistake:
    key = quoted(str(mistake.steps[-1]))
    confirmed = confirmed_targets_with_key(mistake.steps, others) or others
    audience = audience_in_every_target(mistake.steps, confirmed)
    reason = _available(confirmed) if audience is None else f"it is only for {audience}"
    if audience is None and _is_only_in_other_version(manifest, mistake.steps, confirmed):
        reason = f"{reason} in {manifest_v(5 - manifest.version)}"
    return mistake.reworded(
        f"the manifest key {key} is not available in {browser_name(browser)}; {reason}",
        general=f"the manifest key {key} is not available in every browser",
        reason=reason,
    )


def _is_only_in_other_version(manifest: Manifest, steps: Steps, targets: Sequence[str]) -> bool:
    """Whether some targets have a key, or its value, only in the other manifest version."""
    node = manifest.get(*steps)
    if (manifest.version, steps[-1]) == (3, "browser_style") and node is not None and node.value is True:
        return True
    schemas = [json_schema(schema_of(each, manifest.version)) for each in targets if each in TARGETS]
    return bool(schemas) and not any(is_known_key(each, steps) for each in schemas)


def _available(others: Sequence[str]) -> str:
    named = [each for each in others if base_of(each) == each or base_of(each) not in others]
    return available_in(listed([browser_name(each) for each in named], "and"))
