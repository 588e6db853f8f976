"""References to members that are not available at their position, or where their function is injected.

The rules about availability share this one pass over an extension, so that a reference is reported once: a
member of a namespace that does not exist in the script's context is not also reported as unsupported.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.facts.context import UNKNOWN_CONTEXTS, Context
from extlint.analysis.facts.other_scripts import GLOBAL_OBJECT
from extlint.analysis.facts.script_facts import (
    INJECTION,
    AmbiguousReference,
    ApiPath,
    CallSite,
    FailureHandling,
    Guards,
    Reference,
)
from extlint.analysis.facts.values import FunctionValue, ObjectValue, options_of
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.unavailability import Reason, Unavailability
from extlint.checks.availability.unguarded_references import holds_on_all_paths
from extlint.checks.reachability.unreachable_code import in_each_script, is_unreachable
from extlint.checks.reachability.unused_scripts import with_unknown_context
from extlint.extension import Extension, Script
from extlint.queries.query import query
from extlint.text.positions import ByteSpan, Position, Span


def available_references(
    extension: Extension, script: Script, choice: AmbiguousReference
) -> list[tuple[Reference, CallSite | None]]:
    """Returns an ambiguous reference's options whose namespace may exist in the script, with their calls.

    `chrome.action ?? chrome.browserAction` can only be the one in the manifest version.
    """
    calls = choice.calls or (None,) * len(choice.references)
    pairs = zip(choice.references, calls, strict=True)
    return [each for each in pairs if _has_owner(extension, script, each[0])]


def _has_owner(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether the namespace or object of a member may be available."""
    reasons = unavailabilities_of(extension, reference.path, script.contexts, reference.on_load)
    return all(len(each.path) >= len(reference.path) for each in reasons)


@query(is_kept=True)
def tested_members(extension: Extension, path: str, base: int) -> frozenset[ApiPath]:
    """Returns the members only tested by a script's ambiguous references, which it expects to be missing."""
    references = extension.facts_at(path, base).possible_references
    return frozenset(each.path for each in references if each.only_tested)


class MissingReference(Struct, frozen=True):
    """A reference to a member that is not available there. `api` is the member as it is reported.

    `at` is its byte range in the script.
    """

    unavailability: Unavailability
    api: str
    path: str
    span: Span
    script: Script
    at: ByteSpan


def missing_references(extension: Extension, reason: Reason) -> Iterator[MissingReference]:
    """Returns the references to members that are unavailable for one reason, except excused references."""
    return (
        missing for missing in _all_missing_references(extension) if missing.unavailability.reason is reason
    )


@query
def _all_missing_references(extension: Extension) -> tuple[MissingReference, ...]:
    """Returns all of them. The call of a layer's function, and the member that it names, are one mistake."""
    found: dict[tuple[str, Position, ApiPath], MissingReference] = {}
    for each in _in_script(extension):
        key = each.path, each.span.start, (each.unavailability.reason.name, *each.unavailability.path)
        known = found.get(key)
        if known is None or each.span.end < known.span.end:
            found[key] = each
    return tuple(found.values())


@in_each_script
def _in_script(extension: Extension, script: Script) -> Iterator[MissingReference]:
    contexts = script.contexts
    for own in script.facts.references:
        is_available = not unavailabilities_of(extension, own.path, contexts, own.on_load)
        if is_available and len(contexts) <= 1:
            continue
        for user, reference, unavailability in _unavailable_uses(extension, script, own):
            path = reference.path[: unavailability.reported_length]
            yield _missing(user, unavailability, path, reference.span)
    if any(call.path == INJECTION for call in script.facts.calls):
        for own, unavailability in injected_references(extension, script):
            yield _missing(script, unavailability, own.path, own.span)
    for choice in script.facts.ambiguous_references:
        for unavailability in _missing_in_all(extension, script, choice):
            yield _missing(script, unavailability, unavailability.path, choice.references[0].span)


def _missing(user: Script, why: Unavailability, path: ApiPath, at: ByteSpan) -> MissingReference:
    return MissingReference(why, ".".join(path), user.path, user.span(at), user, at)


