"""Merges the verdicts of several browsers on one manifest into the mistakes that all of them find."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from extlint.schema.validation.mistake import Mistake, Reaction, Steps

DEPRECATED = "deprecated-key"


class Verdict(Struct, frozen=True):
    """The verdict of one browser: the mistakes, and the keys that it leaves to other browsers.

    `is_decisive` is false if the reaction of another browser decides how severe a common mistake is.
    """

    mistakes: Sequence[Mistake]
    foreign: frozenset[Steps] = frozenset()
    is_decisive: bool = True

    def is_foreign(self, steps: Steps) -> bool:
        """Whether a location is, or is below, a key that only other browsers read."""
        return any(steps[:length] in self.foreign for length in range(1, len(steps) + 1))

    def mistakes_by_location(self) -> Mapping[object, Mistake]:
        """Returns the mistakes by location: the path, and the first key that is missing there."""
        return {_location(each): each for each in reversed(self.mistakes)}


def _location(mistake: Mistake) -> object:
    """Returns a key for the location of a mistake.

    Deprecated values, and those for other browsers, get distinct keys, because they are not wrong yet.
    """
    return mistake.steps, mistake.missing[:1], mistake.rule == DEPRECATED, mistake.reaction is Reaction.SKIPS


def agreed_mistakes(verdicts: Sequence[Verdict]) -> Iterator[Mistake]:
    """Yields the mistakes at locations where every browser that reads them finds one, each location once."""
    reported: set[object] = set()
    with_places = [(each, each.mistakes_by_location()) for each in verdicts]
    for own in verdicts:
        for mistake in own.mistakes:
            place = _location(mistake)
            other_verdicts = [(each, places) for each, places in with_places if each is not own]
            if place not in reported and all(
                place in places or each.is_foreign(mistake.steps) for each, places in other_verdicts
            ):
                reported.add(place)
                every = [mistake, *(places[place] for _, places in other_verdicts if place in places)]
                preferred = next((each for each in every if _has_suggestion(each)), mistake)
                decisive = [places for each, places in with_places if each.is_decisive]
                reacting = [each[place] for each in decisive if place in each]
                yield replace(preferred, reaction=_strictest_reaction(reacting))


def _strictest_reaction(mistakes: Sequence[Mistake]) -> Reaction | None:
    """Returns the strictest reaction of the browsers to a mistake.

    Returns None if it is unknown for one of them: then the rule decides.
    """
    found = [each.reaction for each in mistakes if each.reaction is not None]
    return max(found, default=None) if len(found) == len(mistakes) else None


def _has_suggestion(mistake: Mistake) -> bool:
    """Whether a mistake names the correct value: the key that one of the browsers has."""
    return mistake.suggestion is not None
