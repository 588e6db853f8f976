"""Names of locales that Chrome knows."""

from __future__ import annotations

from format_tables import Row, accepted, told


def test_names_of_locales() -> None:
    takes = ["en", "en_US", "pt_BR", "zh_CN", "zh_Hant_HK", "es_419", "sr_Latn", "fil", "de_DE", "nb"]
    assert accepted("locale", takes) == takes
    hyphen = "its parts are joined by `_`, not by `-`"
    form = "a locale is written as `en`, `pt_BR` or `sr_Latn`"
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
        ("xx", "Chrome knows no locale `xx`", None),
        ("jp", "Chrome knows no locale `jp`", "ja"),
        ("iw", "Chrome knows no locale `iw`", "he"),
        ("en_UK", "Chrome knows no locale `en_UK`", "en_GB"),
        ("sv_SV", "Chrome knows no locale `sv_SV`", "sv"),
        ("zh_HK", "Chrome knows no locale `zh_HK`", "zh_Hant_HK"),
    ]
    assert told("locale", table) == table
