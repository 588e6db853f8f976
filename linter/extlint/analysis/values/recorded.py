"""Notes that an evaluator makes in addition to values: API flows of the trace, values of other scripts."""

from __future__ import annotations

from msgspec import Struct, field

from extlint.analysis.facts.other_scripts import GlobalQuery
from extlint.analysis.facts.values import Value
from extlint.analysis.syntax.node import Node
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import once_per_script


class TracedFlows(Struct):
    """The API flows that the trace has found.

    `fields` are the names of fields of unknown objects that it is assigned to; `calls` are the calls through
    a property that pass it to a function, by the function's id.
    """

    fields: set[str] = field(default_factory=set)
    calls: dict[int, list[Node]] = field(default_factory=dict)


@once_per_script
def traced_flows(evaluator: Evaluator) -> TracedFlows:  # noqa: ARG001
    """Returns the API flows that the trace has found up to now.

    Values cached before a flow is added must be dropped: see `Evaluator.forget`.
    """
    return TracedFlows()


class Dependencies(Struct):
    """The names that values depend on and that other scripts may write; see `ScriptFacts`."""

    shared_variables: set[str] = field(default_factory=set)
    tested_globals: set[str] = field(default_factory=set)


@once_per_script
def dependencies(evaluator: Evaluator) -> Dependencies:  # noqa: ARG001
    """Returns the names that the values computed up to now depend on; callers add those they find."""
    return Dependencies()


@once_per_script
def is_shared_variable(evaluator: Evaluator, name: str) -> bool:
    """Whether other scripts of the realm may write a top-level variable of a script that is not a module."""
    dependencies(evaluator).shared_variables.add(name)
    return name in evaluator.shared.values or bool(evaluator.imported(GlobalQuery.IS_NAMED.about(name)))


class ReceivedArguments(Struct, frozen=True):
    """The API values that other scripts pass to a function, by parameter index from 0."""

    function: Node
    values: dict[int, Value] = field(default_factory=dict)


@once_per_script
def received_arguments(evaluator: Evaluator) -> dict[int, ReceivedArguments]:  # noqa: ARG001
    """Returns the arguments passed to exported functions, by function id, once the exports have been read."""
    return {}
