"""Finds the reasons why a reference to an unavailable member may still be correct.

One reason is that code runs only if a test found a member missing, so that it is for browsers without it.
In `if (browser.action) … else browser.browserAction.…` the `else` is for Manifest V2, and is correct in an
extension for Manifest V3 unless it certainly runs there.
"""

from __future__ import annotations

import re
from functools import partial

from extlint.analysis.facts.context import BACKGROUND_CONTEXTS, Context, ContextKind
from extlint.analysis.facts.other_scripts import GLOBAL_OBJECT
from extlint.analysis.facts.script_facts import API_ROOT, ApiPath, FailureHandling, Guards, Reference
from extlint.analysis.facts.values import ArrayValue, FunctionValue, Literal, ObjectValue, Value
from extlint.checks.api.absent_globals import watched_globals
from extlint.checks.api.members import MESSAGING_FUNCTIONS
from extlint.checks.api.reasons import is_unavailable, unavailabilities_of
from extlint.checks.api.schema_path import find_schema_path
from extlint.checks.api.shims import is_shimmed
from extlint.checks.api.unavailability import Reason, Unavailability
from extlint.checks.availability.missing_scripts import may_be_added_by_missing_script
from extlint.checks.availability.unguarded_references import (
    call_to,
    is_guarded,
    is_guarded_by_callers,
    is_never_called,
)
from extlint.checks.other_browsers import in_other_browsers
from extlint.checks.other_manifests import is_for_sibling_manifest, resolves_unavailability
from extlint.checks.possible_members import (
    exists_in_some_browser,
    is_added,
    is_former_member,
    is_member_of_any_browser,
    is_uncertain,
)
from extlint.checks.reachability.unused_scripts import is_unused_script, may_get_other_root
from extlint.extension import Extension, Script
from extlint.project.build_tools import is_generated, is_library
from extlint.project.rewritten_keys import may_add_request, may_rewrite
from extlint.schema.model import MANIFEST_KEY_PREFIX, SchemaSet
from extlint.text.patterns import isolated_word, lazy
from extlint.text.positions import encode_name
from extlint_schemas import paths_by_permission

_VERSIONS = (2, 3)
_REASONS = frozenset({Reason.MANIFEST_VERSION, Reason.UNKNOWN, Reason.UNSUPPORTED})


def is_fallback(extension: Extension, script: Script, unavailability: Unavailability, guards: Guards) -> bool:
    """Whether code runs only without a member that may be missing, and is correct in such a case.

    That is, some browser and manifest version without this member has the member that the code names.
    """
    missing = [each for each in guards.missing if each[0] not in (API_ROOT, GLOBAL_OBJECT)]
    if unavailability.reason not in _REASONS or not missing:
        return False
    undecided = [each for each in missing if not is_unavailable(extension, each, script.contexts)]
    known = [each.schemas for each in (extension, *in_other_browsers(extension))]
    return any(
        _has_member(schemas, unavailability.path, version)
        and not all(_has_member(schemas, each, version) for each in undecided)
        for schemas in known
        for version in _VERSIONS
    )


def _has_member(schemas: SchemaSet, path: ApiPath, version: int) -> bool:
    """Whether some extension of a manifest version has the member at a path."""
    found = find_schema_path(schemas, path, version)
    return (
        found is not None
        and bool(found.elements)
        and not found.rest
        and all(version in each.availability.versions for each in found.elements)
        and not any(each.availability.unsupported for each in found.elements)
    )


_DECIDED_BY_MANIFEST = frozenset({Reason.PERMISSION, Reason.MANIFEST_KEY, Reason.MANIFEST_VERSION})
_DECIDED_BY_BROWSER = frozenset({Reason.UNKNOWN, Reason.UNSUPPORTED})
_DECIDED_BY_REQUESTS = frozenset({Reason.PERMISSION, Reason.MANIFEST_KEY})

_PAGE_KEYS = frozenset({f"{MANIFEST_KEY_PREFIX}devtools_page"})
"""Keys that name the only page with the members that require them.

Without the key, a script that nothing else loads is a remnant, and does not run.
"""

