"""Prefetches the queries of several rules script by script.

A rule goes through all scripts before the next one does. If there are more scripts than remain evaluated,
each would be parsed and evaluated again for each of these rules. With prefetching, all results are cached
when the rules run.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from extlint.checks.reachability.unreachable_code import checked_scripts
from extlint.extension import Extension
from extlint.registry import load
from extlint.rule import PrefetchingModule, Rule

MIN_BYTES = 1_000_000
"""The size of all scripts of an extension, in bytes, above which some may be freed before the next rule."""


def prefetch_queries(extension: Extension, rules: Iterable[Rule]) -> None:
    """Runs the queries of these rules on the scripts of a large extension."""
    sizes = [len(each.index.text) for each in extension.scripts]
    if len(sizes) < 2 or sum(sizes) < MIN_BYTES:
        return
    querying_rules = [rule for rule in rules if rule.prefetches]
    for script in reversed(list(checked_scripts(extension))):  # the trees of the last ones are still cached
        for rule in querying_rules:
            with extension.package.failures.contained(extension.manifest.path, rule.name):
                cast("PrefetchingModule", load(rule.name)).prefetch(extension, script)
