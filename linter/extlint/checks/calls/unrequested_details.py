"""Finds reads of headers and bodies of requests that a listener does not ask for: `details.requestHeaders`.

Without their names in the third argument of `addListener`, requests have no such fields in Chromium 156 and
Firefox 153 (`extlint_judge unrequested-details`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from extlint.analysis.facts.script_facts import CallSite, FieldRead
from extlint.analysis.facts.values import ApiResult, ArrayValue, Delivery, FunctionValue, Literal, options_of
from extlint.checks.api.enum_constants import with_constant_values
from extlint.extension import Extension, Script
from extlint.text.positions import ByteSpan

FIELDS: Mapping[str, str] = {
    "onBeforeRequest": "requestBody",
    "onBeforeSendHeaders": "requestHeaders",
    "onSendHeaders": "requestHeaders",
    "onHeadersReceived": "responseHeaders",
    "onAuthRequired": "responseHeaders",
    "onBeforeRedirect": "responseHeaders",
    "onResponseStarted": "responseHeaders",
    "onCompleted": "responseHeaders",
}
"""The field of each event that is there only if a listener asks for it, by its own name."""


def reads_of_unrequested_details(extension: Extension, script: Script) -> Iterator[FieldRead]:
    """Yields the reads in a script of such fields, if no listener that may run there asks for them."""
    reads = [each for each in script.facts.field_reads if each.of.path[:1] == ("webRequest",)]
    for read in reads:
        others = [each for each in reads if each.span == read.span]
        if all(_is_unrequested(extension, script, each) for each in others):
            yield read


def _is_unrequested(extension: Extension, script: Script, read: FieldRead) -> bool:
    event = read.of.path[1:]
    is_details = read.of.delivery is Delivery.LISTENER and read.of.index == 0 and not read.of.steps
    if not is_details or len(event) != 1 or read.name != FIELDS.get(event[0]):
        return False
    adding = calls_adding_listeners(script, read.of, read.span)
    return bool(adding) and all(is_certainly_without(extension, each, read.name) for each in adding)


def calls_adding_listeners(script: Script, of: ApiResult, place: ByteSpan) -> Sequence[CallSite]:
    """Returns the calls that add a listener of an event around a place, or all of them in a script."""
    adding = [call for call in script.facts.calls if call.path == (*of.path, "addListener")]
    return [call for call in adding if _adds_listener_around(call, place)] or adding


def _adds_listener_around(call: CallSite, place: ByteSpan) -> bool:
    """Whether a call adds a listener that is written in it, and whose code contains a place."""
    return bool(call.arguments) and any(
        isinstance(each, FunctionValue)
        and each.span is not None
        and each.span[0] <= place[0]
        and place[1] <= each.span[1]
        for each in options_of(call.arguments[0])
    )


def is_certainly_without(extension: Extension, call: CallSite, option: str) -> bool:
    """Whether the options of a listener are all known, and one is not among them."""
    if len(call.arguments) < 3:
        return not call.open
    options = with_constant_values(extension, call.arguments[2])
    return (
        isinstance(options, ArrayValue)
        and not options.open
        and all(isinstance(each, Literal) and each.value != option for each in options.items)
    )
