"""Detects targets by uses of an API that only one browser has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from extlint.checks.api.schema_path import is_available
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.project.target_detection.choice import Choice, Origin
from extlint.project.target_detection.markers import browsers_in_readme
from extlint.schema.engine import Engine
from extlint.schema.targets import BROWSERS, Target, browser_name, engine_of
from extlint.text.wording import quoted

RULES_ABOUT_MISSING_API = ("unknown-api", "unsupported-api")
"""The rules about members that are missing in a browser. A test for the member excuses its use."""

_ROOT_OF_CHROMIUM = "chrome"
"""The global through which the API is available in each version of Chromium."""


def targets_in_uses(browsers: Sequence[Extension], findings: Iterable[Finding]) -> Choice | None:
    """Returns the browsers with an API that an extension uses and that the others do not have, or None.

    `findings` are those of all browsers. A README that says to install the extension only in another browser
    contradicts a use, which may then be the mistake.
    """
    found: dict[str, str] = {}
    for name, reason in _marks(browsers, findings):
        found.setdefault(name, reason)
    package = browsers[0].package
    if found and package.around is not None and not package.packed:
        documented = browsers_in_readme(package.around)
        found = {each: why for each, why in found.items() if not documented or each in documented}
    targets = tuple(Target(each) for each in BROWSERS if each in found)
    if not targets:
        return None
    return Choice(targets, Origin.SCRIPTS, tuple(found[each.name] for each in targets))


def _marks(browsers: Sequence[Extension], findings: Iterable[Finding]) -> Iterator[tuple[str, str]]:
    """Yields the name of each of these browsers, with a clause that gives the reason."""
    for each in findings:
        path = tuple((each.api or "").split("."))
        for extension in browsers if each.rule in RULES_ABOUT_MISSING_API else ():
            name = extension.target.name
            if name not in each.targets and is_available(extension, path) and _is_mark(extension, each):
                yield (
                    name,
                    f"{quoted(each.path)} uses {quoted('.'.join(path))}, which only {browser_name(name)} has",
                )


def _is_mark(extension: Extension, finding: Finding) -> bool:
    """Whether the use that a finding is about shows that the extension is for a browser.

    The extension loads the script. Chrome is meant only through `chrome`: most of its versions have no global
    `browser`, so that code that uses it is for another browser, too.
    """
    is_chromium = engine_of(extension.target.name) is Engine.CHROMIUM
    return any(
        script.span(reference.span) == finding.span
        and (reference.root == _ROOT_OF_CHROMIUM or not is_chromium)
        for script in extension.scripts
        if script.path == finding.path and script.contexts
        for reference in script.facts.references
    )
