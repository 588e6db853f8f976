"""Listeners that a service worker adds late for its own events, those of the Web platform.

Verified in Chromium 156 (`extlint_judge worker-events`): it warns of each that is added after the first turn
of the event loop. The worker does not get the event that starts it then.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.events import Occasion, Origin, WaitKind
from extlint.checks.reachability.occasions import occasions_at
from extlint.checks.reachability.unreachable_code import checked_scripts
from extlint.extension import Extension, Script
from extlint.project.build_tools import is_generated
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan
from extlint.text.wording import listed, quoted
from extlint_rules.helpers.waits import wait_description

EVENTS = (
    *("activate", "fetch", "install", "message", "messageerror", "notificationclick", "notificationclose"),
    *("periodicsync", "push", "pushsubscriptionchange", "sync"),
)
"""The events that start a service worker."""

_NAMES = b"|".join(each.encode() for each in EVENTS)
_ADDED = lazy(
    rb"(?:\b(?:self|globalThis)\s*\.\s*|(?<![\w$.]))addEventListener\s*(?=\(\s*[\"'`](%b)[\"'`])" % _NAMES,
    needs=(b"addEventListener",),
)
_SET = lazy(rb"(?<![\w$])on(%b)\s*=(?!=)" % _NAMES)
_NOT_LASTING = lazy(rb"\bremoveEventListener\b|\bonce\b|\bsignal\b")
"""Words of code whose listeners may be only for a while."""

_REDEFINED = lazy(
    rb"\b(?:const|let|var|function|class)\s+(?:self|globalThis|addEventListener)\b|[(,]\s*self\s*[,)=]"
)


class LateWorkerListener(Struct, frozen=True):
    """A place where a listener is added late, the event, and the reason, worded to follow "it is added"."""

    script: Script
    span: ByteSpan
    event: str
    reason: str


def late_worker_listeners(extension: Extension) -> Iterator[LateWorkerListener]:
    """Yields the listeners that are only added after the first turn of the event loop."""
    late: list[LateWorkerListener] = []
    in_time: set[str] = set()
    for script in checked_scripts(extension):
        text = script.index.text
        if b"addEventListener" not in text or not _is_of_worker(script) or is_generated(script):
            continue
        in_time |= {found[1].decode() for found in _SET.finditer(text)}
        if _REDEFINED.search(text) or _NOT_LASTING.search(text):
            continue
        for found in _ADDED.finditer(text):
            event, span = found[1].decode(), (found.start() - script.base, found.end() - script.base)
            reason = _reason(extension, script, span)
            if reason is None:
                in_time.add(event)
            else:
                late.append(LateWorkerListener(script, span, event, reason))
    yield from (each for each in late if each.event not in in_time)


def _is_of_worker(script: Script) -> bool:
    """Whether a script runs only in the service worker, each time that it starts."""
    kinds = {each.kind for each in script.all_contexts or script.contexts}
    return kinds == {ContextKind.SERVICE_WORKER} and any(each.certain for each in script.contexts)


def _reason(extension: Extension, script: Script, span: ByteSpan) -> str | None:
    """Returns the reason why a listener is added too late on each occasion, or None if that is uncertain."""
    found = {_occasion_reason(extension, each) for each in occasions_at(extension, script, span)}
    reasons = sorted(each for each in found if each is not None)
    return f"only {listed(reasons, 'or')}" if reasons and len(reasons) == len(found) else None


def _occasion_reason(extension: Extension, occasion: Occasion) -> str | None:
    if occasion.origin is Origin.EVENT:
        return f"in a listener of {quoted('.'.join(occasion.event))}"
    if occasion.origin is Origin.PLATFORM:
        return "in a listener of another event"
    if occasion.origin is not Origin.LOAD:
        return None
    if any(each.kind is WaitKind.TIMER for each in occasion.waits):
        return "in a timer"
    return min(filter(None, (wait_description(extension, each) for each in occasion.waits)), default=None)
