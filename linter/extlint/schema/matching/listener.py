"""Checks the calls of an event's methods."""

from __future__ import annotations

from extlint.analysis.facts.values import Value
from extlint.schema.matching.call import CallProblem, judge_call
from extlint.schema.matching.environment import Environment
from extlint.schema.model import Event, Member
from extlint.schema.types import FunctionType, Parameter
from extlint.text.wording import quoted

LISTENER = Parameter("listener", FunctionType())


def judge_listener_call(
    name: str, event: Event, method: str, arguments: tuple[Value, ...], is_open: bool, env: Environment
) -> tuple[CallProblem, ...]:
    """Returns the certain mistakes in a call of a method of an event; `name` is the method's full name.

    `addListener` takes a listener and the extra parameters of the event. `removeListener` and `hasListener`
    require a listener and ignore further arguments. Other methods are not checked. Chromium ignores a
    listener that is not a function, without an error.
    """
    if method == "addListener":
        parameters = (LISTENER, *event.extra)
    elif method in ("removeListener", "hasListener"):
        parameters, arguments = (LISTENER,), arguments[:1]
    else:
        return ()
    return judge_call(name, parameters, arguments, is_open, env)


def problem_of_called_object(name: str, member: Member | None) -> CallProblem:
    """Returns the problem of a call of an event, another object or a namespace; `name` is its full name."""
    is_event = isinstance(member, Event)
    kind = "an event" if is_event else "a namespace" if member is None else "a value"
    help = f"call {quoted(f'{name}.addListener')}" if is_event else None
    what = f"is {kind}, not a function"
    return CallProblem("invalid-argument", None, f"{quoted(name)} {what}", what, help)
