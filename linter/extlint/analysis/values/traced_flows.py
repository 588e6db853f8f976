"""The API flows that the forward trace finds and that backward evaluation would miss."""

from __future__ import annotations

from msgspec import Struct, field

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
