"""Checks browser extensions against the schemas of the extension APIs."""

from __future__ import annotations

__version__ = "0.1.0.dev0"

__all__ = (
    "BaselineCounts",
    "Cancelled",
    "Changes",
    "Edit",
    "Extension",
    "Finding",
    "Fix",
    "Position",
    "Related",
    "Report",
    "Session",
    "Severity",
    "Skipped",
    "Summary",
    "Target",
    "UncheckedCode",
    "UnreadableError",
    "UnusedEntry",
    "UsageError",
    "__version__",
    "check",
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from extlint.linting.configuration.usage_error import UsageError
    from extlint.package.files import UnreadableError
    from extlint.services.api.checking import check
    from extlint.services.api.results import (
        BaselineCounts,
        Changes,
        Edit,
        Extension,
        Finding,
        Fix,
        Position,
        Related,
        Report,
        Severity,
        Skipped,
        Summary,
        Target,
        UncheckedCode,
        UnusedEntry,
    )
    from extlint.services.api.session import Cancelled, Session

_MODULES = {
    "Cancelled": "extlint.services.api.session",
    "Session": "extlint.services.api.session",
    "UnreadableError": "extlint.package.files",
    "UsageError": "extlint.linting.configuration.usage_error",
    "check": "extlint.services.api.checking",
}
"""The modules of the names, for those that are not in `extlint.services.api.results`."""


def __getattr__(name: str) -> object:
    """Returns an exported name, whose module is loaded only then."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(_MODULES.get(name, "extlint.services.api.results")), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
