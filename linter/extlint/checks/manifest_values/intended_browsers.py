"""The intended readers of a manifest's key or value: people, a build, or another browser than the target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extlint.extension import Extension
from extlint.manifest import thunderbird_keys
from extlint.manifest.manifest import Manifest
from extlint.manifest.misspelled_keys import has_key, intended_command
from extlint.manifest.vendor_keys import vendor_key
from extlint.schema.targets.request import CHROME, FIREFOX, SAFARI, base_of
from extlint.schema.validation.mistake import Mistake, Steps
from extlint.schema.validation.schema_keys import is_comment
from extlint.text.nearest import nearest
from extlint.text.placeholders import has_template_part, is_template

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
    if len(steps) == 1 and key in thunderbird_keys.KEYS:
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
