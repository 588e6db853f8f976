"""Measures the share of mistakes that extlint finds: `python benchmarks/planted.py EXTENSION...`.

Plants mistakes into real extensions, one at a time, at calls of the API that are found by their
text, and reports for each kind how many were found, and why the others were not. The same seed
plants the same mistakes. By default they are in the specification's namespaces, under its target; with
`--chosen` they are in browser APIs, for the targets that each extension chooses.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import asdict
from planting.browser_mistakes import BROWSER_PLANTERS
from planting.mistakes import PLANTERS, Kind, Mistake, Planters, mistake_at
from planting.reasons import DYNAMIC, reason, root_of
from planting.sites import Site
from planting.trial import Trial

from extlint.manifest.manifest import read_manifest
from extlint.package.discovery.find import find_packages
from extlint.package.files import Package
from extlint.package.tolerant import TolerantPackage
from extlint.project.target_detection.detect import detect_targets
from extlint.schema.targets import Target

Item = TypeVar("Item")


class Outcome(Struct, frozen=True):
    """One mistake, its location, and the reason why it was missed, or None if it was found."""

    kind: str
    extension: str
    path: str
    line: int
    root: str
    form: str
    planted: str
    contexts: tuple[str, ...]
    missed: str | None


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("extension", nargs="*", help="a folder or archive")
    parser.add_argument("--list", type=Path, help="a JSON file: a list of objects with a `path`")
    parser.add_argument("--mistakes", type=int, default=200)
    parser.add_argument(
        "--chosen",
        action="store_true",
        help="mistakes in what browsers have, for the targets that each chooses",
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--report", type=Path, help="where to write each mistake, as JSON")
    options = parser.parse_args()
    paths = list(options.extension)
    if options.list is not None:
        paths += [each["path"] for each in json.loads(options.list.read_bytes())]
    outcomes = list(plant(paths, options.mistakes, options.seed, chosen=options.chosen))
    print("\n".join(summary(outcomes)))
    if options.report is not None:
        options.report.write_text(json.dumps([asdict(each) for each in outcomes], indent=1))


def plant(paths: Sequence[str], count: int, seed: int, *, chosen: bool = False) -> Iterator[Outcome]:
    """Plants `count` mistakes, spread over kinds, paths and forms of roots, and runs extlint on each."""
    planters = BROWSER_PLANTERS if chosen else PLANTERS
    random = Random(seed)
    groups = [[Trial(*each) for each in _packages(path, chosen=chosen)] for path in dict.fromkeys(paths)]
    random.shuffle(groups)
    by_kind = [[_mistakes(group, kind, random, planters) for group in groups] for kind in Kind]
    for planted in islice(_interleave([_interleave(each) for each in by_kind]), count):
        yield _outcome(*planted, planters)


def _packages(path: str, *, chosen: bool) -> Iterator[tuple[Package, Sequence[Target]]]:
    """Yields the extensions at a path with their targets, skipping those that choose no browser."""
    for package in find_packages([path]):
        if not isinstance(package, Package):
            continue
        targets: Sequence[Target] = (Target("reference"),)
        if chosen:
            files = TolerantPackage(package)
            manifest = read_manifest(files.manifest_path, files.read(files.manifest_path))
            targets = detect_targets(package, manifest).targets
        if not chosen or all(each.name != "reference" for each in targets):
            yield package, targets


def _interleave(sources: Iterable[Iterator[Item]]) -> Iterator[Item]:
    """Yields one item of each source in turn, until all are empty."""
    waiting = deque(sources)
    while waiting:
        source = waiting.popleft()
        for item in source:
            waiting.append(source)
            yield item
            break


def _mistakes(
    trials: Sequence[Trial], kind: Kind, random: Random, planters: Planters
) -> Iterator[tuple[Trial, Mistake]]:
    """Yields mistakes of a kind in some extensions, alternating between the forms of roots."""
    forms: dict[str, list[tuple[Trial, Site]]] = defaultdict(list)
    for trial in trials:
        for site in trial.sites:
            forms[root_of(site)].append((trial, site))
    for trial, site in _interleave([_by_file(places, random) for places in forms.values()]):
        mistake = mistake_at(site, kind, random, planters)
        if mistake is not None and trial.is_new(mistake):
            yield trial, mistake


def _by_file(places: Sequence[tuple[Trial, Site]], random: Random) -> Iterator[tuple[Trial, Site]]:
    """Yields sites in random order, alternating between files."""
    files: dict[tuple[str, str], list[tuple[Trial, Site]]] = defaultdict(list)
    for trial, site in random.sample(places, len(places)):
        files[trial.name, site.script.path].append((trial, site))
    return _interleave(map(iter, files.values()))


def _outcome(trial: Trial, mistake: Mistake, planters: Planters) -> Outcome:
    site = mistake.site
    missed = None if trial.finds(mistake) else reason(trial, mistake, planters)
    return Outcome(
        kind=mistake.kind.value,
        extension=trial.name,
        path=site.script.path,
        line=trial.data(site.script.path)[: site.base + site.start].count(b"\n") + 1,
        root=_short(site.tree.source(site.root)),
        form=root_of(site),
        planted=" … ".join(_short(edit.text) for edit in mistake.edits),
        contexts=tuple(sorted({context.kind.value for context in site.script.contexts})),
        missed=missed,
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:57] + "..."


def summary(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yields the share of found mistakes of each kind, and every miss by its reason."""
    by_kind = {kind.value: [each for each in outcomes if each.kind == kind.value] for kind in Kind}
    yield from _table("kind", {**by_kind, "all": outcomes})
    still = [each for each in outcomes if DYNAMIC not in each.form]
    yield from _table("", {"all whose root is not dynamic": still})
    by_form: dict[str, list[Outcome]] = defaultdict(list)
    for each in outcomes:
        by_form[each.form].append(each)
    yield from _table("root", dict(sorted(by_form.items(), key=lambda item: -len(item[1]))))
    missed: dict[str, list[Outcome]] = defaultdict(list)
    for each in outcomes:
        if each.missed is not None:
            missed[each.missed].append(each)
    for why, misses in sorted(missed.items(), key=lambda item: -len(item[1])):
        yield f"\n{len(misses)} x {why}"
        for each in misses:
            yield f"  {each.extension}/{each.path}:{each.line}: {each.root} | {each.planted} | {each.kind}"


def _table(title: str, rows: Mapping[str, Sequence[Outcome]]) -> Iterator[str]:
    yield f"{title:48}{'planted':>8}{'found':>7}{'share':>7}"
    for name, own in rows.items():
        found = sum(each.missed is None for each in own)
        yield f"{name:48}{len(own):8}{found:7}{_share(found, len(own)):>7}"
    yield ""


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "-"


if __name__ == "__main__":
    main()
