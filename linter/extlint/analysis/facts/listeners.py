"""The responses of message listeners."""

from __future__ import annotations

from msgspec import Struct

from extlint.analysis.facts.values import Value
from extlint.text.positions import ByteSpan


class MessageTest(Struct, frozen=True):
    """A test that a message passes: a field of it has a value, or any value if `value` does not matter.

    An empty `field` stands for the message itself.
    """

    field: str
    value: str | float | None = None


class DiscardedResponse(Struct, frozen=True):
    """A place where a listener calls `sendResponse`, or has it called, while no sender awaits a response.

    Without `promised`, the listener has returned neither a promise nor `true` before. Otherwise it returns a
    promise that is fulfilled with the value whose source text is `promised`; `late` is whether the listener
    has certainly returned the promise before, and `outlasted` whether the promise is certainly fulfilled
    before. `tests` are those that the message passes whenever the place runs.
    """

    span: ByteSpan
    promised: str | None = None
    late: bool = True
    outlasted: bool = False
    tests: frozenset[MessageTest] = frozenset()


class UnansweredReturn(Struct, frozen=True):
    """A place where a listener returns `true` in vain, and the tests that the message has passed."""

    span: ByteSpan
    tests: frozenset[MessageTest] = frozenset()


class ListenerResponses(Struct, frozen=True):
    """The discarded responses of a listener, and whether it may return `true` or a promise.

    `promised` are the places where a listener without `sendResponse` returns a response in a promise.
    `undecided` is true if the listener passes `sendResponse` to code that may respond at an unknown time.
    `ends_at_once` is true if it is `async` and may end without a response before it waits, and
    `responds_later` if it may keep the sender waiting for a response.
    `unanswered` are the places where it returns `true` although it never calls `sendResponse`, or always
    returns it and does so only for messages that pass the tests of one of `answered`, and `may_respond` is
    false if it certainly never responds, by a promise either. `objects` are the objects with which the
    promises that it returns are fulfilled. `handled` are the tests by which it chooses its messages if it
    does nothing with all others, or None.
    """

    lost: tuple[DiscardedResponse, ...] = ()
    keeps_open: bool = False
    promised: tuple[ByteSpan, ...] = ()
    undecided: bool = False
    ends_at_once: bool = False
    responds_later: bool = False
    unanswered: tuple[UnansweredReturn, ...] = ()
    may_respond: bool = True
    answered: tuple[frozenset[MessageTest], ...] = ()
    objects: tuple[Value, ...] = ()
    handled: frozenset[MessageTest] | None = None
