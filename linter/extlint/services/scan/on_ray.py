"""Runs a scan on a cluster of Ray: Ray Data distributes the shards, and runs them again if a node ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from msgspec.json import decode, encode

from extlint.linting.configuration.usage_error import UsageError
from extlint.services.scan.output import Entry, Output
from extlint.services.scan.scan_shard import scan_shard
from extlint.services.scan.shards import Shard


def run_on_ray(shards: Sequence[Shard], output: Output, address: str) -> Iterator[Entry]:
    """Scans shards on a cluster, and yields their entries as they finish. Raises UsageError.

    The nodes must read the sources, and write the output, at the same addresses.
    """
    import logging

    import ray

    try:
        ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False)
    except (ConnectionError, ValueError) as error:
        raise UsageError(f"cannot connect to Ray at {address}: {error}") from None
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)  # its messages are those of a program
    context.execution_options.preserve_order = False
    try:
        items = [{"shard": encode(each)} for each in shards]
        work = ray.data.from_items(items, override_num_blocks=len(items))
        found = work.map(partial(_scan, address=output.address), num_cpus=1)
        for row in found.iter_rows():
            yield decode(row["entry"], type=Entry)
    finally:
        ray.shutdown()


def _scan(row: dict[str, Any], address: str) -> dict[str, Any]:
    return {"entry": encode(scan_shard(decode(row["shard"], type=Shard), Output(address)))}
