"""Versions of extensions, and browser versions in manifests."""

from __future__ import annotations

import pytest
from format_tables import Row, accepted_texts, reported

from extlint.text.formats.registry import problem

ACCEPTED = ["0", "1", "1.0", "1.2.3", "2026.11.21.3", "1.65536", "1.999999999"]


@pytest.mark.parametrize("name", ["firefox-version", "chrome-version"])
def test_version_has_up_to_four_numbers(name: str) -> None:
    assert accepted_texts(name, ACCEPTED) == ACCEPTED


REJECTED: list[Row] = [
    ("", "it is empty", None),
    ("1.2.3.4.5", "it has 5 numbers, but at most 4 are allowed", None),
    ("v1.2", "`v1` is not a number", "1.2"),
    (" 1.2", "` 1` is not a number", "1.2"),
    ("1,2", "`1,2` is not a number", "1.2"),
    ("1.0.0b1", "`0b1` is not a number", None),
    ("1.0-beta", "`0-beta` is not a number", "1.0"),
    ("1.*", "`*` is not a number", None),
    ("1.2.", "a number is missing next to a dot", "1.2"),
    ("1..2", "a number is missing next to a dot", None),
    ("-1", "`-1` is not a number", None),
    ("١.٢", "`١` is not a number", None),
]


@pytest.mark.parametrize("name", ["firefox-version", "chrome-version"])
def test_invalid_versions(name: str) -> None:
    assert reported(name, REJECTED) == REJECTED


def test_firefox_rejects_leading_zeros_and_more_than_nine_digits() -> None:
    table: list[Row] = [
        ("01.2", "`01` has a leading zero", "1.2"),
        ("2024.01.05", "`01` has a leading zero", "2024.1.5"),
        ("1.1234567890", "`1234567890` has more than 9 digits", None),
    ]
    assert reported("firefox-version", table) == table


def test_chrome_rejects_first_leading_zero_and_more_than_32_bits() -> None:
    table: list[Row] = [
        ("01.2", "`01` has a leading zero", "1.2"),
        ("1.4294967296", "`4294967296` is larger than 4294967295", None),
        (f"1.{'9' * 50}", f"`{'9' * 50}` is larger than 4294967295", None),
    ]
    assert reported("chrome-version", table) == table
    takes = ["2024.01.05", "1.4294967295", "1.00000000000000001"]
    assert accepted_texts("chrome-version", takes) == takes


def test_minimum_chrome_version_has_any_number_of_parts() -> None:
    takes = ["120", "120.0.6099.71", "1.2.3.4.5"]
    assert accepted_texts("chrome-application-version", takes) == takes
    table: list[Row] = [
        ("120.*", "`*` is not a number", None),
        ("42.0a1", "`0a1` is not a number", None),
        ("012", "`012` has a leading zero", "12"),
    ]
    assert reported("chrome-application-version", table) == table


@pytest.mark.parametrize(
    "name", ["gecko-minimum-version", "gecko-maximum-version", "gecko-application-version"]
)
def test_firefox_versions(name: str) -> None:
    takes = ["128", "128.0", "115.0.2", "42.0a1", "58.0b2", "1.1pre1a", "128.0esr"]
    assert accepted_texts(name, takes) == takes
    table: list[Row] = [
        ("", "it is empty", None),
        (">=109", "`>=109` is not a valid part of a version", "109.0"),
        ("v109.0", "`v109` is not a valid part of a version", "109.0"),
        ("latest", "`latest` is not a valid part of a version", None),
        ("109.", "a number is missing next to a dot", None),
    ]
    assert reported(name, table) == table


def test_only_maximum_firefox_version_accepts_a_wildcard() -> None:
    takes = ["*", "128.*", "128.0.*"]
    assert accepted_texts("gecko-maximum-version", takes) == takes
    message = "the minimum version cannot contain `*`"
    table: list[Row] = [("*", message, None), ("57.*", message, "57.0"), ("57.0.*", message, "57.0")]
    assert reported("gecko-minimum-version", table) == table


def test_very_long_numbers_are_rejected() -> None:
    for name in ("firefox-version", "chrome-version", "chrome-application-version"):
        assert problem(name, "1" * 10_000) is not None
