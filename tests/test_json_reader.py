from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extlint.text.json.reader import MAX_DEPTH, read_json
from extlint.text.json.values import JsonNode
from extlint.text.positions import ByteSpan, decode

SHARED = Path(__file__).resolve().parents[2] / "shared"


def plain(text: str | bytes) -> Any:
    document = read_json(text.encode() if isinstance(text, str) else text)
    assert document.problem is None, document.problem
    assert document.root is not None
    return document.root.plain


def problem(text: str | bytes) -> tuple[str, str]:
    """Returns the message of the problem and its text, or `@` and the offset if its span is empty."""
    data = text.encode() if isinstance(text, str) else text
    document = read_json(data)
    assert document.root is None
    assert document.problem is not None
    start, end = document.problem.span
    where = data[start:end].decode("utf-8", "backslashreplace") if start < end else f"@{start}"
    return document.problem.message, where


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param(
            '{"a": [1, "x", true, false, null]}', {"a": [1, "x", True, False, None]}, id="strict JSON"
        ),
        pytest.param('\ufeff{"a": 1}', {"a": 1}, id="a byte order mark"),
        pytest.param('// top\n{"a": 1} // end', {"a": 1}, id="line comments"),
        pytest.param("// a\r[1]", [1], id="a line comment that ends at a lone CR"),
        pytest.param(
            '/**/{/*x*/"a"/*x*/:/*x*/1/*x*/,/*x*/"b":2/*x*/}/*x*/', {"a": 1, "b": 2}, id="block comments"
        ),
        pytest.param("[/*x*/1/*x*/,/*x*/2/*x*/]", [1, 2], id="block comments in an array"),
        pytest.param("[/*x*/]", [], id="only a comment in an array"),
        pytest.param("{//x\n}", {}, id="only a comment in an object"),
        pytest.param("/* // */ 1", 1, id="a line comment inside a block comment"),
        pytest.param("// /* \n 1", 1, id="a block comment's start inside a line comment"),
        pytest.param('"// no /* comment */"', "// no /* comment */", id="comment syntax in a string"),
        pytest.param('{"http://x/*": 1}', {"http://x/*": 1}, id="comment syntax in a key"),
        pytest.param(r'"\"\\\/\b\f\n\r\t\u00e9"', '"\\/\b\f\n\r\té', id="every escape"),
        pytest.param(r'"\ud83d\ude00"', "😀", id="a surrogate pair is one character"),
        pytest.param(r'"\ud83d\ud83d\ude00\ude00"', "\ud83d😀\ude00", id="lone surrogates are kept"),
        pytest.param(r'"\\u0041"', r"\u0041", id="an escaped backslash before a u"),
        pytest.param('"a\nb\r\nc"', "a\nb\r\nc", id="raw line ends in a string, as Chromium reads them"),
        pytest.param('{"a\nb": 1}', {"a\nb": 1}, id="a raw line end in a key"),
        pytest.param(r'"\x41"', "A", id="Chromium's escape"),
        pytest.param('"\x7f\u2028"', "\x7f\u2028", id="DEL and the line separator in a string"),
        pytest.param('{"a": 1, "a": 2}', {"a": 2}, id="the last value of a repeated key counts"),
        pytest.param('{"": {"": []}}', {"": {"": []}}, id="empty keys"),
        pytest.param("[[],{}]", [[], {}], id="empty containers"),
        pytest.param(' "top" ', "top", id="a top-level string"),
    ],
)
def test_json_value_is_read(text: str, value: Any) -> None:
    assert plain(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-0", 0),
        ("3.0", 3.0),
        ("3e0", 3.0),
        ("-1.5E+2", -150.0),
        ("9007199254740993", 9007199254740993),
        ("1e999", float("inf")),
        ("1" * 5000, float("inf")),
        ("0." + "1" * 5000, 1 / 9),
    ],
    ids=lambda value: str(value)[:20],
)
def test_number_is_an_int_only_if_written_as_an_integer(text: str, value: int | float) -> None:
    assert plain(text) == value
    assert type(plain(text)) is type(value)


