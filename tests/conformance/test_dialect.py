"""The browsers' own call cases: rejected calls get a finding, accepted calls get none."""

from __future__ import annotations

import sys

import pytest
from conformance.adapter import CASES, Case, chromium_cases, exists, firefox_cases, problems

pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="the browsers' cases are not here")

AT_LEAST = 0.97
"""The minimum share of cases with the right result."""

NOT_DECIDABLE = {
    "cr-019": "a getter throws when the call runs",
    "fx-084": "whether the address may be loaded depends on rights that are known at run time",
}
NOT_MODELED = {
    "fxv-010": "a property is there as its sub-module type is, whose versions it does not carry",
}


def _all_cases() -> list[Case]:
    if not CASES.is_dir():
        return []
    return [*firefox_cases(), *chromium_cases()]


CALLS = [case for case in _all_cases() if case.kind == "call" and case.id not in NOT_DECIDABLE]
NAMES = [case for case in _all_cases() if case.kind == "exists" and case.id not in NOT_MODELED]


@pytest.mark.parametrize(
    "case", [each for each in CALLS if each.expect == "accept"], ids=lambda case: case.id
)
def test_call_accepted_by_browser_has_no_finding(case: Case) -> None:
    assert problems(case) == ()


def test_most_calls_are_judged_like_the_browser(capsys: pytest.CaptureFixture[str]) -> None:
    right = [case.id for case in CALLS if bool(problems(case)) == (case.expect == "reject")]
    missed = [case.id for case in CALLS if case.id not in right]
    with capsys.disabled():
        sys.stdout.write(
            f"\n{len(right)} of {len(CALLS)} calls are judged as browsers do; missed: {missed}\n"
        )
    assert len(right) >= AT_LEAST * len(CALLS)


@pytest.mark.parametrize(
    "case", [each for each in CALLS if each.expect == "reject"], ids=lambda case: case.id
)
def test_findings_for_rejected_calls_are_printable(case: Case) -> None:
    for problem in problems(case):
        assert problem.rule in ("invalid-argument", "wrong-argument-count")
        assert problem.message.isprintable()


@pytest.mark.parametrize("case", NAMES, ids=lambda case: case.id)
def test_member_exists_where_the_browser_has_it(case: Case) -> None:
    assert exists(case) == (case.expect == "accept")


def test_every_omitted_case_exists() -> None:
    known = {case.id for case in _all_cases()}
    assert known >= NOT_DECIDABLE.keys() | NOT_MODELED.keys()
