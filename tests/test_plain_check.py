"""`extlint check` parses a valid command line like click, and leaves all others to click."""

from __future__ import annotations

import pytest
from click.exceptions import ClickException
from hypothesis import given
from hypothesis import strategies as st

from extlint.commands import check as in_click
from extlint.commands.options.check import CHECK_OPTIONS, CheckOptions
from extlint.commands.plain_check import read_plainly
from extlint.commands.program import extlint
from extlint.configuration.usage_error import UsageError

Read = tuple[tuple[str, ...], CheckOptions]

READ = {
    "nothing": [],
    "paths": ["a", "b", "-"],
    "an empty path": [""],
    "options before and behind paths": ["--quiet", "a", "--jobs", "3", "b"],
    "a value behind an equals sign": ["--config=a=b", "--config", "c"],
    "an empty value": ["--config=", "a"],
    "flags": ["-q", "--fix", "--diff", "--fix", "--no-gitignore"],
    "names": ["--select", "unknown-api,stores", "--select=files", "--target", "firefox,chrome>=120"],
    "one of few": ["--color", "never", "--fail-level", "info"],
    "formats": ["--output-format", "json:a.json", "--output-format=text"],
}
"""Command lines that are parsed without click."""

LEFT = {
    "help": ["--help"],
    "help in the middle": ["a", "-h", "b"],
    "no such option": ["--quite"],
    "part of an option": ["--qui"],
    "flags in one": ["-qq"],
    "a flag with a value": ["--quiet=yes"],
    "no value": ["--jobs"],
    "a value that looks like an option": ["--config", "--quiet"],
    "the end of options": ["--", "--quiet"],
}
"""Command lines that are left to click."""

WRONG = {
    "a number": ["--jobs", "none"],
    "a name": ["--select", "unknwon-api"],
    "no name": ["--target", ","],
    "one of few": ["--color", "red"],
    "a format": ["--output-format", "json:"],
}
"""Command lines with an invalid value."""


def read_by_click(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> Read:
    found: list[Read] = []

    def check(paths: tuple[str, ...], options: CheckOptions) -> int:
        found.append((paths, options))
        return 0

    monkeypatch.setattr(in_click, "check", check)
    extlint.main(["check", *arguments], prog_name="extlint", standalone_mode=False)
    return found[0]


@pytest.mark.parametrize("name", READ)
def test_what_is_right_is_read_as_click_reads_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_plainly(READ[name]) == read_by_click(READ[name], monkeypatch)


@pytest.mark.parametrize("name", LEFT)
def test_what_is_left_to_click(name: str) -> None:
    assert read_plainly(LEFT[name]) is None


@pytest.mark.parametrize("name", WRONG)
def test_both_say_the_same_of_a_wrong_value(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError) as own:
        read_plainly(WRONG[name])
    with pytest.raises(UsageError) as by_click:
        read_by_click(WRONG[name], monkeypatch)
    assert str(own.value) == str(by_click.value)


FLAGS = sorted(flag for group in CHECK_OPTIONS.values() for option in group.options for flag in option.flags)
ARGUMENT = st.sampled_from([*FLAGS, "-", "--", "-x", "--h", "", "a", "json", "json:a", "3", "never", "info"])


@given(st.lists(st.one_of(ARGUMENT, st.builds("{}={}".format, ARGUMENT, ARGUMENT)), max_size=6))
def test_any_command_line_is_read_as_by_click_or_left_to_it(arguments: list[str]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        try:
            read = read_plainly(arguments)
        except UsageError:
            with pytest.raises((UsageError, ClickException)):
                read_by_click(arguments, monkeypatch)
        else:
            assert read is None or read == read_by_click(arguments, monkeypatch)
