"""Rules about the images in a manifest."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest, reported
from images import SVG, bmp, gif, ico, jpeg, png, webp
from packages import package_in, package_of

from extlint.checker import check_package
from extlint.package.files import UnreadableError
from extlint.schema.targets import Target

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"


def extension_with_image(data: bytes, name: str = "icon.png", **keys: object) -> Files:
    """Returns an extension with one image, which is its icon unless other keys are passed."""
    return {"manifest.json": manifest(**(keys or {"icons": {"48": name}})), name: data}


def messages(files: Files, rule: str, target: str = "reference") -> list[str]:
    return [finding.message for finding in lint(files, [rule], target)]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        pytest.param(extension_with_image(b"hello"), "`icon.png` is not a PNG image", id="text"),
        pytest.param(extension_with_image(b"{}", "icon.jpg"), "`icon.jpg` is not a JPEG image", id="JSON"),
        pytest.param(extension_with_image(b"<p>", "icon.svg"), "`icon.svg` is not an SVG image", id="a page"),
        pytest.param(
            extension_with_image(b"hello", "icon"), "`icon` is not an image", id="a name without an end"
        ),
        pytest.param(extension_with_image(b""), "the image `icon.png` is empty", id="nothing"),
        pytest.param(
            extension_with_image(POINTER),
            "`icon.png` is not an image, but a Git LFS pointer to one",
            id="LFS",
        ),
        pytest.param(
            extension_with_image(SVG.replace(b"/>", b">"), "a.svg"),
            "`a.svg` is broken, and no browser shows it: no element found on line 1",
            id="half an SVG",
        ),
        pytest.param(
            extension_with_image(png(48)[:30]),
            "`icon.png` is broken, and no browser shows it: its header is damaged",
            id="half a header of a PNG",
        ),
        pytest.param(
            extension_with_image(b"x", action={"default_icon": "icon.png"}),
            "`icon.png` is not a PNG image",
            id="of a button",
        ),
        pytest.param(
            extension_with_image(b"x", theme={"images": {"theme_frame": "icon.png"}}),
            "`icon.png` is not a PNG image",
            id="of a theme",
        ),
    ],
)
@pytest.mark.parametrize("target", ["reference", "firefox", "chrome"])
def test_image_invalid_in_every_browser(files: Files, message: str, target: str) -> None:
    assert messages(files, "invalid-image", target) == [message]


@pytest.mark.parametrize(
    ("files", "refused"),
    [
        pytest.param(extension_with_image(png(48)), False, id="PNG"),
        pytest.param(extension_with_image(jpeg(48, 48), "a.jpg"), False, id="JPEG"),
        pytest.param(extension_with_image(jpeg(48, 48)), False, id="JPEG under the name of a PNG"),
        pytest.param(extension_with_image(gif(48, 48), "a.gif"), False, id="GIF"),
        pytest.param(extension_with_image(bmp(48, 48), "a.bmp"), False, id="BMP"),
        pytest.param(extension_with_image(ico(48), "a.ico"), False, id="ICO"),
        pytest.param(extension_with_image(png(48), "A.PNG"), False, id="capital letters"),
        pytest.param(extension_with_image(png(48), "a.svg"), False, id="PNG under the name of an SVG"),
        pytest.param(extension_with_image(SVG, "a.svg"), True, id="SVG"),
        pytest.param(extension_with_image(webp(b"VP8 ", 48, 48), "a.webp"), True, id="WebP"),
        pytest.param(extension_with_image(webp(b"VP8 ", 48, 48)), True, id="WebP under the name of a PNG"),
        pytest.param(extension_with_image(png(48)[:-6]), True, id="half a PNG"),
        pytest.param(extension_with_image(png(48), "a.txt"), True, id="no name of an image"),
        pytest.param(extension_with_image(png(48), "a"), True, id="a name without an end"),
        pytest.param(
            extension_with_image(SVG, "a.svg", action={"default_icon": {"48": "a.svg"}}), True, id="a button"
        ),
        pytest.param(
            extension_with_image(
                SVG, "a.svg", action={"theme_icons": [{"light": "a.svg", "dark": "a.svg", "size": 48}]}
            ),
            False,
            id="icons that only Firefox reads",
        ),
        pytest.param(
            extension_with_image(SVG, "a.svg", sidebar_action={"default_icon": "a.svg"}),
            False,
            id="a key of Firefox",
        ),
        pytest.param(
            extension_with_image(SVG, "a.svg", browser_action={"default_icon": "a.svg"}),
            False,
            id="a Manifest V2 key",
        ),
        pytest.param(
            extension_with_image(SVG, "a.svg", icon_variants=[{"any": "a.svg"}]),
            False,
            id="an icon of any size",
        ),
    ],
)
def test_image_rejected_only_by_chrome(files: Files, refused: bool) -> None:
    assert len(messages(files, "invalid-image", "chrome")) == refused
    assert messages(files, "invalid-image", "firefox") == []
    assert messages(files, "invalid-image") == []


def test_svg_image_requires_its_name_where_svg_images_are_accepted() -> None:
    for target in ("reference", "firefox"):
        assert messages(extension_with_image(SVG), "invalid-image", target) == [
            "`icon.png` is an SVG image; its name must end in `.svg`"
        ]


def test_chrome_message_names_the_reason() -> None:
    assert messages(extension_with_image(SVG, "a.svg"), "invalid-image", "chrome") == [
        "Chrome does not show `a.svg`: it does not accept SVG images as icons"
    ]
    assert messages(extension_with_image(SVG), "invalid-image", "chrome") == [
        "Chrome does not show `icon.png`: it does not accept SVG images as icons"
    ]
    assert messages(extension_with_image(png(48)[:-6]), "invalid-image", "chrome") == [
        "Chrome does not show `icon.png`: the file is damaged: its end is missing"
    ]
    assert messages(extension_with_image(png(48), "a"), "invalid-image", "edge") == [
        "Edge does not show `a`: its name does not have the extension of an image"
    ]


class LfsProject:
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


def test_lfs_pointer_is_not_reported() -> None:
    package = package_of(extension_with_image(POINTER))
    package.around = LfsProject()
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
def test_path_outside_package_is_not_reported(value: object) -> None:
    files = extension_with_image(b"hello", icons=value)
    assert reported(files, ["invalid-image", "wrong-image-size"]) == []


@pytest.mark.parametrize(
    ("files", "message"),
    [
        pytest.param(extension_with_image(png(40)), "`icon.png` is 40x40 pixels, not 48x48", id="too small"),
        pytest.param(
            extension_with_image(png(48, 16)), "`icon.png` is 48x16 pixels, not 48x48", id="too small one way"
        ),
        pytest.param(
            extension_with_image(jpeg(40, 40), "a.jpg"), "`a.jpg` is 40x40 pixels, not 48x48", id="a JPEG"
        ),
        pytest.param(
            extension_with_image(png(64, 67)),
            "`icon.png` is 64x67 pixels: an icon that is not square is distorted",
            id="not square",
        ),
        pytest.param(
            extension_with_image(png(64, 67), action={"default_icon": "icon.png"}),
            "`icon.png` is 64x67 pixels: an icon that is not square is distorted",
            id="not square, of no stated size",
        ),
        pytest.param(
            extension_with_image(ico(16, 32), "a.ico"),
            "`a.ico` is 32x32 pixels, not 48x48",
            id="the largest of an ICO",
        ),
        pytest.param(
            extension_with_image(png(8), action={"theme_icons": [{"light": "icon.png", "size": 16}]}),
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
def test_wrong_icon_size_is_reported(files: Files, message: str) -> None:
    assert messages(files, "wrong-image-size") == [message]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param(extension_with_image(png(48)), id="the right size"),
        pytest.param(extension_with_image(png(128)), id="a larger one"),
        pytest.param(extension_with_image(png(300, 299)), id="almost square"),
        pytest.param(
            extension_with_image(png(300, 299), action={"default_icon": "icon.png"}),
            id="the same of the largest that is shown",
        ),
        pytest.param(
            extension_with_image(png(356, 358), icons={"48": "icon.png", "128": "icon.png"}),
            id="a difference that is invisible",
        ),
        pytest.param(extension_with_image(png(48, 49)), id="a pixel more"),
        pytest.param(extension_with_image(SVG, "a.svg"), id="SVG has any size"),
        pytest.param(extension_with_image(ico(16, 32, 48), "a.ico"), id="one of several"),
        pytest.param(extension_with_image(jpeg(1, 1)[:20], "a.jpg"), id="an unknown size"),
        pytest.param(extension_with_image(png(1), icons={"x": "icon.png"}), id="no number"),
        pytest.param(extension_with_image(png(1), icons={"9" * 5000: "icon.png"}), id="an endless number"),
        pytest.param(extension_with_image(png(1), icons={"0": "icon.png"}), id="nothing"),
        pytest.param(
            extension_with_image(png(1), action={"default_icon": "icon.png"}), id="a size that is not stated"
        ),
        pytest.param(
            extension_with_image(png(300, 200), theme={"images": {"theme_frame": "icon.png"}}),
            id="an image of a theme",
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
def test_correct_icon_size_is_not_reported(files: Files) -> None:
    assert messages(files, "wrong-image-size") == []


def test_each_reference_to_wrong_icon_is_reported() -> None:
    files = extension_with_image(png(16), icons={"32": "icon.png", "48": "icon.png", "16": "icon.png"})
    assert reported(files, ["wrong-image-size"]) == [("wrong-image-size", '"icon.png"')] * 2


SIDEBAR = {"sidebar_action": {"default_panel": "a.html", "default_icon": {"48": "icon.png"}}}
THEMED = {"action": {"theme_icons": [{"light": "icon.png", "dark": "icon.png", "size": 48}]}}


@pytest.mark.parametrize(
    ("keys", "target", "is_read"),
    [
        pytest.param(SIDEBAR, "chrome", False, id="a sidebar of Firefox"),
        pytest.param(SIDEBAR, "firefox", True, id="a sidebar in Firefox"),
        pytest.param(THEMED, "chrome", False, id="a button with themes of Firefox"),
        pytest.param(THEMED, "firefox", True, id="a button with themes in Firefox"),
        pytest.param({"icons": {"48": "icon.png"}}, "chrome", True, id="a key of every browser"),
        pytest.param(
            {"browser_action": {"default_icon": {"48": "icon.png"}}}, "chrome", True, id="an old key"
        ),
        pytest.param({"dark_theme": {"images": {"frame": "icon.png"}}}, "chrome", False, id="a dark theme"),
    ],
)
def test_image_in_a_key_of_another_browser(keys: dict[str, object], target: str, is_read: bool) -> None:
    for data, rule in ((png(16), "wrong-image-size"), (b"text", "invalid-image")):
        if rule == "invalid-image" or "dark_theme" not in keys:
            files: Files = {"manifest.json": manifest(**keys), "icon.png": data}
            assert bool(messages(files, rule, target)) is is_read, rule


BUILD: Files = {"package.json": '{"scripts": {"build": "webpack"}}', "webpack.config.js": ""}


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        pytest.param({**BUILD, "src/assets/icon.png": png(48)}, [], id="a source with the name"),
        pytest.param({**BUILD, "src/assets/icon.png": b"text"}, ["invalid-image"], id="as bad a source"),
        pytest.param({**BUILD, "src/other.png": png(48)}, ["invalid-image"], id="another name"),
        pytest.param({**BUILD, "gfx/new/icon.png": png(48)}, ["invalid-image"], id="a design"),
        pytest.param({"src/assets/icon.png": png(48)}, ["invalid-image"], id="no build"),
        pytest.param(BUILD, ["invalid-image"], id="a build that copies it"),
        pytest.param(
            {
                **BUILD,
                "scripts/icons.js": "import sharp from 'sharp'; import fs from 'fs'; sharp(a).resize(48)",
            },
            [],
            id="a program that draws icons",
        ),
        pytest.param({**BUILD, "src/look.js": "const sharp = 1"}, ["invalid-image"], id="a word in a script"),
    ],
)
def test_image_that_a_build_may_replace(others: Files, expected: list[str]) -> None:
    files: Files = {
        "manifest.json": manifest(icons={"48": "assets/icon.png"}),
        "assets/icon.png": b"placeholder",
    }
    report = check_package(package_in({**files, **others}, ""), [Target("chrome")], ["invalid-image"])
    assert [each.rule for each in report.findings] == expected


@pytest.mark.parametrize(("size", "expected"), [(48, []), (16, ["wrong-image-size"])])
def test_size_of_an_image_that_a_build_may_replace(size: int, expected: list[str]) -> None:
    files: Files = {"manifest.json": manifest(icons={"48": "a/icon.png"}), "a/icon.png": png(8)}
    package = package_in({**files, **BUILD, "src/icon.png": png(size)}, "")
    report = check_package(package, [Target("chrome")], ["wrong-image-size"])
    assert [each.rule for each in report.findings] == expected


@pytest.mark.parametrize(("folder", "expected"), [("public/assets", 0), ("assets", 0), ("other/icons", 1)])
def test_image_of_another_folder_of_the_project(folder: str, expected: int) -> None:
    files: Files = {
        **BUILD,
        "ext/manifest.json": manifest(icons={"48": "assets/icon.png"}),
        "ext/assets/icon.png": b"placeholder",
        f"{folder}/icon.png": png(48),
    }
    report = check_package(package_in(files, "ext/"), [Target("chrome")], ["invalid-image"])
    assert len(report.findings) == expected
