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

    __hash__ = object.__hash__  # that of Enum is slow

    MANIFEST = "the manifest is complete and no template"
    KEYS = "the manifest keeps its own keys, also if a framework makes it"
    BACKGROUND = "the kind of background is the written one, or the default of a framework"
    REQUESTS = "the manifest has everything that is requested for any browser"
    VERSION = "the manifest version is the one that is written"


class Fixable(Enum):
    """The kind of fixes that the findings of a rule may have."""

    NO = "no"
    UNSAFELY = "unsafely"
    SAFELY = "safely"


class When(Enum):
    """A condition without which a rule has nothing to check."""

    __hash__ = object.__hash__  # that of Enum is slow

    OLDEST = "an oldest version of the browser is configured"
    VERSION_2 = "the manifest version is 2"
    ALL_USES = "the API has no other roots, so that the absence of uses proves something"
    BROWSER = "the target is a browser; for `reference`, only the findings that all browsers share count"
    CHROMIUM_OR_GECKO = "the target is a browser based on Chromium or Gecko, whose calls were tried"
    USES = "a script uses the API"
    USES_OR_RULES = "a script uses the API, or the manifest names rules for requests"
    NAMES = "a script uses a member of one of these names"
    RARE_EVENTS = "a script names an event that may never come where the script runs"
    LISTENERS = "a script adds a listener to the API, or a service worker to something else"
    READS = "a script reads a field of a result of the API, or compares one, or uses a promise as a value"
    COMPARISONS = "a script compares a result of the API"
    GLOBALS = "a script may use a global that is missing from its context"
    SCRIPTS = "a script runs"
    IMPORTS = "a script that runs may import or export something, or be one of Node"
    TIMERS = "a service worker mentions a timer"
    HTTP = "a script of Manifest V3 has an address over HTTP"
    STRING_CODE = "a script may run a string as code"
    WEBASSEMBLY = "a script mentions WebAssembly"
    PAGE_CODE = "a page or script has inline code, or code of other hosts"
    LOOKUPS = "a script of an extension page looks up elements"
    WEB_PAGES = "web pages may receive something of the package"
    MISTAKES = "a mistake in a JSON file belongs to the rule"
    IMAGES = "the manifest names images"
    LOCALES = "the package has locales"
    TOP_FOLDER = "the package is an archive whose files are all in one folder"
    UNDERSCORES = "a name at the top of the package begins with `_`, except `_locales`"
    CONTENT_SCRIPTS = "a script runs only as a content script"
    IDLE_BUTTONS = "the manifest has a button with a title and without a popup"
    UNWANTED = "the package is an archive, or has a private key by its name"
    KEYS = "the manifest has one of these keys"
    RUNS = "the code of the finding may run"
    SENT = "the code of the finding is not for a message that no script sends while scripts send others"


class AnyOf(Struct, frozen=True, cache_hash=True):
    """A condition about one of several names: `NAMES` or `KEYS`."""

    condition: When
    names: tuple[str, ...]


class Rule(Struct, frozen=True):
    """A row of the registry.

    It creates the findings of its rule, so that no call site repeats name or severity.

    * `fixable`: `SAFELY` if `--fix` fixes some of its findings, and `--unsafe-fixes` maybe others; `UNSAFELY`
      if that option is always required.
    * `requires_manifest`: the rule is not run if the manifest cannot be read as an object.
    * `when`: it is not run, nor imported, unless all of these conditions hold. `RUNS` and `SENT` are those of
      each finding. A rule with `RUNS` says what happens when code runs, in some version or context. Others
      report what is wrong in code wherever it is: a name or a call that no browser accepts.
    * `assumes`: see `assumption`.
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
    when: tuple[When | AnyOf, ...] = ()
    assumes: Assumption | None = None
    written_keys: tuple[str, ...] = ()
    reads: tuple[JsonKind, ...] = ()
    requires_findings: bool = False
    comes_last: bool = False
    prefetches: bool = False
    follows: str | None = None

    @property
    def assumption(self) -> Assumption | None:
        """The rule is not run on manifests for which this is false: `MANIFEST` if it has `written_keys`."""
        return self.assumes or (Assumption.MANIFEST if self.written_keys else None)

    def requires(self, condition: When) -> bool:
        """Whether the rule is run only under a condition."""
        return condition in self.when

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
        must_run: bool = False,
    ) -> Finding:
        """Returns a finding of this rule at a location. It `must_run` if the rule or the caller says so."""
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
            must_run=must_run or self.requires(When.RUNS),
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
