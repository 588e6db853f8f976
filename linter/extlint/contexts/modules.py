"""From the name in an import to files of the package."""

from __future__ import annotations

from extlint.contexts.names import folder_of, paths_of

_SUFFIXES = (".ts", ".tsx", ".mts", ".js", ".mjs", ".jsx")
_BUILT = {".js": (".ts", ".tsx"), ".mjs": (".mts",), ".jsx": (".tsx",), ".cjs": (".cts",)}


def module_paths(name: str, importer: str) -> tuple[str, ...]:
    """The paths that an import may mean, the likeliest first; none for a package's name (`lodash`).

    What a browser does comes first: the name is a path. Then what bundlers and TypeScript make of it:
    a suffix that is left out, `.js` that is built from `.ts`, a folder's `index`.
    """
    if not name.startswith((".", "/")):
        return ()
    found: list[str] = []
    for path in paths_of(name, folder_of(importer)):
        found.append(path)
        stem, dot, suffix = path.rpartition(".")
        found += [stem + built for built in _BUILT.get(dot + suffix, ())]
        found += [path + suffix for suffix in _SUFFIXES]
        found += [f"{path}/index{suffix}" for suffix in _SUFFIXES]
    return tuple(dict.fromkeys(found))
