"""Colors of themes, in CSS."""

from __future__ import annotations

from extlint.text.formats.problem import Problem
from extlint.text.nearest import nearest
from extlint.text.patterns import lazy
from extlint.text.wording import quoted

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
