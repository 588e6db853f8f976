"""Colors and gradients of themes."""

from __future__ import annotations

from format_tables import Row, accepted_texts, reported


def test_colors() -> None:
    takes = [
        "red",
        "RebeccaPurple",
        "transparent",
        "currentColor",
        "ButtonFace",
        "-moz-dialog",
        "#fff",
        "#FFFF",
        "#ffffff",
        "#ffffff80",
        "rgb(1, 2, 3)",
        "rgb(1 2 3 / 50%)",
        "rgba(1, 2, 3, .5)",
        "hsl(120deg 50% 50%)",
        "oklch(.5 .1 20)",
        "color-mix(in srgb, red, rgb(1, 2, 3))",
        " red ",
    ]
    assert accepted_texts("color", takes) == takes


def test_invalid_colors() -> None:
    neither = "it is not a color name, `#` with hex digits, or a function such as `rgb()`"
    table: list[Row] = [
        ("", "it is empty", None),
        ("reed", "unknown color name", "red"),
        ("inherit", "unknown color name", None),
        ("ffffff", "unknown color name", "#ffffff"),
        ("0x123456", neither, "#123456"),
        ("#ff", "`#` must be followed by 3, 4, 6 or 8 digits, not 2", None),
        ("#ggg", "only the digits 0 to 9 and a to f are allowed after `#`", None),
        ("#fff;", "only the digits 0 to 9 and a to f are allowed after `#`", "#fff"),
        ("'red'", neither, "red"),
        ("red blue", neither, None),
        ("rgb(1, 2)", "`rgb()` requires three or four numbers", None),
        ("rgba()", "`rgba()` requires three or four numbers", None),
        ("rgb(1, 2, 3) x", "there is text after the closing parenthesis", None),
        ("var(--color)", "unknown color function `var`", None),
    ]
    assert reported("color", table) == table


def test_gradients() -> None:
    takes = [
        "red",
        "to bottom, #FF6BBA, #FFC999",
        "45deg, red, 30%, blue",
        "to left top in oklch, red 10% 20%, rgb(1, 2, 3) 50%",
        "circle at center, red, transparent",
        "from 45deg at 10% 10%, red, blue",
        "closest-side, red, blue",
        "red /* a, b */, blue /* rest",
    ]
    assert accepted_texts("gradient", takes) == takes
    table: list[Row] = [
        ("", "it is empty", None),
        ("to right", "it contains no color", None),
        ("to bottm, red, blue", "`bottm` is not a side or corner; did you mean `bottom`?", None),
        ("red,, blue", "a color is missing next to a comma", None),
        ("red, blue,", "a color is missing next to a comma", None),
        ("red, bleu", "`bleu` is not a valid color (unknown color name)", None),
        ("red blue", "a comma is missing before `blue`", None),
        ("red), blue", "there is one `)` too many", None),
        ("a.png", "`a.png` is not a valid color", None),
        ("https://example.com/*", "`https://example.com` is not a valid color", None),
        ("45deg, 1.0", "it contains no color", None),
    ]
    assert reported("gradient", table) == table
