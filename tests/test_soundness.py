"""Facts about scripts hold at run time: programs run in Node.js and are compared with their facts.

With `EXTLINT_PROGRAMS=20000` in the environment, that many programs run instead of the default.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from caller_programs import caller_program, parameter_program
from condition_programs import condition_program
from programs import guard_program, program
from running import Discrepancy, NodeProcess, Program, joined, refuted, wrong_guards

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None, reason="there is no Node.js to run programs with"
)

PROGRAMS = int(os.environ.get("EXTLINT_PROGRAMS", "64"))
"""The number of programs to run."""

BATCHES = 4


@pytest.fixture(scope="module")
def node() -> Iterator[NodeProcess]:
    """The process that runs the programs."""
    process = NodeProcess()
    yield process
    process.close()


def shortest(text: str, is_wrong: Callable[[str], bool]) -> str:
    """Returns a program without the lines that are not required for it to be wrong."""
    lines = text.split("\n")
    size = len(lines) // 2 or 1
    while size:
        at = 0
        while at < len(lines):
            fewer = [*lines[:at], *lines[at + size :]]
            if is_wrong("\n".join(fewer)):
                lines = fewer
            else:
                at += size
        size //= 2
    return "\n".join(lines)


def told(text: str, found: list[Discrepancy]) -> str:
    """Returns a program and its discrepancies as text."""
    return "\n".join(
        [text, *(f"{each.kind}: {each.text}\n  {each.claimed}\n  {each.actual}" for each in found)]
    )


@pytest.mark.parametrize("batch", range(BATCHES))
def test_facts_hold_when_programs_run(node: NodeProcess, batch: int) -> None:
    reached = 0
    for seed in range(batch, PROGRAMS, BATCHES):
        found, events, _ = refuted(node, program(seed))
        reached += events
        if found:
            short = shortest(program(seed), lambda text: bool(refuted(node, text)[0]))
            pytest.fail(f"program {seed}\n{told(short, refuted(node, short)[0])}")
    assert reached > PROGRAMS


def test_guards_are_seen_and_hold(node: NodeProcess) -> None:
    for seed in range(PROGRAMS // 2):
        found = wrong_guards(node, guard_program(seed))
        if found:
            short = shortest(guard_program(seed), lambda text: bool(wrong_guards(node, text)))
            pytest.fail(f"program {seed}\n{told(short, wrong_guards(node, short))}")


def test_guards_of_callers_are_seen_and_hold(node: NodeProcess) -> None:
    for seed in range(PROGRAMS // 2):
        found = wrong_guards(node, caller_program(seed))
        if found:
            short = shortest(caller_program(seed), lambda text: bool(wrong_guards(node, text)))
            pytest.fail(f"program {seed}\n{told(short, wrong_guards(node, short))}")


def test_conditions_of_modules_are_seen_and_hold(node: NodeProcess) -> None:
    seen = 0
    for seed in range(PROGRAMS):
        pair = condition_program(seed)
        text = joined(pair)
        seen += any(each.guards.tested for each in Program(text, importing=pair).facts.references)
        found = [each for each in wrong_guards(node, text, pair) if each.kind != "missed guard"]
        if found:
            pytest.fail(f"program {seed}\n{told(text, found)}")
    assert seen > PROGRAMS // 2


def test_branches_that_cannot_run_do_not(node: NodeProcess) -> None:
    dead = 0
    for seed in range(PROGRAMS):
        text = parameter_program(seed)
        dead += sum(each.guards.unreachable for each in Program(text).facts.references)
        found = wrong_guards(node, text)
        if found:
            short = shortest(text, lambda text: bool(wrong_guards(node, text)))
            pytest.fail(f"program {seed}\n{told(short, wrong_guards(node, short))}")
    assert dead > PROGRAMS // 10


KNOWN_LIES = {
    "a value that changes": "let x = 1; setTimeout(() => browser.test.log(x)); x = 'a';",
    "a member that is replaced": "let f = browser.test.log; f = () => 1; f(1);",
    "a field of something else": "browser.management.get('a').then((x) => { x = { id: 1 }; x.id; });",
}


@pytest.mark.parametrize("text", KNOWN_LIES.values(), ids=KNOWN_LIES.keys())
def test_programs_that_deceive(node: NodeProcess, text: str) -> None:
    found, events, errors = refuted(node, text)
    assert (found, errors) == ([], [])
    assert events
