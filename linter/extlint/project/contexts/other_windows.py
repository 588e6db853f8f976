"""Finds globals of extension pages that scripts of other pages may change.

The pages of an extension reach one another's windows: `getBackgroundPage().name = 1`, `opener.name = 1`. The
variables of a page are members of its window, except those of `let`, `const` and `class`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property

from extlint.analysis.syntax.prefilter import may_name_global, word_spans
from extlint.project.contexts.script import ScriptLocation
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name

_GETTERS = (b"getBackgroundPage", b"getViews", b"getExtensionTabs")
_GETTER = lazy(rb"\.\s*(?:getBackgroundPage|getViews|getExtensionTabs)(?![\w$])", needs=_GETTERS)
_WINDOWS = frozenset({b"opener", b"parent", b"top", b"frames", b"contentWindow"})
"""The globals that are windows, or contain some, and the property with the window of a frame."""
_VARIABLE = lazy(
    rb"(?<![\w$])([\w$]+)\s*=\s*(?:await\s+)?(?:(?:[\w$]+\s*\.\s*){1,3}getBackgroundPage\s*\(\s*\)"
    rb"|(?:(?:window|self|globalThis)\s*\.\s*)?(?:opener|parent|top))\s*(?:[;,)\n]|\Z)",
    needs=(b"getBackgroundPage", b"opener", b"parent", b"top"),
)
"""A variable that holds a window."""
_NAME = rb"(?:\.\s*|\[\s*[\"'`])([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)(?:[\"'`]\s*\])?"
_MEMBER = lazy(_NAME)
_MEMBER_OF_WORD = lazy(rb"(?:\s*\[[^\]\n]{1,40}\])?\s*[?!]?" + _NAME)
_CHANGE = lazy(rb"\s*(?:(?:[-+*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)?=(?![=>])|\+\+|--|\??\.|[\[(])")
"""The text after a member that is assigned or called, or that has members that may be changed."""
_DECLARATION = lazy(rb"(?:const|let|var)\s+[\w$]+\s*=[^=;\n]{0,60}\Z")
"""The text before a member that another variable then holds."""
_MAX_DECLARATION_BYTES = 100


class OtherWindows:
    """The names that scripts of extension pages may change in the windows of other pages.

    `text` returns the source of a script. `pages` has the scripts of each page.
    """

    def __init__(
        self, text: Callable[[ScriptLocation], bytes], pages: Sequence[Sequence[ScriptLocation]]
    ) -> None:
        self._text = text
        self._pages = pages

    def may_change(self, location: ScriptLocation, name: str) -> bool:
        """Whether a page may change a global of this name in another page that loads a script."""
        changing = self._changing_pages.get(encode_name(name))
        return changing is not None and any(
            location in page and (len(changing) > 1 or at not in changing)
            for at, page in enumerate(self._pages)
        )

    @cached_property
    def _changing_pages(self) -> dict[bytes, set[int]]:
        """The pages, by index, that may change a member of another window, by its name."""
        scripts = dict.fromkeys(each for page in self._pages for each in page)
        words = _WINDOWS.union(*(_VARIABLE.findall(self._text(each)) for each in scripts))
        names = {each: {*_changed_members(self._text(each), words)} for each in scripts}
        found: dict[bytes, set[int]] = {}
        for at, page in enumerate(self._pages):
            for location in page:
                for name in names[location]:
                    found.setdefault(name, set()).add(at)
        return found


def _changed_members(text: bytes, windows: Collection[bytes]) -> Iterator[bytes]:
    """Yields the names of members that a script may change in another window.

    `windows` are the words that may name one. Any object may be one in a script that gets a window from the
    API.
    """
    if _GETTER.search(text) is not None:
        members = [*_MEMBER.finditer(text)]
    else:
        ends = [
            end
            for start, end in word_spans(text, windows)
            if may_name_global(text, start) or text[start:end] == b"contentWindow"
        ]
        members = [each for each in (_MEMBER_OF_WORD.match(text, end) for end in ends) if each is not None]
    for each in members:
        before = text[max(0, each.start() - _MAX_DECLARATION_BYTES) : each.start()]
        if _CHANGE.match(text, each.end()) is not None or _DECLARATION.search(before) is not None:
            yield each[1]
