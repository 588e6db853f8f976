"""Measures the time of a run by section, and counts its work, by wrapping extlint's functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from time import process_time
from typing import Any, TypeAlias

from extlint import checker
from extlint.package.discovery.find import find_packages
from extlint.package.files import Package
from extlint.registry import RULES
from extlint.schema.targets import Target

SECTIONS = ("read", "prefilter", "parse", "resolve", "rules", "other")
_FUNCTIONS = (
    ("extlint.package.tolerant", "TolerantPackage._once", "read"),
    ("extlint.analysis.analyze", "is_text", "prefilter"),
    ("extlint.analysis.analyze", "candidates", "prefilter"),
    ("extlint.analysis.analyze", "names_polyfill", "prefilter"),
    ("extlint.analysis.analyze", "may_load", "prefilter"),
    ("extlint.analysis.syntax.parse", "parse", "parse"),
    ("extlint.analysis.follow", "follow", "resolve"),
    ("extlint.checker", "in_order", "rules"),
    ("extlint.checker", "check_package", "other"),
)
"""The functions whose time counts for a section, except for time in functions of other sections."""

Groups: TypeAlias = Mapping[str, Sequence[Package]]
"""Extensions, grouped under a name."""

Costs: TypeAlias = dict[str, dict[str, float]]
"""For each group, seconds by section, or counts by name."""

Function: TypeAlias = Callable[..., Any]


def groups_at(paths: Sequence[str]) -> Groups:
    """Returns the extensions at each path."""
    return {path: [each for each in find_packages([path]) if isinstance(each, Package)] for path in paths}


def times(groups: Groups, rounds: int) -> Costs:
    """Returns the seconds of processor time of each section and in total, in the best round for each
    group.
    """
    best: Costs = {}
    for _ in range(rounds):
        for name, packages in groups.items():
            clock = _Clock()
            with _wrapped_sections(clock.timed):
                _check(packages)
            spent = {section: clock.spent.get(section, 0.0) for section in SECTIONS}
            keep_better(best, name, {**spent, "total": sum(spent.values())})
    return best


def keep_better(best: Costs, name: str, now: dict[str, float]) -> None:
    """Stores the round with the lowest total."""
    if name not in best or now["total"] < best[name]["total"]:
        best[name] = now


def counts(groups: Groups) -> Costs:
    """Returns the amount of work for each group: extensions, scripts, bytes, uses of the API, steps …"""
    found: Costs = {}
    for name, packages in groups.items():
        count: Counter[str] = Counter()
        budgets: list[Any] = []
        with (
            _wrapped(
                "extlint.analysis.syntax.tree", "SyntaxTree.__init__", partial(_collect_budgets, budgets)
            ),
            _wrapped_sections(partial(_count_work, count)),
        ):
            _check(packages)
        found[name] = {**count, "steps": sum(each.spent for each in budgets)}
    return found


def _check(packages: Sequence[Package]) -> None:
    for package in packages:
        checker.check_package(package, (Target("reference"),), tuple(RULES))


class _Clock:
    """Processor time by section: that of the innermost function with a section."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._open: list[str] = []
        self._since = 0.0

    def _tick(self) -> None:
        now = process_time()
        if self._open:
            section = self._open[-1]
            self.spent[section] = self.spent.get(section, 0.0) + now - self._since
        self._since = now

    def timed(self, section: str, function: Function) -> Function:
        def run(*args: Any, **options: Any) -> Any:
            self._tick()
            self._open.append(section)
            try:
                return function(*args, **options)
            finally:
                self._tick()
                self._open.pop()

        return run


def _count_work(count: Counter[str], _section: str, function: Function) -> Function:
    def run(*args: Any, **options: Any) -> Any:
        result = function(*args, **options)
        match function.__name__:
            case "check_package":
                count["extensions"] += 1
            case "is_text":
                count["scripts"] += 1
                count["bytes"] += len(args[0])
            case "parse":
                count["parsed"] += 1
                count["parsed bytes"] += len(args[0])
            case "follow":
                count["uses"] += len(result.references) + len(result.calls) + len(result.field_reads)
        return result

    return run


def _collect_budgets(budgets: list[Any], function: Function) -> Function:
    def run(tree: Any, *args: Any, **options: Any) -> None:
        function(tree, *args, **options)
        budgets.append(tree.budget)

    return run


@contextmanager
def _wrapped_sections(wrap: Callable[[str, Function], Function]) -> Iterator[None]:
    with ExitStack() as stack:
        for module, name, section in _FUNCTIONS:
            stack.enter_context(_wrapped(module, name, partial(wrap, section)))
        yield


@contextmanager
def _wrapped(module: str, name: str, wrap: Callable[[Function], Function]) -> Iterator[None]:
    """Wraps one of extlint's functions, if it exists in the measured checkout."""
    place: Any = import_module(module)
    *owners, last = name.split(".")
    for owner in owners:
        place = getattr(place, owner, None)
    old = getattr(place, last, None)
    if old is None:
        yield
        return
    setattr(place, last, wrap(old))
    try:
        yield
    finally:
        setattr(place, last, old)