DECIDED_BY_REALM = frozenset({Reason.CONTEXT, Reason.PERMISSION, Reason.MANIFEST_KEY})
"""Reasons that apply in one realm but not in another, or not in another extension."""

_EXTENSION_ID = lazy(r"[a-p]{32}|.*@.*|\{[0-9a-fA-F-]+\}")


def may_be_available(
    extension: Extension, script: Script, reference: Reference, unavailability: Unavailability
) -> bool:
    """Whether guards, callers, the project's build or another browser may explain an unavailable member.

    Check this last: it searches for callers and for other manifests.
    """
    tests = partial(_guards_test_member, extension, script, unavailability)
    min_handling = _min_handling_for(extension, unavailability)
    return (
        is_guarded(extension, reference.guards, min_handling)
        or tests(reference.guards)
        or is_uncertain(extension, script, reference, unavailability)
        or may_get_other_root(extension, script, reference.root)
        or is_shimmed(extension, script, reference)
        or (
            unavailability.reason not in _DECIDED_BY_REQUESTS
            and may_be_added_by_missing_script(extension, script, unavailability)
        )
        or (_may_be_for_other_extension(extension, unavailability) and is_unused_script(extension, script))
        or (not script.contexts and not _PAGE_KEYS.isdisjoint(unavailability.permissions))
        or _may_be_rewritten(extension, unavailability)
        or _may_message_other_extension(extension, script, reference, unavailability)
        or is_for_sibling_manifest(
            extension,
            script,
            reference,
            resolves_unavailability(extension, script, reference, unavailability),
        )
        or is_guarded_by_callers(extension, script, reference, tests, min_handling)
        or (
            exists_in_some_browser(extension, unavailability)
            and is_never_called(extension, script, reference)
        )
        or (
            _may_be_elsewhere(extension, script, unavailability)
            and may_be_unused(extension, script, reference)
        )
    )


def _may_be_elsewhere(extension: Extension, script: Script, unavailability: Unavailability) -> bool:
    """Whether a member exists in another context or browser, or for other users of a library."""
    if unavailability.reason in _DECIDED_BY_REQUESTS:
        return is_library(script)
    if unavailability.reason is Reason.CONTEXT:
        return True
    is_of_browser = unavailability.reason in _DECIDED_BY_BROWSER and not extension.schemas.is_specification
    return is_of_browser and exists_in_some_browser(extension, unavailability)


