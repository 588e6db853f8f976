"""Locale names."""

from __future__ import annotations

from format_tables import Row, accepted_texts, reported


def test_chrome_locale_names() -> None:
    takes = ["en", "en_US", "pt_BR", "zh_CN", "zh_Hant_HK", "es_419", "sr_Latn", "fil", "de_DE", "nb"]
    assert accepted_texts("chrome-locale", takes) == takes
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
    assert reported("chrome-locale", table) == table


def test_firefox_accepts_any_folder_name() -> None:
    takes = ["en", "en-US", "en_us", "english", "zh_HK", "sr@latin"]
    assert accepted_texts("locale", takes) == takes
    message = "it must be the name of a folder in `_locales`, not a path"
    table: list[Row] = [("../en", message, None), ("_locales/en", message, None)]
    assert reported("locale", table) == table