@pytest.mark.parametrize(
    ("text", "message", "where"),
    [
        pytest.param('{"a": 1,}', "unexpected comma before `}`", ",", id="a trailing comma in an object"),
        pytest.param('["a", // c\n ]', "unexpected comma before `]`", ",", id="a trailing comma in an array"),
        pytest.param("[1,,2]", "a value is missing before `,`", ",", id="two commas in an array"),
        pytest.param("[,1]", "a value is missing before `,`", ",", id="a leading comma"),
        pytest.param('{"a": 1,, "b": 2}', "a key is missing before `,`", ",", id="two commas in an object"),
        pytest.param(
            "{'a': 1}",
            "`'a'` must be in double quotes",
            "'a'",
            id="a key in single quotes",
        ),
        pytest.param("['a b']", "`'a b'` must be in double quotes", "'a b'", id="single quotes"),
        pytest.param("[`a`]", "``a`` must be in double quotes", "`a`", id="backticks"),
        pytest.param("{“a”: 1}", "`“a”` must be in double quotes", "“a”", id="curly quotes"),
        pytest.param(
            "{name: 1}", "the key `name` must be in double quotes", "name", id="a key without quotes"
        ),
        pytest.param("{1: 1}", "the key `1` must be in double quotes", "1", id="a number as a key"),
        pytest.param(
            "[abc]", "`abc` is not a JSON value; a string must be in double quotes", "abc", id="a bare word"
        ),
        pytest.param(
            "[True]", "`True` is not a JSON value; did you mean `true`?", "True", id="a capital letter"
        ),
        pytest.param(
            "[truex]",
            "`truex` is not a JSON value; a string must be in double quotes",
            "truex",
            id="a longer word",
        ),
        pytest.param(
            '{"a": 1 "b": 2}', 'a comma is missing before `"b"`', '"b"', id="no comma between members"
        ),
        pytest.param("[1 2]", "a comma is missing before `2`", "2", id="no comma between items"),
        pytest.param("[{} {}]", "a comma is missing before `{`", "{", id="no comma between objects"),
        pytest.param('{"a" 1}', "a colon is missing after the key, before `1`", "1", id="no colon"),
        pytest.param('{"a" = 1}', "a colon is missing after the key, before `=`", "=", id="an equals sign"),
        pytest.param(
            '{"a"}', "a value is missing after the key, before `}`", "}", id="a key without a colon and value"
        ),
        pytest.param('{"a": }', "a value is missing before `}`", "}", id="no value"),
        pytest.param('{"a": [1}', "expected `,` or `]`, found `}`", "}", id="the wrong closing bracket"),
        pytest.param('{"a": 1 : 2}', "expected `,` or `}`, found `:`", ":", id="a second colon"),
        pytest.param("[(1)]", "expected a value, found `(`", "(", id="another bracket"),
        pytest.param("{[1]: 2}", "expected a key in double quotes, found `[`", "[", id="an array as a key"),
        pytest.param(
            "[\u00a01]", "expected a value, found the character U+00A0", "\u00a0", id="a no-break space"
        ),
        pytest.param("[\x0b1]", "expected a value, found the character U+000B", "\x0b", id="a vertical tab"),
        pytest.param("[\x001]", "expected a value, found the character U+0000", "\x00", id="NUL"),
        pytest.param(
            "# c\n{}",
            "unexpected comment with `#`; browsers accept only `//` and `/* */`",
            "#",
            id="a hash comment",
        ),
        pytest.param("/ c\n{}", "unexpected `/`, which does not begin a comment", "/", id="a lone slash"),
        pytest.param("{} /* c", "the end of a comment is missing: `*/`", "/*", id="an open comment"),
        pytest.param(
            "/*/ 1",
            "the end of a comment is missing: `*/`",
            "/*",
            id="a comment start and end sharing one star",
        ),
        pytest.param('{"a": "b', "the closing quote of a string is missing", '"b', id="an open string"),
        pytest.param(
            '["a\\',
            "the closing quote of a string is missing",
            '"a\\',
            id="a string that ends in a backslash",
        ),
        pytest.param(
            '{"a": "b,\n "c": "d"}',
            "the closing quote of a string is missing",
            '"b,',
            id="a quote lost, others after it",
        ),
        pytest.param(
            '{"a: 1,\n "b": 2}', "the closing quote of a string is missing", '"a: 1,', id="a key's quote lost"
        ),
        pytest.param(r'["\v"]', r"`\v` is not a valid JSON escape", r"\v", id="an escape of JavaScript"),
        pytest.param(r'["\q"]', r"`\q` is not a valid JSON escape", r"\q", id="an unknown escape"),
        pytest.param(r'["\u12g"]', r"`\u12` is not a valid JSON escape", r"\u12", id="a short code"),
        pytest.param(
            r'["C:\Users"]', r"`\U` is not a valid JSON escape", r"\U", id="a path with backslashes"
        ),
        pytest.param('["a\tb"]', r"strings cannot contain a tab; write `\t`", "\t", id="a raw tab"),
        pytest.param(
            '["a\x00b"]',
            r"strings cannot contain the control character U+0000; write `\u0000`",
            "\x00",
            id="a raw NUL",
        ),
        pytest.param("[NaN]", "`NaN` is not a JSON value", "NaN", id="NaN"),
        pytest.param("[-Infinity]", "`-Infinity` is not a JSON value", "-Infinity", id="infinity"),
        pytest.param("[01]", "`01` is not a JSON number; remove the leading zero", "01", id="a leading zero"),
        pytest.param("[+1]", "`+1` is not a JSON number; remove the `+`", "+1", id="a plus sign"),
        pytest.param(
            "[.5]", "`.5` is not a JSON number; write a digit before the point", ".5", id="a leading point"
        ),
        pytest.param(
            "[1.]", "`1.` is not a JSON number; write a digit after the point", "1.", id="a trailing point"
        ),
        pytest.param(
            "[0x1F]", "`0x1F` is not a JSON number; numbers must be decimal", "0x1F", id="hexadecimal"
        ),
        pytest.param("[1_000]", "`1_000` is not a JSON number", "1_000", id="a numeric separator"),
        pytest.param("[-]", "`-` is not a JSON number", "-", id="a lone minus"),
        pytest.param("{} x", "unexpected `x` after the end of the value", "x", id="a word after the end"),
        pytest.param("{}}", "unexpected `}` after the end of the value", "}", id="one bracket too many"),
        pytest.param(
            '{"a": 1};', "unexpected `;` after the end of the value", ";", id="a semicolon after the end"
        ),
        pytest.param("", "the file is empty", "@0", id="an empty file"),
        pytest.param("\ufeff \n", "the file is empty", "@5", id="only white space"),
        pytest.param("// x", "the file contains only comments", "@4", id="only comments"),
        pytest.param(
            '{\n"a": [\n1', "the file ends, but the `[` on line 2 is not closed", "@10", id="an open array"
        ),
        pytest.param(
            '{"a": 1', "the file ends, but the `{` on line 1 is not closed", "@7", id="an open object"
        ),
        pytest.param(
            '{"a":', "the file ends, but the `{` on line 1 is not closed", "@5", id="an end after a colon"
        ),
        pytest.param(
            b'{"n": "caf\xe9"}', "the byte 0xE9 is not UTF-8; save the file as UTF-8", "\\xe9", id="Latin-1"
        ),
        pytest.param(
            b'["\xed\xa0\x80"]',
            "the byte 0xED is not UTF-8; save the file as UTF-8",
            "\\xed",
            id="a surrogate",
        ),
        pytest.param(
            b"[1]\xff",
            "the byte 0xFF is not UTF-8; save the file as UTF-8",
            "\\xff",
            id="a bad byte at the end",
        ),
    ],
)
def test_json_error_message_and_position(text: str | bytes, message: str, where: str) -> None:
    assert problem(text) == (message, where)


