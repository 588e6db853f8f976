"""The sdist and the wheel: builds them, looks at their contents, installs and runs them."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

from extlint_release.artifacts import only_file


def build(root: Path, folder: Path) -> None:
    """Builds the sdist of a tree, and the wheel from the sdist, in environments of their own."""
    run("build", "--outdir", str(folder), str(root))


def inspect(folder: Path, root: Path) -> None:
    """Runs the linters of packages. Raises CalledProcessError if one reports something."""
    wheel, sdist = only_file(folder, "*.whl"), only_file(folder, "*.tar.gz")
    run("check_wheel_contents", "--config", str(root / "pyproject.toml"), str(wheel))
    run("pyroma", "--min", "10", str(sdist))


def try_out(distribution: Path, version: str, example: Path) -> None:
    """Installs a distribution into a new environment and runs it there. Raises if it does something wrong."""
    with TemporaryDirectory(prefix="extlint-") as name:
        folder = Path(name)
        venv.create(folder, with_pip=True)
        programs = folder / ("Scripts" if os.name == "nt" else "bin")
        pip = [str(programs / "python"), "-m", "pip", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--quiet", str(distribution)], check=True)
        subprocess.run([*pip, "check"], check=True, stdout=subprocess.DEVNULL)
        expect_version([str(programs / "extlint")], version)
        expect_findings([str(programs / "extlint")], example)


def expect_version(program: list[str], version: str) -> None:
    """Raises ValueError if a program does not print a version."""
    printed = subprocess.run([*program, "--version"], capture_output=True, text=True, check=True).stdout
    if printed != f"extlint {version}\n":
        raise ValueError(f"{program[0]} --version prints {printed!r}, not the version {version}")


def expect_findings(program: list[str], example: Path) -> None:
    """Raises ValueError if a program does not find the mistakes of the example in the README."""
    ended = subprocess.run(
        [*program, "check", "--no-cache", str(example)], capture_output=True, encoding="utf-8", check=False
    )
    if ended.returncode != 1 or "Found 4 errors in 1 extension" not in ended.stdout:
        raise ValueError(
            f"{program[0]} does not find the mistakes of {example}:\n{ended.stdout}{ended.stderr}"
        )


def run(module: str, *arguments: str) -> None:
    """Runs a module of this environment as a program. Raises CalledProcessError if it fails."""
    subprocess.run([sys.executable, "-m", module, *arguments], check=True)
