"""How a message listener answers."""

from __future__ import annotations

from msgspec import Struct

from extlint.text.positions import ByteSpan


class LostAnswer(Struct, frozen=True):
    """A place where a listener calls `sendResponse`, or has it called, for which nobody waits.

    If `promised` is None, the listener has returned neither a promise nor `true` before. Otherwise it returns
    a promise that is fulfilled with the value that `promised` is the source text of; `late` tells whether the
    listener has certainly returned it before, and `outlasted` whether it certainly is fulfilled before.
    """

    span: ByteSpan
    promised: str | None = None
    late: bool = True
    outlasted: bool = False


class ListenerAnswers(Struct, frozen=True):
    """The answers of a listener that are lost, and whether it may return `true` or a promise.

    `promised` are the places where a listener without `sendResponse` returns an answer in a promise. If it is
    `undecided`, the listener gives `sendResponse` to code of which nobody knows when it answers.
    """

    lost: tuple[LostAnswer, ...] = ()
    keeps_open: bool = False
    promised: tuple[ByteSpan, ...] = ()
    undecided: bool = False
