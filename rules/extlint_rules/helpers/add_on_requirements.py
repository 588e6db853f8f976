"""The requirements of addons.mozilla.org for values in a manifest, as a table.

Verified with addons-linter 10.14, by which the store judges uploads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from extlint.linting.stores import ADD_ONS, GECKO, SETTINGS
from extlint.manifest.manifest import Manifest
from extlint.schema.targets import Version, version_of
from extlint.schema.validation.mistake import Reaction
from extlint.text.formats.csp_policy import directives_of
from extlint.text.json.values import JsonNode
from extlint.text.patterns import lazy
from extlint.text.wording import quoted

EACH = "*"
"""A step to each item of a list, and to each value of an object."""


class Requirement(Struct, frozen=True):
    """A requirement for the values at `steps`. `problem` returns what is wrong with one, or None."""

    steps: tuple[str, ...]
    problem: Callable[[JsonNode, Manifest], str | None]
    reaction: Reaction = Reaction.REJECTS


def problems(manifest: Manifest) -> Iterator[tuple[JsonNode, str, Reaction]]:
    """Yields each value that does not meet a requirement, with the message and the store's reaction."""
    for each in REQUIREMENTS:
        for node in _nodes(manifest, each.steps):
            message = each.problem(node, manifest)
            if message is not None:
                yield node, message, each.reaction


def _nodes(manifest: Manifest, steps: tuple[str, ...]) -> Iterator[JsonNode]:
    start = manifest.get()
    found = [] if start is None else [start]
    for step in steps:
        if step == EACH:
            found = [
                inner
                for node in found
                for inner in (*node.items(), *(each.node for _, each in node.members()))
            ]
        else:
            found = [inner for node in found if (inner := node.get(step)) is not None]
    yield from found


def least_version(manifest: Manifest) -> Version | None:
    """Returns the oldest version of Firefox that a manifest allows, or None if it states none."""
    for settings in (SETTINGS, "applications"):
        found = manifest.get(settings, "gecko", "strict_min_version")
        if found is not None and isinstance(found.value, str):
            return version_of(found.value)
    return None


_HOSTS = ("addons-dev.allizom.org", "addons.mozilla.org")
_FIRST_WITH_PROXY = (91, 1)
_FIRST_WITH_GRADIENTS = (153,)
_LEAST_NAME = 2
_WHITE_SPACE = (
    "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
)
"""The characters that `String.prototype.trim` removes, by ECMA-262, sections 12.2 and 12.3."""
_SCRIPT_DIRECTIVES = ("default-src", "script-src", "script-src-attr", "script-src-elem", "worker-src")
_PLAIN_SOURCE = lazy(r"'(?:self|none|wasm-unsafe-eval|unsafe-eval)'|moz-extension:.*+")
_LOCAL_SOURCE = lazy(r"https?+://(?:localhost|127\.0\.0\.1)(?::[^/]*+)?+(?:/.*+)?+")


def _without_dot(node: JsonNode, _manifest: Manifest) -> str | None:
    if not isinstance(node.value, str) or not node.value.isdecimal():
        return None
    return f"{quoted(node.value)} requires a dot: {ADD_ONS.name} accepts `{node.value}.0`"


def _name(node: JsonNode, _manifest: Manifest) -> str | None:
    if not isinstance(node.value, str):
        return None
    if node.value != node.value.strip(_WHITE_SPACE):
        return f"{ADD_ONS.name} refuses white space around `name`"
    if len(node.value) < _LEAST_NAME:
        return f"{ADD_ONS.name} requires at least {_LEAST_NAME} characters in `name`"
    return None


def _home_page(node: JsonNode, manifest: Manifest) -> str | None:
    """Returns the problem of the address that the store shows: that of the developer comes first."""
    developer = manifest.get("developer", "url")
    if not isinstance(node.value, str) or (developer is not None and developer.value and developer != node):
        return None
    found = next((host for host in _HOSTS if host in node.value), None)
    return None if found is None else f"{ADD_ONS.name} refuses links to {quoted(found)} here"


def _proxy(node: JsonNode, manifest: Manifest) -> str | None:
    if not isinstance(node.value, str) or node.value.lower() != "proxy":
        return None
    least = least_version(manifest)
    if least is not None and least >= _FIRST_WITH_PROXY:
        return None
    return f"{ADD_ONS.name} accepts `proxy` only with `strict_min_version` 91.1.0 or later"


def _own_updates(node: JsonNode, _manifest: Manifest) -> str | None:
    if not node.value:
        return None
    return f"{ADD_ONS.name} refuses `update_url`, because it updates the add-ons that it lists"


def _for_administrators(_node: JsonNode, _manifest: Manifest) -> str | None:
    return f"`admin_install_only` is for add-ons that administrators install; {ADD_ONS.name} refuses it"


