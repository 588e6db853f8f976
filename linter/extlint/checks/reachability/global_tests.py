"""Evaluates tests for globals of the Web platform, by which scripts distinguish their contexts.

if (typeof window === "undefined") …
"""

from __future__ import annotations

from collections.abc import Sequence

from extlint.analysis.facts.context import Context
from extlint.checks.api.absent_globals import absent_globals_in, absent_names
from extlint.checks.portability.source_searches import assigns_global
from extlint.extension import Extension
from extlint.schema.targets.request import FACTS_OF
from extlint_schemas import AbsentGlobals, known_globals


def is_global_absent(extension: Extension, contexts: Sequence[Context], name: str) -> bool:
    """Whether no context has a global whose presence depends only on the context.

    A script may assign it all the same.
    """
    absent, known = _recorded(extension, contexts)
    is_absent = bool(absent) and all(name in each.missing or name not in known for each in absent)
    return is_absent and not assigns_global(extension)(name)


def is_global_present(extension: Extension, contexts: Sequence[Context], name: str) -> bool:
    """Whether every context has a global whose presence depends only on the context."""
    absent, known = _recorded(extension, contexts)
    return bool(absent) and name in known and not any(name in absent_names(each) for each in absent)


def _recorded(
    extension: Extension, contexts: Sequence[Context]
) -> tuple[Sequence[AbsentGlobals], frozenset[str]]:
    """Returns the globals that are absent in each context, and those that the browser has anywhere.

    Returns nothing if they are unknown in one of the contexts.
    """
    engine = extension.target.engine
    browser = None if engine is None else FACTS_OF.get(engine)
    absent = [absent_globals_in(extension, each.kind) for each in contexts]
    if browser is None or not all(each.missing for each in absent):
        return (), frozenset()
    return absent, known_globals(browser)
