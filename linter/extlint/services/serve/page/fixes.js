// The fixes that the user chose, and the package with them.

import { areCompatible, edited, located, merged } from "./texts.js";
import { readZip, storedEntry, unpacked, writeZip } from "./zip.js";

const MAX_BYTES = 4 * 1024 * 1024;
const SIGNATURE = /^META-INF\/(?:manifest\.mf|mozilla\.(?:rsa|sf)|cose\.(?:manifest|sig))$/i;

/** The fixes of findings: at first, the safe ones are chosen. */
export class Fixes {
  constructor(findings, text) {
    this._all = findings.filter((each) => each.fix !== null);
    this._text = text;
    this._chosen = new Set(this._all.filter((each) => each.fix.safe));
    this.onChange = () => {};
  }

  get all() {
    return this._all.length;
  }

  get chosen() {
    return this._chosen.size;
  }

  has(finding) {
    return this._chosen.has(finding);
  }

  choose(finding, isChosen) {
    if (isChosen) this._chosen.add(finding);
    else this._chosen.delete(finding);
    this.onChange();
  }

  /** Returns the new texts of files by path, and the numbers of fixes that are applied and that conflict. */
  apply() {
    const accepted = new Map();
    let applied = 0;
    for (const { fix } of this._all.filter((each) => this._chosen.has(each))) {
      const paths = [...new Set(fix.edits.map((each) => each.path))];
      const parts = paths.map((path) => {
        const text = this._text(path);
        return [path, text === null ? null : located(text, fix.edits.filter((each) => each.path === path))];
      });
      if (parts.every(([path, edits]) => edits !== null && areCompatible(accepted.get(path) ?? [], edits))) {
        for (const [path, edits] of parts) accepted.set(path, merged(accepted.get(path) ?? [], edits));
        applied++;
      }
    }
    const texts = new Map([...accepted].map(([path, edits]) => [path, edited(this._text(path).text, edits)]));
    return { texts, applied, left: this._chosen.size - applied };
  }
}

/** Returns an archive with new texts, and the paths that could not be changed.
 *
 * The other entries are copied. A signature is left out, since it would not be valid.
 */
export async function patched(blob, texts, textBefore) {
  const entries = await readZip(blob);
  const top = topFolder(entries);
  const written = [];
  const done = new Set();
  for (const entry of entries) {
    const path = normalized(entry.name).slice(top.length);
    if (SIGNATURE.test(path)) continue;
    if (!texts.has(path)) {
      written.push(entry);
      continue;
    }
    const content = new TextDecoder("utf-8", { ignoreBOM: true });
    const before = content.decode(await unpacked(entry, MAX_BYTES));
    const mark = before.startsWith("\ufeff") ? "\ufeff" : "";
    if (before.slice(mark.length) === textBefore(path)?.text && !before.includes("\ufffd")) {
      written.push(storedEntry(entry.name, new TextEncoder().encode(mark + texts.get(path)), entry));
      done.add(path);
    } else {
      written.push(entry);
    }
  }
  return { blob: await writeZip(written), unchanged: [...texts.keys()].filter((path) => !done.has(path)) };
}

/** Returns an archive of only the files with new texts. */
export function changedFiles(texts) {
  const encoder = new TextEncoder();
  return writeZip([...texts].map(([path, text]) => storedEntry(path, encoder.encode(text))));
}

/** Returns the file name of a fixed package. A .crx becomes a .zip, since its signature is not valid. */
export function fixedName(name) {
  const match = /^(.*?)(\.(?:zip|xpi|crx|json))?$/is.exec(name.split("/").at(-1));
  const suffix = (match[2] ?? ".zip").toLowerCase();
  return `${match[1] || "package"}-fixed${suffix === ".crx" ? ".zip" : suffix}`;
}

function normalized(name) {
  return name
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
}

function topFolder(entries) {
  const paths = entries.filter(({ name }) => !name.endsWith("/")).map(({ name }) => normalized(name));
  const tops = new Set(paths.map((path) => path.split("/")[0]));
  const top = tops.size === 1 ? `${[...tops][0]}/` : "";
  return top !== "" && paths.includes(`${top}manifest.json`) ? top : "";
}