def _previous_consent(node: JsonNode, _manifest: Manifest) -> str | None:
    return (
        f"{ADD_ONS.name} refuses `has_previous_consent` with the value `true`" if node.value is True else None
    )


def _dictionaries(node: JsonNode, _manifest: Manifest) -> str | None:
    count = len(list(node.members()))
    if isinstance(node.plain, dict) and count != 1:
        return f"{ADD_ONS.name} accepts one dictionary in an add-on, not {count or 'none'}"
    return None


def _granted_hosts(node: JsonNode, _manifest: Manifest) -> str | None:
    return (
        "Firefox reads `granted_host_permissions` only in privileged add-ons of Mozilla"
        if node.value
        else None
    )


def _maximum(node: JsonNode, manifest: Manifest) -> str | None:
    if not node.value or manifest.get("langpack_id") is not None or manifest.get("dictionaries") is not None:
        return None
    return f"{ADD_ONS.name} advises against `strict_max_version`: the add-on stops with a new version"


def _maximum_of_dictionary(node: JsonNode, manifest: Manifest) -> str | None:
    if not node.value or manifest.get("dictionaries") is None:
        return None
    return f"{ADD_ONS.name} refuses `strict_max_version` in dictionaries"


def _gradient(node: JsonNode, manifest: Manifest) -> str | None:
    least = least_version(manifest)
    if not isinstance(node.plain, dict) or (least is not None and least >= _FIRST_WITH_GRADIENTS):
        return None
    return f"{ADD_ONS.name} accepts a gradient only with `strict_min_version` 153.0 or later"


def _local_server(node: JsonNode, manifest: Manifest) -> str | None:
    """Returns the problem of a policy in Manifest V3, which Firefox 153 accepts only in temporary add-ons."""
    if manifest.version != 3:
        return None
    source = _script_source(node, lambda text: _LOCAL_SOURCE.fullmatch(text) is not None)
    if source is None:
        return None
    return f"Firefox ignores the policy with {quoted(source)}, except while an add-on is loaded temporarily"


def _other_code(node: JsonNode, manifest: Manifest) -> str | None:
    source = _script_source(node, lambda text: _PLAIN_SOURCE.fullmatch(text) is None)
    if source is None or manifest.version != 2:
        return None
    return (
        f"{ADD_ONS.name} examines an add-on more closely if its policy allows scripts from {quoted(source)}"
    )


def _script_source(node: JsonNode, is_wanted: Callable[[str], bool]) -> str | None:
    """Returns the first source of scripts in a policy that is wanted."""
    if not isinstance(node.value, str):
        return None
    directives = {each.name: each.values for each in reversed(directives_of(node.value))}
    if "script-src" in directives:
        directives.pop("default-src", None)
    sources = (source for name in _SCRIPT_DIRECTIVES for source in directives.get(name, ()))
    return next((source for source in sources if is_wanted(source)), None)


REQUIREMENTS = (
    Requirement(("name",), _name),
    Requirement(("homepage_url",), _home_page),
    Requirement(("developer", "url"), _home_page),
    Requirement(("permissions", EACH), _proxy),
    Requirement((*GECKO, "admin_install_only"), _for_administrators),
    Requirement(("applications", "gecko", "admin_install_only"), _for_administrators),
    Requirement((*GECKO, "data_collection_permissions", "has_previous_consent"), _previous_consent),
    Requirement((*GECKO, "strict_min_version"), _without_dot),
    Requirement(("applications", "gecko", "strict_min_version"), _without_dot),
    Requirement((*GECKO, "update_url"), _own_updates, Reaction.IGNORES),
    Requirement(("applications", "gecko", "update_url"), _own_updates, Reaction.IGNORES),
    Requirement((SETTINGS, EACH, "strict_max_version"), _maximum, Reaction.SKIPS),
    Requirement((SETTINGS, EACH, "strict_max_version"), _maximum_of_dictionary),
    Requirement(("dictionaries",), _dictionaries),
    Requirement(("granted_host_permissions",), _granted_hosts, Reaction.IGNORES),
    Requirement(("theme", "images", "theme_frame"), _gradient),
    Requirement(("theme", "images", "additional_backgrounds", EACH), _gradient),
    Requirement(("dark_theme", "images", "theme_frame"), _gradient),
    Requirement(("dark_theme", "images", "additional_backgrounds", EACH), _gradient),
    Requirement(("content_security_policy", "extension_pages"), _local_server, Reaction.IGNORES),
    Requirement(("content_security_policy",), _other_code, Reaction.IGNORES),
)
"""Each requirement, with the reaction of the store; `update_url` is for add-ons that it does not list."""
