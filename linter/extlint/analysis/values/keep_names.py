"""Recognizes helpers that only set a function's name, which compilers add to keep names when minifying."""

from __future__ import annotations

import re

from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import Function
from extlint.analysis.values.evaluator import Evaluator

_MAX_HELPER_BYTES = 200
"""The most bytes of such a helper."""

_NAMING = (
    r"(?:=>\s*|\{{\s*return\s+)[\w$.]+\(\s*{0}\s*,\s*[\"'`]name[\"'`]\s*,\s*\{{\s*(?:value\s*:\s*{1}|{1})\s*,"
    r"\s*configurable\s*:\s*(?:true|!0)\s*,?\s*\}}\s*\)\s*;?\s*\}}?\Z"
)


def sets_name(evaluator: Evaluator, function: Node) -> bool:
    """Whether a function only sets the name of another function, as esbuild's helper does.

    `(target, value) => define(target, "name", { value, configurable: true })`.
    """
    if not isinstance(function, Function) or function.end - function.start > _MAX_HELPER_BYTES:
        return False
    parameters = [re.escape(evaluator.tree.source(each)) for each in function.parameters]
    if len(parameters) != 2:
        return False
    return re.search(_NAMING.format(*parameters), evaluator.tree.source(function)) is not None
