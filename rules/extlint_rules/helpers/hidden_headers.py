"""Finds comparisons with the name of a header that Chrome hides from a listener to requests.

The listener must have the option `extraHeaders` to get it (verified in Chromium 156 by `extlint_judge
hidden-headers`). Firefox has no such option, and hides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.script_facts import CallSite, Comparison
from extlint.analysis.facts.values import ArrayValue, Delivery, FunctionValue, Literal, options_of
from extlint.analysis.values.api_results import CASE_METHODS, ITEM
from extlint.checks.api.enum_constants import with_constant_values
from extlint.extension import Extension, Script
from extlint.text.positions import ByteSpan

OPTION = "extraHeaders"
_NAMESPACE = "webRequest"
_HIDDEN = {
    "requestHeaders": frozenset({"accept-encoding", "accept-language", "cookie", "origin", "referer"}),
    "responseHeaders": frozenset({"set-cookie"}),
}
"""The names of hidden headers, by the field of the event's details."""


def hidden_headers(extension: Extension, script: Script) -> Iterator[tuple[Comparison, Literal]]:
    """Yields the comparisons with such a name in a script, each with the name."""
    for each in script.facts.comparisons:
        of, value = each.of, each.with_
        if of.path[0] != _NAMESPACE or of.delivery is not Delivery.LISTENER or value.span is None:
            continue
        steps = of.steps[:-1] if of.steps[-1:] and of.steps[-1] in CASE_METHODS else of.steps
        hidden = _HIDDEN.get(steps[0], frozenset()) if steps[1:] == (ITEM, "name") else frozenset()
        if not isinstance(value, Literal) or str(value.value).lower() not in hidden:
            continue
        adding = [call for call in script.facts.calls if call.path == (*of.path, "addListener")]
        around = [call for call in adding if _adds_listener_around(call, value.span)] or adding
        if around and all(_is_certainly_without(extension, call) for call in around):
            yield each, value


def _adds_listener_around(call: CallSite, place: ByteSpan) -> bool:
    """Whether a call adds a listener that is written in it, and whose code contains a place."""
    return bool(call.arguments) and any(
        isinstance(each, FunctionValue)
        and each.span is not None
        and each.span[0] <= place[0]
        and place[1] <= each.span[1]
        for each in options_of(call.arguments[0])
    )


def _is_certainly_without(extension: Extension, call: CallSite) -> bool:
    """Whether the options of a listener are all known, and the option is not among them."""
    options = with_constant_values(extension, call.arguments[2]) if len(call.arguments) > 2 else None
    return (
        isinstance(options, ArrayValue)
        and not options.open
        and all(isinstance(each, Literal) and each.value != OPTION for each in options.items)
    )
