"""Measures `extlint serve` under load: packages per second, latency, errors and memory.

`python benchmarks/serve.py [--seconds 60] [--clients 32] [--jobs 2]` starts a server, and clients that send
small packages on connections that they keep. It does so again with every tenth upload hostile, and compares
with one process of `extlint check` for each package. It requires Linux, for the memory.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

EXAMPLE = Path(__file__).parents[1] / "examples" / "clean"


@dataclass
class Load:
    """The seconds of each answer, the number of errors, and the statuses of hostile uploads."""

    seconds: list[float] = field(default_factory=list)
    errors: int = 0
    hostile: dict[int, int] = field(default_factory=dict)
    elapsed: float = 0.0

    def line(self) -> str:
        ordered = sorted(self.seconds)
        p99 = ordered[int(len(ordered) * 0.99)]
        median = statistics.median(ordered)
        return (
            f"{len(ordered) / self.elapsed:.1f} per second, median {median * 1000:.0f} ms, "
            f"99% {p99 * 1000:.0f} ms, {self.errors} errors, hostile {self.hostile}"
        )


def package() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(EXAMPLE.rglob("*")):
            archive.write(path, path.relative_to(EXAMPLE))
    return buffer.getvalue()


def hostile_packages() -> list[bytes]:
    """Returns uploads that are truncated, expand too much, nest deeply, or take long."""

    def archive(files: dict[str, bytes]) -> bytes:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, content in files.items():
                packed.writestr(name, content)
        return buffer.getvalue()

    code = "".join(
        f"function f{each}(a) {{ chrome.tabs.query({{}}, (b) => f{each + 1}(b)); return g(a); }}\n"
        for each in range(4000)
    )
    names = [f"s{each}.js" for each in range(40)]
    scripts = {"content_scripts": [{"matches": ["https://*/*"], "js": names}]}
    manifest = json.dumps({"manifest_version": 3, "name": "Example", "version": "1", **scripts}).encode()
    return [
        package()[:-40],
        archive({"manifest.json": b"{}", "a.js": bytes(50_000_000)}),
        b'{"manifest_version": ' + b"[" * 100_000,
        archive({"manifest.json": manifest, **dict.fromkeys(names, code.encode())}),
        bytes(500_000),
    ]


async def client(port: int, number: int, end: float, hostile: list[bytes], found: Load) -> None:
    """Sends packages on one connection until the end. With hostile ones, every tenth is one of them."""
    good = package()
    count = number
    reader = writer = None
    while time.monotonic() < end:
        count += 1
        is_hostile = bool(hostile) and count % 10 == 0
        body = hostile[count // 10 % len(hostile)] if is_hostile else good
        started = time.monotonic()
        try:
            if reader is None or writer is None:
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
            head = f"POST /v1/lint HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
            writer.write(head.encode() + body)
            status, closes = await read_response(reader)
        except (OSError, asyncio.IncompleteReadError):
            status, closes = 0, True
        if closes and writer is not None:
            writer.close()
            reader = writer = None
        if is_hostile:
            found.hostile[status] = found.hostile.get(status, 0) + 1
        else:
            found.seconds.append(time.monotonic() - started)
            found.errors += status != 200
    if writer is not None:
        writer.close()


async def read_response(reader: asyncio.StreamReader) -> tuple[int, bool]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
    await reader.readexactly(length)
    return int(head.split()[1]), "connection: close" in head


async def run_clients(port: int, clients: int, seconds: float, hostile: list[bytes]) -> Load:
    found = Load()
    started = time.monotonic()
    end = started + seconds
    await asyncio.gather(*(client(port, each * 7, end, hostile, found) for each in range(clients)))
    found.elapsed = time.monotonic() - started
    return found


def memory(process: int) -> float:
    """Returns the memory of a process and its children in MiB, without what they share."""
    total = 0
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            total += int(line.split()[1])
    found = total / 1024
    for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
        try:
            found += memory(int(child))
        except OSError:
            continue
    return found


def processor_time(process: int) -> float:
    """Returns the seconds of processor time of a server, and of its workers that have ended."""
    total = 0
    for each in (process, int(Path(f"/proc/{process}/task/{process}/children").read_text())):
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        total += sum(map(int, fields[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


def start(jobs: int) -> tuple[subprocess.Popen[str], int, float]:
    """Starts a server. Returns its process, its port, and the seconds until it is ready."""
    started = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "extlint", "serve", "--port", "0", "--jobs", str(jobs)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    port = int(process.stdout.readline().rpartition(":")[2])
    while True:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz").close()
        except OSError:
            time.sleep(0.005)
        else:
            return process, port, time.monotonic() - started


def processes(clients: int, seconds: float) -> float:
    """Returns how many packages per second one process for each package checks."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.zip")
        path.write_bytes(package())
        end = time.monotonic() + seconds

        def run(_number: int) -> int:
            count = 0
            while time.monotonic() < end:
                command = [sys.executable, "-m", "extlint", "check", str(path), "--output-format", "json"]
                subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
                count += 1
            return count

        started = time.monotonic()
        with ThreadPoolExecutor(clients) as pool:
            total = sum(pool.map(run, range(clients)))
        return total / (time.monotonic() - started)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    process, port, seconds = start(options.jobs)
    print(f"ready after {seconds:.2f} s")
    try:
        asyncio.run(run_clients(port, options.clients, 3, []))
        print(f"memory {memory(process.pid):.0f} MiB")
        for name, hostile in (("good", []), ("every tenth hostile", hostile_packages())):
            before = processor_time(process.pid)
            load = asyncio.run(run_clients(port, options.clients, options.seconds, hostile))
            spent = (processor_time(process.pid) - before) / len(load.seconds) * 1000
            print(f"{name}: {load.line()}, {spent:.0f} ms of processor time for each good one")
            time.sleep(1)
            print(f"memory {memory(process.pid):.0f} MiB")
    finally:
        process.terminate()
        print("exit status", process.wait())
    found = processes(options.jobs, min(options.seconds, 15))
    print(f"one process for each package: {found:.1f} per second")


if __name__ == "__main__":
    main()
