"""Finds reads of the tabs of windows that no call asks for: `(await windows.getCurrent()).tabs`.

Without `populate`, windows have no `tabs` in Chromium 156 and Firefox 153 (`extlint_judge refused-calls`).
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.script_facts import ApiPath, CallSite, FieldRead
from extlint.analysis.facts.values import (
    ApiResult,
    Delivery,
    FunctionValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Value,
)
from extlint.checks.calls.types import ITEM
from extlint.extension import Extension, Script
from extlint.queries.query import query

_GETTING: frozenset[ApiPath] = frozenset(
    ("windows", name) for name in ("get", "getAll", "getCurrent", "getLastFocused")
)
_KEY = "populate"


def reads_of_missing_tabs(extension: Extension, script: Script) -> Iterator[FieldRead]:
    """Yields the reads of `tabs` in a script from windows whose function no call asks for tabs."""
    for read in script.facts.field_reads:
        if read.name == "tabs" and _is_window(read.of) and read.of.path not in _populating(extension):
            yield read


def _is_window(result: ApiResult) -> bool:
    steps = (ITEM,) if result.path[-1] == "getAll" else ()
    return result.path in _GETTING and result.steps == steps and result.delivery is not Delivery.RETURN


@query(is_of_package=True)
def _populating(extension: Extension) -> frozenset[ApiPath]:
    """Returns the functions that may be asked for tabs somewhere in the package."""
    found: set[ApiPath] = set()
    for script in extension.scripts:
        facts = script.facts
        found |= facts.passed_on
        found.update(call.path for call in facts.calls if call.path in _GETTING and _may_populate(call))
    return _GETTING & found


def _may_populate(call: CallSite) -> bool:
    return call.open or any(map(_may_ask_for_tabs, call.arguments))


def _may_ask_for_tabs(argument: Value) -> bool:
    match argument:
        case ObjectValue(fields=fields, open=is_open):
            value = fields[_KEY].value if _KEY in fields else None
            return is_open if value is None else not (isinstance(value, Literal) and value.value is False)
        case Typed(kind=kind):
            return kind is Kind.OBJECT
    return not isinstance(argument, FunctionValue | Literal | ApiResult)