def may_be_unused(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether generated code is not known to run, without any condition.

    A bundle for one context or browser contains helpers and branches for others.
    """
    if reference.on_load or not is_generated(script):
        return False
    watched = watched_globals(extension)
    return not extension.searches.is_known_to_run(script, reference.span, watched)


def _may_be_for_other_extension(extension: Extension, unavailability: Unavailability) -> bool:
    """Whether a script with the member may belong to another manifest, or to another browser."""
    return (
        unavailability.reason in _DECIDED_BY_MANIFEST
        or is_former_member(unavailability.path)
        or (not extension.schemas.is_specification and exists_in_some_browser(extension, unavailability))
    )


def _min_handling_for(extension: Extension, unavailability: Unavailability) -> FailureHandling:
    """Returns the least handling of an error that allows the member to fail.

    Without its permission, or where no API exists, a member fails in every browser, so a handler must do
    something else. If it is missing from this manifest version in every browser, a handler may ignore that.
    """
    if unavailability.reason in _DECIDED_BY_REQUESTS:
        return FailureHandling.RECOVERED
    if not unavailability.path and not unavailability.exists_in_other_contexts:
        return FailureHandling.RECOVERED
    if unavailability.reason is not Reason.MANIFEST_VERSION:
        return FailureHandling.REPORTED
    version = extension.manifest_version
    is_elsewhere = any(
        _has_member(each.schemas, unavailability.path, version) for each in in_other_browsers(extension)
    )
    return FailureHandling.REPORTED if is_elsewhere else FailureHandling.SWALLOWED


def _may_be_rewritten(extension: Extension, unavailability: Unavailability) -> bool:
    """Whether a tool of the project rewrites the part of the manifest that makes a member unavailable."""
    match unavailability.reason:
        case Reason.PERMISSION | Reason.MANIFEST_KEY:
            return may_add_request(extension, unavailability.permissions)
        case Reason.MANIFEST_VERSION:
            return may_rewrite(extension, "manifest_version")
        case Reason.CONTEXT if unavailability.contexts:
            of_background = all(each.kind in BACKGROUND_CONTEXTS for each in unavailability.contexts)
            return of_background and may_rewrite(extension, "background")
    return False


def _guards_test_member(
    extension: Extension, script: Script, unavailability: Unavailability, guards: Guards
) -> bool:
    """Whether guards test for the member or its permission, or imply that it is available there.

    A property that a script adds to the API may have any value: `api.isChrome = import.meta.env.CHROME`.
    """
    if unavailability.reason is Reason.PERMISSION and guards.is_granted(unavailability.permissions):
        return True
    if any(_is_part_of(unavailability.path, each) for each in guards.granted):
        return True
    if guards.runs_in is not None and _may_be_available_in(extension, guards.runs_in, unavailability):
        return True
    if unavailability.reason is Reason.CONTEXT and _is_outside_web(extension, script, guards):
        return True
    return (
        guards.is_tested(unavailability.path)
        or is_fallback(extension, script, unavailability, guards)
        or any(_is_own_property(extension, each) for each in guards.tested | guards.missing)
        or any(
            tuple(path)[: len(unavailability.path)] == unavailability.path
            and _is_tested_elsewhere(extension, script, name)
            for name, *path in guards.own_tests
        )
    )


def _is_outside_web(extension: Extension, script: Script, guards: Guards) -> bool:
    """Whether guards imply that code runs in a page of the extension, and not in a web page."""
    if guards.outside_web or not guards.address:
        return guards.outside_web
    from extlint.checks.reachability.environment_tests import selects_own_page

    return selects_own_page(extension, script, guards)


def _is_own_property(extension: Extension, path: ApiPath) -> bool:
    """Whether a script adds a property to the API, and no browser has a member of that name."""
    return is_added(extension, path) and not is_member_of_any_browser(extension, path)


def _is_part_of(path: ApiPath, permission: str) -> bool:
    """Whether a permission is for members of a namespace or object, which exists where it is granted."""
    return path != () and any(each[: len(path)] == path for each in paths_by_permission().get(permission, ()))


def _is_tested_elsewhere(extension: Extension, script: Script, name: str) -> bool:
    """Whether another script reads a member by the name of a test, of some object except the API."""
    word = encode_name(name)
    read = re.compile(rb"(?<=\.)(?<!browser\.)(?<!chrome\.)%b" % isolated_word(word))
    others = (each for each in extension.scripts if each.path != script.path)
    return any(extension.script_searches.spans_of(each, {word: read}) for each in others)


def _may_be_available_in(extension: Extension, realm: ContextKind, unavailability: Unavailability) -> bool:
    """Whether a member may be available in another realm, in which a function of the script runs.

    An unknown realm may belong to another extension.
    """
    if realm is ContextKind.UNKNOWN:
        return unavailability.reason in DECIDED_BY_REALM
    return bool(unavailability.path) and not unavailabilities_of(
        extension, unavailability.path, (Context(realm),)
    )


def _may_message_other_extension(
    extension: Extension, script: Script, reference: Reference, unavailability: Unavailability
) -> bool:
    """Whether a script in a web page may send a message to another extension that allows it."""
    if reference.path[0] != "runtime" or reference.path[1] not in MESSAGING_FUNCTIONS:
        return False
    if all(each.kind is not ContextKind.MAIN_WORLD for each in unavailability.contexts):
        return False
    call = call_to(extension, script, reference)
    if call is None or (call.open and not call.arguments):
        return True
    return bool(call.arguments) and _may_be_extension_id(call.arguments[0])


def _may_be_extension_id(value: Value) -> bool:
    match value:
        case Literal(value=str() as text):
            return _EXTENSION_ID.fullmatch(text) is not None
        case Literal() | ObjectValue() | ArrayValue() | FunctionValue():
            return False
    return True
