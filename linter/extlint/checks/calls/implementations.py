"""Problems that the implementations of functions find beyond their schemas; some depend on the extension."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TypeAlias

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.script_facts import CallSite
from extlint.analysis.facts.values import ArrayValue, Kind, Literal, ObjectValue, Value, is_function
from extlint.checks.calls.argument_values import (
    CHECKED_FORMATS,
    COPYING_FUNCTIONS,
    PATTERN_FUNCTIONS,
    filter_problems,
    problems_of_copies,
    repeated_ids,
    string_values_at,
)
from extlint.checks.calls.given_names import USES_OF_NAMES, unknown_names
from extlint.checks.calls.injected_files import INJECTING, injected_file_problems
from extlint.checks.calls.user_interface import (
    CREATING,
    DYNAMIC_RULES,
    OPENING,
    SESSION_RULES,
    hidden_items,
    panel_problems,
    renamed_contexts,
    rule_problems,
)
from extlint.checks.manifest_values.known_keys import all_permissions
from extlint.checks.other_manifests import may_hold_in_other_manifest
from extlint.checks.reachability.occasions import background_ended_when_idle
from extlint.extension import Extension, Script
from extlint.manifest import vendor_keys
from extlint.manifest.host_patterns import may_match_origin, origins_in
from extlint.manifest.manifest import ALL_URLS, REQUESTS, Manifest
from extlint.project.builds import may_be_completed
from extlint.project.rewritten_keys import may_add
from extlint.schema.engine import Engine
from extlint.schema.matching.call import CallProblem
from extlint.schema.matching.contents import CHECKED, contents_problems
from extlint.schema.matching.environment import Environment
from extlint.schema.model import Function
from extlint.text.formats import match_pattern
from extlint.text.formats.registry import Problem
from extlint.text.nearest import nearest
from extlint.text.patterns import lazy
from extlint.text.wording import after_semicolon, name_suggestion, quoted

_Problems: TypeAlias = Iterator[CallProblem]

_LOST_BACKSLASH = lazy(rb"(?<!\\)(?:\\\\)*\\(?P<letter>[dDsSwW])")
r"""A class of characters whose backslash is dropped in a string: `"\\d"` is the letter d."""

_REGEX = "declarativeNetRequest.isRegexSupported"
_RULE_FILES = "declarative_net_request"
_RULESET_FUNCTIONS = ("getDisabledRuleIds", "updateEnabledRulesets", "updateStaticRules")
_RULESET_KEYS = {
    Engine.CHROMIUM: ("enableRulesetIds", "disableRulesetIds", "rulesetId"),
    Engine.GECKO: ("rulesetId",),
}
"""The keys of arguments with ids of rule files that each browser requires to exist."""

_REQUEST = "permissions.request"
_OF_EXPERIMENTS = "experiments."
"""The start of the names of permissions for the API of an experiment in Firefox."""

_CHOOSE = "desktopCapture.chooseDesktopMedia"


def implementation_problems(
    extension: Extension, script: Script, call: CallSite, api: str, function: Function, env: Environment
) -> tuple[CallProblem, ...]:
    """Returns the certain problems with the arguments of a call that fit the schema."""
    if call.open:
        return ()
    found: list[CallProblem] = []
    if api in CHECKED:
        background = _background(extension, script, env.engine) if depends_on_background(api) else None
        found += contents_problems(api, function, call.arguments, env, background)
    if api in CHECKED_FORMATS or api in PATTERN_FUNCTIONS:
        found += filter_problems(api, call.arguments[:1], extension.schemas.engine)
        found += repeated_ids(api, call.arguments)
    if api in COPYING_FUNCTIONS:
        found += problems_of_copies(api, call, env)
    if api in INJECTING:
        found += injected_file_problems(extension, script, call)
    if api in CREATING:
        found += hidden_items(extension, call)
        found += renamed_contexts(extension, script, call)
    if api in USES_OF_NAMES:
        found += unknown_names(extension, api, call.arguments)
    if api in _EXTENSION_CHECKS:
        found += _EXTENSION_CHECKS[api](extension, script, call)
    return tuple(found)


def depends_on_background(api: str) -> bool:
    """Whether the kind of background determines the arguments that a function accepts."""
    return api.startswith(("contextMenus.", "menus."))


def _background(extension: Extension, script: Script, engine: Engine) -> str | None:
    found = background_ended_when_idle(extension.manifest, engine)
    if found is None:
        return None
    is_elsewhere = may_be_completed(extension, "background") or may_hold_in_other_manifest(
        extension, script, lambda manifest: background_ended_when_idle(manifest, engine) is None
    )
    return None if is_elsewhere else found


def _lost_backslashes(extension: Extension, script: Script, call: CallSite) -> _Problems:  # noqa: ARG001
    """Yields the character classes in regular expressions that are plain letters."""
    for value in _regexes(call):
        if not isinstance(value, Literal) or value.span is None:
            continue
        start, end = (at + script.base for at in value.span)
        source = script.index.text[start:end]
        found = _LOST_BACKSLASH.search(source) if source[:1] in (b'"', b"'", b"`") else None
        if found is not None:
            letter = found["letter"].decode()
            yield CallProblem(
                "invalid-argument",
                value.span,
                f"`\\{letter}` in a string is the letter {quoted(letter)}, as the string drops the backslash",
                "gets a regular expression without its backslashes",
                f"write `\\\\{letter}`, or the whole as `String.raw`",
            )


def _rule_problems(extension: Extension, script: Script, call: CallSite, api: str) -> _Problems:
    """Yields lost backslashes, and the rules that a browser refuses for any other reason."""
    lost = list(_lost_backslashes(extension, script, call))
    yield from lost
    reported = {each.span for each in lost}
    yield from (each for each in rule_problems(extension, call, api) if each.span not in reported)


def _regexes(call: CallSite) -> Iterator[Value]:
    for argument in call.arguments[:1]:
        yield from _field_values(argument, "regex")
        for rules in _field_values(argument, "addRules"):
            for rule in rules.items if isinstance(rules, ArrayValue) else ():
                for condition in _field_values(rule, "condition"):
                    yield from _field_values(condition, "regexFilter")


def _field_values(value: Value, name: str) -> tuple[Value, ...]:
    is_there = isinstance(value, ObjectValue) and name in value.fields
    return (value.fields[name].value,) if isinstance(value, ObjectValue) and is_there else ()


def invalid_permissions(extension: Extension, script: Script, call: CallSite) -> _Problems:  # noqa: ARG001
    """Yields the match patterns and unknown names among permissions, and the invalid match patterns."""
    for argument in call.arguments[:1]:
        for name in _listed_strings(argument, "origins"):
            problem = _pattern_problem(str(name.value), extension.schemas.engine)
            if problem is not None:
                yield CallProblem(
                    "invalid-argument",
                    name.span,
                    f"{quoted(str(name.value))} is not a match pattern: {problem.message}",
                    "accepts only match patterns",
                    suggestion=problem.suggestion,
                )
        for name in _listed_strings(argument, "permissions"):
            text = str(name.value)
            if _is_unknown(text):
                near = nearest(text, all_permissions())
                yield CallProblem(
                    "invalid-argument",
                    name.span,
                    f"{quoted(text)} is not a permission" + after_semicolon(name_suggestion(near)),
                    "accepts only names of permissions",
                    suggestion=near,
                )
            elif _is_pattern(text):
                yield CallProblem(
                    "invalid-argument",
                    name.span,
                    f"{quoted(str(name.value))} is a match pattern, not a permission",
                    "takes match patterns only in `origins`",
                    "put it in `origins`",
                )


def _pattern_problem(origin: str, engine: Engine | None) -> Problem | None:
    """Returns the problem with a string that must be a match pattern, or None."""
    if engine is None:
        return None
    if engine is Engine.GECKO:
        return match_pattern.firefox(origin)
    is_of_browser = origin.startswith("chrome://")
    return None if is_of_browser else match_pattern.chrome_host_permission(origin)


def _is_unknown(name: str) -> bool:
    """Whether a name is not that of a permission in any browser or in Thunderbird, and no match pattern."""
    known = all_permissions() | vendor_keys.PERMISSIONS
    return not _is_pattern(name) and name not in known and not name.startswith(_OF_EXPERIMENTS)


def _is_pattern(name: str) -> bool:
    return "://" in name or name == ALL_URLS


def _unlisted_permissions(extension: Extension, script: Script, call: CallSite) -> _Problems:
    """Yields the permissions that are requested from the user but not listed in the manifest."""
    yield from invalid_permissions(extension, script, call)
    manifest, is_gecko = extension.manifest, extension.schemas.engine is Engine.GECKO
    if not manifest.is_object or may_be_completed(extension, *REQUESTS):
        return
    source = extension.manifest_source
    for argument in call.arguments[:1]:
        for name in _listed_strings(argument, "permissions"):
            permission = str(name.value)
            if _is_pattern(permission) or _is_unknown(permission):
                continue
            refusal = _missing_listing(manifest, permission, is_gecko)
            if refusal is not None and _holds_for_every_manifest(
                extension, script, partial(_may_request, permission, is_gecko)
            ):
                yield _unlisted_problem(name, refusal, f'add it to "optional_permissions" in {source}')
        for name in _listed_strings(argument, "origins"):
            is_right = partial(_may_list_origin, str(name.value))
            if not is_right(manifest) and _holds_for_every_manifest(extension, script, is_right):
                key = "optional_host_permissions" if manifest.version == 3 else "optional_permissions"
                yield _unlisted_problem(name, "among the hosts", f'add it to "{key}" in {source}')


def _required_permissions(extension: Extension, script: Script, call: CallSite) -> _Problems:
    """Yields the permissions that Chrome does not remove: required and unlisted ones."""
    yield from invalid_permissions(extension, script, call)
    manifest = extension.manifest
    if extension.schemas.engine is not Engine.CHROMIUM or not manifest.is_object:
        return
    if may_be_completed(extension, *REQUESTS):
        return
    for kind, name in _removed_permissions(call):
        text = str(name.value)
        if _is_kept(kind, text, manifest):
            if _holds_for_every_manifest(extension, script, partial(_may_remove, kind, text)):
                yield CallProblem(
                    "invalid-argument",
                    name.span,
                    f"{quoted(text)} cannot be removed: the manifest requires it",
                    "only removes optional permissions",
                    "list it as an optional permission",
                )
        elif kind == "permissions" and not _is_pattern(text) and not _is_unknown(text):
            is_right = partial(_may_request, text, False)
            if not is_right(manifest) and _holds_for_every_manifest(extension, script, is_right):
                yield CallProblem(
                    "invalid-argument",
                    name.span,
                    f"{quoted(text)} cannot be removed: it is not among the permissions in the manifest",
                    "only removes what the manifest lists",
                )


def _may_remove(kind: str, name: str, manifest: Manifest) -> bool:
    return not _is_kept(kind, name, manifest)


def _removed_permissions(call: CallSite) -> Iterator[tuple[str, Literal]]:
    for argument in call.arguments[:1]:
        for kind in ("permissions", "origins"):
            yield from ((kind, name) for name in _listed_strings(argument, kind))


def _is_kept(kind: str, name: str, manifest: Manifest) -> bool:
    """Whether a manifest requires a permission, or a host, on which the extension therefore always has."""
    keys = ("permissions",) if kind == "permissions" else ("permissions", "host_permissions")
    required = {each for key in keys for each, _ in manifest.strings(key)}
    return name in required or (kind == "origins" and ALL_URLS in required)


def _may_request(name: str, is_gecko: bool, manifest: Manifest) -> bool:
    return _missing_listing(manifest, name, is_gecko) is None


def _missing_listing(manifest: Manifest, name: str, is_gecko: bool) -> str | None:
    """Returns the list in which a requested permission is missing, or None if it is listed or misspelled."""
    if _has_invalid_optional_permissions(manifest):
        return None
    if name not in manifest.permissions:
        return "among the permissions" if nearest(name, manifest.permissions) is None else None
    return f"in {quoted('optional_permissions')}" if is_gecko and _is_required(manifest, name) else None


def _has_invalid_optional_permissions(manifest: Manifest) -> bool:
    """Whether the key for optional permissions is misspelled, or its value is not a list."""
    node = manifest.get("optional_permissions")
    keys = (key for key, _ in manifest.members())
    return (
        any(nearest(key, ("optional_permissions",)) is not None for key in keys)
        if node is None
        else not isinstance(node.plain, list)
    )


def _holds_for_every_manifest(
    extension: Extension, script: Script, is_right: Callable[[Manifest], bool]
) -> bool:
    """Whether the script is not used with another manifest, for which a request is right. Check this last."""
    return (
        bool(script.contexts)
        and not may_add(extension, *REQUESTS)
        and not may_hold_in_other_manifest(extension, script, is_right)
    )


def _is_required(manifest: Manifest, name: str) -> bool:
    """Whether a manifest does not list a permission among those that may be granted later."""
    return all(each != name for each, _ in manifest.strings("optional_permissions"))


def _may_list_origin(origin: str, manifest: Manifest) -> bool:
    """Whether a manifest may have the origins of a match pattern: the hosts of content scripts count."""
    keys = [key for key, _ in manifest.members() if "permission" in key]
    names = [name for key in keys for name, _ in manifest.strings(key) if ":" in name or name == ALL_URLS]
    scripts = manifest.get("content_scripts")
    for at, _ in enumerate(() if scripts is None else scripts.items()):
        names += [name for name, _ in manifest.strings("content_scripts", at, "matches")]
    return all(may_match_origin(names, each, related=False) for each in origins_in(origin))


def _unlisted_problem(name: Literal, where: str, advice: str) -> CallProblem:
    return CallProblem(
        "invalid-argument",
        name.span,
        f"{quoted(str(name.value))} cannot be requested: it is not {where} in the manifest",
        "only requests what the manifest lists",
        advice,
    )


def _listed_strings(value: Value, name: str) -> Iterator[Literal]:
    """Yields the strings that are certainly in a list."""
    for listed in _field_values(value, name):
        for each in listed.items if isinstance(listed, ArrayValue) else ():
            if isinstance(each, Literal) and isinstance(each.value, str) and each.span is not None:
                yield each


def _unlisted_rulesets(extension: Extension, script: Script, call: CallSite) -> _Problems:
    """Yields the ids of rule files that the manifest does not list."""
    known = _rulesets(extension.manifest)
    engine = extension.schemas.engine
    if (
        engine is None
        or known is None
        or not extension.manifest.is_object
        or may_be_completed(extension, _RULE_FILES)
    ):
        return
    for argument in call.arguments[:1]:
        for key in _RULESET_KEYS[engine]:
            for name in string_values_at(argument, key):
                text = str(name.value)
                if text not in known and _holds_for_every_manifest(extension, script, partial(_lists, text)):
                    near = nearest(text, known)
                    yield CallProblem(
                        "invalid-argument",
                        name.span,
                        f"the manifest lists no rule file with the id {quoted(text)}"
                        + after_semicolon(name_suggestion(near)),
                        "accepts only the ids of rule files that the manifest lists",
                        suggestion=near,
                    )


def _lists(ruleset: str, manifest: Manifest) -> bool:
    known = _rulesets(manifest)
    return known is None or ruleset in known


def _rulesets(manifest: Manifest) -> frozenset[str] | None:
    """Returns the ids of the rule files that a manifest lists, or None if it is not a list of objects."""
    node = manifest.get(_RULE_FILES, "rule_resources")
    listed = [] if node is None else node.plain
    if not isinstance(listed, list):
        return None
    objects = [each for each in listed if isinstance(each, dict)]
    return frozenset(str(each.get("id")) for each in objects) if len(objects) == len(listed) else None


def _menu_contexts(extension: Extension, script: Script, call: CallSite) -> _Problems:  # noqa: ARG001
    """Yields the context of menus that Chrome refuses, as it is for apps."""
    if extension.schemas.engine is not Engine.CHROMIUM:
        return
    for argument in call.arguments[:2]:
        for name in _listed_strings(argument, "contexts"):
            if name.value == "launcher":
                message = "the context `launcher` is only for packaged apps"
                yield CallProblem("invalid-argument", name.span, message, "accepts only contexts of menus")


def _picker_without_tab(extension: Extension, script: Script, call: CallSite) -> _Problems:
    """Yields a problem if a service worker opens a screen picker without a tab for it."""
    is_worker = script.contexts and all(each.kind is ContextKind.SERVICE_WORKER for each in script.contexts)
    if extension.schemas.engine is not Engine.CHROMIUM or not is_worker:
        return
    tab = call.arguments[1] if len(call.arguments) > 1 else None
    if tab is not None and (is_function(tab) or (isinstance(tab, Literal) and tab.value is None)):
        yield CallProblem(
            "invalid-argument",
            None,
            f"{quoted(_CHOOSE)} in a service worker requires {quoted('targetTab')}",
            "requires a tab where it is called from a service worker",
            "pass the tab of a page that shows what is captured, or call it in a page of the extension",
        )


_MIN_ZOOM, _MAX_ZOOM = 0.2, 5


def _zoom(extension: Extension, script: Script, call: CallSite) -> _Problems:  # noqa: ARG001
    """Yields a factor that Firefox refuses; 0 stands for the default."""
    factor = call.arguments[-1] if call.arguments else None
    number = factor.value if isinstance(factor, Literal) and factor.kind is Kind.NUMBER else None
    if extension.schemas.engine is not Engine.GECKO or not isinstance(number, int | float) or factor is None:
        return
    if number and not _MIN_ZOOM <= number <= _MAX_ZOOM:
        message = "`zoomFactor` must be from 0.2 to 5, or 0"
        yield CallProblem("invalid-argument", factor.span, message, "does not accept this factor")


_KEPT_WITH_HOSTS = ("downloads", "formData", "history")


def _data_of_hosts(extension: Extension, script: Script, call: CallSite) -> _Problems:  # noqa: ARG001
    """Yields the kinds of data that Chrome cannot remove for some hosts only."""
    if extension.schemas.engine is not Engine.CHROMIUM or len(call.arguments) < 2:
        return
    options, kinds = call.arguments[:2]
    if not any(_field_values(options, name) for name in ("origins", "excludeOrigins")):
        return
    for name in _KEPT_WITH_HOSTS:
        for value in _field_values(kinds, name):
            if isinstance(value, Literal) and value.value is True:
                message = f"{quoted(name)} must not be removed together with `origins` or `excludeOrigins`"
                yield CallProblem(
                    "invalid-argument", value.span, message, f"does not remove {quoted(name)} here"
                )


def _read_only(extension: Extension, script: Script, call: CallSite) -> _Problems:  # noqa: ARG001
    """Yields a problem of each call that changes the storage that only administrators fill."""
    yield CallProblem(
        "invalid-argument",
        None,
        "`storage.managed` is read-only: only the policies of administrators fill it",
        "accepts nothing",
        "use `storage.local` or `storage.sync`",
    )


_EXTENSION_CHECKS: Mapping[str, Callable[[Extension, Script, CallSite], _Problems]] = {
    **{api: partial(_rule_problems, api=api) for api in (DYNAMIC_RULES, SESSION_RULES)},
    _REGEX: _lost_backslashes,
    **{f"declarativeNetRequest.{name}": _unlisted_rulesets for name in _RULESET_FUNCTIONS},
    **dict.fromkeys(("contextMenus.create", "contextMenus.update"), _menu_contexts),
    "permissions.contains": invalid_permissions,
    "permissions.remove": _required_permissions,
    **dict.fromkeys(("storage.managed.clear", "storage.managed.remove", "storage.managed.set"), _read_only),
    "tabs.setZoom": _zoom,
    "browsingData.remove": _data_of_hosts,
    _REQUEST: _unlisted_permissions,
    _CHOOSE: _picker_without_tab,
    OPENING: panel_problems,
}
IMPLEMENTED = frozenset(
    {
        *(*CHECKED, *CHECKED_FORMATS, *PATTERN_FUNCTIONS, *COPYING_FUNCTIONS, *INJECTING, *USES_OF_NAMES),
        *_EXTENSION_CHECKS,
    }
)
"""The functions that are checked beyond their schemas."""
