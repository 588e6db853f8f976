"""The command line."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import click

from extlint_fuzz import campaign
from extlint_fuzz.bounds import MEGABYTE
from extlint_fuzz.campaign import Bench, Plan, Tally
from extlint_fuzz.case import decode_case
from extlint_fuzz.generators.registry import GENERATORS, MUTATION
from extlint_fuzz.minimize import minimize
from extlint_fuzz.oracles import applicable_oracles, check_planted, other_version, required_oracle
from extlint_fuzz.pathological import PATHOLOGICAL, pathological_case
from extlint_fuzz.process import Outcome, Process
from extlint_fuzz.system_calls import connections, file_changes, processes, programs, run_traced, strace
from extlint_fuzz.trial import Failed, Trial, check

_FOLDER = click.Path(file_okay=False, path_type=Path)
_other_option = click.option(
    "--other", metavar="PYTHON", help="The Python of another extlint, which must find the same in every case."
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Look for inputs that break extlint.

    The exit code is 0 if no case failed and 1 if one did.
    """


@main.command()
@click.option("--seconds", default=60.0, show_default=True, help="How long to make cases.")
@click.option("--seed", type=int, help="The seed of all chance.  [default: the time]")
@click.option("--jobs", default=1, show_default=True, help="How many cases to run at once.")
@click.option(
    "--generator",
    "generators",
    multiple=True,
    type=click.Choice([*GENERATORS, MUTATION]),
    help="Only these; repeatable.",
)
@click.option("--corpus", multiple=True, type=_FOLDER, help="A folder of real files to mutate; repeatable.")
@click.option(
    "--found", default=Path("fuzz-found"), show_default=True, type=_FOLDER, help="Where to write what fails."
)
@click.option(
    "--shrink-seconds", default=60.0, show_default=True, help="How long to shrink each failing case."
)
@_other_option
def run(
    seconds: float,
    seed: int | None,
    jobs: int,
    generators: tuple[str, ...],
    corpus: tuple[Path, ...],
    found: Path,
    shrink_seconds: float,
    other: str | None,
) -> None:
    """Make cases, run them, and write those that fail, shrunk, into a folder."""
    if MUTATION in generators and not corpus:
        raise click.UsageError(f"the generator {MUTATION} requires --corpus")
    seed = int(time.time()) if seed is None else seed
    plan = Plan(seconds, seed, jobs, generators, corpus, found, other, shrink_seconds)
    click.echo(f"seed {seed}")
    with tempfile.TemporaryDirectory(prefix="extlint-fuzz-", ignore_cleanup_errors=True) as folder:
        tally = campaign.run(plan, Path(folder), check_options(), click.echo)
    _print_tally(tally)
    sys.exit(1 if tally.failures else 0)


@main.command()
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--shrink", is_flag=True, help="Shrink each case that fails, and write it in place.")
@click.option(
    "--shrink-seconds", default=60.0, show_default=True, help="How long to shrink each failing case."
)
@_other_option
def replay(files: tuple[Path, ...], shrink: bool, shrink_seconds: float, other: str | None) -> None:
    """Run stored cases again, with every oracle."""
    failed = False
    with tempfile.TemporaryDirectory(prefix="extlint-fuzz-", ignore_cleanup_errors=True) as folder:
        bench = Bench(Path(folder), check_options(), other)
        for path in files:
            case = decode_case(path.read_text("utf-8"))
            oracles = [required_oracle(case), *applicable_oracles(case)]
            if other and case.program == "check":
                oracles.append(other_version)
            failure = bench.find_failure(case, oracles)
            click.echo(
                f"{path}: "
                + ("right" if failure is None else f"{failure.oracle}: {failure.key}\n{failure.story}")
            )
            if failure is None:
                continue
            failed = True
            if shrink:
                case = minimize(case, bench.fails_like(failure, oracles), shrink_seconds)
                written = campaign.write(path.parent, case, failure, {})
                click.echo(f"{case.size} bytes when shrunk: {written}")
        bench.close()
    sys.exit(1 if failed else 0)


@main.command()
@click.argument("names", nargs=-1)
@click.option("--full", is_flag=True, help="Sizes at which these inputs once did harm, not small ones.")
@click.option("--times", default=1.0, show_default=True, help="A factor for the sizes.")
def pathological(names: tuple[str, ...], full: bool, times: float) -> None:
    """Check inputs that are designed to be slow, deep, large or endless, and show the cost of each.

    NAMES are parts of the names of inputs; all by default.
    """
    failed = False
    with tempfile.TemporaryDirectory(prefix="extlint-fuzz-", ignore_cleanup_errors=True) as folder:
        process = Process(Path(folder) / "process")
        click.echo(f"{'input':32} {'bytes':>10} {'seconds':>8} {'MB':>6}")
        for name, kind in PATHOLOGICAL.items():
            if names and not any(each in name for each in names):
                continue
            case = pathological_case(name, max(int((kind.full if full else kind.small) * times), 1))
            trial = Trial(case, [process], Path(folder) / "root", frozenset())
            outcome = trial.run_in(process, case)
            memory, verdict = (outcome.memory or 0) / MEGABYTE, _verdict(trial, outcome)
            click.echo(f"{name:32} {case.size:>10} {outcome.cpu:>8.2f} {memory:>6.0f} {verdict}".rstrip())
            failed = failed or bool(verdict)
        process.close()
    sys.exit(1 if failed else 0)


@main.command(context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def trace(arguments: tuple[str, ...]) -> None:
    """Run `extlint check` with ARGUMENTS under strace, and show its system calls.

    These are programs, connections, processes and changes of files. The exit code is 1 if it starts a program
    or opens a connection.
    """
    if strace() is None:
        click.echo("strace is not installed, so nothing is run")
        return
    with tempfile.TemporaryDirectory(prefix="extlint-fuzz-") as folder:
        status, calls = run_traced(["check", *arguments], Path.cwd(), Path(folder) / "log")
    click.echo(f"exit status {status}, {len(calls)} calls")
    for title, found in (
        ("programs", programs(calls)),
        ("connections", connections(calls)),
        ("processes", processes(calls)),
        ("changes of files", file_changes(calls)),
    ):
        click.echo(f"{title}: {len(found)}")
        for call in found:
            click.echo(f"  {call.name} {' '.join(call.paths)}".rstrip())
    sys.exit(1 if programs(calls) or connections(calls) else 0)


def _verdict(trial: Trial, outcome: Outcome) -> str:
    """Returns the problem with a run over a pathological input, or an empty string."""
    try:
        check(outcome, trial.case)
        check_planted(outcome)
    except Failed as failed:
        return f"{failed.failure.oracle}: {failed.failure.key}"
    return ""


def check_options() -> frozenset[str]:
    """Returns the long options of `extlint check`."""
    from extlint.cli.commands.check import check_command

    return frozenset(name for each in check_command.params for name in each.opts)


def _print_tally(tally: Tally) -> None:
    click.echo(f"{sum(tally.cases.values())} cases, {sum(tally.failing.values())} of them failed")
    for name in sorted(tally.cases):
        click.echo(f"  {name}: {tally.cases[name]} cases, {tally.failing[name]} failed")
    click.echo("asked: " + ", ".join(f"{name} {number}" for name, number in sorted(tally.runs.items())))
    for (oracle, key), number in tally.failures.most_common():
        click.echo(f"  {number} x {oracle}: {key}")
