"""The search for rules and error messages: a form on pages, and the words that its script searches."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from extlint.registry import RULES
from extlint.report.reporter import documentation, summary
from extlint_site.error_messages import error_messages

DATA = "static/rule-search-data.js"
"""The path of the generated words in the sources of the site."""

_WORD = re.compile(r"[a-z0-9_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")

_COMMON = frozenset(
    "all and any are but can chrome com does error errors example extlint firefox first for found from has"
    " have how html https instead its json manifest not one only that the their them then there this use"
    " version was what when where which with www".split()
)
"""Words that most entries have."""

FORM = """\
```{raw} html
<form class="rule-search" role="search" aria-label="Rules and error messages" hidden>
<label for="rule-search">Search rules and error messages</label>
<input id="rule-search" type="search" autocomplete="off" aria-describedby="rule-search-keys">
<p id="rule-search-keys">Press / to search, and the arrow keys to choose a result.</p>
<p role="status"></p>
<ol></ol>
</form>
<script src="../_static/rule-search-data.js" defer></script>
<script src="../_static/rule-search.js" defer></script>
```
"""
"""The form, for a page in a folder of the site. It is hidden without JavaScript."""


def search_data(outputs: Mapping[str, str]) -> str:
    """Returns the script with the entries. `outputs` has the output for each rule's example."""
    entries = [*_rules(outputs), *_messages()]
    return (
        f"globalThis.ruleSearchEntries = {json.dumps(entries, ensure_ascii=False, separators=(',', ':'))};\n"
    )


def _rules(outputs: Mapping[str, str]) -> Iterator[list[str]]:
    """Yields the title, the sentence, the address and the other words of each rule."""
    for name in RULES:
        text = summary(name).replace("`", "")
        yield [
            name,
            text,
            f"rules/{name}/",
            other_words(f"{documentation(name)} {outputs[name]}", f"{name} {text}"),
        ]


def _messages() -> Iterator[list[str]]:
    """Yields the message, the browsers and rules, the address, and the other words of each message."""
    for each in error_messages():
        rules = ", ".join(each.rules)
        found = f"{', '.join(each.browsers)}: {rules}" if rules else ", ".join(each.browsers)
        shown = f"{each.text} {found}"
        yield [each.text, found, f"errors/{each.address}/", other_words(each.about, shown)]


def other_words(text: str, shown: str) -> str:
    """Returns the words of a text, once each, that are rare and are not shown.

    Names such as `onClicked` also count as their parts.
    """
    found = {*_words(text), *_words(_CAMEL.sub(" ", text))}
    return " ".join(sorted(each for each in found - _COMMON - {*_words(shown)} if len(each) > 2))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
