"""Generates pages with scripts: valid and odd markup, and components of frameworks."""

from __future__ import annotations

import json
from random import Random

from extlint_fuzz.case import FOLDER, Case
from extlint_fuzz.generators.extensions import target
from extlint_fuzz.generators.statements import script

PIECES = """
<script> </script> <script src=a.js></script> <script type=module> <script type="text/template">
<script async defer> <SCRIPT SRC='a.js'> <script src="../a.js"> <script src="https://example.com/a.js">
<script src=a.js?x#y> <!-- --> <!---> <style> </style> <textarea> </textarea> <title> </title> <template>
</template> <svg> </svg> <iframe src=page.html> <iframe srcdoc="<script>browser.x()</script>">
<a href=page.html> <base href=sub/> <link rel=import href=page.html> <link rel=preload href=a.js as=script>
<meta charset=utf-16> <meta http-equiv="Content-Security-Policy" content="x">
<img onerror="browser.tabs.foo()"> <body onload=browser.foo()>
<div :class="browser" @click="chrome.x()"> {{ browser.x }} <![CDATA[ ]]> <? ?> <!DOCTYPE html>
< > = " ' / & &lt; &#0; &amp; <script/> </scr <script x="</script>"> <plaintext> <noscript> </noscript>
<math> <object data=page.html> <embed src=a.js> <form action=page.html>
<script setup lang="ts"> {#if browser}
""".splitlines()


def page(chance: Random) -> Case:
    """Returns an extension with a random popup page."""
    words = [word for line in PIECES for word in line.replace("> <", ">\n<").split("\n") if word]
    parts = []
    for _ in range(chance.choice((1, 3, 10, 40))):
        luck = chance.random()
        if luck < 0.6:
            parts.append(chance.choice(words))
        elif luck < 0.8:
            parts.append(f"<script>{script(chance, statements=2)}</script>")
        else:
            parts.append(script(chance, statements=1))
    text = chance.choice(("", "\n", " ")).join(parts)
    if chance.random() < 0.1:
        text = chance.choice(words) * chance.choice((300, 3000)) + text
    data = text.encode()
    if chance.random() < 0.1:
        data = chance.choice(
            (data.decode().encode("utf-16"), b"\xef\xbb\xbf" + data, data.replace(b" ", b"\0"))
        )
    name = chance.choice(
        ("page.html", "page.html", "page.htm", "page.xhtml", "page.vue", "page.svelte", "page.svg")
    )
    keys = {"manifest_version": 3, "name": "Test", "version": "1", "action": {"default_popup": name}}
    files = {
        f"{FOLDER}/manifest.json": json.dumps(keys).encode(),
        f"{FOLDER}/{name}": data,
        f"{FOLDER}/a.js": b"browser.tabs.foo();",
    }
    return Case(files, (FOLDER, *target(chance)), "page")
