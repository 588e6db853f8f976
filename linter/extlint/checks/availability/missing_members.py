"""Whether the members of the API that scripts name are there, where they are named.

The four rules about availability share this one reading of an extension, so that a use that cannot
work earns one answer: a member of a namespace that does not exist in a script is that, and is not
also called unsupported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from extlint.checks.availability.closed_world import is_unused_script
from extlint.checks.availability.conditional_members import available_references, tested_members
from extlint.checks.availability.fallbacks import is_fallback
from extlint.checks.availability.manifest_tests import contradicts_manifest
from extlint.checks.availability.namespaces import MESSAGING_FUNCTIONS
from extlint.checks.availability.portability import (
    checked_scripts,
    exists_in_some_browser,
    is_browser_specific,
    is_misspelled_everywhere,
    is_uncertain,
)
from extlint.checks.availability.reasons import Reason, Unavailability, exists_in_context, unavailabilities_of
from extlint.checks.availability.schema_path import schema_path_of
from extlint.checks.availability.sibling_manifests import is_for_sibling_manifest, resolves
from extlint.checks.availability.unknown_importers import with_unknown_context
from extlint.checks.availability.user_agent_tests import contradicts_user_agent
from extlint.extension import Extension, Script, once_per_extension
from extlint.schema.model import MANIFEST_KEY_PREFIX, Constant, Member
from extlint.schema.types import FunctionType, RefType
from extlint.script.facts.context import SOMEWHERE, Context, ContextKind
from extlint.script.facts.script_facts import (
    AmbiguousReference,
    ApiPath,
    CallSite,
    FailureHandling,
    Guards,
    Reference,
)
from extlint.script.facts.values import ArrayValue, FunctionValue, Literal, ObjectValue, Value
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, Span

_DECIDED_BY_MANIFEST = frozenset({Reason.PERMISSION, Reason.MANIFEST_KEY, Reason.MANIFEST_VERSION})
_DECIDED_BY_REQUESTS = frozenset({Reason.PERMISSION, Reason.MANIFEST_KEY})
_EXTENSION_ID = lazy(r"[a-p]{32}|.*@.*|\{[0-9a-fA-F-]+\}")

_DECIDED_BY_REALM = frozenset({Reason.CONTEXT, Reason.PERMISSION, Reason.MANIFEST_KEY})
"""What keeps scripts from a member in one world and not in another, or another extension."""
_BACKGROUNDS = frozenset({ContextKind.BACKGROUND, ContextKind.SERVICE_WORKER})


class MissingReference(Struct, frozen=True):
    """A place where a script names what it cannot reach. `api` is the member that it names."""

    unavailability: Unavailability
    api: str
    path: str
    span: Span


def missing_references(extension: Extension, reason: Reason) -> Iterator[MissingReference]:
    """The places where a script names what is not there, for one reason and without a guard."""
    return (
        absence for absence in _all_missing_references(extension) if absence.unavailability.reason is reason
    )


@once_per_extension
def _all_missing_references(extension: Extension) -> tuple[MissingReference, ...]:
    found: dict[tuple[str, Span, ApiPath], MissingReference] = {}
    for script in checked_scripts(extension):
        for reference in script.facts.references:
            for lack in _unexcused(extension, script, reference):
                absence = MissingReference(
                    lack,
                    ".".join(reference.path[: lack.reported_length]),
                    script.path,
                    script.span(reference.span),
                )
                found.setdefault((script.path, absence.span, (lack.reason.name, *lack.path)), absence)
        for choice in script.facts.ambiguous_references:
            for lack in _missing_in_all(extension, script, choice):
                span = script.span(choice.references[0].span)
                absence = MissingReference(lack, ".".join(lack.path), script.path, span)
                found.setdefault((script.path, span, (lack.reason.name, *lack.path)), absence)
    return tuple(found.values())


def _missing_in_all(
    extension: Extension, script: Script, choice: AmbiguousReference
) -> Iterator[Unavailability]:
    """What exists in none of the members of which one is named: the first is told."""
    found: list[Unavailability] = []
    if choice.calls or (choice.is_open and len(choice.references[0].path) < 2):
        return
    references = [reference for reference, _ in available_references(extension, script, choice)]
    tested = tested_members(extension, script)
    if not all(each.path not in tested and _is_unknown(extension, script, each) for each in references):
        return
    for reference in references:
        lacks = _unexcused(extension, script, reference)
        unknown = (each for each in lacks if each.reason is Reason.UNKNOWN and each.path == reference.path)
        lack = next(unknown, None)
        if lack is None or (
            choice.is_open and not is_misspelled_everywhere(extension, script, reference, lack)
        ):
            return
        found.append(lack)
    yield from found[:1]


def _is_unknown(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether there is nothing of a name where it is named, whatever may excuse that."""
    lacks = unavailabilities_of(extension, reference.path, script.contexts, reference.on_load)
    return any(each.reason is Reason.UNKNOWN and each.path == reference.path for each in lacks)


