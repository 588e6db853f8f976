"""The command line."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from subprocess import CalledProcessError
from tempfile import TemporaryDirectory

import click

from extlint_release import artifacts, tree
from extlint_release.changelog import ROOT
from extlint_release.steps import STEPS, Release, SkippedError


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--dry-run", is_flag=True, help="Use a clone of the last commit that has the tag of the next version."
)
@click.option("--step", "names", multiple=True, type=click.Choice([*STEPS]), help="Only these; repeatable.")
def main(folder: Path, dry_run: bool, names: Sequence[str]) -> None:
    """Make the files of a release in FOLDER, and try each. Nothing is published.

    The exit code is 1 if a step failed. A step that this machine cannot do is skipped, but fails in CI.
    """
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        root = ROOT
        if dry_run:
            clones = stack.enter_context(TemporaryDirectory(prefix="extlint-release-"))
            root = tree.rehearse_tag(Path(clones), datetime.now(UTC).date())
        release = Release(root, tree.version_of(root), folder)
        print(f"extlint {release.version}", flush=True)
        for name in names or STEPS:
            _run_step(name, release)
    print(artifacts.listing(folder), end="")


def _run_step(name: str, release: Release) -> None:
    start = time.monotonic()
    print(f"{name} ...", flush=True)
    try:
        STEPS[name](release)
    except SkippedError as skipped:
        if os.environ.get("CI"):
            sys.exit(f"{name}: {skipped}")
        print(f"{name}: skipped: {skipped}")
    except (CalledProcessError, ValueError) as error:
        sys.exit(f"{name}: {error}")
    else:
        print(f"{name}: done in {time.monotonic() - start:.0f} s", flush=True)
