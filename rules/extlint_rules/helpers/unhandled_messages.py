"""Finds messages that reach listeners, and that each of these ignores."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from extlint.analysis.facts.events import MessageTest
from extlint.analysis.facts.script_facts import CallSite
from extlint.analysis.facts.values import Kind, Literal, ObjectValue, Value
from extlint.checks.reachability.possible_loads import may_be_injected, running_scripts
from extlint.checks.reachability.sent_messages import OWN_MESSAGES, may_pass, may_reach, messages_in
from extlint.extension import Extension, Script
from extlint.project.contexts.script import injects
from extlint.queries.query import query
from extlint.text.positions import ByteSpan
from extlint_rules.helpers.listener_answers import find_answers
from extlint_rules.helpers.message_receivers import has_other_mentions, references_to
from extlint_rules.helpers.message_types import sent_instead

_ADD = "addListener"
_EVENT = OWN_MESSAGES[-1]


class Ignored(Struct, frozen=True):
    """A message that no listener handles: the text by which they choose, its field, and what they expect.

    The field is empty if the text is the whole message. `other_field` is another one that a listener compares
    with the text, if any. `listener` is where the first listener is added.
    """

    text: str
    field: str
    expected: tuple[str, ...]
    other_field: str | None
    listener: tuple[Script, ByteSpan]


class _Listener(Struct, frozen=True):
    """A listener, and the tests by which it chooses its messages, or None if it may handle any."""

    script: Script
    callee: ByteSpan
    tests: frozenset[MessageTest] | None


def ignored_message(extension: Extension, script: Script, call: CallSite) -> Ignored | None:
    """Returns the message of a call if all listeners that may receive it certainly do nothing with it.

    Returns None for a message without the fields by which they choose, which may only wake a worker.
    """
    reached = [each for each in _listeners(extension) if _may_get(extension, script, call, each.script)]
    tests: set[MessageTest] = set()
    for each in reached:
        if each.tests is None or any(may_pass(call, {test}) for test in each.tests):
            return None
        tests |= each.tests
    fields = {each.field for each in tests}
    named = next((each for message in messages_in(call) for each in _texts(message, fields)), None)
    if named is None or _is_reported_at_comparison(extension, named[1]):
        return None
    field, text = named
    expected = sorted(str(each.value) for each in tests if each.field == field)
    other = next((each.field for each in tests if each.value == text and each.field), None)
    return Ignored(text, field, tuple(expected), other, (reached[0].script, reached[0].callee))


def _texts(message: Value, fields: set[str]) -> Iterator[tuple[str, str]]:
    """Yields the texts by which listeners choose a message, each with its field."""
    values = (
        [(key, each.value) for key, each in message.fields.items()]
        if isinstance(message, ObjectValue)
        else []
    )
    for key, value in [*values, ("", message)]:
        if key in fields and isinstance(value, Literal) and value.kind is Kind.STRING:
            yield key, str(value.value)


def _may_get(extension: Extension, sending: Script, call: CallSite, listening: Script) -> bool:
    """Whether a listener in a script may get the message of a call, also where its function is injected."""
    return (
        may_reach(extension, sending, call, listening)
        or injects(listening)
        or may_be_injected(extension, listening.path)
    )


@query
def _listeners(extension: Extension) -> tuple[_Listener, ...]:
    """Returns the listeners to messages of the package; a mention of the event may add one."""
    found = []
    for script in running_scripts(extension):
        added = [each for each in script.facts.calls if each.path[1:] == (_EVENT, _ADD)]
        for call in added:
            answers = find_answers(extension, script, call)
            found.append(_Listener(script, call.callee, None if answers is None else answers[1].handled))
        named = references_to(script, _EVENT)
        called = [each.callee for each in script.facts.calls if each.path[1:2] == (_EVENT,)]
        if has_other_mentions(extension, script, _EVENT, named) or not all(
            each.only_tested or any(start <= each.span[0] and each.span[1] <= end for start, end in called)
            for each in named
        ):
            found.append(_Listener(script, (0, 0), None))
    return tuple(found)


def _is_reported_at_comparison(extension: Extension, text: str) -> bool:
    """Whether a listener compares with another spelling of a text, which `impossible-comparison` reports."""
    return any(
        text in sent_instead(extension, script, comparison)
        for script in extension.scripts
        for comparison in script.facts.comparisons
    )
