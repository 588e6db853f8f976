"""`extlint check` parses a valid command line like click, and leaves all others to click."""

from __future__ import annotations

import pytest
from click.exceptions import ClickException
from hypothesis import given
from hypothesis import strategies as st

from extlint.cli.check_options import CHECK_OPTIONS, CheckOptions
from extlint.cli.checking import parse_without_click
from extlint.cli.commands import check as in_click
from extlint.cli.program import extlint
from extlint.linting.configuration.usage_error import UsageError

Parsed = tuple[tuple[str, ...], CheckOptions]

PARSED = {
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

LEFT_TO_CLICK = {
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

INVALID = {
    "a number": ["--jobs", "none"],
    "a name": ["--select", "unknwon-api"],
    "no name": ["--target", ","],
    "one of few": ["--color", "red"],
    "a format": ["--output-format", "json:"],
}
"""Command lines with an invalid value."""


def parse_with_click(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> Parsed:
    found: list[Parsed] = []

    def check(paths: tuple[str, ...], options: CheckOptions) -> int:
        found.append((paths, options))
        return 0

    monkeypatch.setattr(in_click, "check", check)
    extlint.main(["check", *arguments], prog_name="extlint", standalone_mode=False)
    return found[0]


@pytest.mark.parametrize("name", PARSED)
def test_valid_command_line_is_parsed_like_click(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert parse_without_click(PARSED[name]) == parse_with_click(PARSED[name], monkeypatch)


@pytest.mark.parametrize("name", LEFT_TO_CLICK)
def test_other_command_line_is_left_to_click(name: str) -> None:
    assert parse_without_click(LEFT_TO_CLICK[name]) is None


@pytest.mark.parametrize("name", INVALID)
def test_invalid_value_has_the_same_error_as_in_click(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError) as own:
        parse_without_click(INVALID[name])
    with pytest.raises(UsageError) as by_click:
        parse_with_click(INVALID[name], monkeypatch)
    assert str(own.value) == str(by_click.value)


FLAGS = sorted(flag for group in CHECK_OPTIONS.values() for option in group.options for flag in option.flags)
ARGUMENT = st.sampled_from([*FLAGS, "-", "--", "-x", "--h", "", "a", "json", "json:a", "3", "never", "info"])


@given(st.lists(st.one_of(ARGUMENT, st.builds("{}={}".format, ARGUMENT, ARGUMENT)), max_size=6))
def test_arbitrary_command_line_is_parsed_like_click_or_left_to_it(arguments: list[str]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        try:
            read = parse_without_click(arguments)
        except UsageError:
            with pytest.raises((UsageError, ClickException)):
                parse_with_click(arguments, monkeypatch)
        else:
            assert read is None or read == parse_with_click(arguments, monkeypatch)
