"""Evaluates a script's tests of the user agent: `navigator.userAgent.includes("Firefox")`.

The texts are those of Firefox 153 and Chromium 156 (verified with `extlint_judge user-agent`); the user
agents of their editions add to them. Other texts are unknown: they may be versions or names of systems.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from extlint.analysis.facts.script_facts import FOLDED, HAS_ANY, ApiPath, Guards
from extlint.extension import Extension
from extlint.schema.engine import Engine


class UserAgent(Struct, frozen=True):
    """Texts that every user agent of a browser contains, and texts that none of them contains."""

    always_has: frozenset[str]
    never_has: frozenset[str]


def _product_texts(*names: str) -> frozenset[str]:
    """Returns the names of products, also with the slash before a version."""
    return frozenset(form for name in names for form in (name, f"{name}/"))


_INTERNET_EXPLORER = {"MSIE", "MSIE ", *_product_texts("Trident")}

USER_AGENTS: Mapping[Engine, UserAgent] = {
    Engine.GECKO: UserAgent(
        _product_texts("Firefox", "Gecko") | {"Mozilla", "Mozilla/", "Mozilla/5.0", "rv:"},
        _product_texts(
            "AppleWebKit", "Chrome", "Chromium", "Edg", "Edge", "Opera", "OPR", "Safari", "Vivaldi"
        )
        | {"KHTML", "WebKit", "like Gecko", *_INTERNET_EXPLORER},
    ),
    Engine.CHROMIUM: UserAgent(
        _product_texts("AppleWebKit", "Chrome", "Safari")
        | {"Gecko", "KHTML", "Mozilla", "Mozilla/", "Mozilla/5.0", "WebKit", "like Gecko"},
        _product_texts("Firefox", "FxiOS", "Seamonkey", "SeaMonkey") | {"Gecko/", *_INTERNET_EXPLORER},
    ),
}
"""The texts that are certain in the user agents of browsers, by target."""


def contradicts_user_agent(extension: Extension, guards: Guards) -> bool:
    """Whether guards assume something about the user agent that is false for the target."""
    engine = extension.target.engine
    agent = None if engine is None else USER_AGENTS.get(engine)
    return agent is not None and any(_is_false(agent, fact) for fact in guards.user_agent)


def _is_false(agent: UserAgent, fact: ApiPath) -> bool:
    test, letters, *texts = fact
    if test == HAS_ANY:
        return all(_is_among(each, agent.never_has, letters) for each in texts)
    return any(_is_among(each, agent.always_has, letters) for each in texts)


def _is_among(text: str, listed: Iterable[str], letters: str) -> bool:
    return text in (map(str.lower, listed) if letters == FOLDED else listed)
