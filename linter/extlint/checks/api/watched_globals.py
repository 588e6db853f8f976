"""The globals of the Web platform whose uses in scripts are queried by rules.

They are watched all at once, so that a script is evaluated once for all rules and targets.
"""

from __future__ import annotations

from extlint.analysis.facts.platform_globals import ALWAYS_WATCHED
from extlint.checks.api.absent_globals import absent_globals_for, absent_names, named_globals
from extlint.extension import Extension
from extlint.queries.query import query


@query(is_kept=True, is_of_package=True)
def watched_globals(extension: Extension) -> frozenset[str]:
    """Returns the globals that rules query for any target of the run, and those that distinguish contexts."""
    watched = ALWAYS_WATCHED
    for script in extension.scripts:
        kinds = {each.kind for each in script.all_contexts or script.contexts}
        absent = {
            name
            for target in extension.checked_targets
            for kind in kinds
            for name in absent_names(absent_globals_for(target, kind))
        }
        watched |= {name.partition(".")[0] for name in named_globals(extension, script, absent)}
    return watched
