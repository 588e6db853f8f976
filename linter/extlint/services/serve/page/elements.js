// Creates elements. All text is inserted as text, so nothing in a package becomes markup.

const OTHER = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Returns a text on one line, with escapes for characters that are invisible or change the direction. */
export function visible(text) {
  return text.replace(OTHER, (each) => {
    const code = each.codePointAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** Returns code with its tabs, and otherwise like `visible`. */
export function visibleCode(text) {
  return text.split("\t").map(visible).join("\t");
}

/** Returns an element with attributes, and children that are elements or texts. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      made.addEventListener(key, value);
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(key, value === true ? "" : value);
    }
  }
  made.append(...children.flat(Infinity).filter((each) => each !== null && each !== ""));
  return made;
}

/** Returns the parts of a message, in which text in backticks is code. */
export function message(text) {
  return text
    .split(/`([^`]+)`/)
    .map((part, at) => (at % 2 ? element("code", {}, visible(part)) : visible(part)));
}

/** Returns a number with a noun in the singular or plural. */
export function counted(number, noun, plural = `${noun}s`) {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** Returns a button that calls a function. */
export function button(label, action, attributes = {}) {
  return element("button", { type: "button", click: action, ...attributes }, label);
}

/** Offers data as a file to download. */
export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

const BROWSERS = {
  reference: "the specification",
  firefox: "Firefox",
  firefox_android: "Firefox for Android",
  chrome: "Chrome",
  edge: "Edge",
  safari: "Safari",
};

/** Returns the name of a target as users know it. */
export function browser(target) {
  return BROWSERS[target] ?? target;
}
