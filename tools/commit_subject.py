"""Checks the subject of a commit message in a file, as a `commit-msg` hook of Git."""

from __future__ import annotations

import sys
from pathlib import Path

VERBS = ("Add", "Document", "Fix", "Move", "Remove", "Rename", "Speed up", "Test")
MAX_LENGTH = 60
"""The maximum length of a subject, in code points."""

_GENERATED = ("Merge ", 'Revert "', "fixup! ", "squash! ", "amend! ")
"""Subjects that Git writes itself."""


def subject_of(message: str) -> str:
    """Returns the first line of a message that is neither empty nor a comment, or an empty string."""
    lines = (line.strip() for line in message.splitlines())
    return next((line for line in lines if line and not line.startswith("#")), "")


def problem(subject: str) -> str | None:
    """Returns what is wrong with a subject, as a sentence for its author, or None if it is right."""
    if subject.startswith(_GENERATED):
        return None
    if not subject.startswith(tuple(f"{verb} " for verb in VERBS)):
        return f"the subject must start with {', '.join(VERBS[:-1])} or {VERBS[-1]}, and name the thing"
    if len(subject) > MAX_LENGTH:
        return f"the subject has {len(subject)} characters; the maximum is {MAX_LENGTH}"
    if subject.endswith("."):
        return "the subject must not end with a period"
    return None


def main(arguments: list[str]) -> int:
    """Returns 1 if the subject of the message in a file is wrong, otherwise 0."""
    subject = subject_of(Path(arguments[0]).read_text("utf-8"))
    wrong = problem(subject)
    if wrong is None:
        return 0
    print(f"{subject!r}: {wrong}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
