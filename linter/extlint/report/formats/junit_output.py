"""Output for CI systems that show test results: `junit`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from extlint.finding import Finding
from extlint.package.files import path_below
from extlint.report.formats.xml_text import HEADER, attribute, attributes
from extlint.report.paths import Paths, current_folder_paths
from extlint.report.report import Report, Summary, target_suffix
from extlint.report.reporter import Options


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


def reporter(_options: Options) -> JunitReporter:
    """Returns the reporter, which has no options."""
    return JunitReporter(current_folder_paths())