def unguarded_references(
    extension: Extension, least: FailureHandling = FailureHandling.REPORTED
) -> Iterator[tuple[Script, Reference]]:
    """The references that may run, and are not there to test or to catch what fails.

    A failure is caught if at least that much is done about it.
    """
    for script in checked_scripts(extension):
        for reference in script.facts.references:
            is_excused = reference.only_tested or _is_excused(extension, reference.guards, least)
            if not is_excused and not is_unreachable(extension, script, reference.guards):
                yield script, reference


def is_guarded_by_callers(
    extension: Extension,
    script: Script,
    reference: Reference,
    excuses: Callable[[Guards], bool],
    least: FailureHandling = FailureHandling.REPORTED,
) -> bool:
    """Whether a reference is excused by what holds on each way that leads to it, as far as ways are seen.

    Asked last, for the ways are searched for in all scripts. Of `least` see `unguarded_references`.
    """
    return holds_on_all_paths(
        extension, script, reference, lambda way: _is_excused(extension, way, least) or excuses(way)
    )


def holds_on_all_paths(
    extension: Extension, script: Script, reference: Reference, holds: Callable[[Guards], bool]
) -> bool:
    """Whether something holds on each path that leads to a reference and may be gone, if all are seen."""
    if not reference.is_called:
        return False
    ways = extension.callers(script, reference)
    return bool(ways) and all(is_unreachable(extension, script, way) or holds(way) for way in ways)


