"""Writes the npm packages: one for each platform, and `extlint`, which runs the program in one of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from extlint_pack.archives import File, files_of_archive, write_archive
from extlint_pack.platforms import PLATFORMS, FoundArchive, Platform, npm_version, tarball_name

NAME = "extlint"
_HERE = Path(__file__).parent / "npm"
_CHECKOUT = Path(__file__).resolve().parents[2]
_MIN_NODE = ">=18"

_COMMON = {
    "license": "Apache-2.0",
    "homepage": "https://extlint.github.io/extlint/",
    "repository": {"type": "git", "url": "git+https://github.com/extlint/extlint.git"},
    "bugs": "https://github.com/extlint/extlint/issues",
}


def write_packages(archives: list[FoundArchive], target: Path) -> list[Path]:
    """Writes the package of each archive, and then `extlint`. Returns the paths in that order."""
    target.mkdir(parents=True, exist_ok=True)
    version = npm_version(archives[0].version)
    written = []
    for each in archives:
        path = target / tarball_name(each.platform.package, version)
        write_archive(path, _files_of_platform(each, version))
        written.append(path)
    path = target / tarball_name(NAME, version)
    write_archive(path, _own_files(version))
    return [*written, path]


def manifest_of_platform(platform: Platform, version: str) -> dict[str, Any]:
    """Returns the `package.json` of the package with the program of a platform, in a version of npm.

    npm installs it only on that platform. `preferUnplugged` makes Yarn extract it.
    """
    return {
        "name": platform.package,
        "version": version,
        "description": f"The program of extlint for {platform.name}",
        **_COMMON,
        "os": [platform.system],
        "cpu": [platform.processor],
        **({"libc": ["glibc"]} if platform.system == "linux" else {}),
        "preferUnplugged": True,
    }


def own_manifest(version: str) -> dict[str, Any]:
    """Returns the `package.json` of `extlint`, in a version of npm."""
    return {
        "name": NAME,
        "version": version,
        "description": "Checks browser extensions: the manifest, and every call of an extension API",
        "keywords": ["browser-extension", "webextension", "linter", "manifest", "chrome", "firefox"],
        **_COMMON,
        "bin": {NAME: "bin/extlint.js"},
        "engines": {"node": _MIN_NODE},
        "optionalDependencies": {each.package: version for each in PLATFORMS},
    }


def _files_of_platform(archive: FoundArchive, version: str) -> Iterator[File]:
    yield _manifest_file(manifest_of_platform(archive.platform, version))
    text = f"The program of [extlint](https://extlint.github.io/extlint/) for {archive.platform.name}.\n"
    yield File("package/README.md", text.encode())
    folder = archive.platform.folder_name(archive.version)
    for each in files_of_archive(archive.path):
        yield each._replace(path=f"package{each.path.removeprefix(folder)}")


def _own_files(version: str) -> Iterator[File]:
    yield _manifest_file(own_manifest(version))
    yield File("package/README.md", _HERE.joinpath("README.md").read_bytes())
    for name in ("LICENSE", "NOTICE"):
        yield File(f"package/{name}", _CHECKOUT.joinpath(name).read_bytes())
    yield File("package/bin/extlint.js", _HERE.joinpath("extlint.js").read_bytes(), is_program=True)


def _manifest_file(content: dict[str, Any]) -> File:
    return File("package/package.json", json.dumps(content, indent=2).encode() + b"\n")
