"""The images that a manifest names, with their contents."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from extlint.checks.images import Image, read_image
from extlint.extension import Extension
from extlint.finding import Finding, Related
from extlint.manifest.file_keys import FileUse, file_references
from extlint.package.limits import mebibytes
from extlint.package.references import paths_of
from extlint.queries.query import query
from extlint.rule import Rule
from extlint.text.positions import Span

MAX_IMAGE_BYTES = 256 * 1024 * 1024
"""The maximum bytes of images that are read in one extension; the others are not checked."""

_NON_ICON_KEYS = ("chrome_settings_overrides", "dark_theme", "theme")
_LFS_POINTER = b"version https://git-lfs.github.com/spec/v1"


class NamedImage(Struct, frozen=True):
    """An image that the manifest names, and that the package has.

    `keys` lead to the name in the manifest, and `span` is the position of the name. `stated_size` is the
    width and height in pixels according to the manifest, or None if it has none. `image` is the content of
    the file, or None if that is not an image; `first_bytes` is its beginning.
    """

    path: str
    keys: tuple[str, ...]
    span: Span
    stated_size: int | None
    image: Image | None
    first_bytes: bytes

    @property
    def is_icon(self) -> bool:
        """Whether it is an icon, rather than an image of a theme."""
        return self.keys[0] not in _NON_ICON_KEYS

    @property
    def is_pointer(self) -> bool:
        """Whether the file is a Git LFS pointer."""
        return self.first_bytes == _LFS_POINTER


class ImageProblem(Struct, frozen=True):
    """A problem with an image; `general` describes it without naming a browser."""

    message: str
    general: str
    reason: str | None = None


def image_findings(
    extension: Extension, rule: Rule, problem_of: Callable[[Extension, NamedImage], ImageProblem | None]
) -> Iterator[Finding]:
    """Yields one finding for each problem of an image, at its first name; the other names are related.

    An image is correct if a build may replace it with a correct one, or only other browsers read it.
    """
    places: dict[ImageProblem, list[Span]] = {}
    for named in named_images(extension):
        problem = problem_of(extension, named)
        if problem is None or _is_for_others(extension, named.keys):
            continue
        if not any(problem_of(extension, other) is None for other in _replacements(extension, named)):
            places.setdefault(problem, []).append(named.span)
    if places and _are_made_by_build(extension):
        return
    path = extension.manifest.path
    for problem, (first, *other_spans) in places.items():
        yield rule.at(
            path,
            first,
            problem.message,
            related=tuple(Related(path, span, "the same image is also named here") for span in other_spans),
            general=problem.general,
            reason=problem.reason,
        )


def _are_made_by_build(extension: Extension) -> bool:
    from extlint.project.supplied_files import build_makes_images

    return build_makes_images(extension)


def _replacements(extension: Extension, named: NamedImage) -> Iterator[NamedImage]:
    from extlint.project.supplied_files import replacements_of

    for data in replacements_of(extension, named.path):
        with extension.package.failures.contained(named.path):
            yield replace(named, image=read_image(data), first_bytes=data[: len(_LFS_POINTER)])


@query
def named_images(extension: Extension) -> tuple[NamedImage, ...]:
    """Returns the images that the manifest names and that can be read."""
    manifest, package = extension.manifest, extension.package
    known: dict[str, tuple[Image | None, bytes]] = {}
    found = []
    left = MAX_IMAGE_BYTES
    for name in file_references(manifest):
        path = next((each for each in paths_of(name.name) if each in package), None)
        if name.use is not FileUse.IMAGE or path is None:
            continue
        if path not in known:
            if left <= 0:
                what = f"{mebibytes(MAX_IMAGE_BYTES)} of images are read"
                package.unchecked.add(manifest.path, what)
                break
            data = package.read(path)
            left -= len(data)
            with package.failures.contained(path):
                known[path] = read_image(data), data[: len(_LFS_POINTER)]
        if path in package.failed or path not in known:
            continue
        keys = tuple(name.pointer.split("/")[1:])
        span = manifest.span(name.node.span)
        found.append(NamedImage(path, keys, span, _stated_size(extension, keys), *known[path]))
    return tuple(found)


def _is_for_others(extension: Extension, keys: tuple[str, ...]) -> bool:
    """Whether only other browsers than the target read the image under some keys, such as `theme_icons`."""
    from extlint.checks.manifest_values.known_keys import TARGETS, targets_with_key

    target = extension.target.name
    takers = [targets_with_key(keys[:length]) for length in (1, 2)]
    return target in TARGETS and any(found and target not in found for found in takers)


def _stated_size(extension: Extension, keys: tuple[str, ...]) -> int | None:
    """Returns the size in pixels that the manifest states for an image."""
    if "theme_icons" in keys:
        size = extension.manifest.get(keys[0], keys[1], int(keys[2]), "size")
        return size.value if size is not None and type(size.value) is int and size.value > 0 else None
    is_size = keys[0] not in _NON_ICON_KEYS and keys[-1].isdecimal() and len(keys[-1]) < 6
    return int(keys[-1]) or None if is_size else None
