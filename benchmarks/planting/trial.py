"""Runs extlint on an extension, with and without a mistake in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from unittest.mock import patch

from planting.mistakes import Kind, Mistake, apply_mistake
from planting.sites import Site, own_namespaces, sites_of

from extlint import checker
from extlint.finding import Finding
from extlint.package.files import Package, Reader
from extlint.package.tolerant import TolerantPackage
from extlint.project.contexts.layout import lay_out
from extlint.project.contexts.script import LaidOutScript, Layout
from extlint.schema.targets import Target
from extlint.text.positions import TextIndex, decode

RULES = (
    "invalid-argument",
    "missing-permission",
    "unknown-api",
    "unknown-result-field",
    "wrong-argument-count",
    "wrong-context",
)
"""The rules that find the planted mistakes."""


class Overlay(Package):
    """A package with replaced contents at some paths."""

    def __init__(self, package: Package, contents: Mapping[str, bytes]) -> None:
        super().__init__(
            package.name, {}, package.manifest_path, complete=package.complete, around=package.around
        )
        self._package = package
        self._contents = contents

    @property
    def paths(self) -> tuple[str, ...]:
        return self._package.paths

    def reader(self, path: str) -> Reader | None:
        if path in self._contents:
            return partial(self._contents.__getitem__, path)
        return self._package.reader(path)

    def other_case(self, path: str) -> str | None:
        return self._package.other_case(path)


class Trial:
    """One extension, its calls of the API, and its original findings."""

    def __init__(self, package: Package, targets: Sequence[Target] = (Target("reference"),)) -> None:
        self.package = TolerantPackage(package)
        self.targets = targets
        self.name = package.name
        scripts, self._before = self._analyze_original()
        found = [site for script in scripts for site in sites_of(script, self.data(script.path))]
        paths = {script.path for script in scripts} if found else set()
        own = {name for path in paths for name in own_namespaces(self.data(path))}
        self.sites: list[Site] = [site for site in found if not site.is_own_object(own)]

    def _analyze_original(self) -> tuple[Sequence[LaidOutScript], tuple[Finding, ...]]:
        """Returns the scripts, with their contexts, and the findings of the original extension."""
        scripts: list[LaidOutScript] = []

        def noted(*args: Any) -> Layout:
            layout: Layout = lay_out(*args)
            scripts.extend(layout.scripts)
            return layout

        with patch("extlint.program.shared_layout.lay_out", noted):
            return scripts, self._findings({})

    def data(self, path: str) -> bytes:
        """Returns the bytes of a file in extlint's encoding."""
        return decode(self.package.read(path))

    def _findings(self, contents: Mapping[str, bytes]) -> tuple[Finding, ...]:
        return checker.check_package(Overlay(self.package, contents), self.targets, RULES).findings

    def is_new(self, mistake: Mistake) -> bool:
        """Whether extlint reported nothing of this kind at the original site."""
        site = mistake.site
        whole = (site.base + site.start, site.base + site.call.end)
        at = [whole] if mistake.kind is not Kind.FIELD else []
        path = site.script.path
        return not any(_is_found(self._before, mistake, path, self.data(path), place) for place in at)

    def finds(self, mistake: Mistake) -> bool:
        """Whether extlint finds the mistake once it is made."""
        path = mistake.site.script.path
        data, place = apply_mistake(self.data(path), mistake)
        contents = {path: data}
        if mistake.drop is not None:
            manifest = self.package.manifest_path
            dropped = self.package.read(manifest).replace(f'"{mistake.drop}"'.encode(), b'"dropped"')
            contents[manifest] = dropped
        return _is_found(self._findings(contents), mistake, path, data, place)


def _is_found(
    findings: tuple[Finding, ...], mistake: Mistake, path: str, data: bytes, place: tuple[int, int]
) -> bool:
    """Whether a rule that must find a mistake has a finding that overlaps its location."""
    span = TextIndex(data).span(*place)
    return any(
        finding.rule in mistake.rules
        and finding.path == path
        and finding.span.start < span.end
        and span.start < finding.span.end
        for finding in findings
    )
