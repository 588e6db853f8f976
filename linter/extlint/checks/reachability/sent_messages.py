"""Determines whether scripts of a package send a message to a listener, and whether it passes some tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from extlint.analysis.facts.context import BACKGROUND_CONTEXTS
from extlint.analysis.facts.events import MessageTest
from extlint.analysis.facts.script_facts import NO_GUARDS, ApiPath, CallSite, ScriptFacts
from extlint.analysis.facts.values import (
    ApiResult,
    ArrayValue,
    Delivery,
    FunctionValue,
    Kind,
    Literal,
    ObjectValue,
    Value,
    is_nullish,
    options_of,
)
from extlint.checks.reachability.closed_world import is_closed_world
from extlint.checks.reachability.possible_loads import may_be_injected, texts_at
from extlint.checks.reachability.unreachable_code import is_unreachable
from extlint.checks.reachability.unused_scripts import unused_files
from extlint.extension import Extension, Idle, Place, Script
from extlint.project.builds import is_build_source
from extlint.project.contexts.script import injects
from extlint.project.contexts.words import words_of
from extlint.queries.query import query
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, encode_name

TO_TABS = frozenset({("tabs", "sendMessage")})
SENDING = TO_TABS | {("extension", "sendMessage"), ("runtime", "sendMessage")}
"""The functions that send messages within a package."""

OWN_MESSAGES: ApiPath = ("runtime", "onMessage")
"""The event that passes the messages of the package."""

_COMPARED_BEFORE = lazy(rb"(?:[!=]==?|\bcase)\s*[\"'`]\Z")
_COMPARED_AFTER = lazy(rb"[\"'`]\s*[!=]==?")
_MAX_BLANKS = 50
"""The bytes before a text that are searched for an operator that compares it."""


def is_never_sent(
    extension: Extension,
    listening: Script,
    tests: frozenset[MessageTest] = frozenset(),
    is_excluded: Callable[[Script, CallSite], bool] | None = None,
) -> bool:
    """Whether it is known that no script sends a message to a listener that passes all of some tests.

    Without any call that sends others to the script, all code must be known. A text that is only compared is
    in no message, even if some are not known. Calls that are excluded do not count; without a test, those
    that never run in the target.
    """
    if any(isinstance(each.value, str) and _is_only_compared(extension, each.value) for each in tests):
        return True
    if _has_unknown_senders(extension):
        return False
    others = False
    for script, call in _senders(extension):
        if not may_reach(extension, script, call, listening):
            continue
        if not may_pass(call, tests):
            others = True
        elif not (is_excluded(script, call) if is_excluded else _never_runs_here(extension, script, call)):
            return False
    return others or is_closed_world(extension)


@query(is_kept=True)
def _is_idle(extension: Extension, path: str, base: int, call: ByteSpan) -> bool:
    """Whether nothing runs a call, if each message is sent and each event comes."""
    idle = Idle(frozenset(), unused_files(extension), is_build_source(extension))
    return extension.searches.never_runs(extension.script_at(path, base), call, idle)


@query(is_kept=True)
def unsent_messages(extension: Extension) -> frozenset[Place]:
    """Returns the ends of tests of messages that fail, since no script sends a message that passes them.

    They are the ends of the fields that no message has, and of the values that no message or field equals.
    """
    return _failing_tests(extension)


@query(is_kept=True)
def messages_sent_by_idle_code(extension: Extension) -> frozenset[Place]:
    """Returns the ends in `unsent_messages`, and of tests that only messages of code that never runs pass.

    This takes more time.
    """
    return _failing_tests(
        extension,
        lambda script, call: (
            _never_runs_here(extension, script, call) or _is_idle(extension, *script.location, call.span)
        ),
    )


def tests_of_messages_sent_where(
    extension: Extension, holds: Callable[[Script, ByteSpan], bool]
) -> frozenset[Place]:
    """Returns the ends of tests that only messages pass whose sender is a callee where a condition holds."""
    held = frozenset(
        (*script.location, *call.span)
        for script, call in (_senders(extension) if message_tests(extension) else ())
        if _never_runs_here(extension, script, call) or holds(script, call.callee)
    )
    if not held:
        return frozenset()
    return _tests_without(extension, held) - _tests_without(extension, frozenset())


@query
def _tests_without(extension: Extension, senders: frozenset[tuple[str, int, int, int]]) -> frozenset[Place]:
    """Returns the ends of tests that only messages of some senders pass, or none at all."""
    return _failing_tests(extension, lambda script, call: (*script.location, *call.span) in senders)


def _failing_tests(
    extension: Extension, is_excluded: Callable[[Script, CallSite], bool] | None = None
) -> frozenset[Place]:
    return frozenset(
        (*script.location, end)
        for script in extension.scripts
        for end, test in _tests_in(script.facts)
        if is_never_sent(extension, script, frozenset({test}), is_excluded)
    )


@query(is_kept=True)
def message_tests(extension: Extension) -> frozenset[Place]:
    """Returns the ends of all tests of messages, as in `unsent_messages`."""
    return frozenset(
        (*script.location, end) for script in extension.scripts for end, _ in _tests_in(script.facts)
    )


def _tests_in(facts: ScriptFacts) -> Iterator[tuple[int, MessageTest]]:
    """Yields the ends of the places that test the messages of the package, each with its test."""
    for each in facts.field_reads:
        if is_message(each.of) and not each.of.steps:
            yield each.span[1], MessageTest(each.name)
    for compared in facts.comparisons:
        of, value = compared.of, compared.with_
        known = value.value if isinstance(value, Literal) else None
        is_whole = is_message(of) and len(of.steps) <= 1
        if is_whole and isinstance(known, float | str) and value.span is not None:
            yield value.span[1], MessageTest("".join(of.steps), known)


def is_message(result: ApiResult) -> bool:
    """Whether a result is a message of the package that a listener receives, or a part of one."""
    return result.path == OWN_MESSAGES and result.delivery is Delivery.LISTENER and result.index == 0


def may_reach(extension: Extension, sending: Script, call: CallSite, listening: Script) -> bool:
    """Whether the message of a call may get to a listener: content scripts receive only those to tabs.

    A background receives no others, and not its own.
    """
    if listening.is_only_content_script:
        return call.path in TO_TABS
    if not is_only_background(listening):
        return True
    is_own = is_only_background(sending) and not (
        injects(sending) or may_be_injected(extension, sending.path)
    )
    return call.path not in TO_TABS and not is_own


def is_only_background(script: Script) -> bool:
    """Whether a script runs in the background, and nowhere else."""
    kinds = {each.kind for each in script.all_contexts or script.contexts}
    return bool(kinds) and kinds <= BACKGROUND_CONTEXTS


def may_pass(call: CallSite, tests: Iterable[MessageTest]) -> bool:
    """Whether the message that a call sends may pass some tests."""
    is_certain = not call.open and len(call.arguments) > (call.path in TO_TABS)
    return not is_certain or any(all(_passes(each, test) for test in tests) for each in messages_in(call))


def messages_in(call: CallSite) -> Iterator[Value]:
    """Yields the arguments of a call that may be the message.

    An object comes first only if it is the message: the id of another extension is a string, and `null` in
    its place is this extension.
    """
    first = call.arguments[0] if call.arguments else None
    is_first = isinstance(first, ArrayValue | ObjectValue)
    is_second = call.path in TO_TABS or (first is not None and is_nullish(first))
    arguments = call.arguments[1:2] if is_second else call.arguments[: 1 if is_first else 2]
    return (each for each in arguments if not isinstance(each, FunctionValue))


def _passes(message: Value, test: MessageTest) -> bool:
    """Whether a message may pass a test."""
    if test.field:
        return any(_has_field(each, test) for each in options_of(message))
    return any(_may_be(each, test.value) for each in options_of(message))


def _has_field(message: Value, test: MessageTest) -> bool:
    match message:
        case Literal():
            return test.value is None
        case ObjectValue(fields=fields, open=is_open) if test.field in fields:
            found = options_of(fields[test.field].value)
            return is_open or not found or any(_may_be(each, test.value) for each in found)
        case ObjectValue(open=is_open):
            return is_open
    return True


def _may_be(value: Value, expected: str | float | None) -> bool:
    """Whether a value may be the expected one, or anything at all."""
    if not isinstance(value, Literal):
        return expected is None or not isinstance(value, ObjectValue | ArrayValue)
    return value.kind is not Kind.UNDEFINED if expected is None else value.value == expected


def sends_messages(extension: Extension) -> bool:
    """Whether any call that is known sends a message within the package."""
    return any(not _never_runs_here(extension, script, call) for script, call in _senders(extension))


@query
def _is_only_compared(extension: Extension, text: str) -> bool:
    """Whether a text occurs in no script, page or data file except where it is compared with something."""
    words, encoded = words_of(extension), encode_name(text)
    if not all(
        _COMPARED_AFTER.match(code, at + len(encoded))
        or _COMPARED_BEFORE.search(code[max(0, at - _MAX_BLANKS) : at])
        for path, (code, _) in words.texts.items()
        for at in words.places_in(path, text)
    ):
        return False
    return not any(encoded in each for each in _data_texts(extension))


@query(is_of_package=True)
def _data_texts(extension: Extension) -> tuple[bytes, ...]:
    """Returns the texts of the data files of a package."""
    data = (path for path in extension.package.paths if path.endswith(".json"))
    return tuple(texts_at(extension, data).values())


def _senders(extension: Extension) -> Iterator[tuple[Script, CallSite]]:
    """Yields the calls that may send messages, each with its script."""
    for script in extension.scripts:
        if not script.is_for_other_targets:
            yield from ((script, call) for call in script.facts.calls if call.path in SENDING)


def _never_runs_here(extension: Extension, script: Script, call: CallSite) -> bool:
    """Whether a call never runs in the target."""
    guards = next((each.guards for each in script.facts.references if each.span == call.callee), NO_GUARDS)
    return is_unreachable(extension, script, guards)


@query
def _has_unknown_senders(extension: Extension) -> bool:
    """Whether code may send messages in any way but by a call that is known.

    In Manifest V2, it may be in a text that is injected.
    """
    if extension.manifest_version == 2 and words_of(extension).has_unresolved("sendMessage", only_keys=True):
        return True
    for script in extension.scripts:
        facts = script.facts
        if not facts.complete or facts.dynamic_accesses or not facts.passed_on.isdisjoint(SENDING):
            return True
    return False