def _unavailable_uses(
    extension: Extension, script: Script, reference: Reference
) -> Iterator[tuple[Script, Reference, Unavailability]]:
    """Yields the uses of an unavailable member: a reference, or the calls of what only delegates to it.

    A name that no browser has is reported where it is written.
    """
    from extlint.checks.possible_members import exists_in_some_browser

    found = [*_unexcused_unavailabilities(extension, script, reference)]
    is_relevant = bool(found) or _fails_in_some_context(extension, script, reference)
    delegated = (
        extension.searches.delegated_uses(script, reference)
        if is_relevant
        and reference.is_called
        and not reference.only_tested
        and all(exists_in_some_browser(extension, each) for each in found)
        else None
    )
    if delegated is None:
        yield from ((script, reference, each) for each in found)
        return
    for found_user, use in delegated:
        user = found_user.in_target(extension.target.name)
        for each in () if user.is_for_other_targets else _unexcused_unavailabilities(extension, user, use):
            yield user, use, each


def _fails_in_some_context(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether a member is missing in one of several contexts of a script."""
    return len(script.contexts) > 1 and any(
        unavailabilities_of(extension, reference.path, (each,)) for each in script.contexts
    )


def _missing_in_all(
    extension: Extension, script: Script, choice: AmbiguousReference
) -> Iterator[Unavailability]:
    """Yields the first member of an ambiguous reference, if all its options are unknown."""
    found: list[Unavailability] = []
    if choice.calls or (choice.is_open and len(choice.references[0].path) < 2):
        return
    references = [reference for reference, _ in available_references(extension, script, choice)]
    tested = tested_members(extension, *script.location)
    if not all(each.path not in tested and _is_unknown(extension, script, each) for each in references):
        return
    for reference in references:
        reasons = _unexcused_unavailabilities(extension, script, reference)
        unknown = (each for each in reasons if each.reason is Reason.UNKNOWN and each.path == reference.path)
        unavailability = next(unknown, None)
        if unavailability is None or (
            choice.is_open and not _is_misspelled(extension, script, reference, unavailability)
        ):
            return
        found.append(unavailability)
    yield from found[:1]


def _is_unknown(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether the schemas do not have the member, even if the reference may be excused."""
    reasons = unavailabilities_of(extension, reference.path, script.contexts, reference.on_load)
    return any(each.reason is Reason.UNKNOWN and each.path == reference.path for each in reasons)


def _unexcused_unavailabilities(
    extension: Extension, script: Script, reference: Reference
) -> Iterator[Unavailability]:
    for unavailability in unavailabilities_of(extension, reference.path, script.contexts, reference.on_load):
        if reference.only_tested:
            if _is_misspelled_test(extension, script, reference, unavailability):
                yield unavailability
        elif not _is_excused_unavailability(extension, script, reference, unavailability):
            yield from _with_unknown_contexts(extension, script, reference, unavailability)
        elif unavailability.reason is Reason.CONTEXT:
            yield from _unavailable_in_every_realm(extension, script, reference)


def _is_misspelled_test(
    extension: Extension, script: Script, reference: Reference, unavailability: Unavailability
) -> bool:
    """Whether a member that is only tested for exists in no browser, and is misspelled."""
    return (
        unavailability.reason is Reason.UNKNOWN
        and len(reference.path) == unavailability.reported_length
        and _is_misspelled(extension, script, reference, unavailability)
        and not _never_runs(extension, script, reference, unavailability)
    )


def _is_misspelled(
    extension: Extension, script: Script, reference: Reference, unavailability: Unavailability
) -> bool:
    """Whether a member exists in no browser, and is close to one that does."""
    from extlint.checks.possible_members import is_misspelled_everywhere

    return is_misspelled_everywhere(extension, script, reference, unavailability)


def _with_unknown_contexts(
    extension: Extension, script: Script, reference: Reference, unavailability: Unavailability
) -> Iterator[Unavailability]:
    """Yields the reason, or the remaining ones if the script also runs in unknown contexts."""
    is_context = unavailability.reason is Reason.CONTEXT
    other = with_unknown_context(extension, script) if is_context else None
    found = (
        (unavailability,)
        if other is None
        else tuple(_unexcused_unavailabilities(extension, other, reference))
    )
    yield from (unavailability if each.reason is Reason.CONTEXT else each for each in found)


def _unavailable_in_every_realm(
    extension: Extension, script: Script, reference: Reference
) -> Iterator[Unavailability]:
    """Yields the reasons in every realm for a reference in a function that runs in another realm."""
    from extlint.checks.availability.exemptions import DECIDED_BY_REALM

    found = [
        unavailability
        for unavailability in unavailabilities_of(extension, reference.path, UNKNOWN_CONTEXTS)
        if unavailability.reason not in DECIDED_BY_REALM
        and not _is_excused_unavailability(extension, script, reference, unavailability)
    ]
    if found and _runs_in_another_realm(extension, script, reference):
        yield from found


def _is_excused_unavailability(
    extension: Extension, script: Script, reference: Reference, unavailability: Unavailability
) -> bool:
    """Whether an unavailable member is not a mistake there, or is reported at a longer reference."""
    from extlint.checks.availability.exemptions import may_be_available

    if len(reference.path) != unavailability.reported_length:
        return True
    if _is_misspelled(extension, script, reference, unavailability):
        return _never_runs(extension, script, reference, unavailability)
    is_unreached = is_unreachable(extension, script, reference.guards)
    return is_unreached or may_be_available(extension, script, reference, unavailability)


def _runs_in_another_realm(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether a reference certainly runs in a different realm from its script."""
    paths = extension.searches.call_paths(script, reference) if reference.is_called else ()
    return bool(paths) and all(path.runs_in is not None for path in paths or ())


def _never_runs(
    extension: Extension, script: Script, reference: Reference, unavailability: Unavailability
) -> bool:
    """Whether a reference is unreachable even without the tests for the member itself."""
    if is_unreachable(extension, script, _without_tests_of(reference.guards, unavailability.path)):
        return True
    paths = extension.searches.call_paths(script, reference) if reference.is_called else ()
    if paths is None:
        return True
    return bool(paths) and all(
        is_unreachable(extension, script, _without_tests_of(path, unavailability.path)) for path in paths
    )


def _without_tests_of(guards: Guards, path: ApiPath) -> Guards:
    """Returns the guards without tests for a member and its members, and without those of the environment."""
    tested = frozenset(
        each for each in guards.tested if each[: len(path)] != path and each[0] != GLOBAL_OBJECT
    )
    missing = frozenset(each for each in guards.missing if each[0] != GLOBAL_OBJECT)
    return replace(guards, tested=tested, missing=missing, user_agent=frozenset())


def injected_references(extension: Extension, script: Script) -> Iterator[tuple[Reference, Unavailability]]:
    """Yields the calls of members that are missing there, and available to the script itself."""
    spans = [*_spans_of_injected_functions(script)]
    for reference in script.facts.references if spans else ():
        if (
            not reference.is_called
            or not any(start <= reference.span[0] < end for start, end in spans)
            or unavailabilities_of(extension, reference.path, script.contexts, reference.on_load)
        ):
            continue
        kinds = extension.searches.injected_into(script, reference) or ()
        contexts = tuple(map(Context, sorted(kinds, key=lambda kind: kind.value)))
        for each in unavailabilities_of(extension, reference.path, contexts) if contexts else ():
            is_whole = each.reason is Reason.CONTEXT and len(reference.path) == each.reported_length
            if is_whole and not _is_excused(extension, script, reference):
                yield reference, each


def _spans_of_injected_functions(script: Script) -> Iterator[ByteSpan]:
    for call in script.facts.calls:
        for options in options_of(call.arguments[0]) if call.path == INJECTION and call.arguments else ():
            fields = options.fields if isinstance(options, ObjectValue) else {}
            for key in ("func", "function"):
                for function in options_of(fields[key].value) if key in fields else ():
                    if isinstance(function, FunctionValue) and function.span is not None:
                        yield function.span


def _is_excused(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether a test of the member, or code that handles its failure, is on each path to a reference."""
    return holds_on_all_paths(extension, script, reference, lambda path: _excuses(path, reference))


def _excuses(guards: Guards, reference: Reference) -> bool:
    return guards.failure > FailureHandling.REPORTED or any(
        reference.path[: len(each)] == each for each in guards.tested
    )
