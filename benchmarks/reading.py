"""Measures the share of wrong findings: `reading.py sheet FOLDER...`, then `reading.py tally SHEET`.

`sheet` runs extlint on all extensions below each folder, like a user without options, and prints a line for
each finding, with tab-separated fields. A person reads each in its code, and writes `right`, `noise` (true,
but of no use to the author) or `wrong` at the start of the line. `tally` counts them by rule.

A set of extensions measures extlint only once, before anyone has seen its findings.
`benchmarks/corpora/` has the sets that were read, each with its commits and counts.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from subprocess import run

VERDICTS = ("right", "noise", "wrong")
"""The possible verdicts of a person on a finding."""


class MissingVerdictError(Exception):
    """A line of a sheet without a verdict."""


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    sheet_parser = commands.add_parser("sheet", help="print the findings, a line each")
    sheet_parser.add_argument("folder", nargs="+", help="a checkout of a repository")
    sheet_parser.add_argument("--target", action="append", default=[], help="as extlint's own option")
    tally_parser = commands.add_parser("tally", help="count what was written on a sheet")
    tally_parser.add_argument("sheet", type=Path)
    tally_parser.add_argument("--json", action="store_true", help="print what benchmarks/corpora/ keeps")
    options = parser.parse_args()
    if options.command == "sheet":
        for folder in options.folder:
            print("\n".join(lines(folder, findings(folder, options.target))))
        return
    counts = tally(options.sheet.read_text("utf-8").splitlines())
    print(json.dumps(counts, indent=1) if options.json else "\n".join(table(counts)))


def findings(folder: str, targets: Iterable[str] = ()) -> list[dict[str, object]]:
    """Returns extlint's findings in a folder, as decoded from JSON."""
    command = [sys.executable, "-m", "extlint", "check", folder, "--output-format", "json"]
    command += [part for target in targets for part in ("--target", target)]
    answer = run(command, capture_output=True, text=True, check=False)
    if answer.stderr:
        print(answer.stderr.rstrip(), file=sys.stderr)
    found: list[dict[str, object]] = json.loads(answer.stdout)["findings"] if answer.stdout else []
    return found


def lines(folder: str, found: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """Yields a line for each finding: a blank for the verdict, the rule, severity, location, targets and
    message.
    """
    for each in found:
        start = each["start"]
        targets = each["targets"]
        assert isinstance(start, dict)
        assert isinstance(targets, list)
        place = f"{each['extension']}/{each['path']}:{start['line']}:{start['column']}"
        place = place.removeprefix(f"{Path(folder).parent}/")
        fields = ("", each["rule"], each["severity"], place, ",".join(targets), each["message"])
        yield "\t".join(str(field).replace("\t", " ").replace("\n", " ") for field in fields)


def tally(sheet: Iterable[str]) -> dict[str, dict[str, int]]:
    """Returns the number of right, noise and wrong findings of each rule. Raises MissingVerdictError."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for number, line in enumerate(sheet, 1):
        if line.strip():
            verdict, rule = (*line.split("\t"), "")[:2]
            if verdict not in VERDICTS:
                raise MissingVerdictError(f"line {number} does not begin with right, noise or wrong: {line}")
            counts[rule][verdict] += 1
    return {rule: {each: counts[rule][each] for each in VERDICTS} for rule in sorted(counts)}


def table(counts: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """Yields the counts as a table, with the share of wrong findings."""
    total = {each: sum(row[each] for row in counts.values()) for each in VERDICTS}
    yield f"{'':30}" + "".join(f"{each:>8}" for each in VERDICTS)
    for rule, row in (*counts.items(), ("all", total)):
        yield f"{rule:30}" + "".join(f"{row[each]:8}" for each in VERDICTS)
    yield f"wrong: {100 * total['wrong'] / max(1, sum(total.values())):.1f} %"


if __name__ == "__main__":
    main()