def test_long_text_is_truncated_in_messages() -> None:
    message, _ = problem("[" + "x" * 1000 + "]")
    assert message == f"`{'x' * 30}…` is not a JSON value; a string must be in double quotes"


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":['], ids=["arrays", "objects", "both"])
def test_deep_nesting_is_rejected(opening: str) -> None:
    message, where = problem(opening * 100_000)
    assert message == f"values are nested more than {MAX_DEPTH} levels deep"
    assert where in ("[", "{")


def test_nesting_up_to_the_limit_is_accepted() -> None:
    text = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert plain(text) == json.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('"' + "\\n" * 100_000, id="escapes without an end"),
        pytest.param('"' + "\n" * 100_000, id="line ends without a quote"),
        pytest.param("//\n" * 100_000, id="comments"),
        pytest.param("/*" * 100_000, id="comment starts"),
        pytest.param(" " * 1_000_000 + "x", id="white space"),
        pytest.param("'" * 1_000_000, id="single quotes"),
        pytest.param("1" * 1_000_000 + "x", id="digits"),
        pytest.param("-" * 1_000_000, id="minus signs"),
        pytest.param("x" * 1_000_000, id="a word"),
    ],
)
def test_long_hostile_text_is_rejected(text: str) -> None:
    assert read_json(text.encode()).problem is not None


def text_at(data: bytes, span: ByteSpan) -> str:
    return data[span[0] : span[1]].decode()


def test_every_key_and_value_has_a_span() -> None:
    data = '\ufeff{ "é": [10, "ü\\n", {"b" : null}], /* c */ "d":-1.5 }'.encode()
    root = read_json(data).root
    assert root is not None
    places = {
        path: text_at(data, node.span)
        for path in [("é",), ("é", 0), ("é", 1), ("é", 2), ("é", 2, "b"), ("d",)]
        if (node := root.get(*path))
    }
    assert places == {
        ("é",): '[10, "ü\\n", {"b" : null}]',
        ("é", 0): "10",
        ("é", 1): '"ü\\n"',
        ("é", 2): '{"b" : null}',
        ("é", 2, "b"): "null",
        ("d",): "-1.5",
    }
    assert [text_at(data, member.key) for _, member in root.members()] == ['"é"', '"d"']


