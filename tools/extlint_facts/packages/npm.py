"""Downloads pinned packages with npm's own client."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from shutil import which

from extlint_facts.packages.pin import PackageError, Pin


def download(pin: Pin, folder: Path) -> Path:
    """Downloads a pinned package into `folder` and returns the archive. Raises PackageError."""
    npm = which("npm")
    if npm is None:
        raise PackageError("npm is not installed")
    with tempfile.TemporaryDirectory() as fresh:
        command = [npm, "pack", f"{pin.package}@{pin.version}", "--silent", "--pack-destination", fresh]
        done = subprocess.run(command, cwd=fresh, capture_output=True, text=True, check=False)
        archive = next(Path(fresh).glob("*.tgz"), None)
        if done.returncode != 0 or archive is None:
            raise PackageError(f"npm could not download {pin}: {done.stderr.strip()}")
        return Path(shutil.move(pin.check(archive), folder / archive.name))
