"""Finds the answers of message listeners, and those that never come, or that the browser does not take.

Verified in Chromium 156 and Firefox 153: a message fails if a listener returns `true` and never responds, and
Chromium ignores the promise of a listener to logins with the option `blocking` (`extlint_judge
missing-answers`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.events import ListenerResponses, MessageTest
from extlint.analysis.facts.script_facts import (
    LOGIN_EVENT,
    MESSAGE_EVENTS,
    ApiPath,
    CallSite,
    LoadKind,
    PromiseUse,
)
from extlint.analysis.facts.values import ArrayValue, FunctionValue, Literal
from extlint.checks.api.enum_constants import with_constant_values
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.availability.unguarded_references import is_never_called, unguarded_calls
from extlint.checks.calls.types import matching_environment
from extlint.checks.reachability.closed_world import has_all_loaded_files
from extlint.checks.reachability.sent_messages import is_only_background, may_pass
from extlint.extension import Extension, Script
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.schema.matching.call import CallProblem
from extlint.schema.matching.serialization import Copy, copy_problems
from extlint.schema.targets import engine_of
from extlint.text.positions import ByteSpan

_Found = tuple[Script, ListenerResponses] | None


def find_answers(extension: Extension, script: Script, call: CallSite) -> _Found:
    """Returns the answers of the listener that a call adds, with the script that defines it.

    Returns None if unknown.
    """
    known = call.answers
    if known is not None and not known.undecided:
        return script, known
    found = None
    if call.path[:-1] in MESSAGE_EVENTS and call.path[-1] == "addListener" and _imports(script):
        found = _cached_module_answers(extension)(extension, script, call)
    return found or (None if known is None else (script, known))


def _imports(script: Script) -> bool:
    return any(each.kind is LoadKind.IMPORT for each in script.facts.loads)


@query(is_of_package=True)
def _cached_module_answers(_extension: Extension) -> Callable[[Extension, Script, CallSite], _Found]:
    """Searches once for each listener, whatever the target."""
    known: dict[tuple[str, int, ApiPath, ByteSpan], _Found] = {}

    def answers(extension: Extension, script: Script, call: CallSite) -> _Found:
        key = (script.path, script.base, call.path, call.span)
        if key not in known:
            known[key] = extension.searches.listener_answers(script, call)
        return known[key]

    return answers


_ADD = "addListener"
_CONTENT = frozenset({ContextKind.CONTENT_SCRIPT})
_SENDERS = {True: ("tabs", "sendMessage"), False: ("runtime", "sendMessage")}
"""The function that sends messages to content scripts, and the one that sends them to other scripts."""

_BLOCKING = "blocking"

_Place = tuple[Script, ByteSpan]


class UnansweredMessage(Struct, frozen=True):
    """A place where a listener returns `true` in vain, and a call that waits for the response.

    `is_partial` is true if the listener responds to other messages.
    """

    script: Script
    span: ByteSpan
    sender: _Place
    is_partial: bool


def unanswered_messages(extension: Extension) -> Iterator[UnansweredMessage]:
    """Yields the first place in each listener where it returns `true` in vain."""
    event = ("runtime", "onMessage")
    for adding, _, call in unguarded_calls(extension):
        if call.path != (*event, _ADD) or not adding.contexts:
            continue
        found = find_answers(extension, adding, call)
        if found is None or not found[1].unanswered:
            continue
        is_content = {each.kind for each in adding.contexts} == _CONTENT
        if has_all_loaded_files(extension) and not unavailabilities_of(extension, call.path, adding.contexts):
            for each in found[1].unanswered:
                waiting = _waiting_senders(extension, adding, _SENDERS[is_content], each.tests)
                sender = next(
                    (
                        each
                        for each in waiting
                        if not (found[1].may_respond and _ignores_response(each[2]))
                        and not _may_respond(extension, each[2], is_content=is_content)
                    ),
                    None,
                )
                if sender is not None:
                    yield UnansweredMessage(found[0], each.span, sender[:2], found[1].may_respond)
                    break


def lost_objects(extension: Extension) -> Iterator[tuple[Script, CallProblem, _Place]]:
    """Yields the objects in a promised response that are not copied, and a call that waits for the response.

    Verified in Firefox 153 and Chromium 156 by `extlint_judge serialization`.
    """
    event = ("runtime", "onMessage")
    for adding, _, call in unguarded_calls(extension):
        if call.path != (*event, _ADD) or not adding.contexts:
            continue
        found = find_answers(extension, adding, call)
        if found is None or not found[1].objects:
            continue
        is_content = {each.kind for each in adding.contexts} == _CONTENT
        waiting = _waiting_sender(extension, adding, _SENDERS[is_content])
        if waiting is not None and not unavailabilities_of(extension, call.path, adding.contexts):
            for value in found[1].objects:
                for problem in copy_problems(Copy.RESPONSE, value, matching_environment(extension)):
                    yield found[0], problem, waiting


def _waiting_sender(
    extension: Extension, adding: Script, sender: ApiPath, tests: frozenset[MessageTest] = frozenset()
) -> _Place | None:
    """Returns a call that sends a message to a script, passing some tests, and waits for the response.

    A background does not receive its own messages.
    """
    found = next(_waiting_senders(extension, adding, sender, tests), None)
    return None if found is None else found[:2]


def _waiting_senders(
    extension: Extension, adding: Script, sender: ApiPath, tests: frozenset[MessageTest]
) -> Iterator[tuple[Script, ByteSpan, CallSite]]:
    """Yields the calls that send such a message and use the response, with the place of each."""
    for script, reference, call in unguarded_calls(extension):
        if (
            call.path == sender
            and _uses_response(call)
            and may_pass(call, tests)
            and not (is_only_background(script) and is_only_background(adding))
            and not is_never_called(extension, script, reference)
        ):
            yield script, call.callee, call


def _uses_response(call: CallSite) -> bool:
    """Whether the code at a call waits for the response to a message within the package."""
    last = call.arguments[-1] if call.arguments else None
    count = len(call.arguments) - isinstance(last, FunctionValue)
    is_own = count == (1 if call.path[0] == "runtime" else 2)
    is_used = call.promise_use in {PromiseUse.AWAITED, PromiseUse.CHAINED, PromiseUse.WAITED}
    return not call.open and is_own and (is_used or isinstance(last, FunctionValue))


def _ignores_response(call: CallSite) -> bool:
    """Whether the callback of a call has no parameter."""
    last = call.arguments[-1] if call.arguments else None
    return isinstance(last, FunctionValue) and last.parameters == ()


def _may_respond(extension: Extension, sent: CallSite, *, is_content: bool) -> bool:
    """Whether a listener in a kind of context may respond to a message, as any may that is not known."""
    for script in extension.scripts:
        kinds = {each.kind for each in script.all_contexts or script.contexts}
        if kinds and (kinds == _CONTENT) is not is_content:
            continue
        facts = script.facts
        if not facts.complete or facts.dynamic_accesses:
            return True
        calls = [each for each in facts.calls if each.path[:-1] in MESSAGE_EVENTS]
        for call in calls:
            found = find_answers(extension, script, call) if call.path[-1] == _ADD else None
            if call.path[-1] == _ADD and (found is None or _may_respond_to(found[1], sent)):
                return True
        references = (*facts.references, *facts.possible_references)
        named = (each.span for each in references if each.path[:2] in MESSAGE_EVENTS)
        if any(not any(_contains(call.callee, span) for call in calls) for span in named):
            return True
    return False


def _may_respond_to(answers: ListenerResponses, sent: CallSite) -> bool:
    return answers.may_respond and (
        not answers.answered or any(may_pass(sent, tests) for tests in answers.answered)
    )


def _contains(outer: ByteSpan, inner: ByteSpan) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def promised_logins(extension: Extension) -> Iterator[tuple[Script, ByteSpan, ByteSpan]]:
    """Yields the option of each listener whose promise Chrome ignores, and the ignored answer."""
    if engine_of(extension.target.name) is not Engine.CHROMIUM:
        return
    for script, _, call in unguarded_calls(extension):
        if call.path != (*LOGIN_EVENT, _ADD) or call.answers is None or len(call.arguments) < 3:
            continue
        listed = with_constant_values(extension, call.arguments[2])
        options = listed.items if isinstance(listed, ArrayValue) else ()
        blocking = [each for each in options if isinstance(each, Literal) and each.value == _BLOCKING]
        if (
            blocking
            and blocking[0].span is not None
            and call.answers.promised
            and not unavailabilities_of(extension, call.path, script.contexts)
        ):
            yield script, blocking[0].span, call.answers.promised[0]
