"""The steps of a release, in their order. Each writes files to a folder, or fails."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from extlint_release import artifacts, changelog, distributions, tree

IMAGE = "ghcr.io/extlint/extlint"
NOTES = "notes.md"


@dataclass(frozen=True)
class Release:
    """A tree with its version, and the folder for the files of its release."""

    root: Path
    version: str
    folder: Path

    @property
    def example(self) -> Path:
        """The extension of the README, with four mistakes."""
        return self.root / "examples" / "read-later"


class SkippedError(Exception):
    """A step that this machine cannot do, with the reason."""


def check(release: Release) -> None:
    """Checks that the tag, the changelog and the packages name the same version."""
    found = list(tree.problems(release.root))
    if found:
        raise ValueError("; ".join(found))


def write_notes(release: Release) -> None:
    """Writes the notes of the release, from the changelog."""
    text = (release.root / "CHANGELOG.md").read_text("utf-8")
    (release.folder / NOTES).write_text(changelog.notes(text, release.version), "utf-8", newline="\n")


def build_distributions(release: Release) -> None:
    """Builds, inspects, installs and runs the sdist and the wheel."""
    with TemporaryDirectory(prefix="extlint-") as name:
        built = Path(name)
        distributions.build(release.root, built)
        distributions.inspect(built, release.root)
        for path in artifacts.files(built):
            distributions.try_out(path, release.version, release.example)
            shutil.copy(path, release.folder)


def build_program(release: Release) -> None:
    """Packs the program for this platform from the wheel, and runs it."""
    wheel = artifacts.only_file(release.folder, "*.whl")
    distributions.run("extlint_pack", "program", str(release.folder), "--wheel", str(wheel))


def build_npm(release: Release) -> None:
    """Makes the npm packages of the packed programs, then installs and runs them with npm."""
    distributions.run("extlint_pack", "npm", str(release.folder), str(release.folder), "--only-found")
    if shutil.which("npm") is None:
        raise SkippedError("npm is not installed, so the packages were not tried")
    distributions.run("extlint_pack", "try", str(release.folder))


def write_manifests(release: Release) -> None:
    """Writes the manifests of package managers."""
    distributions.run("extlint_pack", "manifests", str(release.folder), str(release.folder), "--only-found")


def build_image(release: Release) -> None:
    """Builds the container image and runs it."""
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "info"], capture_output=True, check=False).returncode:
        raise SkippedError("no Docker daemon runs here")
    name = f"{IMAGE}:{release.version}"
    subprocess.run([docker, "build", "--quiet", "--tag", name, "."], cwd=release.root, check=True)
    program = [docker, "run", "--rm", "-v", f"{release.root / 'examples'}:/work:ro", name]
    distributions.expect_version(program, release.version)
    distributions.expect_findings(program, Path("read-later"))


def write_checksums(release: Release) -> None:
    """Writes the hashes of all files."""
    artifacts.write_checksums(release.folder)


STEPS: Mapping[str, Callable[[Release], None]] = {
    "check": check,
    "notes": write_notes,
    "distributions": build_distributions,
    "program": build_program,
    "npm": build_npm,
    "manifests": write_manifests,
    "image": build_image,
    "checksums": write_checksums,
}
