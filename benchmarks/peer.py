"""Compares the cost of extlint with Mozilla's addons-linter: `python benchmarks/peer.py EXTENSION...`.

For each extension: the bytes of the scripts that name the API and the processor time of parsing them with
tree-sitter; the processor time, wall time and peak memory of an entire run of extlint, without its
cache, on one core and on two; then the same for addons-linter, and the ratio.

`--peer` is the command that runs addons-linter, such as `"npx addons-linter"`. A peer that does not print its
report fails the benchmark. `bundles.py` generates extensions to try.
"""

from __future__ import annotations

import json
import shlex
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from functools import reduce
from pathlib import Path

from costs.process import CommandFailed, Cost, cost_of
from msgspec import Struct

EXTLINT = [sys.executable, "-m", "extlint", "check", "--output-format", "json", "--no-cache"]
PARSE = [sys.executable, str(Path(__file__).parent / "costs" / "parse_floor.py")]


class Row(Struct, frozen=True):
    """The costs for one extension: parsing only (bytes, seconds), extlint on one core and two, and the
    peer.
    """

    size: int
    parse: float
    one: Cost
    two: Cost
    peer: Cost | None
    findings: int
    incomplete: int


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("extension", nargs="+", help="a folder")
    parser.add_argument("--peer", type=shlex.split, help="the command that runs addons-linter")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    print(heading(with_peer=options.peer is not None))
    for extension in options.extension:
        try:
            row = measure(extension, options.peer, options.rounds)
        except CommandFailed as error:
            sys.exit(str(error))
        print(line(Path(extension).name, row), flush=True)


def measure(extension: str, peer: Sequence[str] | None, rounds: int) -> Row:
    """Returns the lowest costs of several rounds. Raises CommandFailed."""
    found = [list(_round(extension, peer)) for _ in range(rounds)]
    columns = zip(*found, strict=True)
    parse, one, two, *peer_costs = [reduce(lambda cost, other: other.lower(cost), each) for each in columns]
    size, seconds = json.loads(parse.output)
    report = json.loads(one.output)
    if report != json.loads(two.output):
        raise CommandFailed(f"two workers say something else of {extension}")
    return Row(
        size,
        seconds,
        one,
        two,
        peer_costs[0] if peer_costs else None,
        len(report["findings"]),
        report["summary"]["incomplete"],
    )


def _round(extension: str, peer: Sequence[str] | None) -> Iterator[Cost]:
    yield cost_of([*PARSE, extension])
    for jobs in ("1", "2"):
        yield cost_of([*EXTLINT, "--jobs", jobs, extension], (0, 1))
    if peer is not None:
        found = cost_of([*peer, "--output", "json", extension], (0, 1))
        try:
            is_report = "errors" in json.loads(found.output)
        except ValueError:
            is_report = False
        if not is_report:
            raise CommandFailed(f"no report of {shlex.join(peer)} about {extension}")
        yield found


def heading(*, with_peer: bool) -> str:
    """Returns the names of the columns. `x` is a ratio to the previous column, or to extlint's."""
    columns = f"{'':24}{'MB':>6}{'parse s':>9}{'cpu s':>8}{'x':>6}{'MiB':>6}{'wall 1':>8}{'wall 2':>8}"
    columns += f"{'findings':>10}{'incomplete':>12}"
    peers = f"{'peer cpu':>10}{'x':>6}{'wall':>8}{'x':>6}{'MiB':>7}{'x':>6}"
    return columns + (peers if with_peer else "")


def line(name: str, row: Row) -> str:
    """Returns one extension's line of the table."""
    one, two = row.one, row.two
    ratio = one.cpu / row.parse if row.parse else 0
    text = f"{name:24}{row.size / 1e6:6.1f}{row.parse:9.2f}{one.cpu:8.2f}{ratio:6.1f}{one.memory:6.0f}"
    text += f"{one.wall:8.2f}{two.wall:8.2f}{row.findings:10}{row.incomplete:12}"
    if row.peer is not None:
        peer = row.peer
        text += f"{peer.cpu:10.2f}{peer.cpu / one.cpu:6.1f}{peer.wall:8.2f}{peer.wall / two.wall:6.1f}"
        text += f"{peer.memory:7.0f}{peer.memory / one.memory:6.1f}"
    return text


if __name__ == "__main__":
    main()
