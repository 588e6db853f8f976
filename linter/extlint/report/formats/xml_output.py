"""Output as XML: `junit` for CI systems that show test results, and `checkstyle`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from extlint.finding import Finding
from extlint.package.files import path_below
from extlint.report.paths import Paths, current_folder_paths
from extlint.report.report import Report, Summary, full_message, target_suffix
from extlint.report.reporter import Options
from extlint.report.visible import visible

HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n'

_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\ufffe": "\ufffd", "\uffff": "\ufffd"}
)


def attribute(text: str) -> str:
    """Returns a text as the value of an attribute, without its quotes."""
    return visible(text).translate(_ESCAPES)


def attributes(**values: object) -> str:
    """Returns attributes of these names, with a space before each."""
    return "".join(f' {name}="{attribute(str(value))}"' for name, value in values.items())


VERSION = "4.3"
"""The version of Checkstyle whose format this is. Readers require one."""


class CheckstyleReporter(Struct, frozen=True):
    """Writes a `file` for each file with findings, and an `error` for each finding of any severity."""

    paths: Paths

    def extension(self, report: Report) -> str:
        """Returns the files of an extension that have findings."""
        folder = self.paths.folder(report.package)
        targets = frozenset(report.choice.names)
        parts = []
        for path, group in groupby(report.findings, key=lambda each: each.path):
            errors = "".join(_error(each, targets) for each in group)
            parts.append(f"  <file{attributes(name=path_below(folder, path))}>\n{errors}  </file>\n")
        return "".join(parts)

    def output(self, parts: Sequence[str], _summary: Summary) -> str:
        """Returns the document."""
        return f'{HEADER}<checkstyle version="{VERSION}">\n{"".join(parts)}</checkstyle>\n'


def _error(finding: Finding, targets: frozenset[str]) -> str:
    line, column = finding.span.start
    values = {
        "line": line,
        "column": column,
        "severity": finding.severity,
        "message": full_message(finding, targets),
        "source": f"extlint.{finding.rule}",
    }
    return f"    <error{attributes(**values)}/>\n"


def checkstyle_reporter(_options: Options) -> CheckstyleReporter:
    """Returns the checkstyle_reporter, which has no options."""
    return CheckstyleReporter(current_folder_paths())


class JunitReporter(Struct, frozen=True):
    """Writes one test suite for each extension, and one test for each finding.

    A finding at or above the fail level of its extension is a failed test, and any other finding a skipped
    test, so that the suite is red if the exit status is 1. An extension without findings is one passed test,
    and anything that could not be checked is a test with an error.
    """

    paths: Paths

    def extension(self, report: Report) -> str:
        """Returns the test suite of an extension."""
        folder = self.paths.folder(report.package)
        tests = list(_tests(report, folder)) or [_test("findings", folder or ".", "")]
        failures = sum(finding.severity >= report.fail_level for finding in report.findings)
        counts = {"failures": failures, "errors": 0, "skipped": len(report.findings) - failures}
        return _suite(report.package.name, tests, counts)

    def output(self, parts: Sequence[str], summary: Summary) -> str:
        """Returns the document."""
        errors = [
            _test(
                f"unchecked {number}", "extlint", f"<error{attributes(message=sentence, type='unchecked')}/>"
            )
            for number, sentence in enumerate(summary.unchecked, 1)
        ]
        if errors:
            counts = {"failures": 0, "errors": len(errors), "skipped": 0}
            parts = (*parts, _suite("extlint", errors, counts))
        return f'{HEADER}<testsuites name="extlint">\n{"".join(parts)}</testsuites>\n'


def _tests(report: Report, folder: str) -> Iterator[str]:
    targets = frozenset(report.choice.names)
    for finding in report.findings:
        line, column = finding.span.start
        path = path_below(folder, finding.path)
        message = f"{finding.message}{target_suffix(finding, targets)}"
        kind = "failure" if finding.severity >= report.fail_level else "skipped"
        values = attributes(message=f"{finding.severity}: {message}", type=finding.rule)
        text = attribute(f"{path}:{line}:{column}: {finding.severity}[{finding.rule}] {message}")
        more = f"<{kind}{values}>{text}{_help(finding)}</{kind}>"
        yield _test(f"{finding.rule} at {line}:{column}", path, more)


def _help(finding: Finding) -> str:
    return "" if finding.help is None else f"\nhelp: {attribute(finding.help)}"


def _test(name: str, where: str, result: str) -> str:
    values = attributes(name=name, classname=where)
    return f"    <testcase{values}>{result}</testcase>\n" if result else f"    <testcase{values}/>\n"


def _suite(name: str, tests: Sequence[str], counts: dict[str, int]) -> str:
    values = attributes(name=name, tests=len(tests), **counts)
    return f"  <testsuite{values}>\n{''.join(tests)}  </testsuite>\n"


def junit_reporter(_options: Options) -> JunitReporter:
    """Returns the junit_reporter, which has no options."""
    return JunitReporter(current_folder_paths())
