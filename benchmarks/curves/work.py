"""Counts the work of a run, and computes the exponent of its growth."""

from __future__ import annotations

import cProfile
import gc
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from math import log
from pathlib import PurePath
from time import process_time
from typing import Any

from extlint.analysis.syntax.tree import SyntaxTree
from extlint.checker import check_package
from extlint.package.files import Package
from extlint.registry import RULES
from extlint.report.formats.text_output import reporter
from extlint.report.reporter import Options
from extlint.schema.targets import Target

TARGETS = (Target("chrome"), Target("firefox"))
COUNTS = ("calls", "steps", "nodes", "parses")
MANY_CALLS = 400
"""The number of calls below which a function's growth is ignored."""

STEEP = 3
"""The factor of calls, for a doubled size, above which a function grows too fast."""


def check(files: Mapping[str, str]) -> str:
    """Checks an extension for two browsers, and returns its findings as text."""
    package = Package("growing", {path: partial(str.encode, text) for path, text in files.items()})
    return reporter(Options()).extension(check_package(package, TARGETS, tuple(RULES)))


def seconds(files: Mapping[str, str]) -> float:
    """Returns the seconds of processor time of a run."""
    start = process_time()
    check(files)
    return process_time() - start


def count_work(files: Mapping[str, str]) -> dict[str, float]:
    """Counts the work of a run: all function calls, the steps of its budgets, created nodes, and parsed
    scripts.

    Calls of functions written in C are included. The numbers are the same in each run.
    """
    with _counted_steps() as steps:
        calls = calls_by_function(files)
    return {
        "calls": sum(calls.values()),
        "steps": steps(),
        "nodes": calls["node.py:__init__"],
        "parses": calls["parse.py:parse"],
    }


def calls_by_function(files: Mapping[str, str], *, builtins: bool = True) -> Counter[str]:
    """Returns the number of calls of each function in a run, by its file and name.

    Without `builtins`, functions written in C are not counted, which is faster.
    """
    profile = cProfile.Profile(subcalls=False, builtins=builtins)
    gc.collect()  # else it may end generators of earlier runs meanwhile
    gc.freeze()  # else the next run looks at all objects again that exist already
    profile.enable()
    check(files)
    profile.disable()
    found: Counter[str] = Counter()
    for entry in profile.getstats():
        code = entry.code
        name = code if isinstance(code, str) else f"{PurePath(code.co_filename).name}:{code.co_name}"
        found[name] += entry.callcount
    return found


def steep_functions(smaller: Counter[str], larger: Counter[str]) -> dict[str, tuple[int, int]]:
    """Returns the Python functions with more than three times as many calls for a doubled size."""
    return {
        name: (smaller[name], count)
        for name, count in larger.items()
        if count >= MANY_CALLS and count > STEEP * smaller[name] and not name.startswith("<")
    }


@contextmanager
def _counted_steps() -> Iterator[Callable[[], int]]:
    """Counts the steps in the trees that are created in this context."""
    budgets: list[Any] = []
    make = SyntaxTree.__init__

    def kept(tree: Any, *args: Any, **options: Any) -> None:
        make(tree, *args, **options)
        budgets.append(tree.budget)

    tree_class: Any = SyntaxTree
    tree_class.__init__ = kept
    try:
        yield lambda: sum(each.spent for each in budgets)
    finally:
        tree_class.__init__ = make


def exponent(sizes: Sequence[float], work: Sequence[float], base: float = 0) -> float:
    """Returns the exponent by which work beyond `base` grows with size, from the last three sizes.

    It is the slope of the least-squares line through the logarithms: 1 for linear growth.
    """
    points = [(log(size), log(max(each - base, 1e-9))) for size, each in zip(sizes, work, strict=True)][-3:]
    x, y = (sum(each) / len(points) for each in zip(*points, strict=True))
    spread = sum((a - x) ** 2 for a, _ in points)
    return sum((a - x) * (b - y) for a, b in points) / spread if spread else 0.0
