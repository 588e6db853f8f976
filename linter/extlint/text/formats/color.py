"""Colors of themes, in CSS, and their gradients."""

from __future__ import annotations

from extlint.text.formats.registry import Problem
from extlint.text.nearest import nearest
from extlint.text.patterns import lazy
from extlint.text.wording import did_you_mean, not_valid, quoted

_NAMED_COLORS = frozenset(
    """
    aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown
    burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan
    darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid
    darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet
    deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro
    ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki
    lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow
    lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
    lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue
    mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise
    mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange
    orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum
    powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell
    sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato
    turquoise violet wheat white whitesmoke yellow yellowgreen transparent currentcolor
    """.split()
)

_SYSTEM_COLORS = frozenset(
    """
    accentcolor accentcolortext activeborder activecaption activetext appworkspace background buttonborder
    buttonface buttonhighlight buttonshadow buttontext canvas canvastext captiontext field fieldtext graytext
    highlight highlighttext inactiveborder inactivecaption inactivecaptiontext infobackground infotext
    linktext mark marktext menu menutext scrollbar selecteditem selecteditemtext threeddarkshadow threedface
    threedhighlight threedlightshadow threedshadow visitedtext window windowframe windowtext
    """.split()
)

_FUNCTIONS = frozenset(
    "rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark contrast-color".split()
)
_NUMERIC_FUNCTIONS = frozenset({"rgb", "rgba", "hsl", "hsla"})

_NOT_IN_CHROME = frozenset(
    """
    currentcolor darkgrey darkslategrey dimgrey grey lightgray lightslategrey rebeccapurple slategrey
    transparent
    """.split()
)
"""Names that Chrome does not accept in calls."""

_CHROME_CALL = lazy(r"(rgba?|hsla?)\(([^()]*+)\)")
_CHROME_COUNTS = {"rgb": 3, "rgba": 4, "hsl": 3, "hsla": 4}
_BRIGHTEST = 255

_HEX_LENGTHS = (3, 4, 6, 8)
_HEX = lazy(r"#([0-9A-Fa-f]*+)")
_BARE_HEX = lazy(r"(?:0x)?+((?:[0-9A-Fa-f]{3}){1,2}|[0-9A-Fa-f]{8})")
_NAME = lazy(r"[A-Za-z][A-Za-z-]*+")
_CALL = lazy(r"([A-Za-z-]++)\(([^()]*+)\)?+")


def color(text: str) -> Problem | None:
    """Checks a color name, `#` with digits, or one of the color functions of CSS."""
    bare = text.strip(" \t\n\r\f")
    reason = _reason(bare)
    if reason is None:
        return None
    suggestion = _suggestion(bare)
    return Problem(reason, suggestion if suggestion is not None and _reason(suggestion) is None else None)


def chrome_color(text: str) -> Problem | None:
    """Checks a color in a call in Chrome, which accepts fewer than CSS."""
    if "(" in text:
        return None if _may_be_chrome_call(text) else Problem(_CHROME_CALLS)
    if text.startswith("#"):
        return color(text)
    if text in _NAMED_COLORS and text not in _NOT_IN_CHROME:
        return None
    name = text.strip().lower()
    is_known = name in _NAMED_COLORS and name not in _NOT_IN_CHROME
    if is_known:
        return Problem("Chrome accepts only lowercase names without spaces", name)
    if name in _NAMED_COLORS or name in _SYSTEM_COLORS:
        return Problem("Chrome does not know this name of a color")
    return color(text)


_CHROME_CALLS = "Chrome accepts only forms such as `rgb(1, 2, 3)`, `rgba(1, 2, 3, 0.5)` and `hsl(0, 0%, 0%)`"


def _may_be_chrome_call(text: str) -> bool:
    call = _CHROME_CALL.fullmatch(text)
    if call is None:
        return False
    parts = [each.strip() for each in call[2].split(",")]
    if len(parts) != _CHROME_COUNTS[call[1]]:
        return False
    with_percent = [each.endswith("%") for each in parts]
    is_hsl = call[1].startswith("hsl")
    if with_percent[:3] != [False, is_hsl, is_hsl] or any(with_percent[3:]):
        return False
    return is_hsl or not any(each.isdecimal() and int(each[:9]) > _BRIGHTEST for each in parts[:3])


def firefox_color(text: str) -> Problem | None:
    """Checks a color in a call in Firefox, where it cannot depend on the system."""
    if text.strip().lower() in _SYSTEM_COLORS:
        return Problem("Firefox does not accept the colors of the system here")
    return color(text)


