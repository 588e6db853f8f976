"""The table of all generators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from extlint_fuzz.case import Case
from extlint_fuzz.generators.archives import archive
from extlint_fuzz.generators.bundles import bundle
from extlint_fuzz.generators.data_files import image, locales, request_rules
from extlint_fuzz.generators.editor_sessions import editor_session
from extlint_fuzz.generators.extensions import extension
from extlint_fuzz.generators.http_requests import http_requests
from extlint_fuzz.generators.manifests import manifest
from extlint_fuzz.generators.mutations import Corpus, mutated_case
from extlint_fuzz.generators.names import odd_names
from extlint_fuzz.generators.pages import page
from extlint_fuzz.generators.programs import many_modules
from extlint_fuzz.generators.projects import project
from extlint_fuzz.generators.several import several
from extlint_fuzz.generators.texts import many, nesting, odd_bytes, soup
from extlint_fuzz.generators.user_schemas import user_schemas

_SINGLE: Mapping[str, tuple[int, Callable[[Random], Case]]] = {
    "extension": (8, extension),
    "soup": (3, soup),
    "nesting": (3, nesting),
    "many": (2, many),
    "odd bytes": (2, odd_bytes),
    "bundle": (3, bundle),
    "many modules": (1, many_modules),
    "page": (2, page),
    "manifest": (3, manifest),
    "locales": (1, locales),
    "request rules": (1, request_rules),
    "image": (1, image),
    "project": (2, project),
    "user schemas": (1, user_schemas),
    "archive": (2, archive),
    "odd names": (1, odd_names),
}

GENERATORS: Mapping[str, tuple[int, Callable[[Random], Case]]] = {
    **_SINGLE,
    "several": (3, several(_SINGLE)),
    "HTTP requests": (2, http_requests),
    "editor session": (1, editor_session),
}
"""The generators, each with its weight."""

MUTATION = "mutation"
"""The name of the generator that requires a corpus. With one, it makes about a third of all cases."""


def random_case(chance: Random, names: tuple[str, ...], corpus: Corpus | None) -> Case:
    """Returns a case of one of the named generators, or of any if none are named."""
    generator_names = [name for name in names if name != MUTATION]
    may_mutate = corpus is not None and bool(corpus.files) and (not names or MUTATION in names)
    if corpus is not None and may_mutate and (chance.random() < 0.33 or (names and not generator_names)):
        return mutated_case(chance, corpus)
    chosen = generator_names or list(GENERATORS)
    name = chance.choices(chosen, [GENERATORS[each][0] for each in chosen])[0]
    return GENERATORS[name][1](chance)
