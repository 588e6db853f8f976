from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extlint.project.contexts.pages import PageScript, scan_page


def describe_scripts(page: str | bytes, path: str = "page.html") -> list[str]:
    """Returns each script as `kind src` or `kind {body}`, extracted from the page by its byte range."""
    data = page.encode() if isinstance(page, str) else page
    return [_describe_script(data, script) for script in scan_page(data, path).scripts]


def _describe_script(data: bytes, script: PageScript) -> str:
    if script.body is not None:
        assert (script.src, script.src_span) == (None, None)
        return f"{script.kind} {{{data[slice(*script.body)].decode()}}}"
    assert script.src_span is not None
    return f"{script.kind} {data[slice(*script.src_span)].decode()}"


@pytest.mark.parametrize(
    ("page", "scripts"),
    [
        pytest.param('<script src="a.js"></script>', ["classic a.js"], id="a script file"),
        pytest.param("<script>run()</script>", ["classic {run()}"], id="an inline script"),
        pytest.param("é<script>é</script>", ["classic {é}"], id="positions are bytes"),
        pytest.param("\ufeff<script>1</script>", ["classic {1}"], id="after a byte order mark"),
        pytest.param("<script></script>", ["classic {}"], id="an empty script"),
        pytest.param(
            "<script src=a.js></script><script>b</script><script src=c.js></script>",
            ["classic a.js", "classic {b}", "classic c.js"],
            id="several, in order",
        ),
        pytest.param('<script src="a.js">ignored()</script>', ["classic a.js"], id="src wins over the text"),
        pytest.param('<script src="">ignored()</script>', ["classic "], id="an empty src"),
        pytest.param("<script src>ignored()</script>", ["classic "], id="a src without a value"),
    ],
)
def test_scripts_are_found(page: str, scripts: list[str]) -> None:
    assert describe_scripts(page) == scripts


@pytest.mark.parametrize(
    ("tag", "src"),
    [
        pytest.param("<script src='a.js'>", "a.js", id="single quotes"),
        pytest.param("<script src=a.js>", "a.js", id="no quotes"),
        pytest.param("<script src=a.js/>", "a.js/", id="a slash belongs to a value without quotes"),
        pytest.param('<SCRIPT SRC="A.js">', "A.js", id="capital letters"),
        pytest.param('<script\n\tsrc \n=\t"a.js"\n>', "a.js", id="white space around everything"),
        pytest.param('<script/src="a.js"/defer>', "a.js", id="slashes between attributes"),
        pytest.param('<script defer async src="a.js">', "a.js", id="attributes without values"),
        pytest.param('<script src="a.js"defer>', "a.js", id="no space after a value"),
        pytest.param('<script data-x=">" src="a.js">', "a.js", id="a bracket in a value"),
        pytest.param('<script data-x="src=b.js" src="a.js">', "a.js", id="an attribute's look in a value"),
        pytest.param('<script src="a.js" src="b.js">', "a.js", id="the first of two counts"),
        pytest.param('<script data-src="b.js" src="a.js">', "a.js", id="a longer name is another attribute"),
        pytest.param('<script ="x" src="a.js">', "a.js", id="a name that begins with an equals sign"),
        pytest.param("<script src='a b.js?v=1#x'>", "a b.js?v=1#x", id="a query and a hash"),
    ],
)
def test_attribute_forms(tag: str, src: str) -> None:
    data = f"<p>{tag}</script>".encode()
    [script] = scan_page(data).scripts
    assert script.src == src
    assert script.src_span is not None
    assert data[slice(*script.src_span)].decode() == src


@pytest.mark.parametrize(
    ("written", "src"),
    [
        ("a.js?x&amp;y", "a.js?x&y"),
        ("&#97;.js", "a.js"),
        ("&#x61;.js", "a.js"),
        ("a&nosuch;.js", "a&nosuch;.js"),
        (f"&#{'9' * 5000};", f"&#{'9' * 5000};"),
    ],
    ids=["named", "decimal", "hexadecimal", "unknown", "endless"],
)
def test_character_references_in_src_are_replaced(written: str, src: str) -> None:
    [script] = scan_page(f'<script src="{written}"></script>'.encode()).scripts
    assert script.src == src


