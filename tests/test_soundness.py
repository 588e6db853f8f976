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
from running import Discrepancy, NodeProcess, Program, find_discrepancies, find_wrong_guards, join_pair
from thorough import examples

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None, reason="there is no Node.js to run programs with"
)

PROGRAMS = int(os.environ.get("EXTLINT_PROGRAMS", examples(80)))
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


def reported(text: str, found: list[Discrepancy]) -> str:
    """Returns a program and its discrepancies as text."""
    return "\n".join(
        [text, *(f"{each.kind}: {each.text}\n  {each.claimed}\n  {each.actual}" for each in found)]
    )


@pytest.mark.parametrize("batch", range(BATCHES))
def test_facts_hold_at_run_time(node: NodeProcess, batch: int) -> None:
    reached = 0
    for seed in range(batch, PROGRAMS, BATCHES):
        found, events, _ = find_discrepancies(node, program(seed))
        reached += events
        if found:
            short = shortest(program(seed), lambda text: bool(find_discrepancies(node, text)[0]))
            pytest.fail(f"program {seed}\n{reported(short, find_discrepancies(node, short)[0])}")
    assert reached > PROGRAMS


def test_guards_are_found_and_hold(node: NodeProcess) -> None:
    for seed in range(PROGRAMS // 2):
        found = find_wrong_guards(node, guard_program(seed))
        if found:
            short = shortest(guard_program(seed), lambda text: bool(find_wrong_guards(node, text)))
            pytest.fail(f"program {seed}\n{reported(short, find_wrong_guards(node, short))}")


def test_caller_guards_are_found_and_hold(node: NodeProcess) -> None:
    for seed in range(PROGRAMS // 2):
        found = find_wrong_guards(node, caller_program(seed))
        if found:
            short = shortest(caller_program(seed), lambda text: bool(find_wrong_guards(node, text)))
            pytest.fail(f"program {seed}\n{reported(short, find_wrong_guards(node, short))}")


def test_module_conditions_are_found_and_hold(node: NodeProcess) -> None:
    guarded_programs = 0
    for seed in range(PROGRAMS):
        pair = condition_program(seed)
        text = join_pair(pair)
        guarded_programs += any(each.guards.tested for each in Program(text, importing=pair).facts.references)
        found = [each for each in find_wrong_guards(node, text, pair) if each.kind != "missed guard"]
        if found:
            pytest.fail(f"program {seed}\n{reported(text, found)}")
    assert guarded_programs > PROGRAMS // 2


def test_dead_branches_do_not_run(node: NodeProcess) -> None:
    dead = 0
    for seed in range(PROGRAMS):
        text = parameter_program(seed)
        dead += sum(each.guards.unreachable for each in Program(text).facts.references)
        found = find_wrong_guards(node, text)
        if found:
            short = shortest(text, lambda text: bool(find_wrong_guards(node, text)))
            pytest.fail(f"program {seed}\n{reported(short, find_wrong_guards(node, short))}")
    assert dead > PROGRAMS // 10


DECEPTIVE = {
    "a value that changes": "let x = 1; setTimeout(() => browser.test.log(x)); x = 'a';",
    "a member that is replaced": "let f = browser.test.log; f = () => 1; f(1);",
    "a field of something else": "browser.management.get('a').then((x) => { x = { id: 1 }; x.id; });",
}


@pytest.mark.parametrize("text", DECEPTIVE.values(), ids=DECEPTIVE.keys())
def test_facts_hold_for_deceptive_programs(node: NodeProcess, text: str) -> None:
    found, events, errors = find_discrepancies(node, text)
    assert (found, errors) == ([], [])
    assert events
