"""Runs a case, and checks the properties that must hold for any case."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from extlint_fuzz.bounds import memory_for, seconds_for
from extlint_fuzz.case import Case, write_files
from extlint_fuzz.process import Outcome, Process

SEVERITIES = ("error", "warning", "info")
FRAME = re.compile(r'File "[^"]*?(extlint(?:_rules|_schemas)?/[^"]+)", line \d+,? in (\S+)')


class Failure(Struct, frozen=True):
    """A failure: the oracle, a key that is the same for the same cause, and the full details."""

    oracle: str
    key: str
    story: str

    def has_same_cause(self, other: Failure) -> bool:
        """Whether both failures have the same cause.

        The position of a run that exceeds its time limit is random.
        """
        return self.oracle == other.oracle and (self.oracle == "time" or self.key == other.key)


class Failed(Exception):  # noqa: N818
    """A case fails."""

    def __init__(self, oracle: str, key: str, story: str = "") -> None:
        super().__init__(f"{oracle}: {key}")
        self.failure = Failure(oracle, key, story)


class Service(Protocol):
    """A service of extlint that receives the messages of cases."""

    def check(self, case: Case) -> None:
        """Raises Failed if the service does not answer as it must."""

    def close(self) -> None:
        """Ends the service."""


class Trial:
    """One case and the processes that run it: two of this extlint, and possibly one of another version.

    The two differ in the hash seed and the locale, and have run other cases before. `options` are the
    options that this extlint has, and `services` are its services, by the name of their command.
    """

    def __init__(
        self,
        case: Case,
        processes: Sequence[Process],
        root: Path,
        options: frozenset[str],
        other: Process | None = None,
        services: Mapping[str, Service] | None = None,
    ) -> None:
        self.case = case
        self.services = services or {}
        self.options = options
        self.other = other
        self._processes = processes
        self._root = root
        self._base: Outcome | None = None

    @property
    def base(self) -> Outcome:
        """The outcome of a plain run of the case."""
        if self._base is None:
            self._base = self.run(self.case)
        return self._base

    def run(self, case: Case, *options: str, process: int = 0) -> Outcome:
        """Runs a case, or a variant of it. Raises Failed if the outcome is wrong in itself."""
        outcome = self.run_in(self._processes[process], case, *options)
        check(outcome, case)
        return outcome

    def run_in(self, process: Process, case: Case, *options: str) -> Outcome:
        """Runs a case in the given process, without checking the outcome."""
        write_files(case.files, self._root)
        return process.run(self._root, (*case.arguments, "--output-format", "json", *options), case.size)

    def findings(self, case: Case, *options: str, process: int = 0) -> list[dict[str, Any]]:
        """Returns the findings of a case, or of a variant of it.

        Returns an empty list if nothing could be checked.
        """
        outcome = self.run(case, *options, process=process)
        return findings_in(outcome)


def findings_in(outcome: Outcome) -> list[dict[str, Any]]:
    """Returns the findings that a run printed."""
    found: list[dict[str, Any]] = json.loads(outcome.stdout)["findings"] if outcome.stdout else []
    return found


def check(outcome: Outcome, case: Case) -> None:
    """Raises Failed if the outcome is wrong for any case."""
    if outcome.death is not None:
        if outcome.death in ("SIGPROF", "hang"):
            raise Failed("time", innermost_function(outcome.stderr), outcome.stderr[:6000])
        raise Failed("crash", outcome.death, outcome.stderr[-6000:])
    if outcome.failure is not None:
        kind = outcome.failure.strip().splitlines()[-1].partition(":")[0]
        raise Failed(
            "exception",
            f"{kind} in {innermost_function(outcome.failure, last=True)}",
            outcome.failure[-6000:],
        )
    if outcome.cpu > seconds_for(case.size):
        raise Failed("time", "in all", f"{outcome.cpu:.2f} s for {case.size} bytes")
    if outcome.memory is not None and outcome.memory > memory_for(case.size):
        raise Failed("memory", "peak", f"{outcome.memory} bytes for {case.size} bytes")
    if outcome.status not in (0, 1, 2):
        raise Failed("status", f"status {outcome.status}", outcome.stderr)
    for line in outcome.stderr.splitlines():
        if not line.startswith("extlint: ") or "internal error" in line:
            raise Failed("stderr", re.sub(r"\d+", "0", line)[:60], outcome.stderr)
    if "internal error" in outcome.stdout:
        raise Failed("contained", "internal error in the output", outcome.stdout[-6000:])
    if outcome.status == 2 and not outcome.stderr:
        raise Failed("status", "status 2 without a reason", outcome.stdout)
    if outcome.status != 2 or outcome.stdout:
        _check_output(outcome)


def innermost_function(text: str, *, last: bool = False) -> str:
    """Returns the innermost function of extlint in a traceback.

    `last` means that the innermost frame is last.

    The generic functions that walk a syntax tree are not informative, and are skipped.
    """
    found = FRAME.findall(text)
    if last:
        found.reverse()
    own = [each for each in found if not each[0].startswith("extlint/analysis/syntax/")] or found
    return f"{own[0][0]}:{own[0][1]}" if own else "?"


def _check_output(outcome: Outcome) -> None:
    try:
        value = json.loads(outcome.stdout)
        _check_findings(value, outcome.status)
    except (ValueError, KeyError, TypeError) as error:
        raise Failed("json", f"{type(error).__name__}: {error}"[:60], outcome.stdout[-3000:]) from None


def _check_findings(value: Mapping[str, Any], status: int | None) -> None:
    """Raises ValueError if the output contradicts itself, KeyError or TypeError if it has the wrong shape."""
    findings: list[dict[str, Any]] = value["findings"]
    counted = dict.fromkeys(SEVERITIES, 0)
    for each in findings:
        counted[each["severity"]] += 1
        start, end = _position(each["start"]), _position(each["end"])
        if not (1, 1) <= start <= end:
            raise ValueError(f"a place that ends before it starts: {each['rule']}")
        if not each["message"]:
            raise ValueError(f"a finding without a message: {each['rule']}")
        if not each["targets"]:
            raise ValueError(f"a finding without targets: {each['rule']}")
    for one, other in pairwise(findings):
        is_named_in_utf_8 = "\ufffd" not in one["path"] + other["path"]
        if is_named_in_utf_8 and _order(one) > _order(other):
            raise ValueError("findings that are not sorted")
    distinct = {json.dumps(each, sort_keys=True) for each in findings}
    if len(distinct) != len(findings):
        raise ValueError("the same finding twice")
    summary = value["summary"]
    for severity, number in counted.items():
        if summary[f"{severity}s"] != number:
            raise ValueError(f"a wrong number of {severity}s")
    if status != 2 and status != (1 if counted["error"] else 0):
        raise ValueError("an exit status that is not that of the findings")


def _position(value: Mapping[str, int]) -> tuple[int, int]:
    return value["line"], value["column"]


def _order(finding: Mapping[str, Any]) -> tuple[str, str, tuple[int, int]]:
    return finding["extension"], finding["path"], _position(finding["start"])