@pytest.mark.parametrize(
    ("attributes", "kind"),
    [
        ("", "classic"),
        ('type=""', "classic"),
        ('type="text/javascript"', "classic"),
        ('type=" Text/JavaScript "', "classic"),
        ('type="application/ecmascript"', "classic"),
        ('type="module"', "module"),
        ('type="MODULE"', "module"),
        ("language=javascript", "classic"),
        ('language=""', "classic"),
        ('language="vbscript"', "other"),
        ('language="vbscript" type="text/javascript"', "classic"),
        ('type=" "', "other"),
        ('type="text/javascript; charset=utf-8"', "other"),
        ('type="text/typescript"', "other"),
        ('type="application/json"', "other"),
        ('type="text/x-template"', "other"),
        ('type="importmap"', "other"),
        ("nomodule", "other"),
        ('type="module" nomodule', "module"),
    ],
)
def test_script_kind_depends_on_the_type(attributes: str, kind: str) -> None:
    assert describe_scripts(f"<script {attributes}>x</script>") == [f"{kind} {{x}}"]


@pytest.mark.parametrize(
    "page",
    [
        pytest.param("<!-- <script>x</script> -->", id="in a comment"),
        pytest.param("<!-- > <script>x</script>", id="in a comment that never ends"),
        pytest.param("<!-- -- > <script>x</script>", id="a comment's end has no space"),
        pytest.param("<textarea><script>x</script></textarea>", id="in a text area"),
        pytest.param("<title><script>x</script></title>", id="in the title"),
        pytest.param("<TITLE><script>x</script>", id="in a title that never ends"),
        pytest.param("<title></titles><script>x</script></title>", id="a longer end tag ends nothing"),
        pytest.param("<style><script>x</script></style>", id="in a style sheet"),
        pytest.param("<noscript><script>x</script></noscript>", id="in noscript"),
        pytest.param("<iframe><script>x</script></iframe>", id="in a frame's fallback"),
        pytest.param("<xmp><script>x</script></xmp>", id="in preformatted text"),
        pytest.param("<plaintext><script>x</script>", id="after plaintext"),
        pytest.param("<iframe srcdoc='<script>x</script>'></iframe>", id="in a frame's document"),
        pytest.param('<p title="<script>x</script>">', id="in an attribute"),
        pytest.param('<p title="<script>x</script>', id="in an attribute that never ends"),
        pytest.param("</p title='<script>x</script>'>", id="in an attribute of an end tag"),
        pytest.param("<template><script>x</script></template>", id="in a template"),
        pytest.param("<template><template></template><script>x</script>", id="in an outer template"),
        pytest.param("&lt;script>x</script>", id="as text"),
        pytest.param("< script>x</script>", id="after a space"),
        pytest.param("<scripts>x</scripts>", id="in another element"),
        pytest.param("<script>x", id="a script that never ends does not run"),
        pytest.param("<script src=a.js>", id="a script file whose element never ends"),
        pytest.param("<script src=a.js", id="a tag that never ends"),
        pytest.param("<script>x</scripts>", id="closed by another tag"),
        pytest.param("<script>x</script ", id="a script's end tag that never ends"),
        pytest.param("<script><!--<script></script>", id="an inner pair of tags in a comment"),
    ],
)
def test_inactive_scripts_are_skipped(page: str) -> None:
    assert describe_scripts(page) == []


@pytest.mark.parametrize(
    "page",
    [
        pytest.param("<!-- c --><script>x</script>", id="a comment"),
        pytest.param("<!--><script>x</script>", id="the shortest comment"),
        pytest.param("<!---><script>x</script>", id="the second shortest comment"),
        pytest.param("<!-- c --!><script>x</script>", id="a comment with a wrong end"),
        pytest.param("<!DOCTYPE html><script>x</script>", id="a doctype"),
        pytest.param("<?xml?><script>x</script>", id="an instruction"),
        pytest.param("<![CDATA[><script>x</script>", id="CDATA, which HTML ends at the bracket"),
        pytest.param("</><script>x</script>", id="an empty end tag"),
        pytest.param("</ a><script>x</script>", id="an end tag with a space"),
        pytest.param("<<script>x</script>", id="a stray bracket"),
        pytest.param("a < b <script>x</script>", id="a comparison"),
        pytest.param("<title>t</title ><script>x</script>", id="a title"),
        pytest.param("<textarea></TEXTAREA/><script>x</script>", id="a text area"),
        pytest.param("<template></template><script>x</script>", id="a template"),
        pytest.param("</template><script>x</script>", id="a stray end tag of a template"),
        pytest.param(
            "<template shadowrootmode=open><script>x</script></template>", id="a shadow root's start"
        ),
        pytest.param("<p a='\"'><script>x</script>", id="a quote in a value"),
        pytest.param("<script>x</script ><p>", id="a space in the end tag"),
        pytest.param("<script>x</SCRIPT>", id="an end tag in capital letters"),
    ],
)
def test_scripts_after_other_markup_are_found(page: str) -> None:
    assert describe_scripts(page) == ["classic {x}"]


