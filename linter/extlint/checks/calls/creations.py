"""Finds calls that create something again at each start, or only when the extension is installed.

Menu items, registered scripts, rules, offscreen documents and alarms outlive a run of the background
(verified by `extlint_judge background-runs`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.facts.events import Occasion, Origin, comes_often
from extlint.analysis.facts.script_facts import ApiPath, CallSite, FailureHandling, Reference
from extlint.analysis.facts.values import FunctionValue, is_nullish, options_of
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.schema_path import schema_path_of
from extlint.checks.availability.unguarded_references import call_to, unguarded_calls, unguarded_references
from extlint.checks.calls.calls import check_call
from extlint.checks.reachability.closed_world import has_all_loaded_files, may_be_named
from extlint.checks.reachability.occasions import (
    background_ended_when_idle,
    occasions_of,
    runs_in_background,
)
from extlint.checks.reachability.possible_loads import running_scripts
from extlint.extension import Extension, Script
from extlint.finding import Finding, Related
from extlint.project.contexts.words import words_of
from extlint.rule import Rule
from extlint.schema.targets import engine_of
from extlint.text.positions import ByteSpan
from extlint.text.wording import quoted

_SUSPEND_EVENT = ("runtime", "onSuspend")
_STARTUP = ("runtime", "onStartup")
_ERROR = "lastError"

Names = tuple[str, ...]


def always(_call: CallSite) -> bool:
    """Whether a call does what a test is about: each does."""
    return True


class Thing(Struct, frozen=True):
    """A kind of thing that outlives the run of the background that creates it.

    `names` returns what a call of one of the functions `creating` certainly creates, or nothing if that is
    unknown; `what` describes one, with its name at `{}`. Those calls of `removing` that pass the test
    `removes` remove such things, and so may any code that has one of `words`. A program that handles a
    failure at least as in `handling` makes no mistake; None for things that it cannot fail to create. The
    things of a call that passes the test `lasts` are still there when the browser starts again. `stays`
    is false for things that may end before the next event.
    """

    what: str
    creating: frozenset[ApiPath]
    names: Callable[[CallSite], Names]
    removing: frozenset[ApiPath]
    words: Names
    help: str
    help_for_two: str
    removes: Callable[[CallSite], bool] = always
    handling: FailureHandling | None = FailureHandling.REPORTED
    lasts: Callable[[CallSite], bool] | None = None
    stays: bool = True

    def named(self, name: str) -> str:
        """Returns the description of one with a name."""
        return self.what.format(quoted(name))


class Creation(Struct, frozen=True):
    """A call that creates things with known names, which may be there when the browser starts again.

    `again` is when it is certainly repeated, worded to follow "each time".
    """

    script: Script
    api: str
    reference: Reference
    names: Names
    occasions: frozenset[Occasion]
    lasts: bool = False
    again: str = ""


def duplicate_findings(extension: Extension, rule: Rule, thing: Thing) -> Iterator[Finding]:
    """Yields a finding for the calls of each script that fail when the background starts again.

    So does each call that repeats another one in the same run.
    """
    found = creations(extension, thing)
    if not found:
        return
    has_removals = any(True for _ in _removals(extension, thing))
    again = created_again(extension, thing, found)
    for location, group in groupby(found, lambda each: each.script.location):
        in_script = [*group]
        repeated = {} if has_removals else dict(_repetitions(in_script))
        for each in in_script:
            first = repeated.get(each.reference.span)
            if first is not None:
                yield _repeat_finding(rule, thing, each, first)
        firsts = [
            each for each in again if each.script.location == location and each.reference.span not in repeated
        ]
        if firsts:
            background = background_ended_when_idle(extension.manifest, engine_of(extension.target.name))
            yield _recreation_finding(rule, thing, firsts, background or "background")


def creations(extension: Extension, thing: Thing) -> list[Creation]:
    """Returns the calls that create things with known names, in source order in each script."""
    found: list[Creation] = []
    for script, reference in unguarded_references(extension, thing.handling or FailureHandling.INSPECTED):
        path = reference.path
        call = call_to(extension, script, reference) if path in thing.creating else None
        if call is None or script.facts.dynamic_accesses:
            continue
        if thing.handling is not None and (call.is_caught or _handles_error(script, call)):
            continue
        names = thing.names(call)
        is_there = schema_path_of(extension, path) is not None
        if names and is_there and _is_accepted(extension, script, reference, call):
            occasions = occasions_of(extension, script, call)
            lasts = thing.lasts is not None and thing.lasts(call)
            found.append(Creation(script, ".".join(path), reference, names, occasions, lasts))
    return found


def _is_accepted(extension: Extension, script: Script, reference: Reference, call: CallSite) -> bool:
    """Whether a function exists where it is called, and accepts the arguments."""
    if unavailabilities_of(extension, reference.path, script.contexts):
        return False
    checked = check_call(extension, script, call, reference.guards)
    return checked is None or all(each.is_ignored for each in checked.problems)


def _handles_error(script: Script, call: CallSite) -> bool:
    """Whether a call has a callback that may read the error."""
    if call.open:
        return True
    return len(call.arguments) > 1 and not all(
        is_nullish(each) or (isinstance(each, FunctionValue) and _ERROR.encode() not in script.index.text)
        for each in options_of(call.arguments[1])
    )


def created_again(extension: Extension, thing: Thing, found: Iterable[Creation]) -> list[Creation]:
    """Returns the creations that each start of the background repeats, without a removal before."""
    removals = [*_removals(extension, thing)]
    if any(removals):
        return []
    fails_again = thing.handling is not None and thing.stays and not removals
    engine = engine_of(extension.target.name)
    background = background_ended_when_idle(extension.manifest, engine)
    with_reasons = (
        replace(each, again=_repeated_run(each, background, fails_again))
        for each in found
        if runs_in_background(each.script, engine)
    )
    return [each for each in with_reasons if each.again]


def _repeated_run(creation: Creation, background: str | None, fails_again: bool) -> str:
    """Returns when a creation is certainly repeated, or an empty text.

    `background` is the name of one that ends when idle. `fails_again` means that what an event creates is
    still there when the event comes again.
    """
    for each in sorted(creation.occasions, key=lambda each: (not each.certain, each.event)):
        if each.origin is Origin.LOAD and background is not None and each.repeats:
            same = "" if each.certain else " with the same settings"
            return f"the {background} starts again{same}"
        if each.event == _STARTUP and creation.lasts and each.certain:
            return "the browser starts again"
        if each.origin is Origin.EVENT and fails_again and each.repeats and comes_often(each.event):
            return f"{quoted('.'.join(each.event))} comes again"
    return ""


def _removals(extension: Extension, thing: Thing) -> Iterator[bool]:
    """Yields, for each removal of things in the package, whether it may precede their creation at a start."""
    if any(map(words_of(extension).has_unresolved, thing.words)):
        yield True
    for script in extension.scripts:
        facts = script.facts
        for reference in facts.references:
            if reference.path in thing.removing:
                call = call_to(extension, script, reference)
                if call is None or thing.removes(call):
                    yield call is None or any(map(_may_be_start, occasions_of(extension, script, call)))
        for choice in facts.ambiguous_references:
            if any(each.path in thing.removing for each in choice.references):
                yield True


def _may_be_start(occasion: Occasion) -> bool:
    """Whether an occasion may be the start of the background, or its end."""
    is_other_event = occasion.origin is Origin.EVENT and occasion.event != _SUSPEND_EVENT
    return not is_other_event and occasion.origin is not Origin.PLATFORM


def _repetitions(found: Iterable[Creation]) -> Iterator[tuple[ByteSpan, Creation]]:
    """Yields the calls that create something again in the same run, each with the earlier call."""
    firsts: dict[tuple[str, Origin, ApiPath], Creation] = {}
    for creation in found:
        if len(creation.names) > 1:
            continue
        runs = [
            (creation.names[0], each.origin, each.event)
            for each in creation.occasions
            if each.certain and each.origin in {Origin.EVENT, Origin.LOAD}
        ]
        first = next((firsts[each] for each in runs if each in firsts), None)
        if first is not None:
            yield creation.reference.span, first
        for each in runs:
            firsts.setdefault(each, creation)


def _repeat_finding(rule: Rule, thing: Thing, creation: Creation, first: Creation) -> Finding:
    script = creation.script
    return rule.at(
        *script.place(creation.reference.span),
        f"{quoted(creation.api)} fails: there is already {thing.named(creation.names[0])}",
        api=creation.api,
        help=thing.help_for_two,
        related=(Related(*script.place(first.reference.span), "it is created here"),),
    )


def _recreation_finding(rule: Rule, thing: Thing, found: Sequence[Creation], background: str) -> Finding:
    first, *others = found
    script = first.script
    start = f"{quoted(first.api)} fails each time"
    end = f"there is already {thing.named(first.names[0])}"
    return rule.at(
        *script.place(first.reference.span),
        f"{start} {first.again}: {end}",
        api=first.api,
        help=thing.help,
        general=f"{start} {first.again.replace(background, 'background')}: {end}",
        reason="",
        related=tuple(Related(*script.place(each.reference.span), "so does this call") for each in others),
    )


_INSTALLED = ("runtime", "onInstalled")
INSTALLED = ".".join(_INSTALLED)


def created_when_installed(
    extension: Extension, creating: AbstractSet[ApiPath]
) -> Iterator[tuple[Script, Reference, CallSite]]:
    """Yields the first call in each script of the background, if no other code of the package creates any.

    `creating` are functions with one name, by their paths.
    """
    calls = [
        (script, reference, call)
        for script, reference, call in unguarded_calls(extension, FailureHandling.INSPECTED)
        if call.path in creating
    ]
    if not calls or len(calls) != _count_uses(extension, creating) or not has_all_loaded_files(extension):
        return
    if any(each.facts.dynamic_accesses for each in running_scripts(extension)):
        return
    if any(may_be_named(extension, path) for path in creating) or not all(
        _is_when_installed(each)
        for script, _, call in calls
        for each in occasions_of(extension, script, call) or (None,)
    ):
        return
    engine, reported = engine_of(extension.target.name), set[tuple[str, int]]()
    for script, reference, call in calls:
        if (
            script.location not in reported
            and runs_in_background(script, engine)
            and not unavailabilities_of(extension, call.path, script.contexts)
        ):
            reported.add(script.location)
            yield script, reference, call


def _is_when_installed(occasion: Occasion | None) -> bool:
    return occasion is not None and occasion.origin is Origin.EVENT and occasion.event == _INSTALLED


def _count_uses(extension: Extension, creating: AbstractSet[ApiPath]) -> int:
    """Returns the number of places that name a function which creates something."""
    named = [
        reference
        for script in extension.scripts
        for reference in script.facts.references
        if reference.path in creating
    ]
    namespaces = {path[0] for path in creating}
    several = sum(
        any(each.path[0] in namespaces for each in choice.references)
        for script in extension.scripts
        for choice in script.facts.ambiguous_references
    )
    return len(named) + several
