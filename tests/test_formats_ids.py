"""Extension IDs and icon sizes."""

from __future__ import annotations

from format_tables import Row, accepted_texts, reported


def test_firefox_ids() -> None:
    takes = [
        "addon@example.org",
        "@addon",
        "A.b-c_d@E.f",
        "{daf44bf7-a45e-4450-979c-91cf07434c3d}",
        "{DAF44BF7-A45E-4450-979C-91CF07434C3D}",
    ]
    assert accepted_texts("gecko-id", takes) == takes
    neither = "it must look like `name@example.org`, or be a GUID in braces"
    guid = "daf44bf7-a45e-4450-979c-91cf07434c3d"
    table: list[Row] = [
        ("", "it is empty", None),
        ("addon", neither, None),
        ("addon@", neither, None),
        ("a@b@c", neither, None),
        ("my addon@example.org", "an id cannot contain ` `", None),
        ("ädd@example.org", "an id cannot contain `ä`", None),
        (" addon@example.org", "it starts or ends with a space", "addon@example.org"),
        (guid, "a GUID must be in braces", f"{{{guid}}}"),
        (f"{{{guid[:-1]}}}", neither, None),
    ]
    assert reported("gecko-id", table) == table


def test_chrome_ids() -> None:
    right = "abcdefghijklmnopabcdefghijklmnop"
    takes = [right, right.upper(), "*"]
    assert accepted_texts("chrome-extension-id", takes) == takes
    table: list[Row] = [
        ("", "an id is 32 letters from `a` to `p`, but this one has 0", None),
        (right[1:], "an id is 32 letters from `a` to `p`, but this one has 31", None),
        (f"{right}\n", "an id is 32 letters from `a` to `p`, but this one has 32", right),
        ("z" * 32, "an id is 32 letters from `a` to `p`", None),
        ("addon@example.org", "an id is 32 letters from `a` to `p`", None),
    ]
    assert reported("chrome-extension-id", table) == table


def test_icon_sizes() -> None:
    takes = ["1", "16", "128", "1000"]
    assert accepted_texts("icon-size", takes) == takes
    message = "a size must be a whole number of pixels, such as `48`"
    table: list[Row] = [
        ("", message, None),
        ("0", message, None),
        ("016", message, "16"),
        ("48px", message, "48"),
        ("48x48", message, "48"),
        ("48x64", message, None),
        ("default", message, None),
        ("1.5", message, None),
    ]
    assert reported("icon-size", table) == table
