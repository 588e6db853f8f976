"""A run: the extensions at paths or in a text, checked with a user's options and their configurations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from extlint.analysis.cache.cache import NO_CACHE, Cache
from extlint.checking.batch import Check, Fixing, Result, check_all
from extlint.checking.jobs import Item
from extlint.checking.settings import ConfiguredScope, SettingsOf
from extlint.linting.configuration.configuration import Configuration
from extlint.package.discovery.find import NoExtensionError, find_packages, packages_in_archive, stdin_package
from extlint.package.files import Package, UnreadableError
from extlint.report.report import Summary
from extlint.report.reporter import Reporter

if TYPE_CHECKING:
    from extlint.checking.changed_lines import ChangedLines


class Run:
    """One run, of the command line or of a program. Options override the configurations of extensions.

    `config` is the file with the configuration of all extensions. `writes` is true if baselines are written.
    With `skips_foreign_files`, files that belong to no extension, or to an excluded one, are not errors.
    """

    def __init__(
        self,
        options: Configuration,
        config: str | None = None,
        *,
        writes: bool = False,
        skips_foreign_files: bool = False,
    ) -> None:
        """Raises UsageError for options that leave nothing to do, and for unusable files."""
        self.settings_of = SettingsOf(options, config, writes=writes)
        self._skips_foreign_files = skips_foreign_files
        self._scope = ConfiguredScope(
            options,
            self.settings_of.configurations,
            named_by_tool=skips_foreign_files,
            reads_projects=True,
        )

    def packages_at(self, paths: Sequence[str]) -> Iterator[Item]:
        """Yields the extensions at paths, by default in the current folder, and errors in their places."""
        found = map(explain_missing_manifest, find_packages(paths or (".",), self._scope))
        return self._recorded(found, paths)

    def package_of(self, read: Callable[[], bytes], filename: str | None) -> Iterator[Item]:
        """Yields the extension with a file's text, which is read when the extension is requested.

        If reading raises UnreadableError, that is yielded.
        """

        def found() -> Iterator[Item]:
            try:
                yield stdin_package(read(), filename, self._scope)
            except UnreadableError as error:
                yield error

        return self._recorded(found(), ("-",))

    def package_in_archive(self, data: bytes, name: str) -> Iterator[Item]:
        """Yields the extensions in an archive that is not on the disk. `name` decides its configuration."""
        return self._recorded(packages_in_archive(data, name, self._scope), (name,))

    def _recorded(self, found: Iterable[Item], paths: Sequence[str]) -> Iterator[Item]:
        if self._skips_foreign_files:
            found = (
                each
                for each in found
                if not isinstance(each, NoExtensionError) and not self._scope.excludes(each)
            )
        return self._scope.record_packages(found, paths or (".",))

    def check(
        self,
        packages: Iterable[Item],
        reporters: Sequence[Reporter],
        complain: Callable[[str], None],
        *,
        cache: Cache = NO_CACHE,
        fixing: Fixing | None = None,
        changes: ChangedLines | None = None,
        jobs: int | None = 1,
        on_checked: Callable[[], None] = lambda: None,
        memory: int | None = None,
    ) -> Result:
        """Checks packages of this run, and returns the output of each reporter. See `check_all`."""
        check = Check(self.settings_of, tuple(reporters), cache, fixing, changes)
        return check_all(packages, check, complain, jobs, self._conclude, on_checked, memory)

    def _conclude(self, summary: Summary) -> None:
        summary.record_skipped(self._scope.skipped)
        summary.idle = self._scope.idle_entries()


def explain_missing_manifest(item: Package | UnreadableError) -> Package | UnreadableError:
    """Returns an item as it was found.

    The error for a missing manifest mentions a project whose build generates a manifest.
    """
    if not isinstance(item, UnreadableError):
        return item
    from extlint.package.discovery.not_found import NoManifestError

    if isinstance(item, NoManifestError) and item.tree is not None:
        from extlint.project.generated_manifests import generated_manifest_sentence

        return UnreadableError(generated_manifest_sentence(item.tree) or str(item))
    return item
