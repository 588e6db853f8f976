"""Replaces parts of extlint in all modules that have loaded them, as if they had been replaced before."""

from __future__ import annotations

import sys
from collections.abc import Mapping

Parts = Mapping[str, Mapping[str, object]]
"""The objects in each module of extlint, by name."""


def loaded_parts() -> Parts:
    """Returns what the modules of extlint have now."""
    return {name: dict(vars(module)) for name, module in sys.modules.items() if name.startswith("extlint")}


def replace_in_all_modules(before: Parts) -> None:
    """Replaces what has been replaced in one module since then in those that have imported it, too."""
    for name, old in before.items():
        for key, value in vars(sys.modules[name]).copy().items():
            if key in old and value is not old[key]:
                for other, parts in before.items():
                    if key in parts and parts[key] is old[key]:
                        setattr(sys.modules[other], key, value)
