// What scenarios have at hand: `SETTING` says where the server is and how the API is called.
const root = globalThis.browser ?? globalThis.chrome;
const { api, happened, results } = observing(
  SETTING.callbacks.length ? globalThis.chrome : root,
  SETTING.callbacks,
);
const scenarios = [];
const scenario = (name, run) => scenarios.push([name, run]);
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const server = (path) => `${SETTING.server}${path}`;
const post = (path, body) => fetch(server(path), { method: "POST", body: JSON.stringify(body) });

// Waits until an event has happened, or until that is too long.
const until = async (path, longest = 4000) => {
  for (let waited = 0; waited < longest && !happened(path); waited += 50) await pause(50);
};

// Asks the one who drives the browser for what only a person can do.
const ask = async (what, path, detail = {}) => {
  if (path !== "" && path.split(".").reduce((at, name) => at?.[name], root) === undefined) return;
  await post("/ask", { what, version: root.runtime.getManifest().manifest_version, detail });
  await until(path);
};

// The response to a request, whatever becomes of it.
const request = async (path, options) => {
  try {
    const signal = AbortSignal.timeout(3000);
    const response = await fetch(path.includes("://") ? path : server(path), { signal, ...options });
    await response.text();
    return response;
  } catch {
    return undefined;
  }
};

// A tab with a page of the server that has been loaded.
const opened = async (path = "/page.html", more = {}) => {
  const tab = await api.tabs.create({ url: path.includes("://") ? path : server(path), ...more });
  for (let tries = 0; tries < 60; tries++) {
    const now = await api.tabs.get(tab.id);
    if (now?.status === "complete" && now.url !== "about:blank") return now;
    await pause(50);
  }
  return tab;
};

// Runs the scenarios one after the other, and tells what was seen.
const runScenarios = async (context) => {
  const stuck = {};
  for (const [name, run] of scenarios) {
    const late = pause(40000).then(() => Promise.reject(new Error("it takes too long")));
    await Promise.race([run(), late]).catch((error) => (stuck[name] = `${error} ${error.stack ?? ""}`));
  }
  await post("/seen", { context, stuck, ...results() });
};
