// Does everything that extensions do with a tab and a site, and returns the result of each operation.
async (site, closed, redirect, titles) => {
  const api = globalThis.browser ?? chrome;
  const FIELDS = ["url", "title", "favIconUrl", "pendingUrl"];
  const has = (it) => FIELDS.filter((name) => it?.[name] !== undefined).join(", ") || "none";
  const found = {}, changes = new Set();
  const settle = async (name, ask) => {
    try {
      const value = await ask();
      found[name] = typeof value === "string" ? value : "works";
    } catch (error) {
      found[name] = `fails: ${error.message}`;
    }
  };
  const own = await api.tabs.getCurrent();
  const events = new Map();
  const note = (tabId, name) => events.set(tabId, (events.get(tabId) ?? new Set()).add(name));
  api.tabs.onActivated.addListener(({ tabId }) => note(tabId, "tabs.onActivated"));
  api.tabs.onCreated.addListener((tab) => note(tab.id, "tabs.onCreated"));
  api.tabs.onUpdated.addListener((tabId, { status }) => status && note(tabId, "tabs.onUpdated"));
  for (const name of ["onBeforeNavigate", "onCommitted", "onDOMContentLoaded", "onCompleted"]) {
    api.webNavigation[name].addListener(({ tabId }) => note(tabId, `webNavigation.${name}`));
  }
  const heard = new Promise((resolve) => api.runtime.onMessage.addListener((_, sender) => resolve(sender)));
  const loaded = new Promise((resolve) => api.tabs.onUpdated.addListener((_, change, tab) => {
    for (const name of FIELDS) if (change[name]?.includes("page")) changes.add(name);
    if (change.status === "complete" && tab.id !== own.id) resolve();
  }));
  const { id } = await api.tabs.create({ url: site });
  await loaded;
  found["fields of its tab"] = has(await api.tabs.get(id));
  found["fields of an own page's tab"] = has(own);
  const tabs = async (filter) => `${(await api.tabs.query(filter)).length} tabs`;
  await settle("query by its url", () => tabs({ url: "*://127.0.0.1/*" }));
  await settle("query by its title", () => tabs({ title: "page" }));
  const inject = (tabId) =>
    api.scripting
      ? api.scripting.executeScript({ target: { tabId }, func: () => document.title })
      : api.tabs.executeScript(tabId, { code: "1" });
  const css = "p { color: red }";
  const insert = (tabId) =>
    api.scripting
      ? api.scripting.insertCSS({ target: { tabId }, css })
      : api.tabs.insertCSS(tabId, { code: css });
  await settle("executeScript", () => inject(id));
  await settle("insertCSS", () => insert(id));
  await settle("captureVisibleTab", async () => void (await api.tabs.captureVisibleTab()));
  const cookie = { url: site, name: "judge" };
  await settle("cookies.get", async () => (await api.cookies.get(cookie)) ? "a cookie" : "none");
  await settle("cookies.getAll", async () => `${(await api.cookies.getAll(cookie)).length} cookies`);
  await settle("downloads.download", async () => {
    const download = await api.downloads.download({ url: site });
    const state = async () => (await api.downloads.search({ id: download }))[0].state;
    while (await state() === "in_progress") await new Promise((resolve) => setTimeout(resolve, 50));
    return state();
  });
  await settle("history.search", async () => {
    const visits = await api.history.search({ text: "127.0.0.1" });
    return visits.some((each) => each.url === site) ? "an address" : "none";
  });
  await settle("identity.launchWebAuthFlow", async () => {
    const url = `${redirect}?to=${encodeURIComponent(api.identity.getRedirectURL())}`;
    return (await api.identity.launchWebAuthFlow({ url, interactive: true })) && "an address";
  });
  found["sender of an own port"] = api.runtime.connect().sender ? "there" : "none";
  await settle("fetch of a page for everybody", () => fetch(site));
  await settle("fetch of a page for its own site", () => fetch(closed));
  if (api.runtime.getManifest().content_scripts) {
    const sender = await heard;
    found["fields of a sender's tab"] = has(sender.tab);
    found["fields of a sender"] = sender.url === undefined ? "none" : "url";
  }
  found["fields of its changes"] = [...changes].sort().join(", ") || "none";
  let calls = 0;
  const count = (tabId, { status }) => (calls += tabId === id && !status);
  const shown = new Promise((resolve) => api.tabs.onUpdated.addListener((tabId, { status }) => {
    if (tabId === id && status === "complete") resolve();
  }));
  await api.tabs.update(id, { url: titles });
  await shown;
  await new Promise((resolve) => setTimeout(resolve, 500));
  api.tabs.onUpdated.addListener(count);
  await new Promise((resolve) => setTimeout(resolve, 2500));
  api.tabs.onUpdated.removeListener(count);
  found["calls of tabs.onUpdated for three titles"] = `${calls}`;
  const empty = await api.tabs.create({});
  await new Promise((resolve) => setTimeout(resolve, 700));
  found["fields of a new tab"] = has(await api.tabs.get(empty.id));
  await settle("executeScript in a new tab", () => inject(empty.id));
  found["events of its tab"] = [...events.get(id)].sort().join(", ");
  found["events of a new tab"] = [...(events.get(empty.id) ?? [])].sort().join(", ");
  await api.tabs.remove([id, empty.id]);
  return found;
}
