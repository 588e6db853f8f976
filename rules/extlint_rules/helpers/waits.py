"""The waits before a listener is added, in words."""

from __future__ import annotations

from extlint.analysis.facts.events import Wait, WaitKind
from extlint.analysis.facts.values import Delivery
from extlint.checks.api.schema_path import function_at
from extlint.extension import Extension
from extlint.text.wording import quoted

_SYNCHRONOUS = frozenset({"extension", "i18n", "test"})
"""Namespaces whose promises may be fulfilled immediately."""


def wait_description(extension: Extension, wait: Wait) -> str | None:
    """Returns a description of a wait that certainly takes time, or None for any other wait."""
    if wait.takes_time:
        return "in a timer" if wait.kind is WaitKind.TIMER else "after an answer from the network"
    if wait.of is None:
        return None
    path = wait.of.path
    function = function_at(extension, path)
    if function is None or function.async_ is None or path[0] in _SYNCHRONOUS:
        return None
    if wait.kind is WaitKind.CALLBACK or wait.of.delivery is Delivery.CALLBACK:
        return f"in the callback of {quoted('.'.join(path))}"
    returns_promise = wait.of.root == "browser" or extension.manifest_version == 3
    if not returns_promise:
        return None
    name = quoted(".".join(path))
    return f"after an `await` of {name}" if wait.kind is WaitKind.AWAIT else f"in `then` of {name}"
