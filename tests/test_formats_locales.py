"""Locale names."""

from __future__ import annotations

from format_tables import Row, accepted, told


def test_names_that_chrome_knows() -> None:
    takes = ["en", "en_US", "pt_BR", "zh_CN", "zh_Hant_HK", "es_419", "sr_Latn", "fil", "de_DE", "nb"]
    assert accepted("chrome-locale", takes) == takes
    hyphen = "its parts must be joined by `_`, not by `-`"
    form = "a locale must look like `en`, `pt_BR` or `sr_Latn`"
    table: list[Row] = [
        ("", "it is empty", None),
        ("en-US", hyphen, "en_US"),
        ("pt-br", hyphen, "pt_BR"),
        ("zh-Hans", hyphen, "zh_Hans"),
        ("en_us", form, "en_US"),
        ("EN", form, "en"),
        ("english", form, None),
        ("../en", form, None),
        ("en_US_POSIX", form, None),
        ("xx", "Chrome does not know the locale `xx`", None),
        ("jp", "Chrome does not know the locale `jp`", "ja"),
        ("iw", "Chrome does not know the locale `iw`", "he"),
        ("en_UK", "Chrome does not know the locale `en_UK`", "en_GB"),
        ("sv_SV", "Chrome does not know the locale `sv_SV`", "sv"),
        ("zh_HK", "Chrome does not know the locale `zh_HK`", "zh_Hant_HK"),
    ]
    assert told("chrome-locale", table) == table


def test_firefox_takes_the_name_of_any_folder() -> None:
    takes = ["en", "en-US", "en_us", "english", "zh_HK", "sr@latin"]
    assert accepted("locale", takes) == takes
    message = "it must be the name of a folder in `_locales`, not a path"
    table: list[Row] = [("../en", message, None), ("_locales/en", message, None)]
    assert told("locale", table) == table
