"""The wording of values, types, positions and ranges in messages."""

from __future__ import annotations

import pytest

from extlint.schema.types import (
    AnyType,
    ArrayType,
    BooleanType,
    ChoicesType,
    NumberType,
    ObjectType,
    RefType,
    StringType,
    Type,
    parse_type,
)
from extlint.schema.words.formats import expected_text
from extlint.schema.words.types import described_type, json_types, signature, type_text
from extlint.schema.words.values import (
    accepted_values_text,
    either,
    enum_text,
    full_location_text,
    kind_of,
    kind_with_items,
    limits_text,
    location_text,
    number_text,
    path_text,
    property_names,
    quoted_scalar,
    quoted_text,
    range_text,
)
from extlint.text.wording import (
    counted,
    did_you_mean,
    listed,
    name_suggestion,
    quoted,
    suggestion_question,
    use,
    with_article,
)

LETTERS = "abcdefghijklmnopq"

PHRASES = {
    "a name": (quoted("tabs"), "`tabs`"),
    "a long name": (quoted("a" * 200), f"`{'a' * 99}…`"),
    "two names": (listed(["a", "b"], "or"), "a or b"),
    "three names": (listed(["a", "b", "c"], "and"), "a, b and c"),
    "a noun": (with_article("array"), "an array"),
    "letters that are read one by one": (with_article("URL"), "a URL"),
    "a suggestion": (name_suggestion("tabs"), "did you mean `tabs`?"),
    "no suggestion": (did_you_mean(None), ""),
    "a suggestion at the end": (did_you_mean("tabs"), "; did you mean `tabs`?"),
    "a phrase for a suggestion": (suggestion_question("extlint check x"), "did you mean extlint check x?"),
    "a replacement": (use("action"), "use `action`"),
    "a phrase for a replacement": (use("a list of `paths`"), "use a list of `paths`"),
    "a whole number": (number_text(2.0), "2"),
    "a fraction": (number_text(0.5), "0.5"),
    "no number": (number_text(float("nan")), "NaN"),
    "two numbers": (limits_text(2, 3), "2 or 3"),
    "many numbers": (limits_text(1, 10), "from 1 to 10"),
    "a number without limits": (range_text("a number", None, None), "a number"),
    "a number above another": (range_text("an integer", 1, None), "an integer of at least 1"),
    "a number below another": (range_text("an integer", None, 0.5), "an integer of at most 0.5"),
    "a number between others": (range_text("an integer", 0, 1), "an integer from 0 to 1"),
    "one": (counted(1, "item"), "1 item"),
    "some": (counted(3, "item"), "3 items"),
    "strings": (enum_text(["a", "b", "c"]), 'one of "a", "b" or "c"'),
    "two strings": (enum_text(["a", "b"]), '"a" or "b"'),
    "many strings": (enum_text(LETTERS)[-17:], ', "j" or 7 others'),
    "phrases, each once": (either(["a string", "null", "a string"]), "a string or null"),
    "no phrase": (either([]), "another value"),
    "properties": (property_names(["id", "url"]), "`id` and `url`"),
    "no properties": (property_names([]), "other properties"),
    "possible values": (accepted_values_text(["`a`"], ["a URL"]), "it can be `a` or a URL"),
    "much that can be": (accepted_values_text(LETTERS), "it can be a, b, c, d, e, f, g, h or 9 others"),
    "nothing that can be": (accepted_values_text([]), None),
    "a path from a name": (path_text("options", ("icons", 0, "a b")), '`options.icons[0]["a b"]`'),
    "a path from words": (path_text("argument 2", ("icons",)), "`icons` of argument 2"),
    "a key of the manifest": (location_text(("background", "scripts")), "`scripts`"),
    "an item": (location_text(("background", "scripts", 0)), "an item of `scripts`"),
    "a size": (location_text(("icons", "16")), "`icons.16`"),
    "the top": (location_text(()), "the manifest"),
    "a whole path": (full_location_text(("background", "scripts", 0)), "`background.scripts`"),
    "true": (kind_of(True), "true"),
    "an empty string": (kind_of(""), "an empty string"),
    "a list": (kind_of([1]), "a list"),
    "a list of strings": (kind_with_items(["a"]), "a list of strings"),
    "a scalar": (quoted_scalar(None), "`null`"),
    "a blank text": (quoted_text("  "), "a blank string"),
    "types of JSON": (json_types(["array", "string"]), "a string or a list"),
    "a pattern in words": (
        expected_text("^file:///.*$"),
        "a match pattern for files, such as `file:///home/*`",
    ),
    "another pattern": (expected_text("^a+$"), "a string that matches /^a+$/"),
}


@pytest.mark.parametrize(("found", "expected"), PHRASES.values(), ids=PHRASES.keys())
def test_phrase_in_messages(found: str | None, expected: str | None) -> None:
    assert found == expected


class UnresolvableSchemas:
    """Schemas in which no reference can be resolved."""

    def resolve(self, kind: Type) -> Type | None:
        return None if isinstance(kind, RefType) else kind


TYPES = {
    "any": (AnyType(), "another value", "any value"),
    "a flag": (BooleanType(), "a boolean", "boolean"),
    "a number": (NumberType(True, 1, None), "an integer of at least 1", "integer, at least 1"),
    "a string": (StringType(), "a string", "string"),
    "an enumeration": (StringType(enum=("a", "b")), '"a" or "b"', '"a" or "b"'),
    "an array": (ArrayType(StringType()), "an array of strings", "array of string"),
    "an instance": (ObjectType(is_instance_of="ArrayBuffer"), "an ArrayBuffer", "instance of ArrayBuffer"),
    "a reference": (RefType("tabs", "Tab"), "another value", "tabs.Tab"),
}


@pytest.mark.parametrize(("kind", "in_messages", "on_pages"), TYPES.values(), ids=TYPES.keys())
def test_types_in_messages_and_on_pages(kind: Type, in_messages: str, on_pages: str) -> None:
    assert described_type(kind, UnresolvableSchemas()) == in_messages
    assert type_text(kind) == on_pages


def test_signature_of_a_call() -> None:
    kind = parse_type(
        {
            "type": "function",
            "parameters": [{"name": "id", "type": "any"}, {"name": "f", "type": "any", "optional": True}],
        },
        "tabs",
    )
    assert not isinstance(kind, ChoicesType)
    assert type_text(kind) == "function(id, f?)"
    assert signature("get", ()) == "get()"
