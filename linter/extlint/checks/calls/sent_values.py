"""Problems of the arguments of functions that the API returns or passes: ports, responses, callbacks."""

from __future__ import annotations

from collections.abc import Iterable

from extlint.analysis.facts.script_facts import CHECKED_CALLBACKS, ResultCall
from extlint.checks.api.schema_path import schema_path_of
from extlint.checks.calls.argument_values import problems_of_sent_values
from extlint.checks.calls.types import matching_environment
from extlint.extension import Extension
from extlint.schema.engine import Engine
from extlint.schema.matching.call import CallProblem, judge_call
from extlint.schema.model import Event
from extlint.schema.types import FunctionType


def result_call_problems(extension: Extension, call: ResultCall) -> Iterable[CallProblem]:
    """Returns the problems of a call of such a function.

    Of a function that is passed to a listener, Chromium checks the arguments; Firefox was not asked.
    """
    env, of = matching_environment(extension), call.of
    if of.steps or (of.path, of.index) not in CHECKED_CALLBACKS:
        return problems_of_sent_values(call, env)
    found = schema_path_of(extension, of.path)
    event = None if found is None else found.member
    listener = event.listener if isinstance(event, Event) else None
    if extension.schemas.engine is not Engine.CHROMIUM or listener is None or len(listener) <= of.index:
        return ()
    passed = listener[of.index]
    if not isinstance(passed.type, FunctionType) or passed.type.parameters is None:
        return ()
    return judge_call(passed.name, passed.type.parameters, call.arguments, call.open, env)
