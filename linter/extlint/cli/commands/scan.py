"""`extlint scan`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from extlint.cli.check_options import RULE_OPTIONS
from extlint.cli.click_options import declare_option
from extlint.cli.modules import can_load, missing_library
from extlint.cli.option import names_option
from extlint.cli.process import FAILED, SUCCESS
from extlint.cli.streams import complain, write
from extlint.linting.configuration.project_file import Configurations
from extlint.linting.configuration.usage_error import UsageError, parse_targets, split_names
from extlint.package.files import UnreadableError
from extlint.package.limits import MEBIBYTE
from extlint.processes.resources import available_processors

if TYPE_CHECKING:
    from extlint.services.scan.output import Entry, Output, Progress
    from extlint.services.scan.settings import CheckSettings, Shard

_RULES = {option.name: option for option in RULE_OPTIONS.options}


def _target_names(texts: Sequence[str]) -> tuple[str, ...]:
    parse_targets(texts)
    return split_names(texts)


@click.command("scan", short_help="Check thousands of packages, and write tables.")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--output", required=True, metavar="DIR", help="Folder, or address of one, for the tables.")
@click.option("--column", default="address", help="Column of a table that has addresses.  [default: address]")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Check N packages, the same each time.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Check only the first N packages.")
@click.option(
    "--timeout",
    type=click.IntRange(1, 3600),
    default=60,
    help="Processor seconds of a package.  [default: 60]",
)
@click.option(
    "--memory",
    type=click.IntRange(64, 65_536),
    default=1024,
    help="MiB of memory of a package.  [default: 1024]",
)
@click.option(
    "--max-size", type=click.IntRange(1, 4096), default=512, help="MiB of an archive.  [default: 512]"
)
@click.option(
    "--shard-size",
    type=click.IntRange(1, 100_000),
    default=100,
    help="Packages of a file, on average.  [default: 100]",
)
@click.option(
    "--jobs", type=click.IntRange(1, 60), help="Number of workers.  [default: the number of processors]"
)
@click.option("--ray", metavar="ADDRESS", help="Run on the Ray cluster at this address, such as auto.")
@click.option("--metrics", metavar="FILE", help="Write counts for Prometheus to this file.")
@declare_option(_RULES["config"])
@declare_option(
    names_option(
        "--target",
        "target",
        _target_names,
        "Browser to check for; repeatable.  [default: the browsers that each extension is made for]",
    )
)
@declare_option(_RULES["select"])
@declare_option(_RULES["ignore"])
@declare_option(_RULES["extend_select"])
@click.option("-q", "--quiet", is_flag=True, help="Do not show the progress.")
def scan_command(
    sources: tuple[str, ...],
    output: str,
    column: str,
    sample: int | None,
    limit: int | None,
    timeout: int,
    memory: int,
    max_size: int,
    shard_size: int,
    jobs: int | None,
    ray: str | None,
    metrics: str | None,
    config: str | None,
    target: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    extend_select: tuple[str, ...],
    quiet: bool,
) -> int:
    """Check the packages of a store, each in a contained process, and write Parquet files.

    A SOURCE is an archive, a folder with archives or extensions, a pattern, an address such as
    s3://bucket/folder, or a list of these: a text file with one in each line, or a CSV or Parquet file.

    A package that fails is a row with the reason. The same command again continues where the last one ended,
    whatever ended it. The exit status is 2 if a source could not be read.
    """
    if sys.platform == "win32":
        complain("scan requires Linux or macOS")
        return FAILED
    missing = _missing_library(with_ray=ray is not None)
    if missing is not None:
        complain(missing)
        return FAILED
    from extlint.services.scan.output import Output
    from extlint.services.scan.settings import CheckSettings

    settings = CheckSettings(
        target,
        select,
        ignore,
        extend_select,
        *_configuration(config),
        timeout=timeout,
        memory=memory * MEBIBYTE,
        max_size=max_size * MEBIBYTE,
    )
    try:
        found = _shards(sources, column, sample, limit, settings, shard_size)
        return _scan(found, Output(output.rstrip("/")), settings, shard_size, jobs, ray, metrics, quiet=quiet)
    except UnreadableError as error:
        complain(str(error))
        return FAILED


def _missing_library(*, with_ray: bool) -> str | None:
    if not can_load("fsspec", "pyarrow"):
        return missing_library("scan", "PyArrow and fsspec", "scan")
    if with_ray and not can_load("ray"):
        return missing_library("--ray", "Ray", "ray")
    return None


def _configuration(config: str | None) -> tuple[str, str]:
    """Returns the name and the text of a configuration. Raises UsageError."""
    if config is None:
        return "extlint.toml", ""

    try:
        Configurations(config)
        with open(config, encoding="utf-8") as stream:
            return os.path.basename(config), stream.read()
    except (UnreadableError, OSError, ValueError) as error:
        raise UsageError(str(error)) from None


def _shards(
    given: Sequence[str],
    column: str,
    sample: int | None,
    limit: int | None,
    settings: CheckSettings,
    size: int,
) -> list[Shard]:
    from extlint.services.scan.settings import choose, divided, find_sources

    found = choose(find_sources(given, column), sample, limit)
    if not found:
        raise UnreadableError("the sources have no packages")
    return list(divided(found, settings, size))


def _scan(
    shards: Sequence[Shard],
    output: Output,
    settings: CheckSettings,
    shard_size: int,
    jobs: int | None,
    ray: str | None,
    metrics: str | None,
    *,
    quiet: bool,
) -> int:
    from extlint.services.scan.output import Progress
    from extlint.services.scan.run import LostShardError, plan

    output.begin(settings, shard_size)
    planned = plan(shards, output)
    terminal = sys.stderr if not quiet and sys.stderr.isatty() else None
    try:
        progress = Progress(sum(len(each.sources) for each in shards), planned.done, terminal, metrics)
        try:
            for entry in _entries(planned.left, output, jobs, ray, progress):
                progress.add(entry)
        finally:
            progress.close()
    except LostShardError as error:
        complain(str(error))
        return FAILED
    statuses = progress.statuses
    counts = ", ".join(f"{count:,} {status}" for status, count in sorted(statuses.items()))
    write(f"{sum(statuses.values()):,} packages ({counts}), {progress.findings:,} findings\n")
    if statuses["unavailable"]:
        complain("some sources could not be read; the same command tries them again")
        return FAILED
    return SUCCESS


def _entries(
    shards: Sequence[Shard], output: Output, jobs: int | None, ray: str | None, progress: Progress
) -> Iterator[Entry]:
    if not shards:
        return iter(())
    if ray is not None:
        from extlint.services.scan.run import run_on_ray

        return run_on_ray(shards, output, ray)
    from extlint.services.scan.run import run_locally

    return run_locally(shards, output, jobs or available_processors(), progress.show)