def _reason(text: str) -> str | None:
    if not text:
        return "it is empty"
    if "/*" in text or "\\" in text:
        return None
    if text.startswith("#"):
        return _wrong_hex(text)
    if _NAME.fullmatch(text):
        is_known = text.lower() in _NAMED_COLORS or text.lower() in _SYSTEM_COLORS
        return None if is_known else "unknown color name"
    if "(" in text:
        return _wrong_call(text)
    if text.startswith("-"):
        return None
    return "it is not a color name, `#` with hex digits, or a function such as `rgb()`"


def _wrong_hex(text: str) -> str | None:
    written = _HEX.fullmatch(text)
    if written is None:
        return "only the digits 0 to 9 and a to f are allowed after `#`"
    digits = len(written[1])
    return None if digits in _HEX_LENGTHS else f"`#` must be followed by 3, 4, 6 or 8 digits, not {digits}"


def _wrong_call(text: str) -> str | None:
    name = text.partition("(")[0]
    if name.startswith("-"):
        return None
    if name.lower() not in _FUNCTIONS:
        return f"unknown color function {quoted(name)}"
    call = _CALL.fullmatch(text)
    if call is None:
        return "there is text after the closing parenthesis" if _has_trailing_text(text) else None
    values = [each.strip() for each in call[2].split(",")]
    if name.lower() in _NUMERIC_FUNCTIONS and (values == [""] or len(values) > 1):
        wrong = len(values) not in (3, 4) or "" in values
        return f"`{name}()` requires three or four numbers" if wrong else None
    return None


def _has_trailing_text(text: str) -> bool:
    """Whether text follows the closing parenthesis of the first opening one."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth < 0 or (depth == 0 and letter == ")"):
            return at < len(text) - 1
    return False


def _suggestion(text: str) -> str | None:
    bare = text.strip("'\"`; \t\n\r\f")
    digits = _BARE_HEX.fullmatch(bare)
    if digits:
        return f"#{digits[1]}"
    if _NAME.fullmatch(bare):
        return bare if bare.lower() in _NAMED_COLORS else nearest(bare.lower(), _NAMED_COLORS)
    return bare


_SIDES = ("left", "right", "top", "bottom")
_BEGINNINGS = frozenset(
    "to in at from circle ellipse closest-side closest-corner farthest-side farthest-corner".split()
)
_PLAIN_WORD = lazy(r"#?+[A-Za-z0-9-]*+")
_COMMENT = lazy(r"/\*[\s\S]*?(?:\*/|\Z)")
_NO_WORD = lazy(r"[^()]*[./:?=&@!;][^()]*")
"""Matches words with characters that do not occur in color names."""

_NUMBER = lazy(r"[-+.]?+[0-9]")


def gradient(text: str) -> Problem | None:
    """Checks colors separated by commas, with an optional direction or shape before them.

    The valid options depend on the gradient's function, which is unknown here.
    """
    if "\\" in text:
        return None
    text = _COMMENT.sub(" ", text)
    parts = _parts(text)
    if parts is None:
        return Problem("there is one `)` too many")
    if not text.strip():
        return Problem("it is empty")
    if not all(parts):
        return Problem("a color is missing next to a comma")
    first, *stops = (each.split() for each in parts)
    begins = first[0].lower() in _BEGINNINGS
    if (begins and not stops) or all(_NUMBER.match(word) for word in text.replace(",", " ").split()):
        return Problem("it contains no color")
    reason = _wrong_direction(first) if begins else _wrong_stop(first)
    reason = reason or next(filter(None, map(_wrong_stop, stops)), None)
    return None if reason is None else Problem(reason)


def _parts(text: str) -> list[str] | None:
    """Returns the parts between the commas outside of parentheses, or None if a `)` has no match."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return None
        if letter == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


def _wrong_direction(words: list[str]) -> str | None:
    if words[0].lower() != "to":
        return None
    for word in words[1:]:
        if word.lower() == "in":
            return None
        if word.lower() not in _SIDES:
            meant = nearest(word, _SIDES)
            return f"{quoted(word)} is not a side or corner{did_you_mean(meant)}"
    return None


def _wrong_stop(words: list[str]) -> str | None:
    """Returns the problem of a color and its positions, or None."""
    first = words[0]
    if not _NUMBER.match(first) and _NO_WORD.fullmatch(first):
        return not_valid(first, "color")
    if _NUMBER.match(first) or not _PLAIN_WORD.fullmatch(first):
        return None
    problem = color(first)
    if problem is not None:
        return f"{not_valid(first, 'color')} ({problem.message})"
    if len(words) > 1 and not _NUMBER.match(words[1]) and _PLAIN_WORD.fullmatch(words[1]):
        return f"a comma is missing before {quoted(words[1])}"
    return None
