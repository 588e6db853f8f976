"""Random declarativeNetRequest rules that are valid except for a random regular expression."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

COMMON = r"""
a b . \d \w \s \. \/ [a-z] [^/] [a-z0-9_-] [^a-z] \b ^ $ example https?:\/\/ % - [\w.] \A \z x|y ab? .*
""".split()
RARE = r"""
(?i) [[:alpha:]] [[:foo:]] \pL \p{Greek} \p{Foo} \x41 \x{41} \x4 \1 \12 \8 \Q.\E \Z \C \B \h \k<n> \k<m> \k
\u0041 \u{41} \cA \c [ ] { } ( | ) \ [z-a] []a] [^] [a-\d] [\d-z] [a&&b] [[a]] [\b] [--a] (?=a) (?!a) (?<=a)
(?<!a) (?=a)* (?<=a)* (?:) (?<>a) (?<1>a) (?<$>a) (?<a-b>c) (?#a) (?P=n) (?P>n) (?(1)a) (?ii:a) (?i-i:a)
{1 {,1}
""".split()
OPENINGS = "( (?: (?<n> (?P<n> (?<m> (?P<m> (?i: (?s-i: (?U: (?> (?-i:".split()
QUANTIFIERS = "* + ? {2} {2,} {1,3} *? +?".split()
ODD_QUANTIFIERS = "{30} {200} {1000} {1001} {2}? ** {,3} {a} {3,2} ++ {99999999999}".split()
REPEATED = "a [a-z] . \\w (a|b) ab? (?:a|bc) [^a] (?:a+|b) \\d{2} (foo|bar)".split()
ENDS = ("", ".*", "$", "(x|y|z)*", "(?:x|y)+")
MAX_DEPTH = 4


def random_pattern_rules(seed: int, number: int) -> Iterator[dict[str, Any]]:
    """Yields `number` rules, which depend only on the seed."""
    chance = Random(seed)
    for _ in range(number):
        condition: dict[str, Any] = {"regexFilter": _pattern(chance)}
        if chance.random() < 0.5:
            condition["isUrlFilterCaseSensitive"] = chance.random() < 0.5
        action: dict[str, Any] = {"type": "block"}
        if chance.random() < 0.3:
            action = {"type": "redirect", "redirect": {"regexSubstitution": r"https://a.com/\1"}}
        yield {"id": 1, "condition": condition, "action": action}


def _pattern(chance: Random) -> str:
    """Returns a pattern of many parts, or one that only tests the length limit."""
    if chance.random() < 0.3:
        number = chance.randint(1, 300)
        part = chance.choice(REPEATED)
        return (part * number if chance.random() < 0.5 else f"{part}{{{number}}}") + chance.choice(ENDS)
    return _branch(chance, 0)


def _branch(chance: Random, depth: int) -> str:
    return "".join(_part(chance, depth) for _ in range(chance.randint(1, 5 if depth else 9)))


def _part(chance: Random, depth: int) -> str:
    if chance.random() < 0.2 and depth < MAX_DEPTH:
        inner = [_branch(chance, depth + 1) for _ in range(chance.choice((1, 1, 2)))]
        part = f"{chance.choice(OPENINGS)}{'|'.join(inner)})"
    else:
        part = chance.choice(COMMON if chance.random() < 0.9 else RARE)
    if chance.random() < 0.3:
        part += chance.choice(QUANTIFIERS if chance.random() < 0.9 else ODD_QUANTIFIERS)
    return part
