"""What a script asked about others while it was analysed."""

from __future__ import annotations

from extlint.script.facts.imports import NO_EXPORTS, Exports, ImportResolver


class Questions:
    """Asks for the exports of other scripts, and keeps the answers.

    As long as they are the same, and so are its text and what is shared with it, the facts of a script are.
    """

    def __init__(self, imported: ImportResolver) -> None:
        self._imported = imported
        self._answers: dict[tuple[str, bool], Exports] = {}

    def __call__(self, name: str, *, of_api: bool = False) -> Exports:
        """The exports of a module; see `ImportResolver`."""
        answer = self._answers[name, of_api] = self._imported(name, of_api=of_api)
        return answer

    def have_same_answers(self) -> bool:
        """Whether all questions have the answers that they had."""
        return all(
            _is_same(self._imported(name, of_api=of_api), answer)
            for (name, of_api), answer in self._answers.items()
        )


def _is_same(answer: Exports, other: Exports) -> bool:
    is_of_script = answer is not NO_EXPORTS and other is not NO_EXPORTS
    return answer is other or (is_of_script and answer == other)
