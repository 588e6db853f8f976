"""The licenses of everything that a program contains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution, distributions
from pathlib import Path

from extlint_pack.interpreter import library_licenses, python_license
from extlint_pack.shared_libraries import license_of_library

_LINE = "-" * 80
_NAMES = ("license", "licence", "copying", "notice", "copyright", "authors")


def third_party_text(packages: Path, libraries: Sequence[Path] = ()) -> str:
    """Returns the names, versions and licenses of Python, shared libraries, and the packages in a folder."""
    parts = [
        f"extlint's programs contain Python and these libraries.\n\nPython\n\n{python_license().strip()}"
    ]
    parts.extend(f"{each.stem}\n\n{each.read_text('utf-8').strip()}" for each in library_licenses())
    parts.extend(f"{each.name}\n\n{license_of_library(each).strip()}" for each in libraries)
    parts.extend(
        "\n\n".join([f"{each.name} {each.version}", *_license_of(each)])
        for each in sorted(distributions(path=[str(packages)]), key=lambda one: one.name.lower())
        if each.name != "extlint"
    )
    return f"\n\n{_LINE}\n\n".join(parts) + "\n"


def _license_of(distribution: Distribution) -> Iterator[str]:
    """Returns the name of the license of a distribution, and the texts of its license files."""
    metadata = distribution.metadata
    names = metadata.get_all("License-Expression") or [
        each for each in metadata.get_all("Classifier") or () if each.startswith("License ::")
    ]
    yield ", ".join(names or metadata.get_all("License") or ())
    for file in sorted(distribution.files or (), key=str):
        if ".dist-info" in file.parts[0] and file.name.lower().startswith(_NAMES):
            yield Path(str(file.locate())).read_text("utf-8", errors="replace").strip()
