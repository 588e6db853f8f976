"""The files of a release: their sizes and hashes."""

from __future__ import annotations

from hashlib import file_digest
from pathlib import Path

CHECKSUMS = "SHA256SUMS"


def only_file(folder: Path, pattern: str) -> Path:
    """Returns the one file that a pattern names. Raises ValueError unless it names exactly one."""
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise ValueError(f"{folder} has {len(found)} files like {pattern}, not one")
    return found[0]


def digest(path: Path) -> str:
    """Returns the SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def files(folder: Path) -> list[Path]:
    """Returns the files that a release publishes, by name."""
    return sorted(each for each in folder.iterdir() if each.is_file() and each.name != CHECKSUMS)


def write_checksums(folder: Path) -> None:
    """Writes the hashes of all files, in the format of `sha256sum --check`."""
    lines = [f"{digest(each)}  {each.name}\n" for each in files(folder)]
    (folder / CHECKSUMS).write_text("".join(lines), "utf-8", newline="\n")


def listing(folder: Path) -> str:
    """Returns the names and sizes of all files, one on each line."""
    return "".join(f"{each.stat().st_size / 1e6:8.2f} MB  {each.name}\n" for each in files(folder))
