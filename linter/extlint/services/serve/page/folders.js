// A dropped or chosen folder as an archive.

import { storedEntry, writeZip, ZipError } from "./zip.js";

const SKIPPED = new Set([".git", ".hg", ".svn", "node_modules"]);
const MAX_FILES = 20_000;
const MAX_BYTES = 200 * 1024 * 1024;

/** Returns the files below a dropped folder, as `{path, file}`. */
export async function filesBelow(entry, path = "") {
  if (entry.isFile) {
    return [{ path, file: await new Promise((resolve, reject) => entry.file(resolve, reject)) }];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    found.push(...some);
  }
  const kept = found.filter((each) => each.isFile || !SKIPPED.has(each.name));
  const files = [];
  for (const each of kept) {
    files.push(...(await filesBelow(each, path === "" ? each.name : `${path}/${each.name}`)));
    if (files.length > MAX_FILES) throw new ZipError("The folder has too many files.");
  }
  return files;
}

/** Returns the files of a chosen folder, as `{path, file}`. */
export function filesOf(list) {
  return [...list]
    .map((file) => ({ path: file.webkitRelativePath.split("/").slice(1).join("/"), file }))
    .filter(({ path }) => !path.split("/").slice(0, -1).some((part) => SKIPPED.has(part)));
}

/** Returns an archive of the extension in a folder: the files next to and below the nearest manifest.json.
 *
 * `folder` is the path of that extension below the folder, or an empty string.
 */
export async function archived(files) {
  const manifests = files.map(({ path }) => path).filter((path) => path.split("/").at(-1) === "manifest.json");
  manifests.sort((one, other) => one.split("/").length - other.split("/").length || (one < other ? -1 : 1));
  if (manifests.length === 0) throw new ZipError("The folder has no manifest.json.");
  const folder = manifests[0].slice(0, -"manifest.json".length);
  const own = files.filter(({ path }) => path.startsWith(folder));
  const bytes = own.reduce((sum, { file }) => sum + file.size, 0);
  if (own.length > MAX_FILES || bytes > MAX_BYTES) throw new ZipError("The folder is too large.");
  own.sort((one, other) => (one.path < other.path ? -1 : 1));
  const entries = [];
  for (const { path, file } of own) {
    entries.push(storedEntry(path.slice(folder.length), new Uint8Array(await file.arrayBuffer())));
  }
  return { blob: await writeZip(entries), folder: folder.replace(/\/$/, "") };
}