def test_duplicate_keys_are_reported_at_every_level() -> None:
    data = rb'{"a": 1, "b": [{"x": 1, "x": 2}], "\u0061": 2, "a": {"c": 1, "c": 1}}'
    found = [
        (each.name, each.first[0], text_at(data, each.second), each.second[0])
        for each in read_json(data).duplicates
    ]
    assert found == [
        ("x", 16, '"x"', 24),
        ("a", 1, '"\\u0061"', 34),
        ("c", 53, '"c"', 61),
        ("a", 1, '"a"', 47),
    ]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_with_a_byte_order_mark_is_converted_to_utf_8(encoding: str) -> None:
    text = '{\n  "é😀": 1}'
    data = text.encode(encoding) if encoding == "utf-16" else f"\ufeff{text}".encode(encoding)
    assert decode(data) == text.encode()
    assert plain(decode(data)) == {"é😀": 1}


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"\xef\xbb\xbf{}", b"\xe9", "{}".encode("utf-16-le")],
    ids=["empty", "UTF-8", "UTF-8 with a mark", "broken", "UTF-16 without a mark"],
)
def test_other_encodings_are_not_converted(data: bytes) -> None:
    assert decode(data) == data


def test_invalid_utf_16_is_replaced() -> None:
    assert decode(b"\xff\xfe\x00\xd8x\x00y") == "\N{REPLACEMENT CHARACTER}x\N{REPLACEMENT CHARACTER}".encode()


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)
spaces = st.sampled_from(["", " ", "\n\t ", "\r\n", "/*x*/", "// x\n", ' /* " */ '])


@given(json_values, st.sampled_from([None, 0, 3]), spaces, spaces, spaces, st.booleans())
def test_agrees_with_the_standard_library(
    value: Any, indent: int | None, before_comma: str, before_colon: str, after_all: str, ascii_only: bool
) -> None:
    separators = (f"{before_comma},", f"{before_colon}:")
    spaced = json.dumps(value, indent=indent, separators=separators, ensure_ascii=ascii_only) + after_all
    assert plain(spaced) == json.loads(json.dumps(value))


def nodes_with_inner_spans(node: JsonNode) -> Iterator[tuple[JsonNode, list[ByteSpan]]]:
    """Yields each node with the spans inside it, in the order they must have."""
    members = [member for _, member in node.members()]
    inner = sorted([member.key for member in members] + [member.node.span for member in members])
    yield node, inner or [item.span for item in node.items()]
    for child in [*node.items(), *(member.node for member in members)]:
        yield from nodes_with_inner_spans(child)


FRAGMENTS = (
    """{ } [ ] , : "a" "b\\n" " 1 -2.5e3 true null // /*x*/ ' \\ a é \\x41 \\ud800 \ufeff""".encode().split()
)
fragments = st.lists(st.sampled_from([*FRAGMENTS, b" ", b"\n", b"\xff", b"\x00"]), max_size=30).map(b"".join)


@given(st.binary(max_size=60) | fragments | json_values.map(lambda value: json.dumps(value).encode()))
def test_arbitrary_bytes_yield_a_value_or_a_problem(data: bytes) -> None:
    document = read_json(data)
    assert (document.root is None) != (document.problem is None)
    if document.problem is not None:
        start, end = document.problem.span
        assert 0 <= start <= end <= len(data)
    if document.root is not None:
        for node, inner in nodes_with_inner_spans(document.root):
            edges = [node.span[0], *(edge for span in inner for edge in span), node.span[1]]
            assert edges == sorted(edges)
            assert 0 <= edges[0] < edges[-1] <= len(data)


@given(fragments)
def test_all_strict_json_is_accepted(data: bytes) -> None:
    try:
        expected = json.loads(data.decode())
    except ValueError:
        return
    assert plain(data) == expected


def test_agrees_with_addons_linter_on_duplicates_and_syntax_errors() -> None:
    cases = SHARED / "conformance" / "addons-linter" / "json_lint.json"
    if not cases.exists():
        pytest.skip("the cases are not here")
    codes = []
    for case in json.loads(cases.read_text()):
        document = read_json(case["text"].encode())
        codes.append(
            ["JSON_INVALID"] * (document.problem is not None)
            + ["JSON_DUPLICATE_KEY"] * len(document.duplicates)
        )
        assert codes[-1] == case["expect"]["codes"], case["id"]
    assert codes
