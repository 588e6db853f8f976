"""Writes the Homebrew formula and the Scoop manifest for the archives of a release."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from extlint_pack.platforms import FoundArchive

_DESCRIPTION = "Checks browser extensions: the manifest, and every call of an extension API"
_HOMEPAGE = "https://extlint.github.io/extlint/"
_REPOSITORY = "https://github.com/extlint/extlint"

_SYSTEMS = {"darwin": "macos", "linux": "linux"}
_PROCESSORS = {"arm64": "arm", "x64": "intel"}
"""The names in Homebrew of systems and processors."""


def address(name: str, version: str) -> str:
    """Returns the address of a file of a release."""
    return f"{_REPOSITORY}/releases/download/v{version}/{name}"


def homebrew_formula(archives: list[FoundArchive]) -> str:
    """Returns the formula for the archives whose systems Homebrew supports."""
    lines = [
        "class Extlint < Formula",
        f'  desc "{_DESCRIPTION}"',
        f'  homepage "{_HOMEPAGE}"',
        f'  version "{archives[0].version}"',
        '  license "Apache-2.0"',
        "",
    ]
    for system, name in _SYSTEMS.items():
        found = [each for each in archives if each.platform.system == system]
        if found:
            lines.append(f"  on_{name} do")
            for each in found:
                lines += [
                    f"    on_{_PROCESSORS[each.platform.processor]} do",
                    f'      url "{address(each.path.name, each.version)}"',
                    f'      sha256 "{_hash(each.path)}"',
                    "    end",
                ]
            lines += ["  end", ""]
    lines += [
        "  def install",
        '    libexec.install Dir["*"]',
        '    bin.write_exec_script libexec/"extlint"',
        "  end",
        "",
        "  test do",
        '    assert_match version.to_s, shell_output("#{bin}/extlint --version")',
        "  end",
        "end",
    ]
    return "\n".join(lines) + "\n"


def scoop_manifest(archives: list[FoundArchive]) -> str | None:
    """Returns the manifest for the archive for Windows, or None without one."""
    found = [each for each in archives if each.platform.is_windows]
    if not found:
        return None
    archive = found[0]
    newer = archive.platform
    content = {
        "version": archive.version,
        "description": _DESCRIPTION,
        "homepage": _HOMEPAGE,
        "license": "Apache-2.0",
        "architecture": {
            "64bit": {
                "url": address(archive.path.name, archive.version),
                "hash": _hash(archive.path),
                "extract_dir": archive.platform.folder_name(archive.version),
            }
        },
        "bin": "extlint.exe",
        "checkver": {"github": _REPOSITORY},
        "autoupdate": {
            "architecture": {
                "64bit": {
                    "url": address(newer.archive_name("$version"), "$version"),
                    "extract_dir": newer.folder_name("$version"),
                }
            }
        },
    }
    return json.dumps(content, indent=4) + "\n"


def write_manifests(archives: list[FoundArchive], target: Path) -> list[Path]:
    """Writes `extlint.rb` and `extlint.json` to a folder, without the one that no archive is for."""
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in (
        ("extlint.rb", homebrew_formula(archives)),
        ("extlint.json", scoop_manifest(archives)),
    ):
        if text is not None:
            path = target / name
            path.write_text(text, "utf-8", newline="\n")
            written.append(path)
    return written


def _hash(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()
