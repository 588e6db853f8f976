"""On which values of other scripts of the package the values of one script depend."""

from __future__ import annotations

from msgspec import Struct, field

from extlint.script.facts.shared_globals import Asked
from extlint.script.facts.values import Value
from extlint.script.syntax.node import Node
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.memo import once_per_script


class Dependencies(Struct):
    """The names on which answers depend and that other scripts may write; see `ScriptFacts`."""

    shared_variables: set[str] = field(default_factory=set)
    tested_globals: set[str] = field(default_factory=set)


@once_per_script
def dependencies(evaluator: Evaluator) -> Dependencies:  # noqa: ARG001
    """The names on which the answers so far depend; who finds one adds it."""
    return Dependencies()


@once_per_script
def is_shared_variable(evaluator: Evaluator, name: str) -> bool:
    """Whether other scripts of the realm may write a variable at the top of a script that is no module."""
    dependencies(evaluator).shared_variables.add(name)
    return name in evaluator.shared.values or bool(evaluator.imported(Asked.IS_NAMED.about(name)))


class ReceivedArguments(Struct, frozen=True):
    """What other scripts pass of the API to a function, by the positions of its parameters from 0."""

    function: Node
    values: dict[int, Value] = field(default_factory=dict)


@once_per_script
def received_arguments(evaluator: Evaluator) -> dict[int, ReceivedArguments]:  # noqa: ARG001
    """What the exported functions are passed, by their ids, once the exports have been read."""
    return {}
