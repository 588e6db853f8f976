"""Finds values that do not survive being stored, sent, or passed to and from injected functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint.analysis.facts.script_facts import CallSite, PromiseUse, ResultCall
from extlint.analysis.facts.values import ArrayValue, FunctionValue, ObjectValue, Value
from extlint.schema.matching.call import CallProblem
from extlint.schema.matching.environment import Environment
from extlint.schema.matching.serialization import Copy, copy_problems

_INJECT = "scripting.executeScript"
_STORED: Mapping[str, Copy] = {
    "storage.local.set": Copy.LOCAL,
    "storage.session.set": Copy.SESSION,
    "storage.sync.set": Copy.SYNC,
}
_ANSWERED = frozenset({("runtime", "onMessage"), ("runtime", "onMessageExternal")})
COPYING_FUNCTIONS = frozenset({*_STORED, _INJECT})
"""The functions that copy values in their first argument; messages are checked with their other arguments."""


def problems_of_copies(api: str, call: CallSite, env: Environment) -> Iterator[CallProblem]:
    """Yields the values in the first argument of a call that are not copied as they are."""
    first = call.arguments[0] if call.arguments else None
    if first is None:
        return
    if api in _STORED:
        yield from copy_problems(_STORED[api], first, env)
    elif isinstance(first, ObjectValue):
        args = first.fields.get("args")
        if args is not None and not args.maybe_absent and isinstance(args.value, ArrayValue):
            yield from copy_problems(Copy.ARGUMENTS, args.value, env)
        if call.injected_result is not None and _is_result_used(call):
            yield from copy_problems(Copy.RESULT, call.injected_result, env)


def _is_result_used(call: CallSite) -> bool:
    """Whether the code at a call uses its result: it waits for it, or has a callback with a parameter."""
    callback: Value | None = call.arguments[1] if len(call.arguments) > 1 else None
    if isinstance(callback, FunctionValue):
        return bool(callback.parameters)
    return call.promise_use is PromiseUse.AWAITED


def problems_of_sent_values(call: ResultCall, env: Environment) -> Iterator[CallProblem]:
    """Yields the values in a message that a port or a response sends which are not copied as they are."""
    if call.arguments:
        copy = Copy.RESPONSE if call.of.path in _ANSWERED else Copy.MESSAGE
        yield from copy_problems(copy, call.arguments[0], env)