@pytest.mark.parametrize(
    ("text", "body"),
    [
        pytest.param('a = "</script>";', 'a = "', id="an end tag in a string"),
        pytest.param("// </script>", "// ", id="an end tag in a comment"),
        pytest.param("a </scripty> b", "a </scripty> b", id="a longer tag"),
        pytest.param("a < b; '<p>'", "a < b; '<p>'", id="other tags"),
        pytest.param("<!-- a\nb //-->", "<!-- a\nb //-->", id="an HTML comment"),
        pytest.param("<!-- a", "<!-- a", id="an HTML comment that never ends"),
        pytest.param(
            "<!-- <script>a</script> b -->",
            "<!-- <script>a</script> b -->",
            id="a pair of tags in an HTML comment",
        ),
        pytest.param("<!--><script>", "<!--><script>", id="the shortest HTML comment"),
        pytest.param("'<script>' a", "'<script>' a", id="a start tag outside of an HTML comment"),
        pytest.param("<!-- --> <script>", "<!-- --> <script>", id="a start tag after an HTML comment"),
    ],
)
def test_end_of_an_inline_script(text: str, body: str) -> None:
    [script, *_] = scan_page(f"<script>{text}</script>".encode()).scripts
    assert script.body == (len("<script>"), len("<script>") + len(body))


@pytest.mark.parametrize(
    ("page", "bases"),
    [
        pytest.param("<script src=a></script>", [None], id="none"),
        pytest.param("<base href='lib/'><script src=a></script>", ["lib/"], id="one"),
        pytest.param(
            "<base href='a/'><base href='b/'><script src=a></script>", ["a/"], id="the first counts"
        ),
        pytest.param(
            "<base target=_top><base href='b/'><script src=a></script>", ["b/"], id="one without href"
        ),
        pytest.param(
            "<script src=a></script><base href='b/'><script src=a></script>", [None, "b/"], id="later"
        ),
        pytest.param(
            "<template><base href='b/'></template><script src=a></script>", [None], id="in a template"
        ),
    ],
)
def test_base_applies_to_later_scripts(page: str, bases: list[str | None]) -> None:
    assert [script.base for script in scan_page(page.encode()).scripts] == bases


@pytest.mark.parametrize(
    ("page", "scripts"),
    [
        pytest.param(
            "<script src='a.js'/><script>b</script>", ["classic a.js", "classic {b}"], id="closed scripts"
        ),
        pytest.param("<title/><script>x</script>", ["classic {x}"], id="a closed title"),
        pytest.param("<template/><script>x</script>", ["classic {x}"], id="a closed template"),
        pytest.param("<![CDATA[><script>x</script>]]>", [], id="CDATA"),
        pytest.param("<script/>", ["classic {}"], id="a closed script without a file"),
    ],
)
def test_xhtml_elements_may_be_self_closing(page: str, scripts: list[str]) -> None:
    assert describe_scripts(page, "page.xhtml") == scripts


def test_html_scripts_are_not_self_closing() -> None:
    assert describe_scripts("<script src='a.js'/><script>b</script>") == ["classic a.js"]


HOSTILE = """< <!-- <!- <! <script <script> </script <a=b </a/ <p='" <title> <svg><style> <template>
</template> <script><!-- <script></script> --> & ="""


@pytest.mark.parametrize("piece", [*HOSTILE.split(), "<script ", "<a b", "<a b='", "<a b ="])
def test_long_hostile_page_is_scanned(piece: str) -> None:
    page = (piece * 20_000).encode()
    assert len(scan_page(page).scripts) == (20_000 if piece == "<script></script>" else 0)


PIECES = """<script </script> <script> <script/> src= type=module "a.js" 'b.js' c.js " ' > /> <!-- -->
--!> <! <? </ <template> </template> <title> </title> <style> </style> <textarea>
<plaintext> <base href=x> é &amp; = /"""
pages = st.lists(st.sampled_from([*PIECES.split(), " ", "\x00"]), max_size=25).map(
    lambda parts: "".join(parts).encode()
)


@given(st.binary(max_size=60) | pages, st.sampled_from(["page.html", "page.xhtml"]))
def test_script_spans_of_arbitrary_bytes_are_inside_the_page(data: bytes, path: str) -> None:
    end = 0
    for script in scan_page(data, path).scripts:
        assert (script.src is None) == (script.src_span is None)
        assert (script.src is None) or (script.body is None)
        for start, stop in filter(None, [script.src_span, script.body]):
            assert end <= start <= stop <= len(data)
            end = stop
