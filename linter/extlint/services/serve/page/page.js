// The page: what to check, the progress, and the result.

import { comparisonOf } from "./comparison.js";
import { button, element, visible } from "./elements.js";
import { EXAMPLE } from "./example.js";
import { archived, filesBelow, filesOf } from "./folders.js";
import { locateInArchive, resultOf } from "./result.js";
import { addressOf, keptId, Problem, request, requestReport, useToken } from "./service.js";
import { storedEntry, writeZip } from "./zip.js";

const PAGE_TYPE = "application/vnd.extlint.page+json";

const at = (id) => document.getElementById(id);
const result = at("result");

let running = null;
let current = null;
let retry = null;
let shownId = keptId();

function say(text) {
  at("status").textContent = text;
}

function showProblem(error) {
  const problem = at("problem");
  const text = error.status === 401 ? "Enter the token of this service." : visible(error.message);
  const parts = [element("strong", {}, visible(error.title ?? "The check failed")), element("p", {}, text)];
  if (error.limit !== undefined) parts.push(element("p", { class: "soft" }, `Limit: ${visible(`${error.limit}`)}`));
  const mayPass = error instanceof Problem && [0, 429, 503].includes(error.status);
  if (mayPass && retry !== null) parts.push(button("Try again", retry));
  problem.replaceChildren(...parts);
  problem.hidden = false;
  if (error.status === 401) {
    at("access").hidden = false;
    at("token").focus();
  }
}

/** Runs work that the user can cancel, and that the next work cancels. `work` gets a signal and `progress`. */
async function run(label, work) {
  running?.abort(new DOMException("Replaced", "AbortError"));
  const mine = (running = new AbortController());
  at("problem").hidden = true;
  at("access").hidden = true;
  say("");
  const bar = at("bar");
  const progress = (text, part = null) => {
    at("doing").textContent = text;
    if (part === null) bar.removeAttribute("value");
    else bar.value = part;
  };
  progress(label);
  at("progress").hidden = false;
  try {
    await work(mine.signal, (part, seconds) => {
      if (seconds !== undefined) progress(`The service is busy; trying again in ${seconds} s`);
      else if (part < 1) progress("Sending", part);
      else progress("Checking");
    });
  } catch (error) {
    if (error !== mine.signal.reason) showProblem(error);
    else if (mine === running) say("Canceled.");
  } finally {
    if (mine === running) {
      running = null;
      at("progress").hidden = true;
    }
  }
}

function query() {
  const form = new FormData(at("options"));
  const parameters = new URLSearchParams();
  for (const target of form.getAll("target")) parameters.append("target", target);
  for (const name of ["select", "ignore"]) {
    for (const each of form.get(name).split(/[\s,]+/).filter((part) => part !== "")) parameters.append(name, each);
  }
  return parameters;
}

function lintRequest({ name, blob, isManifest }, parameters) {
  const address = parameters.size > 0 ? `v1/lint?${parameters}` : "v1/lint";
  const type = isManifest ? "application/json" : "application/octet-stream";
  return [address, { "Content-Type": type, "X-Filename": encodeURIComponent(name) }];
}

function check(source) {
  retry = () => check(source);
  return run("Sending", async (signal, onProgress) => {
    const start = performance.now();
    const parameters = query();
    const [address, headers] = lintRequest(source, parameters);
    const options = { body: source.blob, headers: { ...headers, Accept: PAGE_TYPE }, signal, onProgress };
    const data = await request("POST", address, options).catch((error) => {
      if (!signal.aborted) hideResult();
      throw error;
    });
    current = { source, parameters, data };
    show(data, source, (performance.now() - start) / 1000);
    if (keptId() !== data.id) history.pushState(null, "", addressOf(data.id));
    shownId = data.id;
    result.focus({ preventScroll: true });
    result.scrollIntoView();
  });
}

function show(data, source, seconds) {
  result.replaceChildren(...resultOf(data, source, seconds, { check, compare, report: reportAs, say }));
  result.hidden = false;
  const { findings } = data.report;
  say(`${visible(source.name)}: ${findings.length === 0 ? "no problems found" : `${findings.length} findings`}`);
  document.title = `${visible(source.name)} – extlint`;
}

/** Hides the result of another package, which would seem to be that of the package that cannot be checked. */
function hideResult() {
  result.hidden = true;
  document.title = "extlint";
}

