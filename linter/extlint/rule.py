"""Defines rules: their metadata, and the interface of their modules."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Protocol

from msgspec import Struct

from extlint.extension import Extension, Script
from extlint.finding import Finding, Fix, Related, Severity
from extlint.project.contexts.json_files import JsonKind
from extlint.text.positions import Span


class Group(Struct, frozen=True):
    """Rules about one subject, which `--select` and `--ignore` accept together by the group's name.

    `runs` describes the inputs on which its rules run, unless they always run. `only_packed` is true if they
    run only on packed archives, unless a user selects them.
    """

    name: str
    about: str
    runs: str | None = None
    only_packed: bool = False


class Assumption(Enum):
    """A rule's assumption about the manifest, which may fail if that is only a source of the final one."""

    MANIFEST = "the manifest is complete and no template"
    REQUESTS = "the manifest has everything that is requested for any browser"
    VERSION = "the manifest version is the one that is written"


class Fixable(Enum):
    """The kind of fixes that the findings of a rule may have."""

    NO = "no"
    UNSAFELY = "unsafely"
    SAFELY = "safely"


class Rule(Struct, frozen=True):
    """A row of the registry.

    It creates the findings of its rule, so that no call site repeats name or severity.

    * `fixable`: `SAFELY` if `--fix` fixes some of its findings, and `--unsafe-fixes` maybe others; `UNSAFELY`
      if that option is always required.
    * `requires_manifest`: the rule is not run if the manifest cannot be read as an object.
    * `requires_browser`: it is not run with the specification. For `reference`, only the findings that all
      browsers have in common count.
    * `requires_oldest`: it is not run, nor imported, if no oldest version of the browser is configured.
    * `requires_keys`: it is not run, nor imported, if the manifest has none of these keys.
    * `requires_version`: it is not run, nor imported, in another manifest version.
    * `requires_uses`: it is not run, nor imported, if no script uses the API.
    * `requires_names`: it is not run, nor imported, if no script uses a member of one of these names.
    * `requires_reads`: it is not run, nor imported, if no script reads a field of a result of the API, or
      compares one.
    * `requires_comparisons`: it is not run, nor imported, if no script compares a result of the API.
    * `requires_globals`: it is not run, nor imported, if no script may use a global that is missing from its
      context.
    * `requires_imports`: it is not run, nor imported, if no script that runs may import or export anything.
    * `requires_string_code`: it is not run, nor imported, if no script may run a string as code.
    * `requires_page_code`: it is not run, nor imported, if no page or script has inline code, or code of
      other hosts.
    * `requires_timers`: it is not run, nor imported, if no service worker mentions a timer.
    * `requires_web_pages`: it is not run, nor imported, if web pages never receive anything of the package.
    * `requires_mistakes`: it is not run, nor imported, if no mistake in a JSON file belongs to it.
    * `requires_images`: it is not run, nor imported, if the manifest names no images.
    * `requires_locales`: it is not run, nor imported, if the package has no locales.
    * `requires_top_folder`: it is only run, and imported, on an archive whose files are all in one folder.
    * `requires_underscores`: it is not run, nor imported, if no name at the top of the package begins with
      `_`, except `_locales`.
    * `requires_all_uses`: it draws conclusions from the absence of uses, and is not run if the API has other
      roots.
    * `assumes`: it is not run on manifests for which this assumption is false.
    * `written_keys`: its findings are dropped if a tool of the project may write these keys.
    * `reads`: the JSON files, in addition to the manifest, in which it finds mistakes.
    * `requires_findings`: it is not run on an extension, but on the findings of all other rules.
    * `comes_last`: it is run after all others, as it reports their omissions.
    * `prefetches`: its module is a `PrefetchingModule`.
    * `follows`: the rule whose mistake is the cause, if it has a finding at the same location, also for
      another browser.
    """

    name: str
    severity: Severity
    group: Group
    fixable: Fixable = Fixable.NO
    requires_manifest: bool = True
    requires_browser: bool = False
    requires_oldest: bool = False
    requires_keys: tuple[str, ...] = ()
    requires_version: int | None = None
    requires_uses: bool = False
    requires_names: tuple[str, ...] = ()
    requires_reads: bool = False
    requires_comparisons: bool = False
    requires_globals: bool = False
    requires_imports: bool = False
    requires_timers: bool = False
    requires_string_code: bool = False
    requires_page_code: bool = False
    requires_web_pages: bool = False
    requires_mistakes: bool = False
    requires_images: bool = False
    requires_locales: bool = False
    requires_top_folder: bool = False
    requires_underscores: bool = False
    requires_all_uses: bool = False
    assumes: Assumption | None = None
    written_keys: tuple[str, ...] = ()
    reads: tuple[JsonKind, ...] = ()
    requires_findings: bool = False
    comes_last: bool = False
    prefetches: bool = False
    follows: str | None = None

    def at(
        self,
        path: str,
        span: Span,
        message: str,
        *,
        api: str | None = None,
        help: str | None = None,
        related: tuple[Related, ...] = (),
        general: str | None = None,
        reason: str | None = None,
        fix: Fix | None = None,
    ) -> Finding:
        """Returns a finding of this rule at a location."""
        return Finding(
            self.name,
            self.severity,
            message,
            path,
            span,
            api,
            help,
            related,
            general=general,
            reason=reason,
            fix=fix,
        )


class RuleModule(Protocol):
    """A module of `extlint_rules`. Its docstring is the rule's documentation."""

    __doc__: str | None

    def check(self, extension: Extension) -> Iterator[Finding]:
        """Yields one finding for each mistake."""
        ...


class PrefetchingModule(RuleModule, Protocol):
    """A rule module that can prefetch the results of its queries about evaluated scripts."""

    def prefetch(self, extension: Extension, script: Script) -> None:
        """Runs all queries of `check` about one script, so that their results are cached."""
        ...
