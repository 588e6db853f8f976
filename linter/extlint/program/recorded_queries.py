"""Records a script's queries about other scripts during its analysis."""

from __future__ import annotations

from extlint.analysis.facts.imports import NO_EXPORTS, Exports, ImportResolver


class RecordedQueries:
    """Requests the exports of other scripts, and records the results.

    As long as the results, the script's text and its shared globals are unchanged, so are its facts.
    """

    def __init__(self, imported: ImportResolver) -> None:
        self._imported = imported
        self._results: dict[tuple[str, bool], Exports] = {}

    def __call__(self, name: str, *, of_api: bool = False) -> Exports:
        """Returns the exports of a module; see `ImportResolver`."""
        answer = self._results[name, of_api] = self._imported(name, of_api=of_api)
        return answer

    def are_up_to_date(self) -> bool:
        """Whether all queries still have the recorded results."""
        return all(
            _is_same_result(self._imported(name, of_api=of_api), answer)
            for (name, of_api), answer in self._results.items()
        )


def _is_same_result(answer: Exports, other: Exports) -> bool:
    is_of_script = answer is not NO_EXPORTS and other is not NO_EXPORTS
    return answer is other or (is_of_script and answer == other)
