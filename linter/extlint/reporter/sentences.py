"""What findings say, in one line."""

from __future__ import annotations

from extlint.finding import Finding


def concerned(finding: Finding, targets: frozenset[str]) -> str:
    """The targets of a finding, in parentheses; empty if it is about all those of its extension."""
    return "" if targets <= {*finding.targets} else f" ({', '.join(finding.targets)})"


def in_full(finding: Finding, targets: frozenset[str]) -> str:
    """The message of a finding, the targets that it is about, and the help."""
    message = f"{finding.message}{concerned(finding, targets)}"
    return message if finding.help is None else f"{message}; help: {finding.help}"
