"""Colors and gradients of themes."""

from __future__ import annotations

from format_tables import Row, accepted, told


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
    assert accepted("color", takes) == takes


def test_what_is_no_color() -> None:
    neither = "it is neither a name of a color, nor `#` with digits, nor a function such as `rgb()`"
    table: list[Row] = [
        ("", "it is empty", None),
        ("reed", "there is no color `reed`", "red"),
        ("inherit", "there is no color `inherit`", None),
        ("ffffff", "there is no color `ffffff`", "#ffffff"),
        ("0x123456", neither, "#123456"),
        ("#ff", "after `#` come 3, 4, 6 or 8 digits, and there are 2", None),
        ("#ggg", "after `#` come digits from 0 to 9 and a to f alone", None),
        ("#fff;", "after `#` come digits from 0 to 9 and a to f alone", "#fff"),
        ("'red'", neither, "red"),
        ("red blue", neither, None),
        ("rgb(1, 2)", "`rgb()` takes three or four numbers", None),
        ("rgba()", "`rgba()` takes three or four numbers", None),
        ("rgb(1, 2, 3) x", "something follows the closing parenthesis", None),
        ("var(--color)", "there is no function `var` for colors", None),
    ]
    assert told("color", table) == table


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
    assert accepted("gradient", takes) == takes
    table: list[Row] = [
        ("", "it is empty", None),
        ("to right", "there is no color in it", None),
        ("to bottm, red, blue", "`bottm` is no side; `bottom` is one", None),
        ("red,, blue", "a color is missing beside a comma", None),
        ("red, blue,", "a color is missing beside a comma", None),
        ("red, bleu", "there is no color `bleu`", None),
        ("red blue", "a comma is missing before `blue`", None),
        ("red), blue", "there is a `)` too many", None),
        ("a.png", "`a.png` is no color", None),
        ("https://example.com/*", "`https://example.com` is no color", None),
        ("45deg, 1.0", "there is no color in it", None),
    ]
    assert told("gradient", table) == table
