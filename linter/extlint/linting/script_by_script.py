"""Asks one script after the other what several rules ask about it.

A rule goes through all scripts before the next one does. Where they are more than stay evaluated, each would
be parsed and evaluated again for each of these rules. Asked ahead, all is known when the rules come to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from extlint.checks.reachability.unreachable_code import checked_scripts
from extlint.extension import Extension
from extlint.registry import load
from extlint.rule import AskingModule, Rule

MIN_BYTES = 1_000_000
"""Bytes of all scripts of an extension from which on some of them may be freed before the next rule."""


def ask_ahead(extension: Extension, rules: Iterable[Rule]) -> None:
    """Asks the scripts of a large extension what these rules ask."""
    sizes = [len(each.index.text) for each in extension.scripts]
    if len(sizes) < 2 or sum(sizes) < MIN_BYTES:
        return
    asking = [rule for rule in rules if rule.asks_scripts]
    for script in reversed(list(checked_scripts(extension))):  # the trees of the last ones are still kept
        for rule in asking:
            with extension.package.failures.contained(extension.manifest.path, rule.name):
                cast("AskingModule", load(rule.name)).ask(extension, script)
