"""Image detection from the first bytes of a file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from images import SVG, bmp, chunk, gif, ico, jpeg, old_bmp, png, webp

from extlint.checks.images import Format, Image, Size, read_image

DOCTYPE = (
    b'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
)
SUBSET = b'<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]>'


@pytest.mark.parametrize(
    ("data", "kind", "sizes"),
    [
        pytest.param(png(48), Format.PNG, [(48, 48)], id="PNG"),
        pytest.param(png(70000, 1), Format.PNG, [(70000, 1)], id="a wide PNG"),
        pytest.param(gif(300, 2), Format.GIF, [(300, 2)], id="GIF"),
        pytest.param(gif(1, 2).replace(b"89a", b"87a"), Format.GIF, [(1, 2)], id="an older GIF"),
        pytest.param(jpeg(300, 200), Format.JPEG, [(300, 200)], id="JPEG"),
        pytest.param(jpeg(300, 200, 0xC2), Format.JPEG, [(300, 200)], id="a progressive JPEG"),
        pytest.param(
            jpeg(3, 2, before=b"\xff\xc4\0\4\xff\xc0\xff\xff\xff\xd0"),
            Format.JPEG,
            [(3, 2)],
            id="a JPEG with a table, fill bytes and a marker without a segment",
        ),
        pytest.param(jpeg(3, 2)[:20], Format.JPEG, [], id="half a JPEG"),
        pytest.param(jpeg(0, 0), Format.JPEG, [], id="a JPEG that says its height later"),
        pytest.param(bmp(16, 16), Format.BMP, [(16, 16)], id="BMP"),
        pytest.param(bmp(16, -16), Format.BMP, [(16, 16)], id="a BMP from top to bottom"),
        pytest.param(old_bmp(9, 8), Format.BMP, [(9, 8)], id="an old BMP"),
        pytest.param(b"BM", Format.BMP, [], id="half a BMP"),
        pytest.param(ico(16, 32, 256), Format.ICO, [(16, 16), (32, 32), (256, 256)], id="ICO"),
        pytest.param(ico(16, 16), Format.ICO, [(16, 16)], id="an ICO with one size twice"),
        pytest.param(ico(32, kind=2), Format.ICO, [(32, 32)], id="a cursor"),
        pytest.param(ico(16, 32)[:30], Format.ICO, [(16, 16), (32, 32)], id="half an ICO"),
        pytest.param(b"\0\0\1\0", Format.ICO, [], id="an ICO without images"),
        pytest.param(webp(b"VP8 ", 640, 480), Format.WEBP, [(640, 480)], id="WebP, lossy"),
        pytest.param(webp(b"VP8L", 640, 16384), Format.WEBP, [(640, 16384)], id="WebP, lossless"),
        pytest.param(webp(b"VP8X", 640, 480), Format.WEBP, [(640, 480)], id="WebP, extended"),
        pytest.param(webp(b"VP9 ", 640, 480), Format.WEBP, [], id="WebP of tomorrow"),
        pytest.param(b"\0\0\0\x20ftypavif", Format.OTHER, [], id="AVIF"),
        pytest.param(b"\0\0\0\x0cJXL \r\n\x87\n", Format.OTHER, [], id="JPEG XL"),
        pytest.param(b"II*\0\x08\0\0\0", Format.OTHER, [], id="TIFF"),
        pytest.param(b"#define x_width 16\n", Format.OTHER, [], id="an X bitmap"),
    ],
)
def test_raster_images(data: bytes, kind: Format, sizes: list[Size]) -> None:
    found = read_image(data)
    assert found is not None
    assert (found.format, list(found.sizes)) == (kind, sizes)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(SVG, id="plain"),
        pytest.param(b"\xef\xbb\xbf" + SVG, id="after a byte order mark"),
        pytest.param(SVG.decode().encode("utf-16"), id="in UTF-16"),
        pytest.param(b'<?xml version="1.0"?>\n<!-- <p> -->\n' + DOCTYPE + b"\n" + SVG, id="after a prolog"),
        pytest.param(b"<!doctype svg>".replace(b"doctype", b"DOCTYPE") + SVG, id="a short doctype"),
        pytest.param(SUBSET + b'<svg xmlns="&ns;"></svg>', id="a namespace by an entity"),
        pytest.param(b'<s:svg xmlns:s="http://www.w3.org/2000/svg"/>', id="with a prefix"),
        pytest.param(b"<svg\n  width='1'\n  xmlns = 'http://www.w3.org/2000/svg' >", id="single quotes"),
        pytest.param(b'<svg a=">" xmlns="http://www.w3.org/2000/svg">', id="a bracket in an attribute"),
        pytest.param(b'<svg xmlns:x="y" xmlns="http://www.w3.org/2000/svg">', id="other namespaces as well"),
    ],
)
def test_svg_images(data: bytes) -> None:
    found = read_image(data)
    assert found is not None
    assert (found.format, found.sizes) == (Format.SVG, ())


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"hello", id="text"),
        pytest.param(b"<!DOCTYPE html><html></html>", id="a page"),
        pytest.param(b'{"a": 1}', id="JSON"),
        pytest.param(png(48).replace(b"\r\n", b"\n"), id="a PNG with other line ends"),
        pytest.param(png(48).decode("utf-8", "replace").encode(), id="a PNG that was read as text"),
        pytest.param(b"GIF8", id="half a GIF"),
        pytest.param(b"RIFF\0\0\0\0WAVE", id="sound"),
        pytest.param(b"<svg></svg>", id="SVG for a page, without its namespace"),
        pytest.param(b'<svg xmlns="http://www.w3.org/1999/xhtml"></svg>', id="SVG in another namespace"),
        pytest.param(b'<s:svg xmlns="http://www.w3.org/2000/svg"/>', id="an unknown prefix"),
    ],
)
def test_other_files_are_not_images(data: bytes) -> None:
    assert read_image(data) is None


DAMAGED_HEADER = "its header is damaged"
EMPTY_PNG = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", bytes(13)) + chunk(b"IDAT", b"")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        pytest.param(b"\x89PNG\r\n\x1a\n", DAMAGED_HEADER, id="no header"),
        pytest.param(png(48)[:32], DAMAGED_HEADER, id="half a header"),
        pytest.param(png(48).replace(b"\0\0\x000", b"\0\0\x001"), DAMAGED_HEADER, id="another checksum"),
        pytest.param(png(48)[:33], "it has no picture", id="no picture"),
        pytest.param(EMPTY_PNG, "its width or height is 0", id="no size"),
    ],
)
def test_png_header_problems(data: bytes, problem: str) -> None:
    assert read_image(data) == Image(Format.PNG, problem=problem)


PICTURE = chunk(b"IDAT", b"abc")
NO_END, CHECKSUM = "its end is missing", "its picture does not have the stated checksum"


@pytest.mark.parametrize(
    ("chunks", "damage"),
    [
        pytest.param(PICTURE + chunk(b"IEND", b""), None, id="none"),
        pytest.param(chunk(b"tEXt", b"a") + PICTURE + PICTURE + chunk(b"IEND", b""), None, id="many chunks"),
        pytest.param(PICTURE, NO_END, id="nothing behind the picture"),
        pytest.param(PICTURE + chunk(b"IEND", b"")[:7], NO_END, id="not half of the last chunk"),
        pytest.param(PICTURE + chunk(b"IEND", b"")[:8], None, id="no checksum of the last chunk"),
        pytest.param(PICTURE + chunk(b"tEXt", b"abc")[:-5], None, id="half a chunk behind the picture"),
        pytest.param(PICTURE[:-1], NO_END, id="half a checksum"),
        pytest.param(PICTURE[:9], NO_END, id="half a picture"),
        pytest.param(PICTURE + PICTURE[:9], NO_END, id="half a chunk of the picture"),
        pytest.param(PICTURE[:-1] + b"x" + chunk(b"IEND", b""), CHECKSUM, id="another checksum"),
        pytest.param(PICTURE.replace(b"abc", b"abd") + chunk(b"IEND", b""), CHECKSUM, id="other pixels"),
        pytest.param(chunk(b"tEXt", b"a")[:-1] + b"x" + PICTURE + bytes(12), None, id="a checksum elsewhere"),
    ],
)
def test_png_damage(chunks: bytes, damage: str | None) -> None:
    assert read_image(png(48)[:33] + chunks) == Image(Format.PNG, ((48, 48),), damage=damage)


NAMESPACE = b'xmlns="http://www.w3.org/2000/svg"'


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        pytest.param(b"<svg %b/>", None, id="nothing"),
        pytest.param(b"<svg %b>\n<g></svg>", "mismatched tag on line 2", id="an element that is not closed"),
        pytest.param(b"<svg %b", None, id="half a tag, which is perhaps no image"),
        pytest.param(b"<svg %b>", "no element found on line 1", id="half an image"),
        pytest.param(b"<svg %b><use xlink:href='#a'/></svg>", "unbound prefix on line 1", id="a prefix"),
        pytest.param(b"<svg %b>a & b</svg>", "not well-formed (invalid token) on line 1", id="an ampersand"),
        pytest.param(b"<svg %b>&nbsp;</svg>", "undefined entity on line 1", id="an entity of HTML"),
        pytest.param(DOCTYPE + b"<svg %b>&nbsp;</svg>", None, id="an entity that the doctype may define"),
        pytest.param(SUBSET + b"<svg %b>&ns;<g></svg>", None, id="entities are not followed"),
        pytest.param(b'<?xml version="1.0" encoding="gbk"?><svg %b/>', None, id="an encoding of many bytes"),
        pytest.param(b'<?xml version="1.0" encoding="x-y"?><svg %b/>', None, id="an unknown encoding"),
        pytest.param(b"<svg %b>" + b"<g>" * 100_000, "no element found on line 1", id="many elements"),
    ],
)
def test_svg_problems(data: bytes, problem: str | None) -> None:
    found = read_image(data.replace(b"%b", NAMESPACE))
    assert found is not None
    assert found.problem == problem


STARTS = [png(48), gif(1, 1), jpeg(1, 1), bmp(1, 1), ico(16), webp(b"VP8L", 1, 1), SVG, SUBSET, b"<svg xmlns"]


@given(st.sampled_from(STARTS), st.integers(0, 60), st.binary(max_size=80))
def test_sizes_are_positive_for_any_bytes(start: bytes, length: int, rest: bytes) -> None:
    found = read_image(start[:length] + rest)
    assert found is None or all(width > 0 and height > 0 for width, height in found.sizes)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"<!--" * 100_000, id="comments"),
        pytest.param(b"<?" * 200_000, id="instructions"),
        pytest.param(b"<!DOCTYPE" + b"[" * 500_000, id="a doctype"),
        pytest.param(b"<svg " + b'a="' * 200_000, id="attributes"),
        pytest.param(b"<svg " + b"xmlns" * 100_000 + b">", id="namespaces"),
        pytest.param(b"\xff\xd8" + b"\xff" * 500_000, id="fill bytes"),
        pytest.param(b"\xff\xd8" + b"\xff\xd0" * 300_000, id="markers"),
    ],
)
def test_endless_headers_terminate(data: bytes) -> None:
    found = read_image(data)
    assert found is None or found.sizes == ()
