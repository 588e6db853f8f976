"""Functions that make getters of modules, as esbuild has them."""

from __future__ import annotations

import re

from extlint.bundles.model import Roles
from extlint.bundles.runtime import MAX_RUNTIME_BYTES, calls_in, roles_of
from extlint.bundles.tokens import declared_value
from extlint.script.facts.values import InstanceValue
from extlint.script.syntax.node import FUNCTIONS, Node
from extlint.script.syntax.shapes import parameter_items
from extlint.script.values.bundler_values import MAKING
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.memo import once_per_script

_LAZY = Roles(1, 0)


def getter_maker(evaluator: Evaluator, callee: Node) -> Roles | None:
    """What modules are called with by a function that makes getters of them."""
    if callee.type != "identifier":
        return None
    maker = declared_value(evaluator, callee)
    if maker is None:
        value = evaluator.partial(callee)
        return _LAZY if isinstance(value, InstanceValue) and value.class_name == MAKING else None
    return _roles_by(evaluator, maker)


def makes_getters(evaluator: Evaluator, maker: Node) -> bool:
    """Whether a function makes getters of modules that are called with `exports` and `module`."""
    return _roles_by(evaluator, maker) == _LAZY


def _roles_by(evaluator: Evaluator, maker: Node) -> Roles | None:
    if maker.type not in FUNCTIONS or maker.end - maker.start > MAX_RUNTIME_BYTES:
        return None
    return _made_by(evaluator, maker)


@once_per_script
def _made_by(evaluator: Evaluator, maker: Node) -> Roles | None:
    parameters, body = parameter_items(maker), maker.field("body")
    source = evaluator.tree.source
    if not parameters or body is None or not re.search(r"\{\s*exports\s*:\s*\{\s*\}", source(maker)):
        return None
    for call in calls_in(evaluator, body):
        callee, listed = call.field("function"), call.field("arguments")
        if (
            callee is not None
            and listed is not None
            and source(parameters[0]) in re.findall(r"[\w$]+", source(callee))
        ):
            roles = roles_of(evaluator, listed.named(), None)
            if roles is not None:
                return roles
    return None
