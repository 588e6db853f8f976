"""Finds arguments that an API does not accept.

## What it does

Checks each argument against the type of its parameter, as browsers do: optional arguments may be left out,
`null` or `undefined`; objects must have every required property and no unknown one; strings must be among
the listed values. Nothing is reported about values that are not known.

Browsers refuse more than their schemas say, and that is reported, too:

* menus without an `id`, or with `onclick`, in an extension with a service worker or an event page
* in Chrome, notifications without `type`, `iconUrl`, `title` or `message`, and alarms without a time
* in `scripting`, neither or both of `func` and `files`, or of `css` and `files`
* items of menus with other contexts than their parents, which never show
* requests for permissions and hosts that the manifest does not list
* names of downloads outside of the folder for downloads, headers of downloads that only the browser may set,
  and sizes of windows that are maximized
* match patterns, URLs, colors, ids of scripts and bookmarks, and other strings that the browser refuses in
  a call, such as `tabs.query({url: "example.org"})` or `tabs.create({url: "about:addons"})` in Firefox; of a
  URL that a script puts together, the scheme
* registered scripts without patterns or files, `allFrames` together with `frameIds`, and
  `sameSite: "no_restriction"` without `secure`
* in Chrome, ids of rule files that the manifest does not list
* in Chrome, `sidePanel.open` before the side panel has a page
* in Chrome, `desktopCapture.chooseDesktopMedia` in a service worker without a tab, and names of native
  applications with other characters than lowercase letters, digits, `_` and `.`
* changes of `storage.managed`, which is read-only, and items of `storage.sync` with more than 8,192 bytes
* values that cannot be cloned, in the messages and the storage of Firefox, and at the end of injected files
  whose result is used

Values that a browser accepts in vain are warnings. In Firefox, match patterns match nothing if their host has
a port, or letters that an address has in Punycode. In Chrome, a `Blob`, a `Map`, a `Set` or an element of the
page is an empty object in messages, in storage, and in the arguments and results of injected functions.
Firefox clones most of them, except in `storage.sync` and in arguments of injected functions.

A file that a click or another event injects again into the same page is reported if it declares a `const`,
`let` or `class` outside of blocks, which fails then, or adds another listener.

The declarativeNetRequest rules that a script adds are checked like those of a rule file, as far as they are
known. In a `regexFilter`, a class of characters whose backslash the string drops is reported, too.

## Why is this bad

The call throws an exception before it does anything, or fails without a trace if no code reads
`runtime.lastError`. Chrome says "Error in invocation of contextMenus.create(...)", "Extensions using event
pages or Service Workers must pass an id parameter to chrome.contextMenus.create", "... cannot pass an onclick
parameter to chrome.contextMenus.create", "Some of the required properties are missing: type, iconUrl, title
and message." or "Only permissions specified in the manifest may be requested.". Firefox says "Type error for
parameter createProperties".

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Link list",
  "version": "1.0",
  "permissions": ["contextMenus"],
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.runtime.onInstalled.addListener(() => {
  chrome.contextMenus.create({ title: "Save the link", contexts: ["link"], onclick: save });
});

function save(info) {
  console.log(info.linkUrl);
}
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Link list",
  "version": "1.0",
  "permissions": ["contextMenus"],
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.runtime.onInstalled.addListener(() => {
  chrome.contextMenus.create({ id: "save", title: "Save the link", contexts: ["link"] });
});

chrome.contextMenus.onClicked.addListener((info) => {
  if (info.menuItemId === "save") {
    console.log(info.linkUrl);
  }
});
```

## References

* What Firefox 153 and Chromium 156 say to calls that fit their schemas.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.checks.calls.calls import argument_findings
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES

RULE = RULES["invalid-argument"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each wrong value, at the argument or at the value inside it."""
    yield from argument_findings(extension, RULE)