function compare(older) {
  const { source, parameters, data } = current;
  retry = () => compare(older);
  return run("Comparing", async (signal, onProgress) => {
    const form = new FormData();
    form.append("package", source.blob, source.name);
    form.append("against", older, older.name);
    const targets = new URLSearchParams(parameters.getAll("target").map((each) => ["target", each]));
    const address = targets.size > 0 ? `v1/permissions?${targets}` : "v1/permissions";
    const permissions = await request("POST", address, { body: form, signal, onProgress });
    const [lint, headers] = lintRequest({ name: older.name, blob: older, isManifest: false }, parameters);
    const options = { body: older, headers: { ...headers, Accept: "application/json" }, signal, onProgress };
    const before = await request("POST", lint, options);
    locateInArchive(before.findings);
    const compared = comparisonOf(permissions.extensions[0], before.findings, data.report.findings);
    const title = element("h4", { tabindex: "-1" }, `Compared with ${visible(older.name)}`);
    at("compared").replaceChildren(...[title, ...compared].flat());
    say(`Compared with ${visible(older.name)}.`);
    title.focus();
  });
}

function reportAs(type) {
  const [address, headers] = lintRequest(current.source, current.parameters);
  return requestReport(address, current.source.blob, { ...headers, Accept: type });
}

function showKept(id) {
  retry = () => showKept(id);
  return run("Loading the result", async (signal) => {
    const data = await request("GET", `v1/results/${encodeURIComponent(id)}`, { headers: { Accept: PAGE_TYPE }, signal });
    const name = data.report.extensions[0]?.path ?? "Result";
    current = null;
    show({ ...data, id }, { name, blob: null, isManifest: false }, null);
  });
}

function checkFile(file) {
  return check({ name: file.name, blob: file, isManifest: file.name.toLowerCase().endsWith(".json") });
}

function checkFolder(name, files) {
  retry = null;
  return run("Reading the folder", async (signal) => {
    const { blob, folder } = await archived(await files);
    signal.throwIfAborted();
    check({ name: `${folder === "" ? name : folder.split("/").at(-1)}.zip`, blob, isManifest: false });
  });
}

function checkText(text) {
  return check({ name: "manifest.json", blob: new Blob([text]), isManifest: true });
}

async function checkExample() {
  const encoder = new TextEncoder();
  const entries = Object.entries(EXAMPLE).map(([path, text]) => storedEntry(path, encoder.encode(text)));
  return check({ name: "example.zip", blob: await writeZip(entries), isManifest: false });
}

function checkTransfer(transfer) {
  const [item] = [...transfer.items].filter((each) => each.kind === "file");
  const entry = item?.webkitGetAsEntry?.();
  if (transfer.files.length > 1) {
    showProblem(new Error("Drop one package or one folder. To compare two, check the newer one first."));
  } else if (entry?.isDirectory) {
    checkFolder(entry.name, filesBelow(entry));
  } else if (transfer.files.length === 1) {
    checkFile(transfer.files[0]);
  }
}

function acceptDrops() {
  const drop = at("drop");
  addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) drop.classList.remove("over");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    checkTransfer(event.dataTransfer);
  });
  addEventListener("paste", (event) => {
    if (event.clipboardData.files.length > 0) checkTransfer(event.clipboardData);
  });
}

function acceptFiles() {
  const inputs = { package: (files) => checkFile(files[0]), folder: (files) => chooseFolder(files) };
  for (const [id, use] of Object.entries(inputs)) {
    at(`choose-${id}`).addEventListener("click", () => at(id).click());
    at(id).addEventListener("change", () => {
      const files = [...at(id).files];
      at(id).value = "";
      if (files.length > 0) use(files);
    });
  }
}

function chooseFolder(files) {
  return checkFolder(files[0].webkitRelativePath.split("/")[0], filesOf(files));
}

function acceptForms() {
  at("example").addEventListener("click", checkExample);
  at("cancel").addEventListener("click", () => running?.abort(new DOMException("Canceled", "AbortError")));
  at("options").addEventListener("submit", (event) => event.preventDefault());
  at("paste").querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    checkText(at("manifest").value);
  });
  at("manifest").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.target.form.requestSubmit();
    }
  });
  at("access").addEventListener("submit", (event) => {
    event.preventDefault();
    useToken(at("token").value);
    at("token").value = "";
    retry?.();
  });
}

function showAddress() {
  shownId = keptId();
  if (shownId !== null) {
    showKept(shownId);
  } else {
    running?.abort(new DOMException("Left", "AbortError"));
    result.hidden = true;
    result.replaceChildren();
    say("");
    document.title = "extlint";
  }
}

acceptDrops();
acceptFiles();
acceptForms();
addEventListener("popstate", () => {
  if (keptId() !== shownId) showAddress();
});
if (shownId !== null) showAddress();
