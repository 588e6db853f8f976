"""Modules that stand for the API: what is imported from them is the root."""

from __future__ import annotations

from extlint.script.evaluate import Evaluator
from extlint.script.tree import Item
from extlint.values import UNKNOWN, Api, Value

_WHOLE = frozenset({"webextension-polyfill", "webextension-polyfill-ts", "wxt/browser", "@wxt-dev/browser"})
_NAMED = {"#imports": {"browser"}, "wxt/browser": {"browser", "chrome"}, "@wxt-dev/browser": {"browser"}}
_NAMED["webextension-polyfill-ts"] = {"browser"}
_NAMED["webextension-polyfill"] = {"default", "browser"}


def is_polyfill(module: str) -> bool:
    """Whether a module's own value (`import api from`, `require`) is the root of the API."""
    return module in _WHOLE


def imported_value(evaluator: Evaluator, clause: Item, name: Item) -> Value:
    """What an import gives to a name."""
    module = _module(evaluator, clause)
    if module is None:
        return UNKNOWN
    if clause.type == "import_specifier":
        original = clause.field("name")
        wanted = None if original is None else evaluator.tree.source(original)
        return Api((), "browser", name.span) if wanted in _NAMED.get(module, set()) else UNKNOWN
    return Api((), "browser", name.span) if is_polyfill(module) else UNKNOWN


def _module(evaluator: Evaluator, clause: Item) -> str | None:
    for up in (clause, *clause.ancestors()):
        source = up.field("source")
        if source is not None:
            return evaluator.tree.source(source)[1:-1]
        if up.type in {"import_statement", "program"}:
            return None
    return None
