"""Finds newer versions of the pinned packages, and pins them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from shutil import which

import msgspec
from msgspec.structs import replace

from extlint_facts.packages.pin import PINNED, PackageError, Pin

NOTICE = Path(__file__).resolve().parents[3] / "NOTICE"


def newest_pins(
    pinned: Iterable[Pin], today: str, ask: Callable[[str], Mapping[str, str]] | None = None
) -> list[Pin]:
    """Returns the pins, each with the newest version that npm has. Raises PackageError.

    `ask` returns the version of a package and the hash of its archive.
    """
    found = []
    for pin in pinned:
        newest = (ask or _ask_npm)(pin.package)
        if newest["version"] != pin.version:
            pin = replace(pin, version=newest["version"], integrity=newest["dist.integrity"], pinned=today)
        found.append(pin)
    return found


def _ask_npm(package: str) -> Mapping[str, str]:
    npm = which("npm")
    if npm is None:
        raise PackageError("npm is not installed")
    command = [npm, "view", package, "version", "dist.integrity", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        found: Mapping[str, str] = json.loads(done.stdout)
        return {"version": found["version"], "dist.integrity": found["dist.integrity"]}
    except (ValueError, KeyError, TypeError):
        raise PackageError(f"npm does not know the newest {package}: {done.stderr.strip()}") from None


def write_pins(
    before: Iterable[Pin], pins: Iterable[Pin], path: Path = PINNED, notice: Path = NOTICE
) -> None:
    """Writes the pins, and the versions of packages in the notice."""
    listed = list(pins)
    text = json.dumps([msgspec.to_builtins(each) for each in listed], indent=2)
    path.write_text(f"{text}\n", encoding="utf-8")
    notes = notice.read_text(encoding="utf-8")
    for old, new in zip(before, listed, strict=True):
        notes = notes.replace(f"{old}\n", f"{new}\n")
    notice.write_text(notes, encoding="utf-8")
