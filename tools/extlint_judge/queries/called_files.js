(async (page) => {
  const api = globalThis.browser ?? chrome;
  const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const target = await api.tabs.create({ url: page, active: false });
  const tabId = target.id;
  const isThere = ({ status, url }) => status === "complete" && url === page;
  for (let tries = 0; tries < 60 && !isThere(await api.tabs.get(tabId)); tries++) {
    await wait(50);
  }
  const addressOf = async (tab) => {
    for (let tries = 0; tries < 60; tries++) {
      const found = await api.tabs.get(tab.id);
      const url = found.pendingUrl || found.url;
      if (url && url !== "about:blank" && !url.startsWith("http:")) {
        return url;
      }
      await wait(50);
    }
    return "no address";
  };
  const action = api.action ?? api.browserAction;
  const calls = {
    "scripting.executeScript": ["js", async (name) => {
      const [found] = await api.scripting.executeScript({ target: { tabId }, files: [name] });
      if (found.error) {
        throw new Error(found.error.message ?? "an error");
      }
    }],
    "scripting.insertCSS": ["css", (name) => api.scripting.insertCSS({ target: { tabId }, files: [name] })],
    "scripting.removeCSS": ["css", (name) => api.scripting.removeCSS({ target: { tabId }, files: [name] })],
    "scripting.registerContentScripts js": ["js", (name) => registered({ js: [name] })],
    "scripting.registerContentScripts css": ["css", (name) => registered({ css: [name] })],
    "tabs.executeScript": ["js", (name) => api.tabs.executeScript(tabId, { file: name })],
    "tabs.insertCSS": ["css", (name) => api.tabs.insertCSS(tabId, { file: name })],
    "tabs.create": ["html", async (name) => closed(await api.tabs.create({ url: name, active: false }))],
    "tabs.update": ["html", async (name) => {
      const tab = await api.tabs.create({ url: page, active: false });
      await wait(200);
      return closed(await api.tabs.update(tab.id, { url: name }));
    }],
    "windows.create": ["html", async (name) => {
      const made = await api.windows.create({ url: name });
      const [tab] = await api.tabs.query({ windowId: made.id });
      return closed(tab);
    }],
    "action.setPopup": ["html", async (name) => {
      await action.setPopup({ popup: name });
      return action.getPopup({});
    }],
    "action.setIcon": ["png", (name) => action.setIcon({ path: name })],
    "action.setIcon sizes": ["png", (name) => action.setIcon({ path: { 16: name } })],
    "sidePanel.setOptions": ["html", async (name) => {
      await api.sidePanel.setOptions({ path: name });
      return (await api.sidePanel.getOptions({})).path;
    }],
    "sidebarAction.setPanel": ["html", async (name) => {
      await api.sidebarAction.setPanel({ panel: name });
      return api.sidebarAction.getPanel({});
    }],
    "offscreen.createDocument": ["html", async (name) => {
      try {
        await api.offscreen.createDocument({ url: name, reasons: ["DOM_PARSER"], justification: "judge" });
        const [found] = await api.runtime.getContexts({ contextTypes: ["OFFSCREEN_DOCUMENT"] });
        return found.documentUrl;
      } finally {
        await api.offscreen.closeDocument().catch(() => {});
      }
    }],
    "notifications.create": ["png", (name) =>
      api.notifications.create({ type: "basic", title: "a", message: "b", iconUrl: name })],
    importScripts: ["js", (name) => {
      try {
        importScripts(name);
      } catch (error) {
        // A worker that is installed may import nothing new; the message has the address.
        if (!error.message.includes("/folder/near.js")) {
          throw error;
        }
      }
    }],
    "new Worker": ["js", (name) => new Promise((resolve, reject) => {
      const worker = new Worker(name);
      worker.onerror = () => reject(new Error("it does not start"));
      setTimeout(resolve, 300);
    })],
  };
  const closed = async (tab) => {
    const url = await addressOf(tab);
    await api.tabs.remove(tab.id);
    return url;
  };
  const registered = async (files) => {
    try {
      await api.scripting.registerContentScripts([{ id: "judge", matches: ["http://127.0.0.1/*"], ...files }]);
    } finally {
      await api.scripting.unregisterContentScripts({ ids: ["judge"] }).catch(() => {});
    }
  };
  const found = {};
  for (const [call, [suffix, run]] of Object.entries(calls)) {
    const [space, member] = call.split(" ")[0].split(".");
    const root = space === "action" ? action : api[space];
    if (member !== undefined && root?.[member] === undefined) {
      continue;
    }
    if ((call === "importScripts" && !globalThis.importScripts) || (call === "new Worker" && !globalThis.Worker)) {
      continue;
    }
    found[call] = {};
    const names = [`root.${suffix}`, `near.${suffix}`, `none.${suffix}`];
    // Each window takes a second, and whether a page is there makes no difference to it.
    for (const name of call === "windows.create" ? names.slice(0, 2) : names) {
      try {
        const address = await run(name);
        found[call][name.split(".")[0]] = typeof address === "string" && address.includes("html") ? address.replace(/^[a-z-]+:\/\/[^/]+/, "") : "succeeds";
      } catch (error) {
        found[call][name.split(".")[0]] = `fails: ${error.message}`;
      }
    }
  }
  await api.tabs.remove(tabId);
  return found;
})
