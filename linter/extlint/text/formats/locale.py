"""Names of locales: `default_locale`, and the folders in `_locales`.

Firefox accepts the name of any folder. Chrome does not load extensions with an unknown `default_locale`, and
ignores folders of unknown locales; the names are those of its copy of ICU. Verified in Chromium 156.
"""

from __future__ import annotations

from extlint.text.formats.registry import Problem
from extlint.text.patterns import lazy
from extlint.text.wording import quoted

_LANGUAGES = frozenset(
    """
    af ak am an ar as ast az be bg bho bm bn br bs ca ceb chr ckb cs cy da de doi ee el en eo es et eu fa fi
    fil fo fr fy ga gd gl gu ha haw he hi hr hu hy ia id ig is it ja jv ka kk km kn ko kok ku ky lb lg ln lo
    lt lv mai mg mi mk ml mn mni mr ms mt my nb ne nl nn no nso oc om or pa pl ps pt qu rm ro ru rw sa sd si
    sk sl sn so sq sr st su sv sw ta te tg th ti tk tn to tr tt ug uk ur uz vi wa wo xh yi yo zh zu
    """.split()
)

_DOUBLED_LOCALES = frozenset(
    """
    bg_BG de_DE es_ES fi_FI fo_FO fr_FR hr_HR hu_HU id_ID is_IS it_IT lt_LT lv_LV mg_MG mk_MK mn_MN mt_MT
    nl_NL pl_PL pt_PT ro_RO ru_RU rw_RW sk_SK so_SO th_TH to_TO tr_TR
    """.split()
)
"""The locales of a language and a country with the same code; other locales of that form do not exist."""

_SCRIPTS = frozenset(
    """
    Adlm Arab Armn Beng Brai Cakm Cans Cher Copt Cyrl Deva Ethi Geor Goth Grek Gujr Guru Hans Hant Hebr Hira
    Hmng Hmnp Jpan Java Kana Khmr Knda Kore Laoo Latn Lisu Mlym Mong Mtei Mymr Nkoo Olck Orya Rohg Shaw Sinh
    Sund Syrc Taml Telu Tfng Thaa Thai Tibt Vaii Yiii
    """.split()
)
"""The scripts in which languages of user interfaces are written, by their codes in ISO 15924."""

_REPLACEMENTS = {
    "cn": "zh_CN",
    "cz": "cs",
    "dk": "da",
    "gr": "el",
    "in": "id",
    "iw": "he",
    "ji": "yi",
    "jp": "ja",
    "kr": "ko",
    "se": "sv",
    "tl": "fil",
    "tw": "zh_TW",
    "ua": "uk",
    "us": "en_US",
    "az_AZ": "az",
    "bs_BA": "bs",
    "en_EU": "en",
    "en_UK": "en_GB",
    "es_LA": "es_419",
    "es_SP": "es_ES",
    "no_NO": "no",
    "pa_IN": "pa",
    "sr_RS": "sr",
    "uz_UZ": "uz",
    "zh_HK": "zh_Hant_HK",
    "zh_MO": "zh_Hant_MO",
    "zh_SG": "zh_Hans_SG",
}
"""Names that Chrome does not know, some of them country codes, with the names that it knows instead."""

_FORM = lazy(r"([a-z]{2,3})(?:_[A-Z][a-z]{3})?+(?:_(?:[A-Z]{2}|[0-9]{3}))?+")
_SLASH = lazy(r"[/\\]")
_PARTS = lazy(r"[-_]")


def any_browser(text: str) -> Problem | None:
    """Checks whether a text can be the name of a folder in `_locales`."""
    return (
        Problem("it must be the name of a folder in `_locales`, not a path") if _SLASH.search(text) else None
    )


def chrome(text: str) -> Problem | None:
    """Checks a language (`en`), with an optional script or country (`pt_BR`, `sr_Latn`)."""
    reason = _reason(text)
    if reason is None:
        return None
    tidy = _normalized(text)
    meant = _REPLACEMENTS.get(tidy, tidy)
    if _reason(meant) is not None:
        language, _, country = meant.partition("_")
        meant = language if country.lower() == language else ""
    if not has_known_script(meant):
        meant = ""
    return Problem(reason, meant if _reason(meant) is None else None)


def has_known_script(text: str) -> bool:
    """Whether the name of a locale has no part in the place of a script that is not one: `fr_temp`."""
    script = _PARTS.split(text, 2)[1:2]
    return not script or len(script[0]) != 4 or script[0].isdigit() or script[0].title() in _SCRIPTS


def _reason(text: str) -> str | None:
    if text in _LANGUAGES and text not in _REPLACEMENTS:
        return None
    if not text:
        return "it is empty"
    if "-" in text:
        return "its parts must be joined by `_`, not by `-`"
    form = _FORM.fullmatch(text)
    if form is None:
        return "a locale must look like `en`, `pt_BR` or `sr_Latn`"
    language = form[1]
    doubled = text == f"{language}_{language.upper()}" and text not in _DOUBLED_LOCALES
    if language not in _LANGUAGES or text in _REPLACEMENTS or doubled:
        return f"Chrome does not know the locale {quoted(text)}"
    return None


def _normalized(text: str) -> str:
    """Returns the name with its parts in the usual letter case, joined by underscores."""
    language, *subtags = _PARTS.split(text.strip(), 5)
    cased = (each.title() if len(each) == 4 else each.upper() for each in subtags)
    return "_".join([language.lower(), *cased])
