"""Reports the parts that were not checked, so that silence is not mistaken for a clean result."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec.structs import replace

from extlint.finding import Finding
from extlint.package.failures import Failure
from extlint.package.limits import LeftOut, Unchecked, left_out_sentence
from extlint.registry import RULES
from extlint.text.positions import START
from extlint.text.wording import listed, quoted

_REPORT = "please report it, with what EXTLINT_DEBUG=1 makes extlint print: https://github.com/extlint/extlint/issues"
_HELP = f"this is a mistake of extlint, not of the extension; everything else was checked; {_REPORT}"
_HELP_IF_FATAL = f"this is a mistake of extlint, not of the extension; {_REPORT}"


def failure_findings(
    failures: Iterable[Failure],
    manifest_path: str,
    rules: Collection[str],
    targets: Sequence[str],
    *,
    is_fatal: bool = False,
) -> Iterator[Finding]:
    """Yields one note for each file in which extlint failed, and one at the manifest for all failed rules.

    `is_fatal` is true if the failure ended the entire check.
    """
    if "incomplete-analysis" not in rules:
        return
    found = list(failures)
    if is_fatal:
        for each in found:
            message = f"extlint failed here, so the extension is not checked: {each.error}"
            yield _note(each.path, message, targets, _HELP_IF_FATAL)
        return
    for each in found:
        if each.rule is None:
            yield _note(
                each.path, f"extlint failed here, so this file is not fully checked: {each.error}", targets
            )
    of_rules = [each for each in found if each.rule is not None]
    if of_rules:
        names = listed([quoted(str(each.rule)) for each in of_rules], "and")
        what = "the rule" if len(of_rules) == 1 else "the rules"
        yield _note(
            manifest_path,
            f"extlint failed in {what} {names}, which may have more to say: {of_rules[0].error}",
            targets,
        )


def left_out_findings(
    left_out: Sequence[LeftOut], manifest_path: str, rules: Collection[str], targets: Sequence[str]
) -> Iterator[Finding]:
    """Yields one note at the manifest for everything that was left out of the folder or archive."""
    if left_out and "incomplete-analysis" in rules:
        yield _note(manifest_path, left_out_sentence(left_out), targets, help=None)


def unchecked_findings(
    unchecked: Unchecked, rules: Collection[str], targets: Sequence[str]
) -> Iterator[Finding]:
    """Yields one note for each file that has more of something than is checked."""
    if "incomplete-analysis" in rules:
        for path, what in unchecked.by_path().items():
            message = f"there is more here than extlint checks: {'; '.join(what)}"
            yield _note(path, message, targets, help=None)


def _note(path: str, message: str, targets: Sequence[str], help: str | None = _HELP) -> Finding:
    return replace(RULES["incomplete-analysis"].at(path, START, message, help=help), targets=tuple(targets))
