"""Rules about the images in a manifest."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest, told
from images import SVG, bmp, gif, ico, jpeg, png, webp
from packages import package_of

from extlint.checker import check_package
from extlint.package.files import UnreadableError
from extlint.targets.request import Target

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"


def named(data: bytes, name: str = "icon.png", **keys: object) -> Files:
    """Returns an extension with one image, which is its icon unless other keys are passed."""
    return {"manifest.json": manifest(**(keys or {"icons": {"48": name}})), name: data}


def messages(files: Files, rule: str, target: str = "reference") -> list[str]:
    return [finding.message for finding in lint(files, [rule], target)]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        pytest.param(named(b"hello"), "`icon.png` is not a PNG image", id="text"),
        pytest.param(named(b"{}", "icon.jpg"), "`icon.jpg` is not a JPEG image", id="JSON"),
        pytest.param(named(b"<p>", "icon.svg"), "`icon.svg` is not an SVG image", id="a page"),
        pytest.param(named(b"hello", "icon"), "`icon` is not an image", id="a name without an end"),
        pytest.param(named(b""), "the image `icon.png` is empty", id="nothing"),
        pytest.param(
            named(POINTER),
            "`icon.png` is not an image, but a Git LFS pointer to one",
            id="LFS",
        ),
        pytest.param(named(SVG), "`icon.png` is an SVG image; its name must end in `.svg`", id="SVG"),
        pytest.param(
            named(SVG.replace(b"/>", b">"), "a.svg"),
            "`a.svg` is broken, and no browser shows it: no element found on line 1",
            id="half an SVG",
        ),
        pytest.param(
            named(png(48)[:30]),
            "`icon.png` is broken, and no browser shows it: its header is damaged",
            id="half a header of a PNG",
        ),
        pytest.param(
            named(b"x", action={"default_icon": "icon.png"}),
            "`icon.png` is not a PNG image",
            id="of a button",
        ),
        pytest.param(
            named(b"x", theme={"images": {"theme_frame": "icon.png"}}),
            "`icon.png` is not a PNG image",
            id="of a theme",
        ),
    ],
)
@pytest.mark.parametrize("target", ["reference", "firefox", "chrome"])
def test_what_no_browser_shows(files: Files, message: str, target: str) -> None:
    assert messages(files, "invalid-image", target) == [message]


@pytest.mark.parametrize(
    ("files", "refused"),
    [
        pytest.param(named(png(48)), False, id="PNG"),
        pytest.param(named(jpeg(48, 48), "a.jpg"), False, id="JPEG"),
        pytest.param(named(jpeg(48, 48)), False, id="JPEG under the name of a PNG"),
        pytest.param(named(gif(48, 48), "a.gif"), False, id="GIF"),
        pytest.param(named(bmp(48, 48), "a.bmp"), False, id="BMP"),
        pytest.param(named(ico(48), "a.ico"), False, id="ICO"),
        pytest.param(named(png(48), "A.PNG"), False, id="capital letters"),
        pytest.param(named(png(48), "a.svg"), False, id="PNG under the name of an SVG"),
        pytest.param(named(SVG, "a.svg"), True, id="SVG"),
        pytest.param(named(webp(b"VP8 ", 48, 48), "a.webp"), True, id="WebP"),
        pytest.param(named(webp(b"VP8 ", 48, 48)), True, id="WebP under the name of a PNG"),
        pytest.param(named(png(48)[:-6]), True, id="half a PNG"),
        pytest.param(named(png(48), "a.txt"), True, id="no name of an image"),
        pytest.param(named(png(48), "a"), True, id="a name without an end"),
        pytest.param(named(SVG, "a.svg", action={"default_icon": {"48": "a.svg"}}), True, id="a button"),
        pytest.param(
            named(SVG, "a.svg", action={"theme_icons": [{"light": "a.svg", "dark": "a.svg", "size": 48}]}),
            False,
            id="icons that only Firefox reads",
        ),
        pytest.param(
            named(SVG, "a.svg", sidebar_action={"default_icon": "a.svg"}), False, id="a key of Firefox"
        ),
        pytest.param(
            named(SVG, "a.svg", browser_action={"default_icon": "a.svg"}), False, id="a key of version 2"
        ),
        pytest.param(named(SVG, "a.svg", icon_variants=[{"any": "a.svg"}]), False, id="an icon of any size"),
    ],
)
def test_what_chrome_does_not_show(files: Files, refused: bool) -> None:
    assert len(messages(files, "invalid-image", "chrome")) == refused
    assert messages(files, "invalid-image", "firefox") == []
    assert messages(files, "invalid-image") == []


def test_chrome_is_told_of_the_kind() -> None:
    assert messages(named(SVG, "a.svg"), "invalid-image", "chrome") == [
        "Chrome does not show `a.svg`: it does not accept SVG images as icons"
    ]
    assert messages(named(png(48)[:-6]), "invalid-image", "chrome") == [
        "Chrome does not show `icon.png`: the file is damaged: its end is missing"
    ]
    assert messages(named(png(48), "a"), "invalid-image", "edge") == [
        "Edge does not show `a`: its name does not have the extension of an image"
    ]


class Checkout:
    """A project with images in Git LFS."""

    folder = ""

    def has(self, path: str) -> bool:
        return path == ".gitattributes"

    def read(self, path: str) -> bytes:
        raise UnreadableError(path)

    def folders(self, folder: str) -> list[str]:  # noqa: ARG002
        return []

    def files(self, folder: str) -> list[str]:  # noqa: ARG002
        return []


def test_a_pointer_in_a_checkout_will_be_an_image() -> None:
    package = package_of(named(POINTER))
    package.around = Checkout()
    assert check_package(package, [Target("reference")], ["invalid-image"]).findings == ()


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"48": "gone.png"}, id="a file that is not there"),
        pytest.param({"48": "https://example.com/a.png"}, id="an address"),
        pytest.param({"48": "data:image/png;base64,"}, id="an image in place"),
        pytest.param({"48": 5}, id="no name"),
        pytest.param(["icon.png"], id="no object"),
        pytest.param("icon.png", id="no object but a name"),
    ],
)
def test_what_names_no_file_of_the_package(value: object) -> None:
    files = named(b"hello", icons=value)
    assert told(files, ["invalid-image", "wrong-image-size"]) == []


@pytest.mark.parametrize(
    ("files", "message"),
    [
        pytest.param(named(png(40)), "`icon.png` is 40x40 pixels, not 48x48", id="too small"),
        pytest.param(named(png(48, 16)), "`icon.png` is 48x16 pixels, not 48x48", id="too small one way"),
        pytest.param(named(jpeg(40, 40), "a.jpg"), "`a.jpg` is 40x40 pixels, not 48x48", id="a JPEG"),
        pytest.param(
            named(png(64, 65)),
            "`icon.png` is 64x65 pixels: an icon that is not square is distorted",
            id="not square",
        ),
        pytest.param(
            named(png(64, 65), action={"default_icon": "icon.png"}),
            "`icon.png` is 64x65 pixels: an icon that is not square is distorted",
            id="not square, of no stated size",
        ),
        pytest.param(
            named(ico(16, 32), "a.ico"), "`a.ico` is 32x32 pixels, not 48x48", id="the largest of an ICO"
        ),
        pytest.param(
            named(png(8), action={"theme_icons": [{"light": "icon.png", "size": 16}]}),
            "`icon.png` is 8x8 pixels, not 16x16",
            id="an icon for light themes",
        ),
        pytest.param(
            {
                "manifest.json": manifest(icons={"48": "i/48/icon_16.png"}),
                "i/48/icon_16.png": png(16),
                "i/48/icon_48.png": png(48),
            },
            "`i/48/icon_16.png` is 16x16 pixels, not 48x48; did you mean `i/48/icon_48.png`?",
            id="too small, and the right one is there",
        ),
        pytest.param(
            {
                "manifest.json": manifest(icons={"16": "icon48x48.png"}),
                "icon48x48.png": png(48),
                "icon16x16.png": png(16),
            },
            "`icon48x48.png` is 48x48 pixels, not 16x16; did you mean `icon16x16.png`?",
            id="too large, and the right one is there",
        ),
    ],
)
def test_icons_of_a_wrong_size(files: Files, message: str) -> None:
    assert messages(files, "wrong-image-size") == [message]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param(named(png(48)), id="the right size"),
        pytest.param(named(png(128)), id="a larger one"),
        pytest.param(named(png(300, 299)), id="less than half a pixel from a square"),
        pytest.param(
            named(png(300, 299), action={"default_icon": "icon.png"}),
            id="the same of the largest that is shown",
        ),
        pytest.param(named(SVG, "a.svg"), id="SVG has any size"),
        pytest.param(named(ico(16, 32, 48), "a.ico"), id="one of several"),
        pytest.param(named(jpeg(1, 1)[:20], "a.jpg"), id="a size that is not told"),
        pytest.param(named(png(1), icons={"x": "icon.png"}), id="no number"),
        pytest.param(named(png(1), icons={"9" * 5000: "icon.png"}), id="an endless number"),
        pytest.param(named(png(1), icons={"0": "icon.png"}), id="nothing"),
        pytest.param(named(png(1), action={"default_icon": "icon.png"}), id="a size that is not stated"),
        pytest.param(
            named(png(300, 200), theme={"images": {"theme_frame": "icon.png"}}), id="an image of a theme"
        ),
        pytest.param(
            {
                "manifest.json": manifest(icons={"16": "icon48.png"}),
                "icon48.png": png(48),
                "icon16.png": png(19),
            },
            id="a larger one, where the other is wrong too",
        ),
    ],
)
def test_icons_of_a_right_size(files: Files) -> None:
    assert messages(files, "wrong-image-size") == []


def test_each_name_of_an_icon_is_told() -> None:
    files = named(png(16), icons={"32": "icon.png", "48": "icon.png", "16": "icon.png"})
    assert told(files, ["wrong-image-size"]) == [("wrong-image-size", '"icon.png"')] * 2
