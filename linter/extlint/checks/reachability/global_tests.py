"""Evaluates tests for globals of the Web platform, by which scripts distinguish their contexts.

if (typeof window === "undefined") …
"""

from __future__ import annotations

from collections.abc import Sequence

from extlint.analysis.facts.context import Context
from extlint.analysis.facts.other_scripts import ASSIGNED
from extlint.analysis.facts.script_facts import ApiPath
from extlint.checks.api.absent_globals import absent_globals_in, absent_names
from extlint.checks.portability.source_searches import assigns_global
from extlint.extension import Extension
from extlint.schema.targets.request import FACTS_OF
from extlint_schemas import AbsentGlobals, known_globals


def is_global_absent(extension: Extension, contexts: Sequence[Context], path: ApiPath) -> bool:
    """Whether no context has a global whose presence depends only on the context.

    A script may assign it all the same.
    """
    absent, known = _recorded(extension, contexts)
    name = _name(path)
    is_absent = all(name in each.missing or path[0] not in known for each in absent)
    return bool(absent) and is_absent and not assigns_global(extension)(path[0])


def is_global_present(extension: Extension, contexts: Sequence[Context], path: ApiPath) -> bool:
    """Whether every context has a global whose presence depends only on the context."""
    absent, known = _recorded(extension, contexts)
    is_present = not any(_name(path) in absent_names(each) for each in absent)
    return bool(absent) and path[0] in known and is_present


def _name(path: ApiPath) -> str:
    """Returns the name of a global, or of a member of one, in facts about browsers."""
    return ".".join(each for each in path if each != ASSIGNED)


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
