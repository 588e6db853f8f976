"""The closing lines about code that was not checked: which, why, and what to do."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from extlint.linting.unchecked_code import Cause, UncheckedCode
from extlint.package.files import path_below
from extlint.report.report import Summary
from extlint.report.terminal import Style
from extlint.report.visible import visible
from extlint.text.placeholders import is_template_key
from extlint.text.wording import listed_with_count, quoted


def unchecked_lines(summary: Summary, style: Style) -> str:
    """Returns one line for each reason and remedy, for all extensions that have it.

    Missing files of one of several extensions are named with its path, as another one may have such files.
    """
    by_remedy: dict[tuple[Cause, str], list[UncheckedCode]] = {}
    for extension in summary.by_path:
        for each in extension.unchecked_code:
            is_ambiguous = each.cause is Cause.UNRESOLVED and len(summary.by_path) > 1
            if each.cause is Cause.UNCONNECTED or is_ambiguous:
                each = replace(each, names=tuple(path_below(extension.path, name) for name in each.names))
            by_remedy.setdefault((each.cause, each.remedy), []).append(each)
    return "".join(f"{_colored(unchecked_sentence(group), style)}\n" for group in by_remedy.values())


def _colored(sentence: str, style: Style) -> str:
    what, colon, remedy = sentence.rpartition(": ")
    return f"{style('yellow', visible(what or remedy))}{colon}{visible(remedy if what else '')}"


def unchecked_sentence(group: Sequence[UncheckedCode]) -> str:
    """Returns the sentence about the unchecked code of extensions, with the same reason and remedy."""
    first, names = group[0], sorted({name for each in group for name in each.names})
    they, were, run = ("it", "was", "runs") if len(names) == 1 else ("they", "were", "run")
    match first.cause:
        case Cause.UNBUILT:
            return f"{_unbuilt(group, len(names))}: {first.remedy}"
        case Cause.TEMPLATE:
            named = f"{listed_with_count([*map(quoted, names)])} in the manifest" if names else "the manifest"
            what = f"a build fills in {named}, so what depends on that was not checked"
        case Cause.INVALID:
            what = "the manifest is not valid, so nothing was checked"
        case Cause.REPLACED:
            what = "no browser reads the manifest, as a build makes another one, so it was not checked"
        case Cause.GENERATED:
            what = _generated(group, names)
        case Cause.UNRESOLVED:
            are = "is" if len(names) == 1 else "are"
            what = f"{listed_with_count(names)} {are} not there, so {they} {were} not checked"
        case Cause.UNCONNECTED:
            where = f"it is not known where {listed_with_count(names)} {run}"
            what = f"{where}, so {they} {were} checked only in part"
    return f"{what}: {first.remedy}" if first.remedy else what


def _generated(group: Sequence[UncheckedCode], computed: Sequence[str]) -> str:
    """Returns the clause about manifests that builds make, and the keys that code computes in part.

    A key that is a placeholder stands for any that code may add.
    """
    what = "a build makes the manifest, so only the code was checked"
    sources = sorted({source for each in group for source in each.sources.values()})
    if not sources:
        return what
    what = what.replace("code was", f"code and the keys in {listed_with_count(sources)} were")
    others = [each for each in computed if not is_template_key(each)]
    if len(others) < len(computed):
        return f"{what}, but not those that code adds"
    return f"{what}, but not all of {listed_with_count([*map(quoted, others)])}" if others else what


def _unbuilt(group: Sequence[UncheckedCode], count: int) -> str:
    """Returns the clause about the scripts that a build makes, and the sources that were checked instead."""
    unchecked = sorted({name for each in group for name in each.names if name not in each.sources})
    if not unchecked:
        names = sorted({name for each in group for name in each.names})
        are, sources = ("is", "its source was") if count == 1 else ("are", "their sources were")
        return f"{listed_with_count(names)} {are} not built, so {sources} checked instead"
    are, were = ("is", "it was") if len(unchecked) == 1 else ("are", "they were")
    rest = sum(len(each.sources) for each in group)
    others = f", unlike the {'source' if rest == 1 else 'sources'} of {rest} more" if rest else ""
    return f"{listed_with_count(unchecked)} {are} not built, so {were} not checked{others}"
