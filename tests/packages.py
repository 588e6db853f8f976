"""Packages made of a table of files, for tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from extlint.package.files import Package


def package_of(files: Mapping[str, str | bytes], name: str = "ext") -> Package:
    """A package that holds these files: path to content, text as UTF-8."""
    return Package(name, {path: _reader(content) for path, content in files.items()})


def _reader(content: str | bytes) -> Callable[[], bytes]:
    data = content.encode() if isinstance(content, str) else content
    return lambda: data
