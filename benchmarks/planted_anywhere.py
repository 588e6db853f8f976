"""Checks that mistakes are found at any position: `python benchmarks/planted_anywhere.py EXTENSION...`.

Inserts certainly wrong statements between those of large scripts: at the top level, spread from start to end,
and at the top of functions that are modules of a bundle. All mistakes of one script are planted at once, and
each must be found. Reports the missed ones, and the files that were analyzed only in part.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence

from msgspec import Struct
from planting.sites import unlimited_tree
from planting.statements import Planted, statements_between, with_statements
from planting.trial import Overlay

from extlint.checker import check_package
from extlint.package.discovery.find import find_packages
from extlint.package.files import Package
from extlint.package.suffixes import is_script
from extlint.report.report import Report
from extlint.schema.targets import target_of
from extlint.text.positions import TextIndex, decode

RULES = (
    *("incomplete-analysis", "invalid-argument", "missing-permission", "unknown-api", "unsupported-api"),
    *("wrong-argument-count", "wrong-context", "missing-manifest-key", "wrong-manifest-version"),
)
"""The rules that find the planted mistakes, and the one that reports incomplete analysis."""


class Outcome(Struct, frozen=True):
    """The number of mistakes in one script, the missed ones with their lines, and why the analysis is
    incomplete.
    """

    path: str
    size: int
    planted: int
    missed: tuple[tuple[Planted, int], ...]
    incomplete: tuple[str, ...]


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("extension", nargs="+", help="a folder or archive")
    parser.add_argument(
        "--count", type=int, default=20, help="statements at the top of a script, and in modules"
    )
    parser.add_argument("--min-size", type=int, default=200_000, help="bytes of the scripts that are taken")
    options = parser.parse_args()
    found = [
        each
        for package in find_packages(options.extension)
        if isinstance(package, Package)
        for each in outcomes(package, options.count, options.min_size)
    ]
    for each in found:
        print(f"{each.path} ({each.size / 1e6:.1f} MB): {each.planted} planted{_missed(each)}")
        for message in each.incomplete:
            print(f"  incomplete: {message}")
    planted, missed = sum(each.planted for each in found), sum(len(each.missed) for each in found)
    incomplete = sum(bool(each.incomplete) for each in found)
    print(f"{len(found)} scripts, {planted} planted, {missed} missed, {incomplete} incomplete")


def _missed(outcome: Outcome) -> str:
    places = [f"{line}{' in a module' if one.in_module else ''}" for one, line in outcome.missed[:8]]
    return f"; missed {len(outcome.missed)}, in lines {', '.join(places)}" if places else ""


def outcomes(package: Package, count: int, min_size: int) -> Iterator[Outcome]:
    """Yields the outcome of each script of a package that is large enough."""
    for path in package.paths:
        if is_script(path):
            text = decode(package.read(path))
            if len(text) >= min_size and (tree := unlimited_tree(text, path)) is not None:
                planted = statements_between(tree, count)
                data, places = with_statements(text, planted)
                report = _check(Overlay(package, {path: data}))
                yield _outcome(f"{package.name}/{path}", path, data, planted, places, report)


def _check(package: Package) -> Report:
    target = target_of("chrome")
    assert target is not None
    return check_package(package, [target], RULES)


def _outcome(
    name: str,
    path: str,
    data: bytes,
    planted: Sequence[Planted],
    places: Sequence[tuple[int, int]],
    report: Report,
) -> Outcome:
    index = TextIndex(data)
    spans = [index.span(*place) for place in places]
    own = [each for each in report.findings if each.path == path]
    notes = tuple(each.message for each in own if each.rule == "incomplete-analysis")
    starts = sorted(each.span.start for each in own if each.rule != "incomplete-analysis")
    missed = tuple(
        (each, span.start.line)
        for each, span in zip(planted, spans, strict=True)
        if not any(span.start <= start < span.end for start in starts)
    )
    return Outcome(name, len(data), len(planted), missed, notes)


if __name__ == "__main__":
    main()
