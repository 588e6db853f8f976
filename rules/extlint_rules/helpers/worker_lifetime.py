"""Computes how long timers and native ports keep a service worker alive."""

from __future__ import annotations

import math
from collections.abc import Iterable

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.script_facts import ApiPath
from extlint.extension import Extension
from extlint.text.patterns import isolated_word_offsets, lazy

LIFETIME = 30_000
"""The lifetime of a service worker without events, in milliseconds."""

MAX_BYTES_OF_FUNCTION = 2_000
"""The number of bytes before a timer in which the name of its enclosing function is searched for."""

_NAMED_FUNCTION = lazy(
    rb"\bfunction\b\s*\*?\s*([\w$]+)"
    rb"|([\w$]+)\s*[=:]\s*(?:async\b\s*)?(?:function\b|\([^()]*\)\s*=>|[\w$]+\s*=>)"
)
_FUNCTION_LITERAL = lazy(rb"=>|\bfunction\b")
_BEFORE_BRACKET = lazy(rb"([\w$.?]+)\s*\(")
_NO_CALL = lazy(rb"async|catch|for|function|if|return|switch|while|console\b.*")
_NATIVE: ApiPath = ("runtime", "connectNative")


def has_native_port(extension: Extension) -> bool:
    """Whether a service worker connects to a program, and lives as long as the connection."""
    return any(
        reference.path[: len(_NATIVE)] == _NATIVE
        for script in extension.scripts
        if any(each.kind is ContextKind.SERVICE_WORKER for each in script.contexts)
        for reference in script.facts.references
    )


def worker_lifetime(intervals: Iterable[float], timeouts: Iterable[float]) -> float:
    """Returns a worker's lifetime in milliseconds if each timer restarts its idle time by an API call.

    `intervals` and `timeouts` are the times in milliseconds of the timers that repeat, and that do not.
    """
    end: float = LIFETIME
    for time in sorted(timeouts):
        end = max(end, time + LIFETIME) if time < end else end
    return math.inf if min(intervals, default=LIFETIME) < LIFETIME else end


def calls_itself(text: bytes, timer: int, callback: bytes) -> bool:
    """Whether a timer seems to call its enclosing function, by the name that precedes it."""
    before = text[max(0, timer - MAX_BYTES_OF_FUNCTION) : timer]
    names = [found[1] or found[2] for found in _NAMED_FUNCTION.finditer(before)]
    return bool(names) and any(True for _ in isolated_word_offsets(names[-1], callback))


def may_call_api(callback: bytes) -> bool:
    """Whether the function that a timer calls may call the API; not if it visibly only counts or logs."""
    if _FUNCTION_LITERAL.search(callback) is None:
        return True
    names = (found[1] for found in _BEFORE_BRACKET.finditer(callback))
    return any(_NO_CALL.fullmatch(each) is None for each in names)