def is_never_called(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether a reference never runs, as nothing in the package calls the code that it is in. Asked last."""
    return reference.is_called and extension.uncalled(script, reference)


def unguarded_calls(
    extension: Extension, least: FailureHandling = FailureHandling.REPORTED
) -> Iterator[tuple[Script, Reference, CallSite]]:
    """The references among those that are called, with the call."""
    for script, reference in unguarded_references(extension, least):
        call = _call_of(extension, script, reference)
        if call is not None:
            yield script, reference, call


def _call_of(extension: Extension, script: Script, reference: Reference) -> CallSite | None:
    """The call of what is named; None if it is not called there."""
    return _calls_by_callee(extension).get((script.path, script.base, reference.span))


@once_per_extension
def _calls_by_callee(extension: Extension) -> dict[tuple[str, int, ByteSpan], CallSite]:
    found: dict[tuple[str, int, ByteSpan], CallSite] = {}
    for script in extension.scripts:
        for call in script.facts.calls:
            found.setdefault((script.path, script.base, call.callee), call)
    return found


def _is_excused(extension: Extension, guards: Guards, least: FailureHandling) -> bool:
    """Whether what is named there may fail, or is there for another browser."""
    return guards.failure >= least or is_browser_specific(extension, guards)


def _min_handling_for(lack: Unavailability) -> FailureHandling:
    """How much must be done about a failure, so that what lacks may lack.

    What this extension has in no browser nobody tries in vain each time, just to forget about it.
    """
    return FailureHandling.RECOVERED if lack.reason in _DECIDED_BY_REQUESTS else FailureHandling.REPORTED


def _unexcused(extension: Extension, script: Script, reference: Reference) -> Iterator[Unavailability]:
    if reference.only_tested:
        return
    for lack in unavailabilities_of(extension, reference.path, script.contexts, reference.on_load):
        if not _is_excused_unavailability(extension, script, reference, lack):
            yield from _in_unknown_contexts_too(extension, script, reference, lack)
        elif lack.reason is Reason.CONTEXT:
            yield from _unavailable_in_every_realm(extension, script, reference)


def _in_unknown_contexts_too(
    extension: Extension, script: Script, reference: Reference, lack: Unavailability
) -> Iterator[Unavailability]:
    """A lack, or what is still wrong if the script runs in more places than are known."""
    elsewhere = with_unknown_context(extension, script) if lack.reason is Reason.CONTEXT else None
    found = (lack,) if elsewhere is None else tuple(_unexcused(extension, elsewhere, reference))
    yield from (lack if each.reason is Reason.CONTEXT else each for each in found)


def _unavailable_in_every_realm(
    extension: Extension, script: Script, reference: Reference
) -> Iterator[Unavailability]:
    """What is wrong in every world with what is named in a function that goes to another world."""
    found = [
        lack
        for lack in unavailabilities_of(extension, reference.path, SOMEWHERE)
        if lack.reason not in _DECIDED_BY_REALM
        and not _is_excused_unavailability(extension, script, reference, lack)
    ]
    if found and _runs_in_another_realm(extension, script, reference):
        yield from found


def _is_excused_unavailability(
    extension: Extension, script: Script, reference: Reference, lack: Unavailability
) -> bool:
    """Whether something that a script lacks is no mistake where it is named, or told at another reference."""
    if len(reference.path) != lack.reported_length:
        return True
    if is_misspelled_everywhere(extension, script, reference, lack):
        return _never_runs(extension, script, reference, lack)
    is_unreached = is_unreachable(extension, script, reference.guards)
    return is_unreached or may_be_available(extension, script, reference, lack)


def _runs_in_another_realm(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether a reference certainly runs in another world than its script."""
    ways = extension.callers(script, reference) if reference.is_called else ()
    return bool(ways) and all(way.runs_in is not None for way in ways)


def _never_runs(extension: Extension, script: Script, reference: Reference, lack: Unavailability) -> bool:
    """Whether a place is never reached, whatever a test of what lacks there tells."""
    if is_unreachable(extension, script, _without_tests_of(reference.guards, lack.path)):
        return True
    ways = extension.callers(script, reference) if reference.is_called else ()
    return bool(ways) and all(
        is_unreachable(extension, script, _without_tests_of(way, lack.path)) for way in ways
    )


def _without_tests_of(guards: Guards, path: ApiPath) -> Guards:
    """What guards a place, a test of something aside, or of what is in it."""
    return replace(guards, tested=frozenset(each for each in guards.tested if each[: len(path)] != path))


def may_be_available(
    extension: Extension, script: Script, reference: Reference, lack: Unavailability
) -> bool:
    """Whether what is missing may be there after the tests around the place, or in another browser.

    Asked last, for callers and other manifests are searched for.
    """
    tests = partial(_tests, extension, script, lack)
    least = _min_handling_for(lack)
    return (
        _is_excused(extension, reference.guards, least)
        or tests(reference.guards)
        or is_uncertain(extension, script, reference, lack)
        or (lack.reason in _DECIDED_BY_MANIFEST and is_unused_script(extension, script))
        or _may_be_rewritten(extension, lack)
        or _may_address_another(extension, script, reference, lack)
        or is_for_sibling_manifest(
            extension, script, reference, resolves(extension, reference, script.contexts, lack)
        )
        or is_guarded_by_callers(extension, script, reference, tests, least)
        or (exists_in_some_browser(extension, lack) and is_never_called(extension, script, reference))
    )


def _may_be_rewritten(extension: Extension, lack: Unavailability) -> bool:
    """Whether a tool of the project changes what the manifest says, and with it what a script lacks."""
    from extlint.project.rewritten_keys import may_be_granted, may_change

    match lack.reason:
        case Reason.PERMISSION | Reason.MANIFEST_KEY:
            return may_be_granted(extension, lack.permissions)
        case Reason.MANIFEST_VERSION:
            return may_change(extension, "manifest_version")
        case Reason.CONTEXT if lack.contexts:
            of_background = all(each.kind in _BACKGROUNDS for each in lack.contexts)
            return of_background and may_change(extension, "background")
    return False


def _tests(extension: Extension, script: Script, lack: Unavailability, guards: Guards) -> bool:
    """Whether a test tells that what lacks may be there, or that its permission is granted."""
    if lack.reason is Reason.PERMISSION and guards.grant(lack.permissions):
        return True
    if guards.runs_in is not None and _may_be_available_in(extension, guards.runs_in, lack):
        return True
    return guards.test(lack.path) or is_fallback(extension, script, lack, guards)


def _may_be_available_in(extension: Extension, world: ContextKind, lack: Unavailability) -> bool:
    """Whether what a script lacks may be there in another world, to which a function of it goes as text.

    Of a world that is not known it is not even certain that it is the extension's own.
    """
    if world is ContextKind.UNKNOWN:
        return lack.reason in _DECIDED_BY_REALM
    return bool(lack.path) and not unavailabilities_of(extension, lack.path, (Context(world),))


def _may_address_another(
    extension: Extension, script: Script, reference: Reference, lack: Unavailability
) -> bool:
    """Whether a script in a web page may send a message to another extension, which allows it."""
    if reference.path[0] != "runtime" or reference.path[1] not in MESSAGING_FUNCTIONS:
        return False
    if all(each.kind is not ContextKind.MAIN_WORLD for each in lack.contexts):
        return False
    call = _call_of(extension, script, reference)
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


def is_unreachable(extension: Extension, script: Script, guards: Guards) -> bool:
    """Whether code never runs, or the target or the manifest decides the tests around it so."""
    if guards.unreachable:
        return True
    if guards.manifest and contradicts_manifest(extension, guards):
        return True
    if guards.user_agent and contradicts_user_agent(extension, guards):
        return True
    return any(_is_certainly_unavailable(extension, path, script.contexts) for path in guards.tested) or any(
        _is_certainly_available(extension, path, script.contexts) for path in guards.missing
    )


def _is_certainly_unavailable(extension: Extension, path: ApiPath, contexts: tuple[Context, ...]) -> bool:
    return bool(unavailabilities_of(extension, path, contexts))


def _is_certainly_available(extension: Extension, path: ApiPath, contexts: tuple[Context, ...]) -> bool:
    found = schema_path_of(extension, path)
    if found is None or not found.elements or found.rest or not contexts or _may_be_empty(found.member):
        return False
    return (
        not unavailabilities_of(extension, path, contexts)
        and all(exists_in_context(extension.schemas, context.kind, found) for context in contexts)
        and all(
            any(_is_required(extension, name) for name in names)
            for stop in found.elements
            for names in stop.availability.permissions
        )
    )


def _may_be_empty(member: Member | None) -> bool:
    """Whether something may be there and fail a test: `runtime.lastError`, `extension.inIncognitoContext`."""
    return isinstance(member, Constant) and not isinstance(member.type, FunctionType | RefType)


def _is_required(extension: Extension, permission: str) -> bool:
    """Whether the manifest certainly has a permission, or the key that stands in its place."""
    if permission.startswith(MANIFEST_KEY_PREFIX):
        return extension.manifest.get(*permission.removeprefix(MANIFEST_KEY_PREFIX).split(".")) is not None
    return any(name == permission for name, _ in extension.manifest.strings("permissions"))
